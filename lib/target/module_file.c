#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <linux/fs.h>
#include <linux/magic.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/module_file.h"
#include "target/task.h"

#define DELETED " (deleted)"
/* Among so many of a process's descriptors a deleted file is looked for. */
#define DESCRIPTORS_MAX 64u

/* Does the file's own device number differ from the one that its mappings show? Overlayfs and btrfs give
 * stat() one and mappings another. */
static bool
hides_device(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (fs.f_type == OVERLAYFS_SUPER_MAGIC || fs.f_type == BTRFS_SUPER_MAGIC);
}

bool
module_file_hides_subvolume(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == BTRFS_SUPER_MAGIC;
}

/* A number that is used again has another generation. Not every file system tells. */
static bool
is_of_generation(int fd, uint64_t generation)
{
	unsigned now; /* of int, whatever linux/fs.h says */

	return !generation || ioctl(fd, FS_IOC_GETVERSION, &now) < 0 || now == (uint32_t)generation;
}

int
module_file_at(const char *path, const struct module_place *place)
{
	int fd = elf_open_file(path);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 &&
	    (!place->inode || (st.st_ino == place->inode && (st.st_dev == place->device || hides_device(fd)))) &&
	    is_of_generation(fd, place->generation))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

size_t
module_file_deleted(const char *path)
{
	size_t length = strlen(path), suffix = sizeof DELETED - 1;

	return length > suffix && strcmp(path + length - suffix, DELETED) == 0 ? suffix : 0;
}

/* By a thread that lives: of a leader that has exited /proc shows neither files nor a root. */
static int
open_under_proc(const struct module_place *place, uint32_t tid, const char *name)
{
	char *path = mem_print("/proc/%u/%s", tid, name);
	int fd = module_file_at(path, place);

	free(path);
	return fd;
}

/* Who may not look into map_files may find the program itself, or a file that is open still. */
static int
open_by_descriptor(const struct module_place *place, uint32_t tid)
{
	char name[32];
	int fd = open_under_proc(place, tid, "exe");

	for (unsigned i = 0; fd < 0 && i < DESCRIPTORS_MAX && module_file_deleted(place->path); i++) {
		snprintf(name, sizeof name, "fd/%u", i);
		fd = open_under_proc(place, tid, name);
	}
	return fd;
}

int
module_file_open(const struct module_place *place, bool *by_name)
{
	char *name;
	int ours = module_file_at(place->path, place), fd, trouble;
	uint32_t tid;

	*by_name = true;
	if (!place->pid || (ours >= 0 && !module_file_hides_subvolume(ours)))
		return ours;
	tid = task_living_thread(place->pid);
	if (!tid)
		tid = place->pid;
	/* Another mount namespace, then the kernel's own link to the mapping. */
	name = mem_print("root%s", place->path);
	fd = open_under_proc(place, tid, name);
	free(name);
	if (fd < 0)
		fd = ours;
	else if (ours >= 0) /* of another subvolume, perhaps */
		close(ours);
	if (fd >= 0)
		return fd;
	trouble = errno;
	*by_name = false;
	name = mem_print("map_files/%llx-%llx", (unsigned long long)place->start, (unsigned long long)place->end);
	fd = open_under_proc(place, tid, name);
	free(name);
	if (fd < 0)
		fd = open_by_descriptor(place, tid);
	if (fd < 0)
		errno = trouble;
	return fd;
}
