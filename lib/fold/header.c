#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"
#include "fold/header.h"

/* A decimal of so many digits survives the way through a double and back. */
#define DIGITS 15

/* The order of gp-folded(5). */
static const char *const keys[] = { "gp", "tool", "version", "host", "start", "duration_s", "event", "unit", "freq_hz",
	"period", "period_ns", "cpus", "target", "labels", "samples", "lost", "truncated", "unresolved", "cpu_s",
	"sampled_s", "notes", "self_cpu_s", "self_rss_kb", "columns", "kind", "names", "scale", "work", "sources" };

void
header_release(struct header *header)
{
	json_decref(header->json);
	header->json = NULL;
}

void
header_copy(struct header *to, const struct header *from)
{
	json_t *copy = json_deep_copy(from->json);

	header_release(to);
	to->json = copy;
}

int
header_parse(struct header *header, const char *text, size_t length)
{
	json_error_t error;
	json_t *json = json_loadb(text, length, 0, &error);

	if (!json_is_object(json)) {
		json_decref(json);
		return -1;
	}
	header_release(header);
	header->json = json;
	return 0;
}

static json_t *
ordered(json_t *json)
{
	json_t *result = json_object(), *value;
	const char *key;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if ((value = json_object_get(json, keys[i])))
			json_object_set(result, keys[i], value);
	json_object_foreach(json, key, value)
		if (!json_object_get(result, key))
			json_object_set(result, key, value);
	return result;
}

void
header_print(const struct header *header, struct buf *to)
{
	json_t *json = ordered(header->json);
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));

	if (!text)
		die("out of memory");
	buf_char(to, '#');
	/* Other readers take what follows the last blank for a value: there is none, compact JSON has them
	 * in strings only. */
	for (const char *p = text; *p; p++)
		if (*p == ' ')
			buf_text(to, "\\u0020");
		else
			buf_char(to, *p);
	buf_char(to, '\n');
	free(text);
	json_decref(json);
}

const char *
header_text(const struct header *header, const char *key)
{
	return json_string_value(json_object_get(header->json, key));
}

uint64_t
header_number(const struct header *header, const char *key, uint64_t fallback)
{
	json_t *value = json_object_get(header->json, key);

	return json_is_integer(value) && json_integer_value(value) >= 0 ? (uint64_t)json_integer_value(value) : fallback;
}

double
header_real(const struct header *header, const char *key, double fallback)
{
	json_t *value = json_object_get(header->json, key);

	return json_is_number(value) ? json_number_value(value) : fallback;
}

bool
header_has(const struct header *header, const char *key)
{
	return json_object_get(header->json, key);
}

size_t
header_list_count(const struct header *header, const char *key)
{
	return json_array_size(json_object_get(header->json, key));
}

const char *
header_list_at(const struct header *header, const char *key, size_t i)
{
	return json_string_value(json_array_get(json_object_get(header->json, key), i));
}

bool
header_list_has(const struct header *header, const char *key, const char *text)
{
	const char *item;

	for (size_t i = 0; i < header_list_count(header, key); i++)
		if ((item = header_list_at(header, key, i)) && strcmp(item, text) == 0)
			return true;
	return false;
}

/* Takes value over. */
static void
set(struct header *header, const char *key, json_t *value)
{
	if (!header->json)
		header->json = json_object();
	if (!value || json_object_set_new(header->json, key, value) < 0)
		die("out of memory");
}

/* The length of the UTF-8 character at text, 0 if there is none (RFC 3629: no surrogates, no overlong forms). */
static size_t
utf8_length(const unsigned char *text)
{
	size_t n = text[0] < 0x80 ? 1 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2 : text[0] >= 0xe0 && text[0] < 0xf0 ? 3 :
	    text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return n;
}

static json_t *
string(const char *text)
{
	struct buf valid = { 0 };
	json_t *value;

	buf_reserve(&valid, strlen(text));
	while (*text) {
		size_t n = utf8_length((const unsigned char *)text);

		if (n)
			buf_add(&valid, text, n);
		else
			buf_text(&valid, "\xef\xbf\xbd");
		text += n ? n : 1;
	}
	value = json_stringn(valid.data ? valid.data : "", valid.length);
	buf_release(&valid);
	return value;
}

void
header_set_text(struct header *header, const char *key, const char *text)
{
	set(header, key, string(text));
}

void
header_set_number(struct header *header, const char *key, uint64_t value)
{
	/* JSON integers end at 2^63 here: beyond it the nearest real. */
	set(header, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value));
}

void
header_set_real(struct header *header, const char *key, double value, int decimals)
{
	char text[400];

	snprintf(text, sizeof text, "%.*f", decimals, value);
	value = strtod(text, NULL);
	if (value - value == 0) /* finite: JSON has no other numbers */
		set(header, key, json_real(value));
}

void
header_add_to_list(struct header *header, const char *key, const char *text)
{
	json_t *list = json_object_get(header->json, key);

	if (!json_is_array(list)) {
		list = json_array();
		set(header, key, list);
	}
	if (!header_list_has(header, key, text) && json_array_append_new(list, string(text)) < 0)
		die("out of memory");
}

void
header_remove(struct header *header, const char *key)
{
	json_object_del(header->json, key);
}

bool
header_same(const struct header *one, const struct header *other, const char *key)
{
	json_t *value = json_object_get(one->json, key);

	return value && json_equal(value, json_object_get(other->json, key));
}

void
header_copy_key(struct header *to, const struct header *from, const char *key)
{
	json_t *value = json_object_get(from->json, key);

	header_remove(to, key);
	if (value)
		set(to, key, json_deep_copy(value));
}

void
header_keep_common(struct header *header, const struct header *other)
{
	json_t *value;
	const char *key;
	void *next;

	json_object_foreach_safe(header->json, next, key, value)
		if (!header_same(header, other, key))
			json_object_del(header->json, key);
}
