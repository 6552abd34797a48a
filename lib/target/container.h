/* Which container a process is in, as its control groups and namespaces tell. No runtime is asked. */
#ifndef TARGET_CONTAINER_H
#define TARGET_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Replaces name's content: the first 12 digits of the id that Docker, containerd, CRI-O, Podman or ECS put into the
 * group's path, the name that LXC or systemd-machined put there, "pid-ns-4026532281" of a pid namespace that is not
 * ours without either; "[host]" otherwise. Of containers in containers the innermost. -1, in silence: it is gone. */
int container_of(uint32_t pid, struct buf *name);

/* What the lines of /proc/PID/cgroup (number:controllers:path, one for each hierarchy) say of it, which are changed. Replaces
 * name's content; false, with name as it was: nothing. */
bool container_choose(char *text, struct buf *name);

#endif
