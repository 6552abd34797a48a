/* Events that sample whole CPUs, filtered: the target's samples come and no others, and those of its
 * children, however short they live. */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "source/bpf.h"
#include "source/bpf_filter.h"
#include "tap.h"

#define CPUS_MAX 256
#define RING_BYTES ((size_t)256 << 10)
#define PERIOD_NS 500000u
#define CHILDREN 40u
#define PIDS_MAX (1u << 22)

static int events[CPUS_MAX];
static struct perf_event_mmap_page *rings[CPUS_MAX];
static unsigned event_count;

static bool
open_events(struct bpf_filter *filter)
{
	struct perf_event_attr attr = { .size = sizeof attr, .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = PERIOD_NS, .sample_type = PERF_SAMPLE_TID,
		.disabled = 1, .exclude_idle = 1 };

	event_count = 0;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			continue;
		events[event_count] = fd;
		rings[event_count] = mmap(NULL, RING_BYTES + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (rings[event_count++] == MAP_FAILED || bpf_filter_attach(filter, fd) < 0)
			return false;
	}
	for (unsigned i = 0; i < event_count; i++)
		ioctl(events[i], PERF_EVENT_IOC_ENABLE, 0);
	return event_count > 0;
}

struct tally {
	unsigned target, thread, bystander, others;
	unsigned distinct; /* processes among the others */
};

static void
take(struct tally *tally, unsigned i, uint32_t target, uint32_t bystander)
{
	static unsigned char seen[PIDS_MAX];
	const unsigned char *data = (const unsigned char *)rings[i] + 4096;
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
	} record;

	for (uint64_t at = 0; at < rings[i]->data_head; at += record.header.size) {
		for (size_t b = 0; b < sizeof record; b++)
			((unsigned char *)&record)[b] = data[(at + b) % RING_BYTES];
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		tally->target += record.pid == target;
		tally->thread += record.tid == target;
		tally->bystander += record.pid == bystander;
		if (record.pid == target || record.pid == bystander)
			continue;
		tally->others++;
		if (!seen[record.pid % PIDS_MAX])
			tally->distinct++;
		seen[record.pid % PIDS_MAX] = 1;
	}
}

/* Stops the events and counts what came. */
static struct tally
close_events(uint32_t target, uint32_t bystander)
{
	struct tally tally = { 0 };

	for (unsigned i = 0; i < event_count; i++)
		ioctl(events[i], PERF_EVENT_IOC_DISABLE, 0);
	for (unsigned i = 0; i < event_count; i++) {
		take(&tally, i, target, bystander);
		munmap(rings[i], RING_BYTES + 4096);
		close(events[i]);
	}
	return tally;
}

static void
burn(unsigned milliseconds)
{
	uint64_t end = clock_cpu() + milliseconds * UINT64_C(1000000);

	while (clock_cpu() < end)
		continue;
}

static void
burn_alone(void)
{
	burn(200);
}

static void
burn_in_children(void)
{
	for (unsigned i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			burn(5);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void *
burn_thread(void *arg)
{
	burn(300); /* of the process: both threads */
	return arg;
}

static void
burn_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, burn_thread, NULL);
	burn(300);
	pthread_join(thread, NULL);
}

static int go[2];

/* Made, but at work only when go's other end is closed. */
static pid_t
prepare(void (*work)(void))
{
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	close(go[1]);
	if (read(go[0], &byte, 1) == 0)
		work();
	_exit(0);
}

struct run {
	struct tally tally;
	double share; /* samples × period of what the rusage of the target and its children says */
	bool good;
};

static struct run
record(enum bpf_filter_kind kind, bool follow, int cgroup, void (*work)(void))
{
	struct run run = { 0 };
	struct bpf_filter *filter;
	struct rusage usage;
	pid_t target, bystander;
	uint32_t id;
	char procs[32];

	if (pipe(go) < 0)
		return run;
	target = prepare(work);
	bystander = prepare(burn_alone);
	id = (uint32_t)target;
	if (cgroup >= 0) {
		int fd = openat(cgroup, "cgroup.procs", O_WRONLY | O_CLOEXEC);

		snprintf(procs, sizeof procs, "%u", id);
		if (write(fd, procs, strlen(procs)) < 0)
			note("cgroup.procs: %s", strerror(errno));
		close(fd);
	}
	filter = bpf_filter_open(kind, &id, cgroup < 0, cgroup, follow, 0);
	run.good = filter && open_events(filter);
	close(go[0]);
	close(go[1]);
	wait4(target, NULL, 0, &usage);
	waitpid(bystander, NULL, 0);
	if (run.good) {
		double cpu_ns = 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		    1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);

		run.tally = close_events(id, (uint32_t)bystander);
		run.share = (run.tally.target + run.tally.others) * (double)PERIOD_NS / cpu_ns;
		note("%u of the target (%u of its first thread), %u of the bystander, %u of %u others, %.3f of rusage",
		    run.tally.target, run.tally.thread, run.tally.bystander, run.tally.others, run.tally.distinct,
		    run.share);
		run.good = bpf_filter_missed(filter) == 0;
	} else {
		note("%s", bpf_trouble());
	}
	bpf_filter_close(filter);
	return run;
}

static void
test_processes(void)
{
	struct run run = record(FILTER_PROCESSES, false, -1, burn_alone);

	ok(run.good && run.share > 0.8 && run.share < 1.2, "a process is sampled as much as it ran");
	ok(run.good && !run.tally.bystander && !run.tally.others, "and nothing else");
	run = record(FILTER_PROCESSES, false, -1, burn_in_children);
	ok(run.good && !run.tally.others, "its children are not when they are not followed");
	run = record(FILTER_PROCESSES, true, -1, burn_in_children);
	ok(run.good && run.tally.distinct >= CHILDREN * 9 / 10 && run.tally.distinct <= CHILDREN,
	    "children of 5 ms are followed");
	ok(run.good && run.share > 0.8 && run.share < 1.2, "and sampled as much as they ran");
	ok(run.good && !run.tally.bystander, "and nothing else is");
}

static void
test_threads(void)
{
	struct run run = record(FILTER_THREADS, false, -1, burn_in_thread);

	ok(run.good && run.tally.thread && run.tally.thread == run.tally.target && !run.tally.bystander &&
	    !run.tally.others, "a thread without its siblings");
	run = record(FILTER_THREADS, true, -1, burn_in_thread);
	ok(run.good && run.tally.thread && run.tally.thread < run.tally.target && !run.tally.bystander &&
	    !run.tally.others, "a thread and those it made");
}

/* An id that a target left behind belongs to whom the kernel gives it next. */
static void
test_reuse(void)
{
	uint32_t id, nobody = 1;
	struct bpf_filter *filter = bpf_filter_open(FILTER_PROCESSES, &nobody, 1, -1, true, 0);
	struct tally tally;
	pid_t first = fork(), again;
	char text[32];
	int fd, status;

	if (first == 0)
		_exit(0);
	waitpid(first, &status, 0);
	id = (uint32_t)first;
	fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	snprintf(text, sizeof text, "%u", id - 1);
	if (!filter || bpf_filter_add(filter, id) < 0 || !open_events(filter) || fd < 0 ||
	    write(fd, text, strlen(text)) < 0) {
		ok(true, "a stranger with a target's id # SKIP ns_last_pid");
	} else {
		again = fork();
		if (again == 0) {
			burn(50);
			_exit(0);
		}
		waitpid(again, &status, 0);
		tally = close_events(id, 0);
		if (again != first)
			ok(true, "a stranger with a target's id # SKIP another process took it");
		else
			ok(!tally.target && !tally.others, "a stranger with a target's id is not sampled");
	}
	close(fd);
	bpf_filter_close(filter);
}

static void
test_cgroup(void)
{
	char line[4096], type[64], place[2048] = "", path[2200];
	FILE *mounts = fopen("/proc/mounts", "re");
	struct run run;
	int fd;

	while (mounts && fgets(line, sizeof line, mounts))
		if (sscanf(line, "%*s %2047s %63s", path, type) == 2 && strcmp(type, "cgroup2") == 0)
			memcpy(place, path, strlen(path) + 1);
	if (mounts)
		fclose(mounts);
	snprintf(path, sizeof path, "%s/gp-test-%d", place, (int)getpid());
	if (!*place || mkdir(path, 0755) < 0) {
		ok(true, "a cgroup # SKIP no cgroup2 to make one in");
		return;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	run = record(FILTER_CGROUP, false, fd, burn_in_children);
	ok(run.good && run.tally.distinct >= CHILDREN * 9 / 10 && !run.tally.bystander, "a cgroup, with new members");
	close(fd);
	rmdir(path);
	fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(!bpf_filter_open(FILTER_CGROUP, NULL, 0, fd, false, 0) && strstr(bpf_trouble(), "cgroup2"),
	    "a directory that is no cgroup2 is refused: %s", bpf_trouble());
	close(fd);
}

static void
test_nobody(void)
{
	int status = 1;
	uint32_t id = 1;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		_exit(bpf_filter_open(FILTER_PROCESSES, &id, 1, -1, true, 0) || !strstr(bpf_trouble(), "permission"));
	}
	waitpid(pid, &status, 0);
	ok(status == 0, "without permission there is no filter, and a reason");
}

int
main(void)
{
	uint32_t id = 1;
	struct bpf_filter *filter = bpf_filter_open(FILTER_PROCESSES, &id, 1, -1, false, 0);

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!filter)
		skip_all(bpf_trouble());
	bpf_filter_close(filter);
	test_processes();
	test_threads();
	test_reuse();
	test_cgroup();
	test_nobody();
	return done_testing();
}
