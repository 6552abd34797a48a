#include <stdlib.h>

#include "base/order.h"
#include "fold/fold.h"

/* Rows as words: as many ranks as fit behind each other, each + 1 so that a stack comes before its extensions. */
struct ranks {
	const struct stack *list;
	uint32_t *rank;
	unsigned bits, per_word;
};

static uint64_t
word(const void *context, uint32_t item, uint32_t depth)
{
	const struct ranks *ranks = context;
	const struct stack *stack = &ranks->list[item];
	size_t from = (size_t)depth * ranks->per_word;
	uint64_t result = 0;

	for (size_t i = from; i < from + ranks->per_word; i++)
		result = result << ranks->bits | (i < stack->count ? ranks->rank[stack->frames[i]] + (uint64_t)1 : 0);
	return result << 1 | (from + ranks->per_word < stack->count);
}

const struct stack **
fold_sorted(const struct fold *fold, size_t *count)
{
	const struct stacks *stacks = &fold->stacks;
	struct ranks ranks = { .list = stacks->list, .rank = intern_ranks(&fold->names), .bits = 1 };
	uint32_t *items = mem_resize(NULL, stacks->count, sizeof *items);
	const struct stack **sorted;
	size_t kept = 0;

	while ((uint64_t)1 << ranks.bits <= fold->names.count)
		ranks.bits++;
	ranks.per_word = 63 / ranks.bits;
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->list[i].value || stacks_base(stacks, &stacks->list[i]))
			items[kept++] = (uint32_t)i;
	order_by_words(items, kept, word, &ranks);
	sorted = mem_resize(NULL, kept, sizeof *sorted);
	for (size_t i = 0; i < kept; i++)
		sorted[i] = &stacks->list[items[i]];
	free(items);
	free(ranks.rank);
	*count = kept;
	return sorted;
}
