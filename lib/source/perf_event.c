#include <sys/ioctl.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/warn.h"
#include "source/perf_sampler.h"

/* Events of different CPUs are switched on and off one after the other, but not so slowly. */
#define CPU_GONE_NS 100000000u
/* A ring grows when pieces take more than this part of it. */
#define MANY_PIECES 4

bool
perf_sampler_is_unbiased(const struct perf_sampler *sampler)
{
	return !sampler->per_task;
}

bool
perf_sampler_sees_kernel(const struct perf_sampler *sampler)
{
	return !sampler->attr.exclude_kernel;
}

const char *
perf_sampler_no_bpf(const struct perf_sampler *sampler)
{
	return sampler->no_bpf;
}

const char *
perf_sampler_no_copies(const struct perf_sampler *sampler)
{
	return sampler->no_copies;
}

void
perf_sampler_was_cut(struct perf_sampler *sampler, const struct sample *sample, uint64_t wanted)
{
	uint64_t since;

	if (!sampler->filter)
		return;
	sampler->refused_stacks += !sampler->no_copies;
	bpf_filter_stray(sampler->filter, sample->pid, &since);
	/* A sample of before has not been copied as much as there will be of the next. */
	if (sample->time > since && wanted - sample->regs[R_RSP] >= STRAY_MOST)
		bpf_filter_want(sampler->filter, sample->tid, wanted);
}

int
perf_sampler_enable(struct perf_sampler *sampler)
{
	if (sampler->attr.enable_on_exec)
		return 0;
	for (size_t i = 0; i < sampler->event_count; i++)
		if (ioctl(sampler->events[i], PERF_EVENT_IOC_ENABLE, 0) < 0 && errno != ESRCH)
			return warn("enable an event:");
	return 0;
}

void
perf_sampler_disable(struct perf_sampler *sampler)
{
	for (size_t i = 0; i < sampler->event_count; i++)
		ioctl(sampler->events[i], PERF_EVENT_IOC_DISABLE, 0);
}

void
perf_sampler_wait(struct perf_sampler *sampler, const int *others, size_t count, int milliseconds)
{
	size_t n = 0;

	for (size_t i = 0; i < count && i < POLLED_MAX; i++)
		if (others[i] >= 0)
			sampler->polled[n++] = (struct pollfd){ .fd = others[i], .events = POLLIN };
	for (size_t i = 0; i < sampler->ring_count; i++)
		sampler->polled[n++] = (struct pollfd){ .fd = sampler->rings[i].fd, .events = POLLIN };
	if (poll(sampler->polled, n, milliseconds) <= 0)
		return;
	/* The events of a task that has ended report POLLHUP at once, again and again. */
	for (size_t i = 0; i < n; i++)
		if (sampler->polled[i].revents & POLLIN)
			return;
	poll(NULL, 0, milliseconds < 10 ? milliseconds : 10);
}

/* Deep stacks are coming: the largest ring that there may be for this CPU. The old one is read once more, when
 * everything that wrote into it has turned to the new one. */
static void
grow_ring(struct perf_sampler *sampler, size_t i)
{
	struct perf_ring *ring = &sampler->rings[i], larger;
	uint64_t bytes = PERF_RING_MOST;

	while (bytes > ring->size && perf_carrier_open(&larger, ring->cpu, bytes) < 0)
		bytes /= 2;
	sampler->cannot_grow = bytes <= ring->size;
	if (sampler->cannot_grow)
		return;
	if (ioctl(sampler->events[i], PERF_EVENT_IOC_SET_OUTPUT, larger.fd) < 0) {
		sampler->cannot_grow = true;
		perf_carrier_close(sampler, &larger);
		return;
	}
	bpf_filter_output(sampler->filter, ring->cpu, larger.fd);
	sampler->rings[sampler->ring_count + sampler->retired_count++] = *ring;
	*ring = larger;
}

static void
grow_rings(struct perf_sampler *sampler)
{
	for (size_t i = 0; i < sampler->retired_count; i++)
		perf_carrier_close(sampler, &sampler->rings[sampler->ring_count + i]);
	sampler->retired_count = 0;
	for (size_t i = 0; i < sampler->ring_count && !sampler->cannot_grow; i++)
		if (sampler->rings[i].piece_bytes > sampler->rings[i].size / MANY_PIECES &&
		    sampler->rings[i].size < PERF_RING_MOST)
			grow_ring(sampler, i);
}

static void
join_pieces(struct perf_sampler *sampler, const struct perf_waiting *waiting, struct sample *sample)
{
	if (!waiting->piece_count)
		return;
	if (waiting->piece_count > sampler->piece_room) {
		sampler->piece_room = waiting->piece_count * 2;
		sampler->pieces = mem_resize(sampler->pieces, sampler->piece_room, sizeof *sampler->pieces);
	}
	sample->pieces = sampler->pieces;
	sample->piece_count = perf_pieces_of(sample, sampler->order.pieces + waiting->first_piece,
	    waiting->piece_count, sampler->pieces);
}

/* The program knows a cgroup by its inode: made again it is another one. */
static void
follow_group(struct perf_sampler *sampler)
{
	struct targets *targets = sampler->targets;

	if (targets->kind == TARGETS_CGROUP && sampler->filter && cgroup_renew(targets->cgroup) &&
	    bpf_filter_turn(sampler->filter, targets->cgroup->fd) < 0)
		warn("-G: the group was made again, and is not followed:");
}

void
perf_sampler_drain(struct perf_sampler *sampler, void (*take)(void *context, const struct record *record),
    void *context, bool last)
{
	uint64_t limit = last ? UINT64_MAX : clock_now();
	size_t count = sampler->ring_count + sampler->retired_count;
	struct record record;

	follow_group(sampler);
	perf_rings_collect(sampler->rings, count, limit, &sampler->order);
	for (size_t i = 0; i < sampler->order.count; i++) {
		if (perf_record_parse(&sampler->layout, sampler->order.list[i].header, &record) < 0)
			continue;
		if (record.kind == RECORD_SAMPLE)
			join_pieces(sampler, &sampler->order.list[i], &record.sample);
		else if (record.kind == RECORD_LOST)
			sampler->lost_records += record.lost;
		else if (record.kind == RECORD_THROTTLE)
			sampler->throttled++;
		if (targets_take(sampler->targets, &record))
			take(context, &record);
	}
	perf_rings_release(sampler->rings, count);
	if (sampler->carriers && !last)
		grow_rings(sampler);
}

uint64_t
perf_sampler_lost(const struct perf_sampler *sampler)
{
	return sampler->lost_records;
}

/* The kernel takes an event from a CPU that goes offline, and does not give it back: it was on for a shorter time. */
static uint64_t
count_gone_cpus(const struct perf_sampler *sampler)
{
	uint64_t values[4], longest = 0, gone = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < sampler->event_count; i++) {
			if (read(sampler->events[i], values, sizeof values) < (ssize_t)(2 * sizeof *values))
				continue;
			if (pass == 0 && values[1] > longest)
				longest = values[1];
			gone += pass == 1 && values[1] + CPU_GONE_NS < longest;
		}
	return gone;
}

void
perf_sampler_totals(struct perf_sampler *sampler, struct perf_totals *totals)
{
	struct {
		uint64_t value, enabled, running, lost;
	} read_values;
	struct copy_counts copied;

	*totals = (struct perf_totals){ .throttled = sampler->throttled };
	if (sampler->filter) {
		totals->unfollowed = bpf_filter_missed(sampler->filter);
		bpf_filter_copied(sampler->filter, &copied);
		totals->deep_stacks = copied.stacks;
		totals->deep_bytes = copied.bytes;
		totals->deep_refused = sampler->refused_stacks;
	}
	for (size_t i = 0; i < sampler->event_count; i++) {
		memset(&read_values, 0, sizeof read_values);
		if (read(sampler->events[i], &read_values, sizeof read_values) < 0)
			continue;
		totals->counted += read_values.value;
		totals->lost += read_values.lost;
	}
	totals->has_counted = sampler->per_task;
	totals->gone_cpus = sampler->per_task ? 0 : count_gone_cpus(sampler);
	/* A LOST record comes with the next one that fits: what was lost last is only in the counters. */
	if (!(sampler->attr.read_format & PERF_FORMAT_LOST))
		totals->lost = sampler->lost_records;
}
