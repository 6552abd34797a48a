#include <stdlib.h>
#include <string.h>

#include "view/feed.h"
#include "view/history.h"

static size_t
size_of(const struct fold *fold)
{
	size_t bytes = sizeof *fold + fold->stacks.count * (sizeof *fold->stacks.list + 2 * sizeof *fold->stacks.slots);

	for (size_t i = 0; i < fold->stacks.count; i++)
		bytes += fold->stacks.list[i].count * sizeof(uint32_t);
	for (uint32_t i = 0; i < fold->names.count; i++)
		bytes += intern_length(&fold->names, i) + 4 * sizeof(void *);
	return bytes;
}

static void
drop(struct history *history, size_t i)
{
	feed_release(history->folds[i]);
	history->count--;
	memmove(&history->folds[i], &history->folds[i + 1], (history->count - i) * sizeof *history->folds);
	memmove(&history->bytes[i], &history->bytes[i + 1], (history->count - i) * sizeof *history->bytes);
	memmove(&history->numbers[i], &history->numbers[i + 1], (history->count - i) * sizeof *history->numbers);
	history->at -= history->at > i;
}

void
history_add(struct history *history, struct fold *fold)
{
	size_t bytes = size_of(fold), total = bytes;

	for (size_t i = 0; i < history->count; i++)
		total += history->bytes[i];
	/* The oldest go, but not the one that is looked at. */
	for (size_t i = 0; i < history->count && (total > HISTORY_BYTES || history->count == HISTORY_MAX);) {
		if (i == history->at) {
			i++;
			continue;
		}
		total -= history->bytes[i];
		drop(history, i);
	}
	history->folds[history->count] = fold;
	history->numbers[history->count] = ++history->number;
	history->bytes[history->count++] = bytes;
}

uint64_t
history_waiting(const struct history *history)
{
	return history->count ? history->number - history->numbers[history->at] : 0;
}

struct fold *
history_fold(const struct history *history)
{
	return history->count ? history->folds[history->at] : NULL;
}

void
history_release(struct history *history)
{
	while (history->count)
		drop(history, history->count - 1);
}
