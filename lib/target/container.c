#include <sys/types.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "target/cgroup.h"
#include "target/container.h"

#define ID_SHOWN 12

static size_t
hex_length(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

/* docker-ID.scope, cri-containerd-ID.scope, crio-ID, libpod-ID, or ID alone: 64 hexadecimal digits; of ECS 32 of them,
 * a dash and a number. NULL: there is none. */
static const char *
find_id(const char *part)
{
	for (const char *at = part; *at; at++) {
		size_t digits = hex_length(at);

		if (digits == 64)
			return at;
		if (digits == 32 && at[32] == '-' && isdigit((unsigned char)at[33]) &&
		    !at[33 + strspn(at + 33, "0123456789")])
			return at;
		if (digits)
			at += digits - 1;
	}
	return NULL;
}

/* What one part of a group's path says; before is the part above it. */
static bool
name_by_part(const char *part, const char *before, struct buf *name)
{
	const char *id = find_id(part);
	size_t length = strlen(part);

	buf_clear(name);
	if (id)
		buf_add(name, id, ID_SHOWN);
	else if (strncmp(part, "lxc.payload.", 12) == 0 && part[12])
		buf_text(name, part + 12);
	else if (strcmp(before, "lxc") == 0)
		buf_text(name, part);
	else if (strncmp(part, "machine-", 8) == 0 && length > 14 && strcmp(part + length - 6, ".scope") == 0)
		buf_add(name, part + 8, length - 14);
	return name->length > 0;
}

static bool
name_by_path(char *path, struct buf *name)
{
	struct buf found = { 0 };
	char *save = NULL;
	const char *before = "";
	bool any = false;

	for (char *part = strtok_r(path, "/", &save); part; before = part, part = strtok_r(NULL, "/", &save))
		if (name_by_part(part, before, &found)) {
			buf_clear(name);
			buf_add(name, found.data, found.length);
			any = true;
		}
	buf_release(&found);
	return any;
}

/* The number of a pid namespace, 0: not to be seen. */
static unsigned long
pid_namespace(const char *process)
{
	char path[64], text[64];
	unsigned long number = 0;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%s/ns/pid", process);
	n = readlink(path, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	return sscanf(text, "pid:[%lu]", &number) == 1 ? number : 0;
}

bool
container_choose(char *text, struct buf *name)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *path = strchr(line, ':');

		path = path ? strchr(path + 1, ':') : NULL;
		if (path && name_by_path(path + 1, name))
			return true;
	}
	return false;
}

int
container_of(uint32_t pid, struct buf *name)
{
	char number[16], text[CGROUP_TEXT];
	unsigned long space;

	if (cgroup_read(pid, text) < 0)
		return -1;
	if (container_choose(text, name))
		return 0;
	snprintf(number, sizeof number, "%u", pid);
	space = pid_namespace(number);
	buf_clear(name);
	if (space && space != pid_namespace("self"))
		buf_print(name, "pid-ns-%lu", space);
	else
		buf_text(name, "[host]");
	return 0;
}
