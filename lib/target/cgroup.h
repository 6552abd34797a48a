/* Control groups, v1, v2 and both at once: which one a user means, and who is in it. */
#ifndef TARGET_CGROUP_H
#define TARGET_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct cgroup {
	char *path;	   /* inside its hierarchy, as /proc/PID/cgroup shows it */
	char *controllers; /* of its hierarchy: "memory"; "" is v2 */
	char *directory;
	int fd;		   /* the directory; for BPF and perf, which know v2 only */
	bool is_outside;   /* mounted from outside our cgroup namespace: no path tells who is in it, only fd does */
};

/* What is said then. */
#define CGROUP_OUTSIDE \
	"its hierarchy is mounted from outside our cgroup namespace, where nobody tells who is in it: " \
	"mount it anew (mount -t cgroup), or record in the host's namespace (nsenter -C -t 1)"

/* name: a directory of a mounted hierarchy, or a path inside one (v2 is tried first). -1, said. */
int cgroup_open(struct cgroup *cgroup, const char *name);
void cgroup_close(struct cgroup *cgroup);

/* Groups are removed and made again, by the same path, when services are started anew: fd is then the new one's, and
 * true. While there is none it is the last one's. */
bool cgroup_renew(struct cgroup *cgroup);

/* 1: the process is in it or in a group below; 0: it is not; -1: it is gone. */
int cgroup_has(const struct cgroup *cgroup, uint32_t pid);

/* All groups of a process as /proc/PID/cgroup shows them. -1: it is gone, or so far that it is in none any more: a
 * process that has ended is shown in the roots of v1. A process is in at most one group of each hierarchy, and a path
 * is at most PATH_MAX. */
#define CGROUP_TEXT 16384
int cgroup_read(uint32_t pid, char text[static CGROUP_TEXT]);

/* The group of a process for people. Replaces path's content. -1: it is gone. */
int cgroup_of(uint32_t pid, struct buf *path);

/* Which of the lines of /proc/PID/cgroup, in whatever order, that is: the first of these hierarchies where it is not
 * in the root: v2, that of systemd, those of memory, cpu, cpuacct, pids, devices, freezer, blkio and cpuset; then any
 * other, by its name. "/" if there is none, NULL without any line. Into text, which it changes. */
const char *cgroup_choose(char *text);

#endif
