/* Profiles in the terminal, looked at with keys: gp-view(1). */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "fold/fold.h"
#include "fold/folded.h"
#include "fold/period.h"
#include "view/steps.h"

struct view_options {
	struct folded_options reading;
	const struct period *periods; /* only these, if there are any */
	size_t period_count;
	struct steps steps;	      /* to begin with; taken over */
	enum tree_order order;
	const char *search; /* to begin with; NULL: nothing */
};

/* fold: a profile from malloc(), taken over; NULL: they come on stdin, one after another. Until the user ends it, or
 * a signal: *signal is then its number and the caller's to obey. -1, said: it could not be done. */
int view_run(const struct view_options *options, struct fold *fold, int *signal);

#endif
