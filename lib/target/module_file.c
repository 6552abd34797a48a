#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <linux/fs.h>
#include <linux/magic.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/module_file.h"
#include "target/root.h"
#include "target/task.h"

#define DELETED " (deleted)"
/* Among so many of a process's descriptors a deleted file is looked for. */
#define DESCRIPTORS_MAX 64u

static bool
is_on(int fd, long type)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == type;
}

/* Does the file's own device number differ from the one that its mappings show? Overlayfs and btrfs give
 * stat() one and mappings another. */
static bool
hides_device(int fd)
{
	return is_on(fd, OVERLAYFS_SUPER_MAGIC) || is_on(fd, BTRFS_SUPER_MAGIC);
}

bool
module_file_hides_subvolume(int fd)
{
	return is_on(fd, BTRFS_SUPER_MAGIC);
}

/* Made after it was mapped, it is another file. One that seems to be of the future was made before a clock was set. */
static bool
is_born_later(int fd, uint64_t mapped)
{
	uint64_t now = clock_wall(), born;
	struct statx st;

	if (!mapped || statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &st) < 0 || !(st.stx_mask & STATX_BTIME))
		return false;
	born = (uint64_t)st.stx_btime.tv_sec * 1000000000u + st.stx_btime.tv_nsec;
	return born <= now && born > now - (clock_now() - mapped);
}

/* A number that is used again has another generation. Not every file system tells; of overlayfs the time of birth does. */
static bool
is_of_generation(int fd, const struct module_place *place)
{
	unsigned now; /* of int, whatever linux/fs.h says */

	if (!place->generation || ioctl(fd, FS_IOC_GETVERSION, &now) < 0)
		return !is_born_later(fd, place->time);
	return now == (uint32_t)place->generation;
}

/* Opens what has been found, held by O_PATH, if it is the mapped one. exactly: whoever owns the path may have put a
 * link there to a file of the same number elsewhere. */
static int
open_mapped(int found, const struct module_place *place, bool exactly)
{
	struct stat st;
	int fd;

	if (found < 0)
		return -1;
	if (fstat(found, &st) == 0 && (!place->inode || (st.st_ino == place->inode &&
	    (st.st_dev == place->device || (!exactly && hides_device(found)))))) {
		fd = elf_open_found(found);
		if (fd < 0 || is_of_generation(fd, place))
			return fd;
		found = fd;
	}
	close(found);
	errno = ESTALE;
	return -1;
}

int
module_file_at(const char *path, const struct module_place *place)
{
	return open_mapped(open(path, O_PATH | O_CLOEXEC), place, place->pid);
}

size_t
module_file_deleted(const char *path)
{
	size_t length = strlen(path), suffix = sizeof DELETED - 1;

	return length > suffix && strcmp(path + length - suffix, DELETED) == 0 ? suffix : 0;
}

/* The kernel's own link to a file leads nowhere else. Of a leader that has exited /proc shows none: by a thread that
 * lives. */
static int
open_link(const struct module_place *place, uint32_t tid, const char *name)
{
	char *path = mem_print("/proc/%u/%s", tid, name);
	int fd = open_mapped(open(path, O_PATH | O_CLOEXEC), place, false);

	free(path);
	return fd;
}

static int
open_by_mapping(const struct module_place *place, uint32_t tid)
{
	char name[64];

	snprintf(name, sizeof name, "map_files/%llx-%llx", (unsigned long long)place->start,
	    (unsigned long long)place->end);
	return open_link(place, tid, name);
}

/* Who may not look into map_files may find the program itself, or a file that is open still. */
static int
open_by_descriptor(const struct module_place *place, uint32_t tid)
{
	char name[32];
	int fd = open_link(place, tid, "exe");

	for (unsigned i = 0; fd < 0 && i < DESCRIPTORS_MAX && module_file_deleted(place->path); i++) {
		snprintf(name, sizeof name, "fd/%u", i);
		fd = open_link(place, tid, name);
	}
	return fd;
}

int
module_file_open(const struct module_place *place, int root, bool exactly, bool *by_name)
{
	int fd = module_file_at(place->path, place), trouble;
	uint32_t tid;

	*by_name = true;
	/* Of another mount namespace, perhaps; or the device says nothing. A mapping's path has no links. */
	if (fd < 0)
		fd = open_mapped(root_find(root, place->path, O_NOFOLLOW), place, exactly);
	if (fd >= 0)
		return fd;
	trouble = errno;
	*by_name = false;
	fd = open_by_mapping(place, place->pid);
	if (fd < 0) {
		tid = task_living_thread(place->pid);
		if (tid && tid != place->pid)
			fd = open_by_mapping(place, tid);
		if (fd < 0 && tid)
			fd = open_by_descriptor(place, tid);
	}
	if (fd < 0)
		errno = trouble;
	return fd;
}
