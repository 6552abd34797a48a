/* The bytes of a perf.data as records. They are read in blocks, and a record stays where it was read
 * until its block is let go: stacks are not copied again. It must not know what records mean. */
#ifndef SOURCE_PERF_STREAM_H
#define SOURCE_PERF_STREAM_H

#include <linux/perf_event.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input.h"

#define PERF_BLOCK_SIZE ((size_t)1 << 20)

struct perf_block {
	struct perf_block *next;
	size_t held; /* by records not yet let go, and by the stream while it reads into it */
	unsigned char bytes[PERF_BLOCK_SIZE] __attribute__((aligned(8)));
};

struct perf_stream {
	struct input *input;
	int fd;		   /* of a file: bytes are read by their offset; -1: from input in order */
	uint64_t offset;   /* where the next byte is read */
	uint64_t end;	   /* of a file: where records end */
	bool may_be_cut;   /* a record cut at the end is no damage (perf was killed) */
	bool was_cut;
	struct perf_block *block, *spare;
	size_t start, filled; /* in block: what is not yet handed out */
	size_t spare_count;
	size_t block_count;   /* in memory, for those who bound it */
};

/* One record, aligned to 8, with a hold on its block. 1: there is one, 0: the end, -1: damaged (said). */
int perf_stream_next(struct perf_stream *stream, const struct perf_event_header **record, struct perf_block **block);
void perf_stream_let_go(struct perf_stream *stream, struct perf_block *block);

/* Passes over bytes that follow a record without being one. -1, said, if they are not there. */
int perf_stream_skip(struct perf_stream *stream, uint64_t size);

/* Where the next record begins, for messages. */
uint64_t perf_stream_position(const struct perf_stream *stream);

void perf_stream_release(struct perf_stream *stream);

#endif
