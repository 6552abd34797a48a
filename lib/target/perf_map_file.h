/* The file in which a process tells what the code is that it made: /tmp/perf-PID.map, of its own root and of
 * the number that it itself knows. It must not know what is in there.
 *
 * The process may be another user's, in a container of its own, and wish us ill: its /tmp is looked up inside its
 * root, and only a regular file of its owner, written since it began, is opened. */
#ifndef TARGET_PERF_MAP_FILE_H
#define TARGET_PERF_MAP_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_map_file {
	int directory;	   /* its /tmp, held open: once it has exited nothing leads there any more; -1: none */
	uint32_t pid;	   /* in its own, innermost namespace */
	uid_t owners[4];
	int64_t begin;	   /* ns since 1970: what was written before is of another process */
};

/* Where a living process, asked through any thread of it, has its map. since: CLOCK_MONOTONIC of its last exec,
 * 0 if that is not known. -1, in silence, if it is gone or not ours to look into. */
int perf_map_file_find(struct perf_map_file *file, uint32_t pid, uint32_t tid, uint64_t since);

/* Of one that has ended since, before anybody looked: a map that belongs to the owner, and lies in the /tmp, of
 * another, living one, who made it or made its maker. since: CLOCK_MONOTONIC of its beginning. */
int perf_map_file_find_gone(struct perf_map_file *file, uint32_t pid, uint32_t like, uint64_t since);

/* Of a process of the past, on this machine: our own /tmp, and a file of ours or root's. */
int perf_map_file_find_past(struct perf_map_file *file, uint32_t pid);

/* Opens it for reading. end: CLOCK_MONOTONIC of when the process ended or became another program, 0 if it did not:
 * what was written since is another one's. -1, in silence, if there is none, or none that can be trusted. */
int perf_map_file_open(const struct perf_map_file *file, uint64_t end);

void perf_map_file_release(struct perf_map_file *file);

#endif
