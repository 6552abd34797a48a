/* What a recording has counted until now, by the last frames of its stacks. */
#ifndef LEAVES_H
#define LEAVES_H

#include <stdlib.h>

#include "record/recording.h"

/* The leaves of the stacks in order, a blank and their counts. free() it. */
static inline char *
leaves(struct recording *recording, struct recording_counts *counts)
{
	struct buf text = { 0 };
	const struct stack **list;
	struct fold fold;
	size_t count;

	fold_init(&fold);
	recording_fold(recording, &fold, counts);
	list = fold_sorted(&fold, &count);
	buf_text(&text, "");
	for (size_t i = 0; i < count; i++)
		buf_print(&text, "%s%s %u", i ? ", " : "", intern_name(&fold.names, list[i]->frames[list[i]->count - 1]),
		    (unsigned)list[i]->value);
	free(list);
	fold_release(&fold);
	return text.data;
}

#endif
