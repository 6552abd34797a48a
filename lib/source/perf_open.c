#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/warn.h"
#include "source/bpf.h"
#include "source/perf_sampler.h"
#include "target/task.h"

/* CPUs of the largest hosts; /sys decides. */
#define CPUS_MAX 8192
/* Threads that appear while threads are attached: so often is tried again. */
#define ATTACH_ROUNDS 16

int
perf_event_of(struct perf_event_attr *attr, int pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Half a second of full samples: what a drain that comes late on a busy machine must find. How often other
 * events than clocks come with -c nobody knows. */
static uint64_t
ring_wanted(const struct perf_options *options)
{
	uint64_t rate = options->frequency ? options->frequency :
	    options->event->is_clock	   ? 1000000000u / options->period :
					     0;
	uint64_t size = PERF_RING_BYTES;

	while (size < PERF_RING_MOST && size < rate * (options->stack_size + 1024u) / 2)
		size *= 2;
	return size;
}

static struct perf_event_attr
make_attr(const struct perf_options *options)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = options->event->type,
		.config = options->event->config,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
		    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_LOST,
		.disabled = 1,
		.exclude_kernel = options->user_only,
		.exclude_user = options->kernel_only,
		.exclude_hv = 1,
		.exclude_idle = 1,
		.exclude_guest = 1,
		.exclude_callchain_user = 1, /* the dump is walked, with CFI */
		.mmap = 1,
		.mmap2 = 1,
		.ksymbol = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.sample_regs_user = PERF_REGS_USER,
		.sample_stack_user = options->stack_size,
	};

	if (options->frequency) {
		attr.freq = 1;
		attr.sample_freq = options->frequency;
	} else {
		attr.sample_period = options->period;
	}
	if (options->kernel_only) /* the user side is not wanted: do not pay for it */
		attr.sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	if (!options->stack_size)
		attr.sample_type &= ~(uint64_t)PERF_SAMPLE_STACK_USER;
	return attr;
}

static int
read_cpus(struct perf_sampler *sampler)
{
	const struct perf_options *options = &sampler->options;
	uint32_t *online;
	size_t count;
	char text[4096];

	if (task_read("/sys/devices/system/cpu/online", text, sizeof text) <= 0 ||
	    number_list(text, CPUS_MAX, &online, &count) < 0) {
		count = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
		online = mem_alloc(count * sizeof *online);
		for (size_t i = 0; i < count; i++)
			online[i] = (uint32_t)i;
	}
	sampler->cpus = online;
	sampler->cpu_count = count;
	if (!options->cpus)
		return 0;
	sampler->cpu_count = 0; /* those of the list that are online */
	for (size_t i = 0; i < options->cpu_count; i++) {
		bool there = false;

		for (size_t j = 0; j < count; j++)
			there |= online[j] == options->cpus[i];
		if (!there) {
			free(online);
			sampler->cpus = NULL;
			return warn("--cpus: CPU %u is not online", options->cpus[i]);
		}
	}
	free(sampler->cpus);
	sampler->cpus = mem_alloc(options->cpu_count * sizeof *sampler->cpus);
	memcpy(sampler->cpus, options->cpus, options->cpu_count * sizeof *sampler->cpus);
	sampler->cpu_count = options->cpu_count;
	return 0;
}

static void
add_event(struct perf_sampler *sampler, int fd)
{
	mem_grow(&sampler->events, sampler->event_count, &sampler->event_room);
	sampler->events[sampler->event_count++] = fd;
}

/* Gives an event of a CPU the CPU's ring: the first one's own or a carrier's, for the others the same. -1 with
 * errno. */
static int
connect_ring(struct perf_sampler *sampler, size_t cpu_index, int fd)
{
	int ring = sampler->ring_of_cpu[cpu_index];
	struct perf_ring *new = &sampler->rings[sampler->ring_count];

	if (ring >= 0)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, sampler->rings[ring].fd);
	if (sampler->carriers)
		sampler->ring_refused = perf_carrier_open(new, sampler->cpus[cpu_index], sampler->ring_bytes) < 0;
	else
		sampler->ring_refused = perf_ring_map(new, fd, sampler->ring_bytes) < 0;
	if (sampler->ring_refused)
		return -1;
	sampler->ring_of_cpu[cpu_index] = (int)sampler->ring_count++;
	return sampler->carriers ? ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, new->fd) : 0;
}

/* An older kernel does not know every bit: PERF_FORMAT_LOST came with 6.0, KSYMBOL with 5.1. What it knows is
 * asked for. */
static int
event_open_old(struct perf_event_attr *attr, int pid, int cpu)
{
	struct perf_event_attr wanted = *attr;
	int fd = perf_event_of(attr, pid, cpu);

	if (fd < 0 && errno == EINVAL && (attr->read_format & PERF_FORMAT_LOST)) {
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		fd = perf_event_of(attr, pid, cpu);
	}
	if (fd < 0 && errno == EINVAL && attr->ksymbol) {
		attr->ksymbol = 0;
		fd = perf_event_of(attr, pid, cpu);
	}
	if (fd < 0) /* for another reason */
		*attr = wanted;
	return fd;
}

/* One event per CPU for everybody. -1 with errno. */
static int
open_per_cpu(struct perf_sampler *sampler)
{
	for (size_t i = 0; i < sampler->cpu_count; i++) {
		int fd = event_open_old(&sampler->attr, -1, (int)sampler->cpus[i]);

		if (fd < 0 && errno == ENODEV) /* went offline since the list was read */
			continue;
		if (fd < 0)
			return -1;
		add_event(sampler, fd);
		if (connect_ring(sampler, i, fd) < 0)
			return -1;
	}
	return sampler->event_count ? 0 : -1;
}

/* One inherited event per CPU for one thread. 0 also when the thread is gone. */
static int
attach_thread(struct perf_sampler *sampler, uint32_t tid)
{
	for (size_t i = 0; i < sampler->cpu_count; i++) {
		int fd = event_open_old(&sampler->attr, (int)tid, (int)sampler->cpus[i]);

		if (fd < 0 && (errno == ESRCH || errno == ENODEV))
			continue;
		if (fd < 0)
			return -1;
		add_event(sampler, fd);
		if (connect_ring(sampler, i, fd) < 0)
			return -1;
	}
	return 0;
}

static void
forget_events(struct perf_sampler *sampler)
{
	int reason = errno;

	for (size_t i = 0; i < sampler->event_count; i++)
		close(sampler->events[i]);
	for (size_t i = 0; i < sampler->ring_count + sampler->retired_count; i++)
		perf_carrier_close(sampler, &sampler->rings[i]);
	sampler->ring_count = sampler->retired_count = sampler->event_count = 0;
	for (size_t i = 0; i < sampler->cpu_count; i++)
		sampler->ring_of_cpu[i] = -1;
	errno = reason;
}

/* CPUs × threads, and every file that is mapped: as many descriptors as the hard limit allows. */
static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* The threads of all targets now. */
static void
list_threads(struct perf_sampler *sampler, uint32_t **list, size_t *count)
{
	const struct targets *targets = sampler->targets;
	size_t room = 0, n;
	uint32_t *threads;

	*list = NULL;
	*count = 0;
	for (size_t i = 0; i < targets->count; i++) {
		bool is_process = targets->kind == TARGETS_PROCESSES;

		if (is_process && task_list(targets->ids[i], &threads, &n) < 0) {
			sampler->refused = targets->ids[i]; /* an error only if the others are gone too */
			continue;
		}
		for (size_t j = 0; j < (is_process ? n : 1); j++) {
			mem_grow(list, *count, &room);
			(*list)[(*count)++] = is_process ? threads[j] : targets->ids[i];
		}
		if (is_process)
			free(threads);
	}
}

static int
attach_threads(struct perf_sampler *sampler, const uint32_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sampler->refused = list[i];
		if (attach_thread(sampler, list[i]) < 0)
			return -1;
	}
	return 0;
}

/* Is every thread of now in the list that was attached? */
static bool
is_complete(struct perf_sampler *sampler, const uint32_t *list, size_t count)
{
	struct map known = { 0 };
	bool complete = true;
	uint32_t *after;
	size_t after_count;

	for (size_t i = 0; i < count; i++)
		map_put(&known, list[i]);
	list_threads(sampler, &after, &after_count);
	for (size_t i = 0; i < after_count; i++)
		complete &= map_get(&known, after[i]) != NULL;
	free(after);
	map_release(&known);
	return complete;
}

/* A thread that appears while others are attached may have inherited its maker's events or not: attaching to it
 * would count it twice, leaving it out not at all. So all is begun again until nobody appeared meanwhile. */
static int
open_per_task(struct perf_sampler *sampler)
{
	bool complete = false;
	uint32_t *list;
	size_t count;
	int failed = 0;

	sampler->attr.inherit = sampler->targets->kind != TARGETS_THREADS;
	sampler->attr.enable_on_exec = sampler->targets->awaits_exec;
	for (int round = 0; round < ATTACH_ROUNDS && !complete && !failed; round++) {
		forget_events(sampler);
		list_threads(sampler, &list, &count);
		failed = attach_threads(sampler, list, count);
		complete = failed || is_complete(sampler, list, count);
		free(list);
	}
	if (!failed && !sampler->event_count) {
		errno = ESRCH;
		failed = -1;
	}
	return failed;
}

/* With rings of half the size, all of them, while the kernel lets us lock no more memory. -1 with errno. */
static int
open_with_rings(struct perf_sampler *sampler, int (*open_them)(struct perf_sampler *sampler))
{
	for (sampler->ring_bytes = ring_wanted(&sampler->options);; sampler->ring_bytes /= 2) {
		sampler->ring_refused = false;
		sampler->attr.wakeup_watermark = (uint32_t)(sampler->ring_bytes / 2);
		if (open_them(sampler) == 0)
			return 0;
		forget_events(sampler);
		if (!sampler->ring_refused || (errno != EPERM && errno != ENOMEM) || sampler->ring_bytes <= PERF_RING_LEAST)
			return -1;
	}
}

/* --- opening */

/* Why no program may be on the events, or NULL. */
static const char *
why_no_program(const struct perf_sampler *sampler)
{
	const struct targets *targets = sampler->targets;

	if (targets->kind == TARGETS_CGROUP && *targets->cgroup->controllers)
		return "BPF knows cgroup v2 only";
	return sampler->options.allow_bpf ? NULL : "switched off";
}

static bool
attach_program(struct perf_sampler *sampler)
{
	for (size_t i = 0; i < sampler->event_count; i++)
		if (bpf_filter_attach(sampler->filter, sampler->events[i]) < 0)
			return false;
	for (size_t i = 0; i < sampler->ring_count && sampler->carriers; i++)
		if (bpf_filter_output(sampler->filter, sampler->rings[i].cpu, sampler->rings[i].fd) < 0)
			return false;
	return true;
}

/* The program drops others' samples, where there are others, and copies deep stacks. */
static void
put_program_on_events(struct perf_sampler *sampler)
{
	struct targets *targets = sampler->targets;
	enum bpf_filter_kind kind = targets->kind == TARGETS_THREADS ? FILTER_THREADS :
	    targets->kind == TARGETS_CGROUP			     ? FILTER_CGROUP :
	    targets->kind == TARGETS_MACHINE			     ? FILTER_NOTHING :
								       FILTER_PROCESSES;
	const char *why_not = why_no_program(sampler);

	if (!why_not && (kind != FILTER_NOTHING || sampler->carriers))
		sampler->filter = bpf_filter_open(kind, targets->ids, targets->count,
		    targets->cgroup ? targets->cgroup->fd : -1, kind == FILTER_PROCESSES,
		    sampler->carriers ? sampler->options.stack_size : 0);
	if (sampler->filter && !attach_program(sampler)) {
		bpf_filter_close(sampler->filter);
		sampler->filter = NULL;
	}
	if (!sampler->filter && !why_not)
		why_not = bpf_trouble();
	if (kind != FILTER_NOTHING) {
		sampler->no_bpf = why_not;
		targets->decided = sampler->filter != NULL;
	}
	sampler->no_copies = sampler->filter ? bpf_filter_no_copies(sampler->filter) : why_not;
}

static int
open_events(struct perf_sampler *sampler)
{
	const struct targets *targets = sampler->targets;
	bool tasks_only = targets->kind != TARGETS_MACHINE && targets->kind != TARGETS_CGROUP;
	int reason;

	sampler->carriers = sampler->options.stack_size && !sampler->options.kernel_only && !why_no_program(sampler);
	if (open_with_rings(sampler, open_per_cpu) == 0)
		return 0;
	reason = errno;
	sampler->carriers = false;
	if (perf_refusal_event(sampler, reason) < 0)
		return -1;
	if (!tasks_only || (reason != EACCES && reason != EPERM))
		return perf_refusal_machine(reason);

	sampler->per_task = true;
	sampler->no_copies = "that needs CAP_PERFMON and CAP_BPF";
	if (open_with_rings(sampler, open_per_task) == 0)
		return 0;
	reason = errno;
	if ((reason == EACCES || reason == EPERM) && !sampler->attr.exclude_kernel &&
	    !sampler->options.kernel_only && !sampler->options.event->in_kernel) {
		sampler->attr.exclude_kernel = 1;
		if (open_with_rings(sampler, open_per_task) == 0)
			return 0;
		reason = errno;
	}
	return perf_refusal_event(sampler, reason) < 0 ? -1 : perf_refusal_task(sampler, reason);
}

struct perf_sampler *
perf_sampler_open(const struct perf_options *options, struct targets *targets)
{
	struct perf_sampler *sampler = mem_alloc(sizeof *sampler);

	sampler->options = *options;
	sampler->targets = targets;
	sampler->attr = make_attr(options);
	if (options->user_only && options->event->in_kernel) {
		warn("-e %s happens inside the kernel: with --user-only nothing would be left", options->event->name);
		goto fail;
	}
	if (read_cpus(sampler) < 0)
		goto fail;
	sampler->ring_of_cpu = mem_alloc(sampler->cpu_count * sizeof *sampler->ring_of_cpu);
	sampler->rings = mem_alloc(2 * sampler->cpu_count * sizeof *sampler->rings);
	sampler->polled = mem_alloc((sampler->cpu_count + POLLED_MAX) * sizeof *sampler->polled);
	for (size_t i = 0; i < sampler->cpu_count; i++)
		sampler->ring_of_cpu[i] = -1;
	raise_file_limit();
	if (open_events(sampler) < 0)
		goto fail;
	targets_begin(targets);
	if (!sampler->per_task)
		put_program_on_events(sampler);
	else
		targets->own_events = true; /* whatever exec makes of a thread's number */
	if (targets->kind == TARGETS_CGROUP && targets->cgroup->is_outside && !sampler->filter) {
		warn("-G: no BPF (%s): %s", sampler->no_bpf, CGROUP_OUTSIDE);
		goto fail;
	}
	perf_layout_init(&sampler->layout, &sampler->attr);
	return sampler;
fail:
	perf_sampler_close(sampler);
	return NULL;
}

void
perf_sampler_close(struct perf_sampler *sampler)
{
	if (!sampler)
		return;
	if (sampler->ring_of_cpu)
		forget_events(sampler);
	bpf_filter_close(sampler->filter);
	free(sampler->events);
	free(sampler->rings);
	free(sampler->ring_of_cpu);
	free(sampler->cpus);
	free(sampler->polled);
	free(sampler->order.list);
	free(sampler->order.pieces);
	free(sampler->pieces);
	free(sampler);
}
