#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/warn.h"
#include "source/bpf.h"
#include "source/bpf_filter.h"
#include "source/perf_event.h"
#include "source/perf_record.h"
#include "source/perf_ring.h"
#include "target/task.h"

/* CPUs of the largest hosts; /sys decides. */
#define CPUS_MAX 8192
/* Threads that appear while threads are attached: so often is tried again. */
#define ATTACH_ROUNDS 16
#define POLLED_MAX 8
/* Events of different CPUs are switched on and off one after the other, but not so slowly. */
#define CPU_GONE_NS 100000000u
/* A ring grows when pieces take more than this part of it. */
#define MANY_PIECES 4

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
};

static int
event_open(struct perf_event_attr *attr, int pid, int cpu)
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

/* A ring that is no sampler's: it can be replaced by a larger one, and programs put out into it. Its event
 * counts nothing. -1 with errno. */
static int
open_carrier(struct perf_ring *ring, uint32_t cpu, uint64_t bytes)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_PIECE_TYPE,
		.sample_period = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(bytes / 2),
	};
	int fd = event_open(&attr, -1, (int)cpu), reason;

	if (fd < 0)
		return -1;
	if (perf_ring_map(ring, fd, bytes) == 0) {
		ring->cpu = cpu;
		return 0;
	}
	reason = errno;
	close(fd);
	errno = reason;
	return -1;
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
		sampler->ring_refused = open_carrier(new, sampler->cpus[cpu_index], sampler->ring_bytes) < 0;
	else
		sampler->ring_refused = perf_ring_map(new, fd, sampler->ring_bytes) < 0;
	if (sampler->ring_refused)
		return -1;
	sampler->ring_of_cpu[cpu_index] = (int)sampler->ring_count++;
	return sampler->carriers ? ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, new->fd) : 0;
}

/* An older kernel does not know every bit: PERF_FORMAT_LOST came with 6.0. */
static int
event_open_old(struct perf_event_attr *attr, int pid, int cpu)
{
	int fd = event_open(attr, pid, cpu);

	if (fd < 0 && errno == EINVAL && attr->ksymbol) { /* before Linux 5.1, or another reason */
		attr->ksymbol = 0;
		fd = event_open_old(attr, pid, cpu);
		attr->ksymbol = fd < 0;
		return fd;
	}
	if (fd < 0 && errno == EINVAL && (attr->read_format & PERF_FORMAT_LOST)) {
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		fd = event_open(attr, pid, cpu);
		if (fd < 0)
			attr->read_format |= PERF_FORMAT_LOST;
	}
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
forget_ring(const struct perf_sampler *sampler, struct perf_ring *ring)
{
	int fd = ring->fd;

	perf_ring_unmap(ring);
	if (sampler->carriers)
		close(fd);
}

static void
forget_events(struct perf_sampler *sampler)
{
	int reason = errno;

	for (size_t i = 0; i < sampler->event_count; i++)
		close(sampler->events[i]);
	for (size_t i = 0; i < sampler->ring_count + sampler->retired_count; i++)
		forget_ring(sampler, &sampler->rings[i]);
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
	sampler->attr.enable_on_exec = sampler->options.wait_for_exec;
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

/* --- what to say when it is not allowed */

static int
explain_machine(int reason)
{
	errno = reason;
	if (reason != EACCES && reason != EPERM)
		return warn("perf_event_open:");
	return warn("recording other people's programs needs CAP_PERFMON or kernel.perf_event_paranoid <= 0 (it is %ld): "
		    "run with sudo, or `sudo sysctl kernel.perf_event_paranoid=0`; "
		    "your own programs: `%s -p PID` or `%s -- command`",
	    task_sysctl("perf_event_paranoid", 2), warn_program(), warn_program());
}

/* Is even our own process refused? Then it is not about whose process it is. */
static bool
is_refused_wholly(const struct perf_sampler *sampler)
{
	struct perf_event_attr attr = { .size = sizeof attr, .type = sampler->attr.type,
		.config = sampler->attr.config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1 };
	int fd = event_open(&attr, 0, -1);

	if (fd < 0)
		return true;
	close(fd);
	return false;
}

static int
explain_task(const struct perf_sampler *sampler, int reason)
{
	long paranoid = task_sysctl("perf_event_paranoid", 2);
	const char *what = sampler->targets->kind == TARGETS_THREADS ? "thread" : "process";
	uint32_t owner = sampler->targets->kind == TARGETS_THREADS ? 0 : task_process_of(sampler->refused);
	uint32_t refused = owner ? owner : sampler->refused;

	switch (reason) {
	case EACCES:
	case EPERM:
		if (is_refused_wholly(sampler))
			return warn("perf_event_open is refused (kernel.perf_event_paranoid is %ld%s): "
				    "`sudo sysctl kernel.perf_event_paranoid=%d`, or run with sudo (CAP_PERFMON)",
			    paranoid, paranoid <= 2 ? "; a container's or service's seccomp filter also does this" : "",
			    paranoid <= 2 ? 1 : 2);
		if (paranoid > 1 && (sampler->options.event->in_kernel || sampler->options.kernel_only))
			return warn("%s%s happens inside the kernel, which you may not see "
				    "(kernel.perf_event_paranoid is %ld): `sudo sysctl kernel.perf_event_paranoid=1`, or run with sudo",
			    sampler->options.kernel_only ? "what --kernel-only asks for" : "-e ",
			    sampler->options.kernel_only ? "" : sampler->options.event->name, paranoid);
		return warn("%s %u is not yours: run with sudo (CAP_PERFMON)", what, refused);
	case ESRCH:
		return warn("%s %u is gone", what, refused);
	case EMFILE:
		return warn("too many threads for the limit of open files (threads x CPUs): raise `ulimit -n`, "
			    "or run with sudo, which needs one event per CPU");
	default:
		errno = reason;
		return warn("perf_event_open:");
	}
}

static int
explain_event(const struct perf_sampler *sampler, int reason)
{
	const char *name = sampler->options.event->name;
	long most = task_sysctl("perf_event_max_sample_rate", LONG_MAX);

	if (sampler->ring_refused && (reason == EPERM || reason == ENOMEM))
		return warn("the kernel lets you lock no more memory for rings (`ulimit -l`, kernel.perf_event_mlock_kb): "
			    "end other recordings of yours, `sudo sysctl kernel.perf_event_mlock_kb=2048`, or run with sudo");
	if (reason == EINVAL && sampler->options.frequency > (uint64_t)most)
		return warn("-F %llu: the kernel allows %ld at most (kernel.perf_event_max_sample_rate)",
		    (unsigned long long)sampler->options.frequency, most);
	if (reason == ENOENT || reason == ENODEV || reason == EOPNOTSUPP)
		return warn("-e %s: this machine has no such counter (a virtual machine?): try -e cpu-clock", name);
	return 0;
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
	if (explain_event(sampler, reason) < 0)
		return -1;
	if (!tasks_only || (reason != EACCES && reason != EPERM))
		return explain_machine(reason);

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
	return explain_event(sampler, reason) < 0 ? -1 : explain_task(sampler, reason);
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
perf_sampler_was_cut(struct perf_sampler *sampler, uint32_t pid)
{
	if (sampler->filter)
		bpf_filter_stray(sampler->filter, pid);
}

/* --- running */

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

	while (bytes > ring->size && open_carrier(&larger, ring->cpu, bytes) < 0)
		bytes /= 2;
	sampler->cannot_grow = bytes <= ring->size;
	if (sampler->cannot_grow)
		return;
	if (ioctl(sampler->events[i], PERF_EVENT_IOC_SET_OUTPUT, larger.fd) < 0) {
		sampler->cannot_grow = true;
		forget_ring(sampler, &larger);
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
		forget_ring(sampler, &sampler->rings[sampler->ring_count + i]);
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

void
perf_sampler_drain(struct perf_sampler *sampler, void (*take)(void *context, const struct record *record),
    void *context, bool last)
{
	uint64_t limit = last ? UINT64_MAX : clock_now();
	size_t count = sampler->ring_count + sampler->retired_count;
	struct record record;

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
		totals->deep_refused = copied.refused + copied.no_room;
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
