#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "target/cgroup.h"
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

int
cgroup_of(uint32_t pid, struct buf *kept)
{
	char text[CGROUP_TEXT], *rest = text, *controllers, *path;

	buf_clear(kept);
	if (cgroup_read(pid, text) < 0)
		return -1;
	while (next_line(&rest, &controllers, &path))
		if (!kept->length || strcmp(kept->data, "/") == 0 || (!*controllers && strcmp(path, "/") != 0)) {
			buf_clear(kept);
			buf_text(kept, path);
		}
	return kept->length ? 0 : -1;
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
			return is_below(path, cgroup->path);
	return 0;
}

/* The controllers of a v1 mount as /proc/PID/cgroup names them: the part of its options that is none of
 * the mount's own words. */
static char *
controllers_of(const struct mntent *mount)
{
	static const char *const words[] = { "rw", "ro", "relatime", "noatime", "nosuid", "nodev", "noexec",
		"clone_children", "xattr", "noprefix", "seclabel" };
	char *options = mem_print("%s", mount->mnt_opts), *save = NULL;
	struct buf kept = { 0 };

	buf_text(&kept, "");
	for (char *word = strtok_r(options, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		bool own = strncmp(word, "release_agent=", 14) == 0;

		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			own |= strcmp(word, words[i]) == 0;
		if (!own)
			buf_print(&kept, "%s%s", kept.length ? "," : "", word);
	}
	free(options);
	return kept.data;
}

/* The directory that name means under this mount, or NULL. */
static char *
directory_in(const struct mntent *mount, const char *resolved, const char *name)
{
	char *directory, real[PATH_MAX];
	struct stat st;

	if (resolved && is_below(resolved, mount->mnt_dir))
		directory = mem_print("%s", resolved);
	else
		directory = mem_print("%s/%s", mount->mnt_dir, name);
	/* As /proc/PID/cgroup writes it: no slash too many, nothing outside by "..". */
	if (!realpath(directory, real) || !is_below(real, mount->mnt_dir) || stat(real, &st) < 0 || !S_ISDIR(st.st_mode))
		real[0] = '\0';
	free(directory);
	return real[0] ? mem_print("%s", real) : NULL;
}

/* Looks through the mounted hierarchies of one type. */
static bool
try_mounts(struct cgroup *cgroup, const char *type, const char *resolved, const char *name)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	char *directory = NULL;
	bool found;

	while (mounts && !directory && (mount = getmntent(mounts))) {
		if (strcmp(mount->mnt_type, type) != 0 || !(directory = directory_in(mount, resolved, name)))
			continue;
		cgroup->path = mem_print("%s", directory + strlen(mount->mnt_dir));
		if (!*cgroup->path) {
			free(cgroup->path);
			cgroup->path = mem_print("/");
		}
		cgroup->controllers = strcmp(type, "cgroup2") == 0 ? mem_print("%s", "") : controllers_of(mount);
		cgroup->fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (mounts)
		endmntent(mounts);
	found = directory != NULL;
	free(directory);
	return found;
}

int
cgroup_open(struct cgroup *cgroup, const char *name)
{
	char resolved[PATH_MAX];
	const char *real = realpath(name, resolved);

	*cgroup = (struct cgroup){ .fd = -1 };
	if (try_mounts(cgroup, "cgroup2", real, name) || try_mounts(cgroup, "cgroup", real, name))
		return 0;
	return warn("-G %s: no such control group, neither as a directory nor inside a mounted hierarchy", name);
}

void
cgroup_close(struct cgroup *cgroup)
{
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	free(cgroup->path);
	free(cgroup->controllers);
	*cgroup = (struct cgroup){ .fd = -1 };
}
