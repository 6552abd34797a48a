/* placeholder until the symbol branch lands */
#ifndef SOURCE_BPF_FILTER_H
#define SOURCE_BPF_FILTER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
struct bpf_filter;
enum bpf_filter_kind { FILTER_PROCESSES, FILTER_THREADS, FILTER_CGROUP };
struct bpf_filter *bpf_filter_open(enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd, bool follow_children);
int bpf_filter_attach(struct bpf_filter *filter, int event);
void bpf_filter_close(struct bpf_filter *filter);
const char *bpf_filter_trouble(void);
#endif
