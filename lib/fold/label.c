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

bool
label_is_well_formed(const char *text)
{
	return key_length(text, strlen(text)) > 0;
}
