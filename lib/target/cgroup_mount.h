/* A hierarchy of control groups as a line of /proc/self/mountinfo shows it: where it is mounted, and what /proc/PID/cgroup
 * calls what lies there. The two differ in a container whose part of a hierarchy is mounted for it. */
#ifndef TARGET_CGROUP_MOUNT_H
#define TARGET_CGROUP_MOUNT_H

#include <stdbool.h>

struct cgroup_mount {
	const char *place;   /* the directory */
	const char *root;    /* the group that is mounted there, of the reader's cgroup namespace */
	const char *options; /* the hierarchy's */
	bool is_v2;
};

/* False: of something else. The line is changed and kept in the mount. */
bool cgroup_mount_parse(char *line, struct cgroup_mount *mount);

/* Its controllers as /proc/PID/cgroup names them, "" is v2; and the group of a directory at or below its place. free()
 * them. */
char *cgroup_mount_controllers(const struct cgroup_mount *mount);
char *cgroup_mount_group(const struct cgroup_mount *mount, const char *directory);

/* Is the group, a mount's root for one, outside of the reader's cgroup namespace? */
bool cgroup_is_outside(const char *group);

#endif
