#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "source/bpf.h"
#include "source/bpf/filter.h"
#include "source/bpf_filter.h"
#include "source/kernel_types.h"

/* The inode of the initial pid namespace in every kernel (PROC_PID_INIT_INO). */
#define INITIAL_PID_NAMESPACE 0xeffffffcu
/* Living descendants at once, in preallocated entries of some 64 bytes. */
#define DESCENDANTS_MAX 16384u

struct bpf_filter {
	struct bpf *bpf;
	int program, targets;
	int missed; /* -1: none are followed */
	const char *no_copies;
};

/* How a kept sample's stack is copied: not at all, by what 5.17 brought, by what older kernels have. */
enum way { WAY_KEEP, WAY_COPY, WAY_COPY_SLOWLY };

static const struct {
	const char *keep[3], *follow, *forget;
} programs[] = {
	[FILTER_PROCESSES] = { { "keep_processes", "copy_processes", "copy_processes_slowly" },
	    "follow_processes", "forget_processes" },
	[FILTER_THREADS] = { { "keep_threads", "copy_threads", "copy_threads_slowly" },
	    "follow_threads", "forget_threads" },
	[FILTER_CGROUP] = { { "keep_cgroup", "copy_cgroup", "copy_cgroup_slowly" }, NULL, NULL },
	[FILTER_NOTHING] = { { "keep_all", "copy_all", "copy_all_slowly" }, NULL, NULL },
};

/* Programs see ids of the initial namespace; ours would be others' there. */
static bool
is_initial_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == INITIAL_PID_NAMESPACE;
}

static struct bpf *
load(enum bpf_filter_kind kind, const char *program, size_t count, bool follow)
{
	const char *const wanted[] = { program, follow ? programs[kind].follow : NULL, programs[kind].forget, NULL };
	struct bpf_plan plan = { .object = "filter", .programs = wanted, .map = "targets",
		.entries = (uint32_t)count + (follow ? DESCENDANTS_MAX : 64) };

	return bpf_load(&plan);
}

/* Some kernels may stop a CPU for ever when a program reads memory of users while the kernel's own is being
 * mapped (vmap_area_lock): 5.19 to 6.3, but for 6.1.36 and 6.3.10 and what followed them. Debian's name of a
 * release does not tell the patch level, its version does. */
static bool
may_read_users(void)
{
	struct utsname name;
	unsigned major = 0, minor = 0, patch = 0;
	const char *debian;

	if (uname(&name) < 0)
		return false;
	debian = strstr(name.version, "Debian ");
	if (!debian || sscanf(debian, "Debian %u.%u.%u", &major, &minor, &patch) < 2)
		sscanf(name.release, "%u.%u.%u", &major, &minor, &patch);
	if (major == 5)
		return minor < 19;
	return major != 6 || minor > 3 || (minor == 1 && patch >= 36) || (minor == 3 && patch >= 10);
}

/* Where this kernel has what the programs read. -1: it does not tell. */
static int
find_fields(struct task_fields *fields, bool copies)
{
	static const char *const task[] = { "pid", "tgid", "mm", "thread", "sas_ss_sp", "sas_ss_size" };
	static const char *const memory[] = { "start_stack" }, *const thread[] = { "fsbase" };
	uint32_t of_task[6] = { 0 }, of_memory[1] = { 0 }, of_thread[1] = { 0 };

	if (kernel_fields_find("task_struct", task, of_task, copies ? 6 : 2) < 0 ||
	    (copies && (kernel_fields_find("mm_struct", memory, of_memory, 1) < 0 ||
	    kernel_fields_find("thread_struct", thread, of_thread, 1) < 0)))
		return bpf_fail("the kernel does not describe its types (BTF)");
	*fields = (struct task_fields){ .pid = of_task[0], .tgid = of_task[1], .mm = of_task[2],
		.start_stack = of_memory[0], .thread_pointer = of_task[3] + of_thread[0],
		.signal_stack = of_task[4], .signal_stack_size = of_task[5] };
	return 0;
}

/* Programs are told where things are, then attached: what a target forks while we are about it is in the map,
 * or will be found by who asked. */
static int
instruct(struct bpf_filter *filter, enum bpf_filter_kind kind, bool follow, uint32_t dump)
{
	struct task_fields fields;
	uint32_t zero = 0;

	if (!follow && !dump)
		return 0;
	if (find_fields(&fields, dump != 0) < 0)
		return -1;
	fields.dump = dump;
	if (bpf_map_set(bpf_map_fd(filter->bpf, "fields"), &zero, &fields) < 0)
		return bpf_fail("the kernel cannot follow children");
	if (!follow)
		return 0;
	return bpf_attach(filter->bpf, programs[kind].follow) < 0 || bpf_attach(filter->bpf, programs[kind].forget) < 0 ?
	    -1 : 0;
}

static int
fill(struct bpf_filter *filter, enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd)
{
	if (kind == FILTER_CGROUP && bpf_filter_turn(filter, cgroup_fd) < 0)
		return bpf_fail("the cgroup is not one of cgroup2");
	for (size_t i = 0; i < count; i++)
		if (bpf_filter_add(filter, ids[i]) < 0)
			return bpf_fail("too many targets");
	return 0;
}

struct wish {
	enum bpf_filter_kind kind;
	const uint32_t *ids;
	size_t count;
	int cgroup_fd;
	bool follow;
	uint32_t dump;
};

static struct bpf_filter *
open_way(const struct wish *wish, enum way way)
{
	const char *program = programs[wish->kind].keep[way];
	struct bpf *bpf = load(wish->kind, program, wish->count, wish->follow);
	struct bpf_filter *filter;

	if (!bpf)
		return NULL;
	filter = mem_alloc(sizeof *filter);
	*filter = (struct bpf_filter){ bpf, bpf_program_fd(bpf, program), bpf_map_fd(bpf, "targets"),
		wish->follow ? bpf_map_fd(bpf, "missed") : -1, NULL };
	if (instruct(filter, wish->kind, wish->follow, way == WAY_KEEP ? 0 : wish->dump) < 0 ||
	    fill(filter, wish->kind, wish->ids, wish->count, wish->cgroup_fd) < 0) {
		bpf_filter_close(filter);
		return NULL;
	}
	return filter;
}

struct bpf_filter *
bpf_filter_open(enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd, bool follow_children,
    uint32_t dump)
{
	/* A cgroup's children are put into it by the kernel. */
	struct wish wish = { kind, ids, count, cgroup_fd,
		follow_children && kind != FILTER_CGROUP && kind != FILTER_NOTHING, dump };
	static char reason[160];
	struct bpf_filter *filter = NULL;

	if (kind != FILTER_NOTHING && !is_initial_namespace()) {
		bpf_fail("not in the initial pid namespace");
		return NULL;
	}
	if (dump && !may_read_users())
		bpf_fail("this kernel's copies of user memory may hang");
	else if (dump && !(filter = open_way(&wish, WAY_COPY)))
		filter = open_way(&wish, WAY_COPY_SLOWLY);
	if (filter || kind == FILTER_NOTHING)
		return filter;
	snprintf(reason, sizeof reason, "%s", dump ? bpf_trouble() : "not asked for");
	filter = open_way(&wish, WAY_KEEP);
	if (filter)
		filter->no_copies = reason;
	return filter;
}

void
bpf_filter_close(struct bpf_filter *filter)
{
	if (!filter)
		return;
	bpf_close(filter->bpf);
	free(filter);
}

int
bpf_filter_attach(struct bpf_filter *filter, int perf_event_fd)
{
	return ioctl(perf_event_fd, PERF_EVENT_IOC_SET_BPF, filter->program);
}

int
bpf_filter_add(struct bpf_filter *filter, uint32_t id)
{
	uint64_t by_user = 0;

	return bpf_map_set(filter->targets, &id, &by_user);
}

int
bpf_filter_turn(struct bpf_filter *filter, int cgroup_fd)
{
	uint32_t zero = 0;

	return bpf_map_set(bpf_map_fd(filter->bpf, "cgroup"), &zero, &cgroup_fd);
}

const char *
bpf_filter_no_copies(const struct bpf_filter *filter)
{
	return filter->no_copies;
}

int
bpf_filter_output(struct bpf_filter *filter, uint32_t cpu, int perf_event_fd)
{
	return bpf_map_set(bpf_map_fd(filter->bpf, "output"), &cpu, &perf_event_fd);
}

void
bpf_filter_stray(struct bpf_filter *filter, uint32_t process, uint64_t *since)
{
	int map = bpf_map_fd(filter->bpf, "strays");

	*since = UINT64_MAX;
	if (filter->no_copies || bpf_map_get(map, &process, since) == 0)
		return;
	*since = clock_now();
	bpf_map_set(map, &process, since);
}

void
bpf_filter_want(struct bpf_filter *filter, uint32_t thread, uint64_t address)
{
	struct windows windows = { 0 };
	int map = bpf_map_fd(filter->bpf, "windows");

	if (filter->no_copies)
		return;
	bpf_map_get(map, &thread, &windows);
	if (windows.count > WINDOWS_MOST)
		return;
	for (unsigned i = 0; i < windows.count; i++)
		if (address - windows.from[i] < WINDOW_BYTES)
			return; /* it is coming, or not in memory */
	if (windows.count < WINDOWS_MOST)
		windows.from[windows.count] = address & ~(uint64_t)(WINDOW_BELOW - 1);
	windows.count++;
	bpf_map_set(map, &thread, &windows);
}

void
bpf_filter_copied(const struct bpf_filter *filter, struct copy_counts *counts)
{
	uint32_t zero = 0;

	if (bpf_map_get(bpf_map_fd(filter->bpf, "copied"), &zero, counts) < 0)
		*counts = (struct copy_counts){ 0 };
}

uint64_t
bpf_filter_missed(const struct bpf_filter *filter)
{
	uint32_t zero = 0;
	uint64_t missed = 0;

	if (filter->missed >= 0 && bpf_map_get(filter->missed, &zero, &missed) < 0)
		return 0;
	return missed;
}
