/* A program on perf events that sample a whole CPU: samples of other tasks than the targets are dropped
 * in the kernel, before anything is copied; and what a stack has beyond the sample's own copy is copied too
 * (source/perf_piece.h). One filter serves any number of events. */
#ifndef SOURCE_BPF_FILTER_H
#define SOURCE_BPF_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/bpf/filter.h"

enum bpf_filter_kind { FILTER_PROCESSES, FILTER_THREADS, FILTER_CGROUP, FILTER_NOTHING };

struct bpf_filter;

/* ids: processes or threads; cgroup_fd: an open directory of cgroup2, -1 otherwise. follow_children: what
 * targets fork are targets before they run, and an id is forgotten with its task. NULL in silence where
 * that cannot be had, bpf_trouble() says why: the reader of the events filters then. dump: the size of the
 * samples' own copies, 0: no more is wanted. */
struct bpf_filter *bpf_filter_open(enum bpf_filter_kind kind, const uint32_t *ids, size_t count, int cgroup_fd,
    bool follow_children, uint32_t dump);
void bpf_filter_close(struct bpf_filter *filter);

/* Before the event is enabled. -1 and errno. */
int bpf_filter_attach(struct bpf_filter *filter, int perf_event_fd);

/* One more target. -1 and errno. */
int bpf_filter_add(struct bpf_filter *filter, uint32_t id);
/* Another cgroup instead of the one it has. -1 and errno. */
int bpf_filter_turn(struct bpf_filter *filter, int cgroup_fd);

/* Does it copy? NULL, or why not. */
const char *bpf_filter_no_copies(const struct bpf_filter *filter);
/* The event of raw output whose ring takes a CPU's pieces. -1 and errno. */
int bpf_filter_output(struct bpf_filter *filter, uint32_t cpu, int perf_event_fd);
/* A process whose stacks were deeper than their samples, and not copied since nobody knows their end. Since when
 * it is known (CLOCK_MONOTONIC). */
void bpf_filter_stray(struct bpf_filter *filter, uint32_t process, uint64_t *since);
/* What a walk of a thread wanted of another stack: the next samples have what is there then. Of few places; of
 * a thread that always wants others it is given up. */
void bpf_filter_want(struct bpf_filter *filter, uint32_t thread, uint64_t address);
void bpf_filter_copied(const struct bpf_filter *filter, struct copy_counts *counts);

/* Children that were not followed since there were too many at once. */
uint64_t bpf_filter_missed(const struct bpf_filter *filter);

#endif
