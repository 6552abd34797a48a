/* What the filter of samples is told of the running kernel: offsets in struct task_struct. */
#ifndef SOURCE_BPF_FILTER_FIELDS_H
#define SOURCE_BPF_FILTER_FIELDS_H

struct task_fields {
	unsigned int pid, tgid;
};

#endif
