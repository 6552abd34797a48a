/* What a BPF program copied of a stack beyond its sample's own copy: records of raw output in the sample's
 * ring, right before it. */
#ifndef SOURCE_PERF_PIECE_H
#define SOURCE_PERF_PIECE_H

#include <linux/perf_event.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"

/* The layout of their event: so far as in samples (perf_ring.h), then what the program wrote. */
#define PERF_PIECE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

struct perf_piece {
	uint64_t sp; /* of the sample */
	uint32_t tid;
	struct stack_piece stack;
};

/* False: the record is something else. The piece points into it. */
bool perf_piece_parse(const struct perf_event_header *header, struct perf_piece *piece);

/* The pieces before a sample, if they are its own: by address, in list, which has room for count. How many. */
size_t perf_pieces_of(const struct sample *sample, const struct perf_piece *pieces, size_t count,
    struct stack_piece *list);

#endif
