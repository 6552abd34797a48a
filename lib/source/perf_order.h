/* Records in order of time. perf writes each CPU's ring in turn, round after round: when a round has
 * ended, nothing older than the newest record of the round before can come any more. */
#ifndef SOURCE_PERF_ORDER_H
#define SOURCE_PERF_ORDER_H

#include "source/perf_stream.h"

struct perf_entry {
	uint64_t time;
	uint64_t number; /* equal times keep the order of the file */
	const struct perf_event_header *record;
	struct perf_block *block;
};

struct perf_order {
	struct perf_entry *list; /* sorted up to ready, which may be released */
	size_t count, room, first, ready;
	uint64_t next_number;
	uint64_t newest;	/* of all records so far */
	uint64_t round_limit;	/* newest when the last round ended */
	uint64_t released;	/* time of the last one given out */
	unsigned long late;	/* came after a newer one was given out: the order is not perfect */
};

void perf_order_add(struct perf_order *order, uint64_t time, const struct perf_event_header *record,
    struct perf_block *block);

/* A round ended; half of what waits must go, since memory is bounded; all must go, at the end. */
void perf_order_end_round(struct perf_order *order);
void perf_order_give_half(struct perf_order *order);
void perf_order_give_all(struct perf_order *order);

/* The next record that may be released. False if there is none. */
bool perf_order_next(struct perf_order *order, struct perf_entry *entry);

void perf_order_release(struct perf_order *order); /* the blocks are the stream's */

#endif
