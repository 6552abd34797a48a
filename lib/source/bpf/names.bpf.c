// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names of kernel addresses as printk knows them: "schedule", "ext4_readdir [ext4]", "0xffff..." where
 * there is none. Run by a system call; 5.14 or later. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "source/bpf/names.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct names_batch);
} batch SEC(".maps");

static const char format[] = "%ps";

SEC("syscall")
int
print_names(void *context)
{
	__u32 zero = 0;
	struct names_batch *b = bpf_map_lookup_elem(&batch, &zero);

	(void)context;
	if (!b)
		return 1;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < NAMES_BATCH; i++) {
		if (!b->address[i])
			break;
		bpf_snprintf(b->name[i], NAMES_LENGTH, format, &b->address[i], sizeof b->address[i]);
	}
	return 0;
}
