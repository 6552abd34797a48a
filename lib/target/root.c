#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/openat2.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/root.h"
#include "target/task.h"

/* Nearly all processes have one root, and one /tmp. */
static struct held {
	dev_t device;
	ino_t inode;
	unsigned long mount; /* another mount of it has other mounts below */
	int fd;
	size_t users; /* 0: free */
} *list;
static size_t count, room;

/* statx() tells it since Linux 5.8 only. 0: nobody tells. */
static unsigned long
mount_of(int fd)
{
	char name[64], text[256], *line;

	snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
	if (task_read(name, text, sizeof text) <= 0)
		return 0;
	line = strstr(text, "mnt_id:");
	return line ? strtoul(line + strlen("mnt_id:"), NULL, 10) : 0;
}

int
root_hold(int fd)
{
	unsigned long mount = fd < 0 ? 0 : mount_of(fd);
	struct held *spare = NULL;
	struct stat st;

	if (!mount || fstat(fd, &st) < 0)
		return fd;
	for (size_t i = 0; i < count; i++) {
		struct held *held = &list[i];

		if (!held->users) {
			spare = held;
		} else if (held->device == st.st_dev && held->inode == st.st_ino && held->mount == mount) {
			close(fd);
			held->users++;
			return held->fd;
		}
	}
	if (!spare) {
		mem_grow(&list, count, &room);
		spare = &list[count++];
	}
	*spare = (struct held){ st.st_dev, st.st_ino, mount, fd, 1 };
	return fd;
}

static struct held *
find(int fd)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].users && list[i].fd == fd)
			return &list[i];
	return NULL;
}

int
root_share(int held)
{
	struct held *it = find(held);

	if (!it) /* nobody tells whose it is: each has its own */
		return held < 0 ? -1 : fcntl(held, F_DUPFD_CLOEXEC, 0);
	it->users++;
	return held;
}

void
root_drop(int held)
{
	struct held *it = find(held);

	if (held >= 0 && (!it || --it->users == 0))
		close(held);
}

static int
open_of(uint32_t pid, uint32_t tid)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%u/task/%u/root", pid, tid);
	return open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int
root_open(uint32_t pid, uint32_t tid)
{
	int fd = open_of(pid, tid);

	/* Who has exited has no root any more. */
	if (fd < 0 && errno == ENOENT && (tid = task_living_thread(pid)))
		fd = open_of(pid, tid);
	return root_hold(fd);
}

int
root_open_ours(void)
{
	return root_hold(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Before Linux 5.6: part by part, without any link. One that is held by O_PATH leads nowhere. */
static int
walk(int root, const char *path)
{
	char *parts = mem_print("%s", path), *save = NULL;
	int at = root < 0 ? open("/", O_PATH | O_CLOEXEC) : openat(root, ".", O_PATH | O_CLOEXEC), next;

	for (char *part = strtok_r(parts, "/", &save); part && at >= 0; part = strtok_r(NULL, "/", &save)) {
		next = openat(at, strcmp(part, "..") == 0 ? "" : part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	free(parts);
	return at;
}

int
root_find(int root, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)(O_PATH | O_CLOEXEC | flags),
		.resolve = root < 0 ? RESOLVE_NO_SYMLINKS : RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, root < 0 ? AT_FDCWD : root, path, &how, sizeof how);

	return fd < 0 && errno == ENOSYS ? walk(root, path) : fd;
}
