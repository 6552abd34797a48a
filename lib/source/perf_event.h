/* The kernel's sampler: perf events, opened so that nobody is counted too little, drained in order.
 *
 * Where allowed (CAP_PERFMON, or perf_event_paranoid <= 0) one event per CPU sees everybody and only the
 * targets' samples are kept: events that tasks inherit begin every task with a full period before its
 * first sample, so short children are never seen and many threads are thinned out. Otherwise one
 * inherited event per thread and CPU, whose counters, which are right, are read at the end. */
#ifndef SOURCE_PERF_EVENT_H
#define SOURCE_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/record.h"
#include "source/event_name.h"
#include "source/targets.h"

/* The largest dump whose record still fits into 16 bits of size. */
#define PERF_STACK_MAX 65528u
/* A ring per CPU; more where half a second of samples would not fit, or deep stacks come; less where the kernel
 * locks no more. */
#define PERF_RING_BYTES (2u << 20)
#define PERF_RING_MOST (32u << 20)
#define PERF_RING_LEAST (128u << 10)
/* Clocks tick no faster: the kernel takes it for any smaller period. */
#define PERF_CLOCK_PERIOD_MIN 10000u

struct perf_options {
	const struct event_kind *event;
	uint64_t frequency;  /* samples a second; 0: period counts */
	uint64_t period;     /* events a sample (ns for clocks) */
	uint32_t stack_size; /* bytes of user stack, a multiple of 8 */
	bool user_only, kernel_only;
	const uint32_t *cpus; /* NULL: all that are online */
	size_t cpu_count;
	bool allow_bpf;
};

struct perf_totals {
	uint64_t lost;	    /* samples that did not fit into the rings */
	uint64_t throttled; /* times the kernel slowed the sampler down */
	uint64_t unfollowed; /* children that were not recorded: too many at once for the filter */
	uint64_t deep_stacks, deep_bytes; /* copied beyond the samples' own copies */
	uint64_t deep_refused; /* whose walks wanted more of them than was copied */
	uint64_t gone_cpus; /* went offline, and were not sampled from then on */
	uint64_t counted;   /* the event's own counters (ns for clocks); per task only */
	bool has_counted;
};

struct perf_sampler;

/* Opens, without counting yet. NULL after saying what is missing and the command that grants it. The
 * targets must outlive the sampler. */
struct perf_sampler *perf_sampler_open(const struct perf_options *options, struct targets *targets);
void perf_sampler_close(struct perf_sampler *sampler);

/* One event per CPU, or one per task. */
bool perf_sampler_is_unbiased(const struct perf_sampler *sampler);
/* False when only user space could be asked for. */
bool perf_sampler_sees_kernel(const struct perf_sampler *sampler);
/* Why the filter is in the drain, or NULL: for the notes. */
const char *perf_sampler_no_bpf(const struct perf_sampler *sampler);

/* Why stacks deeper than the dump are not copied whole, or NULL. */
const char *perf_sampler_no_copies(const struct perf_sampler *sampler);
/* A sample whose walk wanted an address that its copies do not have: it counts as refused. From now on its process's
 * stacks are copied whose end is a guess, those of coroutines; and if it was on another stack, what its thread has
 * there. */
void perf_sampler_was_cut(struct perf_sampler *sampler, const struct sample *sample, uint64_t wanted);

int perf_sampler_enable(struct perf_sampler *sampler);
void perf_sampler_disable(struct perf_sampler *sampler);

/* Waits until a ring has filled somewhat, one of the descriptors is readable, or the time is over. */
void perf_sampler_wait(struct perf_sampler *sampler, const int *others, size_t count, int milliseconds);

/* Hands every record that is there to take, in order of time. last: also those younger than the call. */
void perf_sampler_drain(struct perf_sampler *sampler, void (*take)(void *context, const struct record *record),
    void *context, bool last);

/* So far, as records said. */
uint64_t perf_sampler_lost(const struct perf_sampler *sampler);
/* At the end. */
void perf_sampler_totals(struct perf_sampler *sampler, struct perf_totals *totals);

#endif
