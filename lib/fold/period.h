/* Parts of a profile by its label time: gp-folded(5). */
#ifndef FOLD_PERIOD_H
#define FOLD_PERIOD_H

#include <stddef.h>

#include "fold/fold.h"

struct period {
	double from, to; /* seconds since the profile's start, to not included */
};

/* "10..20", "0.5..1". -1, silent, on anything else. */
int period_parse(struct period *period, const char *text);

/* Leaves what has a label time in one of them. */
void period_keep(struct fold *fold, const struct period *periods, size_t count);

#endif
