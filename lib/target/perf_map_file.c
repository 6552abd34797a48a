#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/elf.h"
#include "target/perf_map_file.h"
#include "target/root.h"
#include "target/task.h"

/* Files' times are those of the last tick, and a process's start is told in hundredths. */
#define SLACK 100000000

/* A line of /proc/PID/status, from behind its name. */
static const char *
status_line(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? line + strlen(name) : NULL;
}

/* How many pid namespaces it is in, from ours inwards, or -1. */
static int
read_status(struct perf_map_file *file, uint32_t pid, uint32_t tid)
{
	char name[64], status[8192];
	const char *line;
	int depth = 0;
	char *end;
	unsigned long number;

	snprintf(name, sizeof name, "/proc/%u/task/%u/status", pid, tid);
	if (task_read(name, status, sizeof status) <= 0)
		return -1;
	line = status_line(status, "\nUid:");
	if (!line || sscanf(line, "%u %u %u %u", &file->owners[0], &file->owners[1], &file->owners[2], &file->owners[3]) != 4)
		return -1;
	/* A number for each namespace, the innermost last. */
	line = status_line(status, "\nNStgid:");
	file->pid = pid;
	while (line && (number = strtoul(line, &end, 10), end != line) && *line != '\n') {
		file->pid = (uint32_t)number;
		line = *end == '\n' ? NULL : end;
		depth++;
	}
	return depth;
}

/* How much later than another clock's the wall clock's time is; of some readings the one during which we were not made
 * to wait. */
static int64_t
wall_offset(clockid_t clock)
{
	int64_t best = INT64_MAX, offset = 0;

	for (unsigned i = 0; i < 5 && best > 100000; i++) {
		struct timespec before, after;
		int64_t from, took, wall;

		clock_gettime(clock, &before);
		wall = (int64_t)clock_wall();
		clock_gettime(clock, &after);
		from = (int64_t)before.tv_sec * 1000000000 + before.tv_nsec;
		took = (int64_t)after.tv_sec * 1000000000 + after.tv_nsec - from;
		if (took < best) {
			best = took;
			offset = wall - from;
		}
	}
	return offset;
}

/* The start of a process in ns since 1970: field 22 of stat is in ticks since boot. */
static int64_t
start_of(uint32_t pid)
{
	char name[64], stat[1024], *field;
	unsigned long long ticks;

	snprintf(name, sizeof name, "/proc/%u/stat", pid);
	if (task_read(name, stat, sizeof stat) <= 0 || !(field = strrchr(stat, ')')))
		return INT64_MAX;
	for (unsigned i = 2; i < 22 && field; i++)
		field = strchr(field + 1, ' ');
	if (!field || sscanf(field, "%llu", &ticks) != 1)
		return INT64_MAX;
	return wall_offset(CLOCK_BOOTTIME) + (int64_t)(ticks * (1000000000u / (unsigned long)sysconf(_SC_CLK_TCK)));
}

static int64_t
wall_of(uint64_t monotonic)
{
	return wall_offset(CLOCK_MONOTONIC) + (int64_t)monotonic;
}

/* /tmp may be a link. It may be a mount of its own, too, that goes with the last who has it: so it is what is held. */
static int
open_tmp(uint32_t pid, uint32_t tid)
{
	int root = root_open(pid, tid), tmp;

	if (root < 0)
		return -1;
	tmp = root_find(root, "/tmp", O_DIRECTORY);
	root_drop(root);
	return root_hold(tmp);
}

int
perf_map_file_find(struct perf_map_file *file, uint32_t pid, uint32_t tid, uint64_t since)
{
	int64_t exec = since ? wall_of(since) : INT64_MIN;

	file->directory = -1;
	if (read_status(file, pid, tid) < 0)
		return -1;
	file->begin = start_of(pid);
	if (exec > file->begin)
		file->begin = exec;
	file->directory = open_tmp(pid, tid);
	return file->directory < 0 ? -1 : 0;
}

int
perf_map_file_find_gone(struct perf_map_file *file, uint32_t pid, uint32_t like, uint64_t since)
{
	file->directory = -1;
	if (read_status(file, like, like) != 1) /* inside, it had a number that nobody tells any more */
		return -1;
	file->pid = pid;
	file->begin = wall_of(since);
	file->directory = open_tmp(like, like);
	return file->directory < 0 ? -1 : 0;
}

int
perf_map_file_find_past(struct perf_map_file *file, uint32_t pid)
{
	*file = (struct perf_map_file){ .pid = pid, .owners = { geteuid(), 0, 0, 0 }, .begin = INT64_MIN };
	file->directory = root_hold(open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC));
	return file->directory < 0 ? -1 : 0;
}

static bool
is_trusted(const struct perf_map_file *file, const struct stat *st, uint64_t end)
{
	int64_t written = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	bool is_owner = false;

	for (size_t i = 0; i < sizeof file->owners / sizeof file->owners[0]; i++)
		is_owner |= st->st_uid == file->owners[i];
	return S_ISREG(st->st_mode) && is_owner && (file->begin == INT64_MIN || written >= file->begin - SLACK) &&
	    (!end || written <= wall_of(end) + SLACK);
}

int
perf_map_file_open(const struct perf_map_file *file, uint64_t end)
{
	char name[64];
	struct stat st;
	int found;

	if (file->directory < 0)
		return -1;
	snprintf(name, sizeof name, "perf-%u.map", file->pid);
	/* Looked at without being opened: a fifo's writer must not notice. O_PATH holds a link itself. */
	found = openat(file->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (found < 0)
		return -1;
	if (fstat(found, &st) == 0 && is_trusted(file, &st, end))
		return elf_open_found(found);
	close(found);
	return -1;
}

void
perf_map_file_release(struct perf_map_file *file)
{
	root_drop(file->directory);
	file->directory = -1;
}
