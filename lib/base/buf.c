#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

void
buf_reserve(struct buf *buf, size_t more)
{
	size_t need = buf->length + more + 1;

	if (need <= buf->room)
		return;
	buf->room = need > 2 * buf->room ? need : 2 * buf->room;
	buf->data = mem_resize(buf->data, buf->room, 1);
}

void
buf_add(struct buf *buf, const void *bytes, size_t length)
{
	buf_reserve(buf, length);
	memcpy(buf->data + buf->length, bytes, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
}

void
buf_text(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void
buf_char(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void
buf_number(struct buf *buf, uint64_t value)
{
	char digits[20];
	size_t i = sizeof digits;

	do
		digits[--i] = (char)('0' + value % 10);
	while (value /= 10);
	buf_add(buf, digits + i, sizeof digits - i);
}

void
buf_print(struct buf *buf, const char *format, ...)
{
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n > 0) {
		buf_reserve(buf, (size_t)n);
		vsnprintf(buf->data + buf->length, (size_t)n + 1, format, again);
		buf->length += (size_t)n;
	}
	va_end(again);
}

void
buf_clear(struct buf *buf)
{
	buf->length = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

void
buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ 0 };
}
