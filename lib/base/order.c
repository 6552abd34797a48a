#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/order.h"

/* Below this insertion is quicker than a call of qsort(). */
#define FEW 24

struct key {
	uint64_t word;
	uint32_t item;
};

/* Items from..to are equal in all words before depth. */
struct run {
	size_t from, to;
	uint32_t depth;
};

struct runs {
	struct run *list;
	size_t count, room;
};

static int
by_word(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return (x->word > y->word) - (x->word < y->word);
}

static void
insertion_sort(struct key *keys, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct key key = keys[i];
		size_t k = i;

		for (; k && keys[k - 1].word > key.word; k--)
			keys[k] = keys[k - 1];
		keys[k] = key;
	}
}

static void
sort_keys(struct key *keys, size_t count)
{
	bool sorted = true;

	/* A long common beginning, and input that is in order, cost no more than a look. */
	for (size_t i = 1; i < count && sorted; i++)
		sorted = keys[i - 1].word <= keys[i].word;
	if (sorted)
		return;
	if (count <= FEW)
		insertion_sort(keys, count);
	else
		qsort(keys, count, sizeof *keys, by_word);
}

static void
push(struct runs *runs, size_t from, size_t to, uint32_t depth)
{
	mem_grow(&runs->list, runs->count, &runs->room);
	runs->list[runs->count++] = (struct run){ from, to, depth };
}

void
order_by_words(uint32_t *items, size_t count,
    uint64_t (*word)(const void *context, uint32_t item, uint32_t depth), const void *context)
{
	struct key *keys = mem_resize(NULL, count, sizeof *keys);
	struct runs runs = { 0 };

	if (count > 1)
		push(&runs, 0, count, 0);
	while (runs.count) {
		struct run run = runs.list[--runs.count];
		size_t first = run.from;

		for (size_t i = run.from; i < run.to; i++)
			keys[i] = (struct key){ word(context, items[i], run.depth), items[i] };
		sort_keys(keys + run.from, run.to - run.from);
		for (size_t i = run.from; i < run.to; i++) {
			items[i] = keys[i].item;
			if (i + 1 < run.to && keys[i + 1].word == keys[i].word)
				continue;
			if (i > first && keys[i].word & 1)
				push(&runs, first, i + 1, run.depth + 1);
			first = i + 1;
		}
	}
	free(runs.list);
	free(keys);
}
