/* A profile in memory: stacks of named frames with their counts, and the header that says what was
 * counted. Made by recorders and by reading folded text; written, merged and drawn. gp-folded(5). */
#ifndef FOLD_FOLD_H
#define FOLD_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "fold/header.h"
#include "fold/stacks.h"

struct fold {
	struct header header;
	struct intern names;
	struct stacks stacks; /* rows of numbers of names, root first; values are times the header's scale */
};

void fold_init(struct fold *fold);
void fold_release(struct fold *fold);

/* The stacks with a value, in canonical order: frame by frame as byte strings, a stack before its
 * extensions. free() it; *count of them. */
const struct stack **fold_sorted(const struct fold *fold, size_t *count);

/* The sum of all values. */
unsigned __int128 fold_total(const struct fold *fold);

/* A frame as gp-folded(5) writes it: ';' becomes ':', control characters '?', and what would be read as
 * something else is written so that it cannot. position says which rules apply (a process name without
 * frames is FOLD_PROCESS | FOLD_LEAF); returns the number of the name. */
enum fold_position { FOLD_FRAME = 0, FOLD_LABEL = 1, FOLD_PROCESS = 2, FOLD_LEAF = 4 };
uint32_t fold_name(struct fold *fold, enum fold_position position, const char *name, size_t length);

/* Is a leading frame "key=value" a label: its key one of gp-folded(5)'s or of the header's labels. */
bool fold_is_label(const struct fold *fold, const char *frame, size_t length);

#endif
