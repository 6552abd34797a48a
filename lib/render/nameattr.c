#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/warn.h"
#include "render/markup.h"
#include "render/nameattr.h"

static const char *const keys[ATTR_KEYS] = { "title", "href", "target", "id", "class", "g_extra", "a_extra" };

static void
take_pair(struct nameattr_values *values, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);
	size_t key = equals ? (size_t)(equals - text) : length;

	for (int i = 0; equals && i < ATTR_KEYS; i++)
		if (strlen(keys[i]) == key && memcmp(keys[i], text, key) == 0) {
			free(values->value[i]);
			values->value[i] = mem_copy(equals + 1, length - key - 1);
		}
}

static int
take_line(struct nameattr *attributes, const char *line, size_t length)
{
	const char *tab = memchr(line, '\t', length), *end = line + length;
	size_t before = attributes->names.count;
	uint32_t number;

	if (!tab)
		return -1;
	mem_grow(&attributes->values, before, &attributes->room);
	number = intern_add(&attributes->names, line, (size_t)(tab - line));
	if (number == before)
		attributes->values[number] = (struct nameattr_values){ 0 };
	while (tab < end) {
		const char *from = tab + 1, *next = memchr(from, '\t', (size_t)(end - from));

		tab = next ? next : end;
		take_pair(&attributes->values[number], from, (size_t)(tab - from));
	}
	return 0;
}

int
nameattr_read(struct nameattr *attributes, const char *path)
{
	struct input *input = input_open(path);
	struct lines lines;
	size_t length;
	char *line;
	int result;

	*attributes = (struct nameattr){ 0 };
	if (!input)
		return -1;
	result = input_next_member(input);
	if (result >= 0) {
		lines_open(&lines, input);
		while (result >= 0 && lines_next(&lines, &line, &length)) {
			length -= length && line[length - 1] == '\r';
			if (length && take_line(attributes, line, length) < 0)
				result = warn("%s: line %lu: no TAB behind a name", path, lines.number);
		}
		if (lines.failed)
			result = -1;
		lines_close(&lines);
	}
	input_close(input);
	return result < 0 ? -1 : 0;
}

const struct nameattr_values *
nameattr_find(const struct nameattr *attributes, const char *name, size_t length)
{
	struct intern_text text = { name, length };
	uint32_t number = INTERN_NONE;

	if (attributes->names.count)
		intern_find(&attributes->names, &text, 1, &number);
	return number == INTERN_NONE ? NULL : &attributes->values[number];
}

/* A browser skips controls and blanks in front of a scheme and inside it. */
static bool
runs(const char *url)
{
	static const char *const harmless[] = { "http", "https", "mailto", "ftp" };
	char scheme[16];
	size_t n = 0;

	for (; *url && *url != '/' && *url != '?' && *url != '#'; url++) {
		if (*url == ':') {
			for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
				if (strlen(harmless[i]) == n && strncasecmp(harmless[i], scheme, n) == 0)
					return false;
			return true;
		}
		if ((unsigned char)*url <= ' ')
			continue;
		if (n < sizeof scheme)
			scheme[n++] = *url;
	}
	return false;
}

int
nameattr_has_link(const struct nameattr_values *values)
{
	return values->value[ATTR_HREF] && !runs(values->value[ATTR_HREF]);
}

static void
attribute(struct buf *to, const char *key, size_t length, const char *value, size_t value_length)
{
	buf_char(to, ' ');
	buf_add(to, key, length);
	buf_text(to, "=\"");
	markup_text(to, value, value_length);
	buf_char(to, '"');
}

/* Keys that the picture sets itself, that run, or that could load something. */
static bool
is_ours(const char *key, size_t length)
{
	static const char *const ours[] = { "x", "y", "width", "height", "class", "id", "href", "xlink:href", "style", "target",
		"data-l", "data-t", "data-s", "data-n", "fill", "rel" };

	if ((length >= 2 && strncasecmp(key, "on", 2) == 0) || (length >= 3 && strncasecmp(key, "xml", 3) == 0))
		return true;
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strlen(ours[i]) == length && strncasecmp(ours[i], key, length) == 0)
			return true;
	return false;
}

/* filter="url(https://...)" and its like. */
static bool
fetches(const char *value, size_t length)
{
	for (size_t i = 0; i + 4 <= length; i++)
		if (strncasecmp(value + i, "url(", 4) == 0)
			return true;
	return false;
}

/* 'key="value" key=\'value\'': what is well formed and not ours goes through. */
static void
extra(const char *text, struct buf *to)
{
	struct buf seen = { 0 };

	while (*text) {
		const char *key, *value, *end;
		size_t length, before = seen.length;

		text += strspn(text, " \t");
		key = text;
		length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
		text += length;
		if (!length || !isalpha((unsigned char)*key) || *text != '=' || (text[1] != '"' && text[1] != '\''))
			break;
		value = text + 2;
		end = strchr(value, text[1]);
		if (!end)
			break;
		/* XML wants every attribute once. */
		buf_char(&seen, ' ');
		buf_add(&seen, key, length);
		buf_char(&seen, '=');
		if (!is_ours(key, length) && !fetches(value, (size_t)(end - value)) &&
		    !memmem(seen.data, before, seen.data + before, seen.length - before))
			attribute(to, key, length, value, (size_t)(end - value));
		text = end + 1;
	}
	buf_release(&seen);
}

void
nameattr_box(const struct nameattr_values *values, struct buf *to)
{
	if (values->value[ATTR_ID])
		attribute(to, "id", 2, values->value[ATTR_ID], strlen(values->value[ATTR_ID]));
	if (values->value[ATTR_BOX_EXTRA])
		extra(values->value[ATTR_BOX_EXTRA], to);
}

void
nameattr_link(const struct nameattr_values *values, struct buf *to)
{
	const char *target = values->value[ATTR_TARGET];

	attribute(to, "href", 4, values->value[ATTR_HREF], strlen(values->value[ATTR_HREF]));
	/* Else a link opens inside the element that shows the picture. */
	attribute(to, "target", 6, target ? target : "_top", target ? strlen(target) : 4);
	buf_text(to, " rel=\"noopener noreferrer\"");
	if (values->value[ATTR_LINK_EXTRA])
		extra(values->value[ATTR_LINK_EXTRA], to);
}

void
nameattr_release(struct nameattr *attributes)
{
	for (size_t i = 0; i < attributes->names.count; i++)
		for (int k = 0; k < ATTR_KEYS; k++)
			free(attributes->values[i].value[k]);
	free(attributes->values);
	intern_release(&attributes->names);
	*attributes = (struct nameattr){ 0 };
}
