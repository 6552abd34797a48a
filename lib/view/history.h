/* The last profiles of a stream, as many as memory is given to: the one that is looked at is kept. */
#ifndef VIEW_HISTORY_H
#define VIEW_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "fold/fold.h"

/* An hour of minutes; and what a machine can spare. */
#define HISTORY_MAX 60
#define HISTORY_BYTES ((size_t)256 << 20)

struct history {
	struct fold *folds[HISTORY_MAX]; /* the oldest first; each from feed_take() or malloc() */
	size_t bytes[HISTORY_MAX];
	uint64_t numbers[HISTORY_MAX]; /* which of all that came, from 1 */
	size_t count, at; /* at: the one looked at */
	uint64_t number;  /* of the last one; 0: none came */
};

/* Takes it over as the last one. What is looked at stays the same. */
void history_add(struct history *history, struct fold *fold);
/* How many came after the one that is looked at, those that are not kept any more among them. */
uint64_t history_waiting(const struct history *history);
struct fold *history_fold(const struct history *history); /* NULL: there is none */
void history_release(struct history *history);

#endif
