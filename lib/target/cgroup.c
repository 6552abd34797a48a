#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "target/cgroup.h"
#include "target/cgroup_mount.h"
#include "target/task.h"

/* One line of /proc/PID/cgroup: number:controllers:path. False at the end. */
static bool
next_line(char **text, char **controllers, char **path)
{
	while (**text) {
		char *line = *text;

		*text += strcspn(*text, "\n");
		if (**text)
			*(*text)++ = '\0';
		*controllers = strchr(line, ':');
		*path = *controllers ? strchr(*controllers + 1, ':') : NULL;
		if (!*path)
			continue;
		++*controllers;
		*(*path)++ = '\0';
		return true;
	}
	return false;
}

/* Is it in the root of every hierarchy? */
static bool
is_nowhere(const char *text)
{
	for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		if (end - line < 2 || end[-1] != '/' || end[-2] != ':')
			return false;
	}
	return true;
}

int
cgroup_read(uint32_t pid, char text[static CGROUP_TEXT])
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%u/cgroup", pid);
	if (task_read(name, text, CGROUP_TEXT) <= 0 || (is_nowhere(text) && !task_living_thread(pid)))
		return -1;
	return 0;
}

/* Is word one of those in list, which commas divide? */
static bool
has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, word, length) == 0 && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* The place of a hierarchy among those that are asked. */
static size_t
rank_of(const char *controllers)
{
	static const char *const order[] = { "name=systemd", "memory", "cpu", "cpuacct", "pids", "devices", "freezer",
		"blkio", "cpuset" };
	size_t rank = 0;

	if (!*controllers)
		return 0;
	while (rank < sizeof order / sizeof *order && !has_word(controllers, order[rank]))
		rank++;
	return rank + 1;
}

const char *
cgroup_choose(char *text)
{
	const char *chosen = NULL, *of = NULL;
	char *controllers, *path;

	while (next_line(&text, &controllers, &path)) {
		if (strcmp(path, "/") == 0) {
			chosen = chosen ? chosen : path;
			continue;
		}
		if (of && (rank_of(controllers) > rank_of(of) ||
			      (rank_of(controllers) == rank_of(of) && strcmp(controllers, of) > 0)))
			continue;
		chosen = path;
		of = controllers;
	}
	return chosen;
}

int
cgroup_of(uint32_t pid, struct buf *kept)
{
	char text[CGROUP_TEXT];
	const char *path = cgroup_read(pid, text) < 0 ? NULL : cgroup_choose(text);

	buf_clear(kept);
	if (!path)
		return -1;
	buf_text(kept, path);
	return 0;
}

static bool
is_below(const char *path, const char *group)
{
	size_t length = strlen(group);

	return strncmp(path, group, length) == 0 &&
	    (!path[length] || path[length] == '/' || (length && group[length - 1] == '/'));
}

int
cgroup_has(const struct cgroup *cgroup, uint32_t pid)
{
	char text[CGROUP_TEXT], *rest = text, *controllers, *path;

	if (cgroup_read(pid, text) < 0)
		return -1;
	while (next_line(&rest, &controllers, &path))
		if (strcmp(controllers, cgroup->controllers) == 0)
			return !cgroup_is_outside(path) && is_below(path, cgroup->path);
	return 0;
}

/* The directory that name means under this mount, or NULL. */
static char *
directory_in(const struct cgroup_mount *mount, const char *resolved, const char *name)
{
	char *directory, real[PATH_MAX];
	struct stat st;

	if (resolved && is_below(resolved, mount->place))
		directory = mem_print("%s", resolved);
	else
		directory = mem_print("%s/%s", mount->place, name);
	/* As /proc/PID/cgroup writes it: no slash too many, nothing outside by "..". */
	if (!realpath(directory, real) || !is_below(real, mount->place) || stat(real, &st) < 0 || !S_ISDIR(st.st_mode))
		real[0] = '\0';
	free(directory);
	return real[0] ? mem_print("%s", real) : NULL;
}

/* Looks through the mounted hierarchies, v2 or v1; those from outside our cgroup namespace when there is no other. */
static bool
try_mounts(struct cgroup *cgroup, bool v2, bool outside, const char *resolved, const char *name)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	struct cgroup_mount mount;
	char *line = NULL;
	size_t room = 0;

	while (mounts && !cgroup->directory && getline(&line, &room, mounts) > 0) {
		if (!cgroup_mount_parse(line, &mount) || mount.is_v2 != v2 || cgroup_is_outside(mount.root) != outside ||
		    !(cgroup->directory = directory_in(&mount, resolved, name)))
			continue;
		cgroup->path = cgroup_mount_group(&mount, cgroup->directory);
		cgroup->controllers = cgroup_mount_controllers(&mount);
		cgroup->is_outside = outside;
		cgroup->fd = open(cgroup->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (mounts)
		fclose(mounts);
	free(line);
	return cgroup->directory != NULL;
}

int
cgroup_open(struct cgroup *cgroup, const char *name)
{
	char resolved[PATH_MAX];
	const char *real = realpath(name, resolved);

	*cgroup = (struct cgroup){ .fd = -1 };
	if (try_mounts(cgroup, true, false, real, name) || try_mounts(cgroup, false, false, real, name) ||
	    try_mounts(cgroup, true, true, real, name))
		return 0;
	if (!try_mounts(cgroup, false, true, real, name))
		return warn("-G %s: no such control group, neither as a directory nor inside a mounted hierarchy", name);
	cgroup_close(cgroup);
	return warn("-G %s: " CGROUP_OUTSIDE, name);
}

bool
cgroup_renew(struct cgroup *cgroup)
{
	struct stat now, known;
	int fd;

	if (stat(cgroup->directory, &now) < 0 || (fstat(cgroup->fd, &known) == 0 && known.st_ino == now.st_ino))
		return false;
	fd = open(cgroup->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	close(cgroup->fd);
	cgroup->fd = fd;
	return true;
}

void
cgroup_close(struct cgroup *cgroup)
{
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	free(cgroup->path);
	free(cgroup->directory);
	free(cgroup->controllers);
	*cgroup = (struct cgroup){ .fd = -1 };
}
