#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fold/label.h"

/* Keys are words; a longer one is a name. */
#define KEY_MAX 63

static const char *const keys[] = { "time", "host", "service", "container", "cgroup", "appid", "pid", "tid", "thread",
	"cpu", "file" };

static size_t
key_length(const char *text, size_t length)
{
	size_t n = 0;

	while (n < length && n <= KEY_MAX && ((text[n] >= 'a' && text[n] <= 'z') || text[n] == '_'))
		n++;
	return n && n <= KEY_MAX && n < length && text[n] == '=' ? n : 0;
}

size_t
label_key(const struct header *header, const char *frame, size_t length)
{
	char key[KEY_MAX + 1];
	size_t n = key_length(frame, length);

	if (!n)
		return 0;
	memcpy(key, frame, n);
	key[n] = '\0';
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return n;
	return header_list_has(header, "labels", key) ? n : 0;
}

size_t
label_later(const char *frame, size_t length, uint64_t ns, char text[static 64])
{
	static const char key[] = "time=";
	uint64_t second = 1000000000u, unit = second, whole = 0, part = 0;
	size_t i = sizeof key - 1, from = i;
	int width, decimals = 0, n;

	if (length <= i || length > 40 || memcmp(frame, key, i) != 0)
		return 0;
	for (; i < length && frame[i] >= '0' && frame[i] <= '9' && whole < second; i++)
		whole = whole * 10 + (uint64_t)(frame[i] - '0');
	width = (int)(i - from);
	if (i < length && frame[i] == '.')
		for (i++; i < length && frame[i] >= '0' && frame[i] <= '9' && decimals < 9; i++, decimals++)
			part += (unit /= 10) * (uint64_t)(frame[i] - '0');
	if (i != length || !width)
		return 0;
	part += ns % second;
	whole += ns / second + part / second;
	part %= second;
	for (; part % unit; decimals++)
		unit /= 10;
	n = snprintf(text, 64, "%s%0*" PRIu64, key, width, whole);
	if (decimals)
		n += snprintf(text + n, 64 - (size_t)n, ".%0*" PRIu64, decimals, part / unit);
	return (size_t)n;
}

bool
label_is_well_formed(const char *text)
{
	return key_length(text, strlen(text)) > 0;
}
