/* Control groups, v1, v2 and both at once: which one a user means, and who is in it. */
#ifndef TARGET_CGROUP_H
#define TARGET_CGROUP_H

#include <stdint.h>

#include "base/buf.h"

struct cgroup {
	char *path;	   /* inside its hierarchy, as /proc/PID/cgroup shows it */
	char *controllers; /* of its hierarchy: "memory"; "" is v2 */
	int fd;		   /* the directory; for BPF and perf, which know v2 only */
};

/* name: a directory of a mounted hierarchy, or a path inside one (v2 is tried first). -1, said. */
int cgroup_open(struct cgroup *cgroup, const char *name);
void cgroup_close(struct cgroup *cgroup);

/* 1: the process is in it or in a group below; 0: it is not; -1: it is gone. */
int cgroup_has(const struct cgroup *cgroup, uint32_t pid);

/* All groups of a process as /proc/PID/cgroup shows them. -1: it is gone, or so far that it is in none any more: a
 * process that has ended is shown in the roots of v1. A process is in at most one group of each hierarchy, and a path
 * is at most PATH_MAX. */
#define CGROUP_TEXT 16384
int cgroup_read(uint32_t pid, char text[static CGROUP_TEXT]);

/* The group of a process for people: its v2 path, or on a v1 host that of a controller which is not the
 * root. Replaces path's content. -1: it is gone. */
int cgroup_of(uint32_t pid, struct buf *path);

#endif
