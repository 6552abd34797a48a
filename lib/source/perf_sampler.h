/* Inside the sampler: what opening it (perf_open.c) and running it (perf_event.c) share. Everybody else knows
 * perf_event.h. */
#ifndef SOURCE_PERF_SAMPLER_H
#define SOURCE_PERF_SAMPLER_H

#include <poll.h>

#include "source/bpf_filter.h"
#include "source/perf_event.h"
#include "source/perf_record.h"
#include "source/perf_ring.h"

/* Descriptors of others that a wait looks at, besides the rings. */
#define POLLED_MAX 8

struct perf_sampler {
	struct perf_options options;
	struct targets *targets;
	struct perf_event_attr attr;
	struct perf_layout layout;
	bool per_task;
	uint64_t ring_bytes;	 /* of each ring */
	bool ring_refused;	 /* it was the ring, not the event, that was not allowed */
	uint32_t refused;	 /* the process or thread that could not be attached to */
	uint32_t *cpus;
	size_t cpu_count;
	int *events; /* all of them; the first of each CPU owns its ring */
	size_t event_count, event_room;
	struct perf_ring *rings; /* one per CPU with an event; behind them those that became too small */
	size_t ring_count, retired_count;
	bool carriers; /* each ring has an event of its own, which takes what programs put out */
	bool cannot_grow;
	struct stack_piece *pieces; /* of the sample at hand */
	size_t piece_room;
	int *ring_of_cpu; /* index in rings, or -1; by position in cpus */
	struct bpf_filter *filter;
	const char *no_bpf, *no_copies;
	struct perf_order order;
	struct pollfd *polled;
	uint64_t lost_records, throttled;
	uint64_t refused_stacks; /* that programs should have copied whole, and did not */
};

/* perf_event_open(2) without a group. */
int perf_event_of(struct perf_event_attr *attr, int pid, int cpu);

/* An event of a CPU that counts nothing and owns a ring. -1 with errno. */
int perf_carrier_open(struct perf_ring *ring, uint32_t cpu, uint64_t bytes);
void perf_carrier_close(const struct perf_sampler *sampler, struct perf_ring *ring);

/* What a refusal (an errno) means, and the remedy. -1; the event's is 0 if it is not about the event. */
int perf_refusal_machine(int reason);
int perf_refusal_task(const struct perf_sampler *sampler, int reason);
int perf_refusal_event(const struct perf_sampler *sampler, int reason);

#endif
