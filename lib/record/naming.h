/* Stacks of numbers → stacks of names, counted by how whole they are. It must not know where names come from. */
#ifndef RECORD_NAMING_H
#define RECORD_NAMING_H

#include "fold/fold.h"
#include "record/frames.h"
#include "record/recording.h"

/* The process of tasks that have no number here. */
#define NAMING_OTHER_NAMESPACE "[other-pid-namespace]"

struct naming {
	const struct frames *frames; /* named, in raw */
	const struct intern *raw;
	struct fold *fold;
	const uint32_t *markers;     /* by enum walk_end: the frame after the process's name if a stack is not whole */
	size_t labels;		     /* before the process's name */
	struct recording_counts *counts;
};

/* Their rows are given back on the way, or all would be there twice. */
void naming_fold(const struct naming *naming, struct stacks *stacks);

#endif
