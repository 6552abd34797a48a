#include <string.h>

#include "render/markup.h"
#include "view/keys.h"

#define ESCAPE '\033'

size_t
keys_room(const struct keys *keys)
{
	return KEYS_ROOM - keys->count;
}

void
keys_add(struct keys *keys, const char *bytes, size_t count)
{
	memcpy(keys->bytes + keys->count, bytes, count);
	keys->count += count;
}

bool
keys_wait(const struct keys *keys)
{
	return keys->count > 0;
}

static void
drop(struct keys *keys, size_t count)
{
	keys->count -= count;
	memmove(keys->bytes, keys->bytes + count, keys->count);
}

/* The length of "ESC [ parameters final" or "ESC O final" (ECMA-48, 5.4), 0: it is not all there. */
static size_t
sequence_length(const struct keys *keys)
{
	size_t at = 2;

	if (keys->bytes[1] == 'O')
		return keys->count > 2 ? 3 : 0;
	while (at < keys->count && (unsigned char)keys->bytes[at] >= 0x20 && (unsigned char)keys->bytes[at] < 0x40)
		at++;
	return at < keys->count ? at + 1 : 0;
}

/* As xterm, rxvt, the Linux console and their kin send them, modifiers left out. */
static uint32_t
sequence_key(const char *bytes, size_t length)
{
	unsigned number = 0;

	switch (bytes[length - 1]) {
	case 'A':
		return KEY_UP;
	case 'B':
		return KEY_DOWN;
	case 'C':
		return KEY_RIGHT;
	case 'D':
		return KEY_LEFT;
	case 'H':
		return KEY_HOME;
	case 'F':
		return KEY_END;
	case 'Z':
		return KEY_BACK_TAB;
	case 'M':
		return bytes[1] == 'O' ? KEY_ENTER : KEY_NONE;
	case '~':
		break;
	default:
		return KEY_NONE;
	}
	for (size_t i = 2; i < length && bytes[i] >= '0' && bytes[i] <= '9' && number < 100; i++)
		number = number * 10 + (unsigned)(bytes[i] - '0');
	switch (number) {
	case 1:
	case 7:
		return KEY_HOME;
	case 4:
	case 8:
		return KEY_END;
	case 3:
		return KEY_DELETE;
	case 5:
		return KEY_PAGE_UP;
	case 6:
		return KEY_PAGE_DOWN;
	default:
		return KEY_NONE;
	}
}

/* What begins with an escape. *taken 0: more must come. */
static uint32_t
escape_key(const struct keys *keys, bool is_late, size_t *taken)
{
	*taken = 1;
	if (keys->count == 1) {
		*taken = is_late;
		return is_late ? KEY_ESCAPE : KEY_NONE;
	}
	if (keys->bytes[1] != '[' && keys->bytes[1] != 'O') /* Alt and a key: the escape, then the key */
		return KEY_ESCAPE;
	*taken = sequence_length(keys);
	if (*taken)
		return sequence_key(keys->bytes, *taken);
	if (is_late) { /* typed by hand */
		*taken = 1;
		return KEY_ESCAPE;
	}
	return KEY_NONE;
}

/* A character of UTF-8; what is none is dropped. */
static uint32_t
character_key(const struct keys *keys, bool is_late, size_t *taken)
{
	unsigned char first = (unsigned char)keys->bytes[0];
	size_t wanted = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 1;
	uint32_t code;

	if (keys->count < wanted && !is_late) {
		*taken = 0;
		return KEY_NONE;
	}
	code = utf8_next(keys->bytes, keys->count, taken);
	if (code == 0xfffd)
		return KEY_NONE;
	return code == '\n' ? KEY_ENTER : code == '\b' ? KEY_BACKSPACE : code;
}

/* The rest of a sequence that was too long, its final byte with it. */
static void
drop_sequence(struct keys *keys)
{
	size_t at = 0;

	while (at < keys->count && (unsigned char)keys->bytes[at] >= 0x20 && (unsigned char)keys->bytes[at] < 0x40)
		at++;
	if (at < keys->count) {
		keys->in_sequence = false;
		at++;
	}
	drop(keys, at);
}

uint32_t
keys_next(struct keys *keys, bool is_late)
{
	size_t taken;
	uint32_t key;

	while (keys->count) {
		if (keys->in_sequence) {
			drop_sequence(keys);
			continue;
		}
		key =
		    keys->bytes[0] == ESCAPE ? escape_key(keys, is_late, &taken) : character_key(keys, is_late, &taken);
		if (!taken && keys->count < KEYS_ROOM)
			return KEY_NONE;
		if (!taken) {
			keys->in_sequence = true;
			taken = keys->count;
		}
		drop(keys, taken);
		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}
