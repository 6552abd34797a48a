/* A perf.data as a source: its records in order of time, of one of its events. The layout of a file and
 * that of a pipe are read; memory is bounded by what perf writes in two rounds, not by the file.
 * It must not know what becomes of the records. */
#ifndef SOURCE_PERF_DATA_H
#define SOURCE_PERF_DATA_H

#include "base/input.h"
#include "sample/record.h"
#include "source/perf_data_header.h"
#include "source/perf_data_kernel.h"

/* Blocks of records that wait to be sorted: 128 MiB; beyond it the older half goes on, as it is. */
#define PERF_DATA_BLOCKS_MAX 128

struct perf_data;

/* How the first bytes of a file tell what it is. */
enum perf_data_kind {
	PERF_DATA_NOT,
	PERF_DATA_YES,
	PERF_DATA_FOREIGN, /* of a machine of the other byte order, or older than Linux 3.0 */
};
#define PERF_DATA_MAGIC_SIZE 8
enum perf_data_kind perf_data_kind(const void *bytes, size_t size);

/* Reads up to the first record of a process, so that events, build-ids and the kernel's place are known.
 * The input must stay open. NULL after saying why. */
struct perf_data *perf_data_open(struct input *input);
void perf_data_close(struct perf_data *data);

const struct perf_data_header *perf_data_header(const struct perf_data *data);

/* Where the kernel lay; see perf_data_kernel_doubt(). */
const struct perf_data_kernel *perf_data_kernel(const struct perf_data *data);

/* Samples of this event only, by its index in the header. */
void perf_data_choose(struct perf_data *data, size_t event);

/* The next record. Its pointers hold until the next call. What was lost comes last, as one record.
 * 1: there is one, 0: the end, -1: damaged or not readable (said). */
int perf_data_next(struct perf_data *data, struct record *record);

/* What is known when the end is reached. */
struct perf_data_end {
	bool was_killed;	/* perf did not end by itself: last records and features are missing */
	unsigned long late;	/* records that came out of order */
	uint64_t samples;	/* of the event chosen */
	uint64_t other_samples; /* of the others */
	uint64_t first, last;	/* times of samples */
};
const struct perf_data_end *perf_data_end(struct perf_data *data);

#endif
