/* The rings that the kernel fills, one a CPU, read as one sequence in order of time. */
#ifndef SOURCE_PERF_RING_H
#define SOURCE_PERF_RING_H

#include <linux/perf_event.h>

#include <stddef.h>
#include <stdint.h>

#include "source/perf_piece.h"

struct perf_ring {
	int fd;
	uint32_t cpu;
	struct perf_event_mmap_page *control;
	unsigned char *data;
	uint64_t size, tail, next_tail;
	unsigned char *unwrapped; /* a record that the ring's end cuts in two */
	uint64_t piece_bytes;	  /* of what was collected last */
};

/* Maps the ring of an event; size is a power of two of bytes. -1 with errno. */
int perf_ring_map(struct perf_ring *ring, int fd, uint64_t size);
void perf_ring_unmap(struct perf_ring *ring);

/* A record waiting in a ring. */
struct perf_waiting {
	uint64_t time;
	const struct perf_event_header *header;
	uint32_t ring, order;
	size_t first_piece, piece_count; /* a sample's */
};

struct perf_order {
	struct perf_waiting *list;
	size_t count, room;
	struct perf_piece *pieces;
	size_t total_pieces, piece_room;
};

/* All records of all rings up to the time limit, in order of time. Time inside one ring goes backwards now
 * and then, by microseconds. Where it stands in a record follows from the sample_type that the sampler
 * uses: TID, TIME, CPU first and last. Pieces of stacks are no records but belong to the sample behind them.
 * They hold until perf_rings_release(). */
void perf_rings_collect(struct perf_ring *rings, size_t count, uint64_t limit, struct perf_order *order);
void perf_rings_release(struct perf_ring *rings, size_t count);

#endif
