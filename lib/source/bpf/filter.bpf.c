// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which samples are kept: those of targets, and of their descendants, which become targets before they
 * run; and of a stack that the sample's own copy does not hold, the rest, into the same ring, before the
 * sample. Needs 5.5, the copies 5.15; no types of the kernel but offsets, which are given. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "source/bpf/filter.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Ids of targets → the task that made us put it there, 0 for those named by the user. Preallocated:
 * what else a program of a perf event may look into on older kernels. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} targets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cgroup SEC(".maps");

/* Children that found no room in targets. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} missed SEC(".maps");

/* Where this kernel keeps what we read of a task. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct task_fields);
} fields SEC(".maps");

/* The order of the halves: process (tgid) above, thread below. */
static __u32
current_process(void)
{
	return (__u32)(bpf_get_current_pid_tgid() >> 32);
}

static __u32
current_thread(void)
{
	return (__u32)bpf_get_current_pid_tgid();
}

static int
is_target(__u32 id)
{
	return bpf_map_lookup_elem(&targets, &id) ? 1 : 0;
}

#include "source/bpf/copy.bpf.h"

/* --- what is kept */

static int
in_cgroup(void)
{
	return bpf_current_task_under_cgroup(&cgroup, 0) == 1;
}

#define KEEPER(name, wanted)                                           \
	SEC("perf_event")                                              \
	int keep_##name(void *context)                                 \
	{                                                              \
		(void)context;                                         \
		return wanted;                                         \
	}
#define COPIER(name, wanted, range, others)                             \
	SEC("perf_event")                                              \
	int name(struct bpf_perf_event_data *context)                  \
	{                                                              \
		if (!(wanted))                                         \
			return 0;                                      \
		copy_rest(context, copy_##range, copy_##others);       \
		return 1;                                              \
	}
#define PROGRAMS(name, wanted)                                         \
	KEEPER(name, wanted)                                           \
	COPIER(copy_##name, wanted, range, others)                     \
	COPIER(copy_##name##_slowly, wanted, range_slowly, others_slowly)

PROGRAMS(processes, is_target(current_process()))
PROGRAMS(threads, is_target(current_thread()))
PROGRAMS(cgroup, in_cgroup())
PROGRAMS(all, 1)

/* --- who becomes a target */

/* The ids of a task. */
struct ids {
	__u32 process, thread;
};

static int
read_ids(const void *task, struct ids *ids)
{
	__u32 zero = 0;
	struct task_fields *at = bpf_map_lookup_elem(&fields, &zero);

	return at && bpf_probe_read_kernel(&ids->process, sizeof ids->process, task + at->tgid) == 0 &&
	    bpf_probe_read_kernel(&ids->thread, sizeof ids->thread, task + at->pid) == 0;
}

/* Before the child runs. An id that a target left behind must not make a stranger one. */
static void
follow(__u32 parent, __u32 child, __u64 task)
{
	__u64 *count;
	__u32 zero = 0;

	if (!is_target(parent)) {
		bpf_map_delete_elem(&targets, &child);
	} else if (bpf_map_update_elem(&targets, &child, &task, BPF_ANY) != 0) {
		count = bpf_map_lookup_elem(&missed, &zero);
		if (count)
			__sync_fetch_and_add(count, 1);
	}
}

/* args: the parent, which is current also for CLONE_PARENT, and the child. */
SEC("raw_tp/sched_process_fork")
int
follow_processes(struct bpf_raw_tracepoint_args *context)
{
	struct ids child;

	if (read_ids((const void *)context->args[1], &child) && child.process == child.thread)
		follow(current_process(), child.process, context->args[1]);
	return 0;
}

SEC("raw_tp/sched_process_fork")
int
follow_threads(struct bpf_raw_tracepoint_args *context)
{
	struct ids child;

	if (read_ids((const void *)context->args[1], &child))
		follow(current_thread(), child.thread, context->args[1]);
	return 0;
}

/* The last use of a task: not its exit, whose work is still the target's. By then its id may be a new
 * task's, which the value tells; and after exec by a thread the id belongs to that thread. */
static void
forget(__u32 id, __u64 task)
{
	__u64 *value = bpf_map_lookup_elem(&targets, &id);

	if (value && *value == task)
		bpf_map_delete_elem(&targets, &id);
}

SEC("raw_tp/sched_process_free")
int
forget_processes(struct bpf_raw_tracepoint_args *context)
{
	struct ids task;

	if (read_ids((const void *)context->args[0], &task) && task.process == task.thread)
		forget(task.process, context->args[0]);
	return 0;
}

SEC("raw_tp/sched_process_free")
int
forget_threads(struct bpf_raw_tracepoint_args *context)
{
	struct ids task;

	if (read_ids((const void *)context->args[0], &task))
		forget(task.thread, context->args[0]);
	return 0;
}
