// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Samples of the targets and of their descendants, which become targets before they run. 5.5 or later. */
#include "source/bpf/filter.h"

#include <bpf/bpf_tracing.h>

/* The fields used, wherever this kernel has them. */
struct task_struct {
	int pid, tgid;
} __attribute__((preserve_access_index));

/* Children that found no room in targets. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} missed SEC(".maps");

/* Before the child runs. An id that a target left behind must not make a stranger one. */
static void
follow(__u32 parent, __u32 child, struct task_struct *task)
{
	__u64 value = (__u64)task, *count;
	__u32 zero = 0;

	if (!is_target(parent)) {
		bpf_map_delete_elem(&targets, &child);
	} else if (bpf_map_update_elem(&targets, &child, &value, BPF_ANY) != 0) {
		count = bpf_map_lookup_elem(&missed, &zero);
		if (count)
			__sync_fetch_and_add(count, 1);
	}
}

SEC("tp_btf/sched_process_fork")
int
BPF_PROG(follow_processes, struct task_struct *parent, struct task_struct *child)
{
	(void)parent; /* is current, also for CLONE_PARENT */
	if (child->pid == child->tgid) /* a process, not a thread */
		follow(current_process(), (__u32)child->tgid, child);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int
BPF_PROG(follow_threads, struct task_struct *parent, struct task_struct *child)
{
	(void)parent;
	follow(current_thread(), (__u32)child->pid, child);
	return 0;
}

/* The last use of a task: not its exit, whose work is still the target's. By then its id may be a new
 * task's, which the value tells; and after exec by a thread the id belongs to that thread. */
static void
forget(__u32 id, struct task_struct *task)
{
	__u64 *value = bpf_map_lookup_elem(&targets, &id);

	if (value && *value == (__u64)task)
		bpf_map_delete_elem(&targets, &id);
}

SEC("tp_btf/sched_process_free")
int
BPF_PROG(forget_processes, struct task_struct *task)
{
	if (task->pid == task->tgid)
		forget((__u32)task->tgid, task);
	return 0;
}

SEC("tp_btf/sched_process_free")
int
BPF_PROG(forget_threads, struct task_struct *task)
{
	forget((__u32)task->pid, task);
	return 0;
}
