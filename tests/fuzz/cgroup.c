/* Any bytes as /proc/PID/cgroup; then, behind a NUL, as lines of /proc/self/mountinfo. What is chosen is of the text, the
 * same in whatever order the lines come; the group of a directory is below that of its mount. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/cgroup.h"
#include "target/cgroup_mount.h"
#include "target/container.h"

#define LINES_MAX 64u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* free() it. NULL: too many lines. */
static char *
backwards(const char *text)
{
	const char *lines[LINES_MAX];
	size_t count = 0, length = strlen(text), at = 0;
	char *turned;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (count == LINES_MAX)
			return NULL;
		lines[count++] = line;
	}
	turned = mem_alloc(length + 2);
	while (count-- > 0) {
		size_t n = strcspn(lines[count], "\n");

		memcpy(turned + at, lines[count], n);
		at += n;
		turned[at++] = '\n';
	}
	return turned;
}

/* Do no two lines tell of one hierarchy? No kernel writes such, and they have no order. */
static bool
are_distinct(const char *text)
{
	struct {
		const char *text;
		size_t length;
	} seen[LINES_MAX];
	size_t count = 0;

	for (const char *line = text, *end; *line; line = end + (*end == '\n')) {
		const char *colon = strchr(line, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;

		end = line + strcspn(line, "\n");
		if (!second || second >= end)
			continue;
		if (count == LINES_MAX)
			return false;
		seen[count].text = colon + 1;
		seen[count].length = (size_t)(second - colon) - 1;
		for (size_t i = 0; i < count; i++)
			if (seen[i].length == seen[count].length && memcmp(seen[i].text, colon + 1, seen[i].length) == 0)
				return false;
		count++;
	}
	return true;
}

static void
choose(const char *text)
{
	char *copy = mem_print("%s", text), *turned = backwards(text);
	const char *chosen = cgroup_choose(copy), *again;

	if (chosen && (!strstr(text, chosen) || strchr(chosen, '\n')))
		abort();
	if (turned && are_distinct(text)) {
		again = cgroup_choose(turned);
		if (!chosen != !again || (chosen && strcmp(chosen, again) != 0))
			abort();
	}
	free(copy);
	free(turned);
}

static void
contain(const char *text)
{
	char *copy = mem_print("%s", text);
	struct buf name = { 0 };

	buf_text(&name, "before");
	if (container_choose(copy, &name) ? !name.length || !strstr(text, name.data) : strcmp(name.data, "before") != 0)
		abort();
	buf_release(&name);
	free(copy);
}

static void
mount_line(const char *text, size_t length)
{
	char *line = mem_copy(text, length), *controllers, *group, *directory;
	struct cgroup_mount mount;

	if (cgroup_mount_parse(line, &mount)) {
		if (strlen(mount.place) + strlen(mount.root) + strlen(mount.options) > length)
			abort();
		directory = mem_print("%s/a/b", mount.place);
		controllers = cgroup_mount_controllers(&mount);
		group = cgroup_mount_group(&mount, directory);
		if ((mount.is_v2 && *controllers) || strlen(controllers) > strlen(mount.options) || !strstr(group, "/a/b") ||
		    (cgroup_is_outside(mount.root) && !cgroup_is_outside(group)))
			abort();
		free(group);
		group = cgroup_mount_group(&mount, mount.place);
		if (strcmp(group, mount.root) != 0)
			abort();
		free(group);
		free(controllers);
		free(directory);
	}
	free(line);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char *all = mem_copy((const char *)data, size), *at, *end = all + size;

	choose(all);
	contain(all);
	for (at = all + strlen(all) + 1; at < end; at += strcspn(at, "\n") + 1)
		mount_line(at, strcspn(at, "\n"));
	free(all);
	return 0;
}
