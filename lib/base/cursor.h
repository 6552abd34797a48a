/* Bytes read from the front, little-endian, at any alignment. Once something is missing everything
 * read is 0 and ok is false, so that a layout is read first and checked once. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at, *end;
	bool ok;
};

static inline struct cursor
cursor_of(const void *bytes, size_t size)
{
	return (struct cursor){ bytes, (const unsigned char *)bytes + size, true };
}

static inline size_t
cursor_left(const struct cursor *c)
{
	return c->ok ? (size_t)(c->end - c->at) : 0;
}

/* The next size bytes, or NULL. */
static inline const void *
cursor_take(struct cursor *c, uint64_t size)
{
	const void *bytes = c->at;

	if (!c->ok || size > (uint64_t)(c->end - c->at)) {
		c->ok = false;
		return NULL;
	}
	c->at += size;
	return bytes;
}

static inline uint64_t
cursor_u64(struct cursor *c)
{
	const void *bytes = cursor_take(c, 8);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 8);
	return value;
}

static inline uint32_t
cursor_u32(struct cursor *c)
{
	const void *bytes = cursor_take(c, 4);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return value;
}

/* The text that begins here, which must end within the bytes; "" if it does not. Takes nothing. */
static inline const char *
cursor_text(struct cursor *c)
{
	if (!c->ok || c->at == c->end || !memchr(c->at, '\0', (size_t)(c->end - c->at))) {
		c->ok = false;
		return "";
	}
	return (const char *)c->at;
}

#endif
