/* A multiset of rows of numbers: stacks, before or after their frames have names. Counts are exact
 * (128 bits inside). It must not know what the numbers mean. */
#ifndef FOLD_STACKS_H
#define FOLD_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct stack {
	const uint32_t *frames; /* root first; lives as long as the set */
	uint32_t count;
	uint32_t hash;
	unsigned __int128 value;
};

struct stacks {
	struct arena rows;
	struct stack *list; /* in order of arrival */
	size_t count, room;
	unsigned __int128 *base; /* beside list: the first of two columns, value being the second; NULL: one column */
	uint32_t *slots;
	size_t slot_count;
	size_t limit; /* of different rows; 0: none */
	bool each; /* equal rows stay apart, in order of arrival */
};

/* Adds value to the row, new or old, and returns its index in list. SIZE_MAX, and nothing is added: it would be one too
 * many. */
size_t stacks_add(struct stacks *stacks, const uint32_t *frames, size_t count, unsigned __int128 value);

/* The same with two columns. */
size_t stacks_add_pair(struct stacks *stacks, const uint32_t *frames, size_t count, unsigned __int128 base,
    unsigned __int128 value);

/* Of a stack in list; 0 where there is one column. */
static inline unsigned __int128
stacks_base(const struct stacks *stacks, const struct stack *stack)
{
	return stacks->base ? stacks->base[stack - stacks->list] : 0;
}

/* Of memory, with what it takes to hand the rows over to another set: its table is there twice then. */
static inline size_t
stacks_bytes(const struct stacks *stacks)
{
	size_t table = stacks->count * sizeof *stacks->list + stacks->slot_count * sizeof *stacks->slots;

	return stacks->rows.bytes + 2 * table;
}

void stacks_release(struct stacks *stacks);

#endif
