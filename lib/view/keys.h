/* Bytes from a terminal as keys. What it sends without being asked (answers, mice, unknown keys) is taken whole and
 * dropped. It must not know what keys do. */
#ifndef VIEW_KEYS_H
#define VIEW_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character is its code point; Ctrl-A is 1 and so on. */
enum key {
	KEY_NONE = 0,
	KEY_TAB = '\t',
	KEY_ENTER = '\r',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE = 127,
	KEY_UP = 0x110000, /* behind the last code point */
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_DELETE,
	KEY_BACK_TAB,
};

/* How long after an escape nothing must come for it to be the key of that name, milliseconds: what a slow line takes
 * for the rest of an arrow. */
#define KEYS_ESCAPE_MS 60
#define KEYS_ROOM 64

struct keys {
	char bytes[KEYS_ROOM]; /* not decoded yet */
	size_t count;
	bool in_sequence; /* of one too long to be kept, the rest is dropped */
};

/* Room that is left; keys_next() until KEY_NONE makes some. */
size_t keys_room(const struct keys *keys);
void keys_add(struct keys *keys, const char *bytes, size_t count);
/* KEY_NONE: more must come. is_late: nothing came for KEYS_ESCAPE_MS, what is there is all there is. */
uint32_t keys_next(struct keys *keys, bool is_late);
/* Is there the beginning of something. */
bool keys_wait(const struct keys *keys);

#endif
