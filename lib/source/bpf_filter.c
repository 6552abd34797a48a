#include <sys/ioctl.h>
#include <sys/stat.h>

#include <linux/perf_event.h>
#include <stdlib.h>

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
};

static const char *const programs[][4] = {
	[FILTER_PROCESSES] = { "keep_processes", "follow_processes", "forget_processes", NULL },
	[FILTER_THREADS] = { "keep_threads", "follow_threads", "forget_threads", NULL },
	[FILTER_CGROUP] = { "keep_cgroup", NULL, NULL, NULL },
};

/* Programs see ids of the initial namespace; ours would be others' there. */
static bool
is_initial_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == INITIAL_PID_NAMESPACE;
}

static struct bpf *
load(enum bpf_filter_kind kind, size_t count, bool follow)
{
	const char *const wanted[] = { programs[kind][0], follow ? programs[kind][1] : NULL, programs[kind][2], NULL };
	struct bpf_plan plan = { .object = "filter", .programs = wanted, .map = "targets",
		.entries = (uint32_t)count + (follow ? DESCENDANTS_MAX : 64) };

	return bpf_load(&plan);
}

/* The programs that follow are told where a task's ids are, then attached: what a target forks while we
 * are about it is in the map, or will be found by who asked. */
static int
follow(struct bpf_filter *filter, enum bpf_filter_kind kind)
{
	static const char *const names[] = { "pid", "tgid" };
	struct task_fields fields;
	uint32_t zero = 0, offsets[2];

	if (kernel_fields_find("task_struct", names, offsets, 2) < 0)
		return bpf_fail("the kernel does not describe its types (BTF)");
	fields = (struct task_fields){ .pid = offsets[0], .tgid = offsets[1] };
	if (bpf_map_set(bpf_map_fd(filter->bpf, "fields"), &zero, &fields) < 0)
		return bpf_fail("the kernel cannot follow children");
	return bpf_attach(filter->bpf, programs[kind][1]) < 0 || bpf_attach(filter->bpf, programs[kind][2]) < 0 ? -1 : 0;
}

static int
fill(struct bpf_filter *filter, enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd)
{
	uint32_t zero = 0;

	if (kind == FILTER_CGROUP && bpf_map_set(bpf_map_fd(filter->bpf, "cgroup"), &zero, &cgroup_fd) < 0)
		return bpf_fail("the cgroup is not one of cgroup2");
	for (size_t i = 0; i < count; i++)
		if (bpf_filter_add(filter, ids[i]) < 0)
			return bpf_fail("too many targets");
	return 0;
}

struct bpf_filter *
bpf_filter_open(enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd, bool follow_children)
{
	struct bpf_filter *filter;
	struct bpf *bpf;

	if (kind == FILTER_CGROUP)
		follow_children = false; /* the kernel puts them into the cgroup */
	if (!is_initial_namespace()) {
		bpf_fail("not in the initial pid namespace");
		return NULL;
	}
	bpf = load(kind, count, follow_children);
	if (!bpf)
		return NULL;
	filter = mem_alloc(sizeof *filter);
	*filter = (struct bpf_filter){ bpf, bpf_program_fd(bpf, programs[kind][0]), bpf_map_fd(bpf, "targets"),
		follow_children ? bpf_map_fd(bpf, "missed") : -1 };
	if ((follow_children && follow(filter, kind) < 0) || fill(filter, kind, ids, count, cgroup_fd) < 0) {
		bpf_filter_close(filter);
		return NULL;
	}
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

uint64_t
bpf_filter_missed(const struct bpf_filter *filter)
{
	uint32_t zero = 0;
	uint64_t missed = 0;

	if (filter->missed >= 0 && bpf_map_get(filter->missed, &zero, &missed) < 0)
		return 0;
	return missed;
}
