/* A buffer that grows: bytes, with a NUL kept after them. It must not know what they mean. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

struct buf {
	char *data; /* NULL until something is added */
	size_t length, room;
};

void buf_reserve(struct buf *buf, size_t more); /* room for more bytes and the NUL */
void buf_add(struct buf *buf, const void *bytes, size_t length);
void buf_text(struct buf *buf, const char *text);
void buf_char(struct buf *buf, char c);
void buf_number(struct buf *buf, uint64_t value); /* decimal */
void buf_print(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_clear(struct buf *buf); /* empty, memory kept */
void buf_release(struct buf *buf);

#endif
