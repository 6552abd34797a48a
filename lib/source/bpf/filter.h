/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which samples are kept: the programs that perf events ask, and the targets they know. Needs nothing of
 * the running kernel's types. */
#ifndef SOURCE_BPF_FILTER_BPF_H
#define SOURCE_BPF_FILTER_BPF_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

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

SEC("perf_event")
int
keep_processes(void *context)
{
	(void)context;
	return is_target(current_process());
}

SEC("perf_event")
int
keep_threads(void *context)
{
	(void)context;
	return is_target(current_thread());
}

SEC("perf_event")
int
keep_cgroup(void *context)
{
	(void)context;
	return bpf_current_task_under_cgroup(&cgroup, 0) == 1;
}

#endif
