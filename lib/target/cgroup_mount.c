#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "target/cgroup_mount.h"

/* Blanks and backslashes are written \ooo. */
static void
unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		bool octal = *from == '\\' && strspn(from + 1, "01234567") >= 3;

		*to = *from;
		if (octal)
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
		from += octal ? 4 : 1;
	}
	*to = '\0';
}

/* number parent device root place options [optional ...] - type source options */
bool
cgroup_mount_parse(char *line, struct cgroup_mount *mount)
{
	char *save = NULL, *word = strtok_r(line, " \n", &save), *root = NULL, *place = NULL, *type;

	for (unsigned i = 0; word && strcmp(word, "-") != 0; word = strtok_r(NULL, " \n", &save), i++) {
		root = i == 3 ? word : root;
		place = i == 4 ? word : place;
	}
	type = strtok_r(NULL, " \n", &save);
	if (!place || !type || !strtok_r(NULL, " \n", &save) || strncmp(type, "cgroup", 6) != 0 ||
	    (type[6] && strcmp(type + 6, "2") != 0))
		return false;
	unescape(root);
	unescape(place);
	mount->root = root;
	mount->place = place;
	mount->options = strtok_r(NULL, " \n", &save);
	mount->is_v2 = type[6];
	return mount->options;
}

/* The part of the options that is none of a file system's own words. */
char *
cgroup_mount_controllers(const struct cgroup_mount *mount)
{
	static const char *const words[] = { "rw", "ro", "clone_children", "xattr", "noprefix", "seclabel",
		"cpuset_v2_mode", "favordynmods" };
	char *options = mem_print("%s", mount->is_v2 ? "" : mount->options), *save = NULL;
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

char *
cgroup_mount_group(const struct cgroup_mount *mount, const char *directory)
{
	const char *below = directory + strlen(mount->place);

	if (strcmp(mount->root, "/") != 0)
		return mem_print("%s%s", mount->root, below);
	return mem_print("%s", *below ? below : "/");
}

bool
cgroup_is_outside(const char *group)
{
	return strncmp(group, "/..", 3) == 0 && (!group[3] || group[3] == '/');
}
