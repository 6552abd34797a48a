#include <sys/syscall.h>

#include <linux/kcmp.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/task.h"

ssize_t
task_read(const char *name, char *to, size_t room)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, to, room - 1);
	close(fd);
	if (n >= 0)
		to[n] = '\0';
	return n;
}

int
task_comm(uint32_t pid, uint32_t tid, char comm[static TASK_COMM_MAX])
{
	char name[64];
	ssize_t n;

	snprintf(name, sizeof name, "/proc/%u/task/%u/comm", pid, tid);
	n = task_read(name, comm, TASK_COMM_MAX);
	if (n <= 0)
		return -1;
	if (comm[n - 1] == '\n') /* others are the name's own */
		comm[n - 1] = '\0';
	if (strncmp(comm, "kworker/", 8) == 0)
		comm[8 + strcspn(comm + 8, "+-")] = '\0';
	return 0;
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int
task_list(uint32_t pid, uint32_t **list, size_t *count)
{
	char name[64] = "/proc";
	struct dirent *entry;
	size_t room = 0;
	DIR *dir;

	if (pid)
		snprintf(name, sizeof name, "/proc/%u/task", pid);
	*list = NULL;
	*count = 0;
	dir = opendir(name);
	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		mem_grow(list, *count, &room);
		(*list)[(*count)++] = (uint32_t)strtoul(entry->d_name, NULL, 10);
	}
	closedir(dir);
	if (*count)
		qsort(*list, *count, sizeof **list, ascending);
	return *count ? 0 : -1;
}

char
task_state(uint32_t pid, uint32_t tid)
{
	char name[64], stat[512], *end;

	snprintf(name, sizeof name, "/proc/%u/task/%u/stat", pid, tid);
	if (task_read(name, stat, sizeof stat) <= 0)
		return 0;
	end = strrchr(stat, ')'); /* the name may hold parentheses and blanks */
	return end && end[1] ? end[2] : 0;
}

static bool
is_alive(uint32_t pid, uint32_t tid)
{
	char state = task_state(pid, tid);

	return state && state != 'Z' && state != 'X';
}

bool
task_is_alive(uint32_t tid)
{
	return is_alive(tid, tid);
}

uint32_t
task_living_thread(uint32_t pid)
{
	uint32_t *list, found = 0;
	size_t count;

	if (is_alive(pid, pid))
		return pid;
	if (task_list(pid, &list, &count) < 0)
		return 0;
	for (size_t i = 0; i < count && !found; i++)
		if (is_alive(pid, list[i]))
			found = list[i];
	free(list);
	return found;
}

bool
task_exists(uint32_t tid)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%u", tid);
	return access(name, F_OK) == 0;
}

/* A number of /proc/TID/status, or 0. field: "\nTgid:" */
static uint32_t
status_number(uint32_t tid, const char *field)
{
	char name[64], status[1024], *line;

	snprintf(name, sizeof name, "/proc/%u/status", tid);
	if (task_read(name, status, sizeof status) <= 0)
		return 0;
	line = strstr(status, field);
	return line ? (uint32_t)strtoul(line + strlen(field), NULL, 10) : 0;
}

uint32_t
task_process_of(uint32_t tid)
{
	return status_number(tid, "\nTgid:");
}

uint32_t
task_parent_of(uint32_t pid)
{
	return status_number(pid, "\nPPid:");
}

/* Whoever has ended has none, as kernel threads have none, and kcmp() calls that equal. */
static bool
has_memory(uint32_t pid)
{
	char name[64], pages[64];

	snprintf(name, sizeof name, "/proc/%u/statm", pid);
	return task_read(name, pages, sizeof pages) > 0 && pages[0] != '0';
}

bool
task_shares_memory(uint32_t one, uint32_t other)
{
	return syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0 && has_memory(one);
}

long
task_sysctl(const char *name, long fallback)
{
	char path[128], text[32];

	snprintf(path, sizeof path, "/proc/sys/kernel/%s", name);
	return task_read(path, text, sizeof text) > 0 ? strtol(text, NULL, 10) : fallback;
}
