#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/mem.h"

#define READ_SIZE ((size_t)256 << 10)

enum { UNKNOWN, UTF8, UTF16LE, UTF16BE };

void
lines_open(struct lines *lines, struct input *input)
{
	*lines = (struct lines){ .input = input, .encoding = UNKNOWN };
	lines->room = READ_SIZE + 1;
	lines->buffer = mem_resize(NULL, lines->room, 1);
}

void
lines_close(struct lines *lines)
{
	free(lines->buffer);
	*lines = (struct lines){ 0 };
}

static size_t
utf8_put(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t
unit16(const struct lines *lines, const unsigned char *p)
{
	return lines->encoding == UTF16LE ? (uint32_t)(p[0] | p[1] << 8) : (uint32_t)(p[0] << 8 | p[1]);
}

/* The character at p, of which left bytes are there; *taken of them, 0 if it is cut. Unpaired surrogates
 * and half a unit become U+FFFD. */
static uint32_t
character16(const struct lines *lines, const unsigned char *p, size_t left, bool last, size_t *taken)
{
	uint32_t c, low;

	*taken = left < 2 ? left * last : 2;
	if (left < 2 || (c = unit16(lines, p)) < 0xd800 || c > 0xdfff)
		return left < 2 ? 0xfffd : c;
	if (c > 0xdbff)
		return 0xfffd;
	if (left < 4) {
		*taken *= last;
		return 0xfffd;
	}
	low = unit16(lines, p + 2);
	if (low < 0xdc00 || low > 0xdfff)
		return 0xfffd;
	*taken = 4;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Reads UTF-16 and adds UTF-8, at most twice its size. What a read cut is kept for the next. */
static ssize_t
fill_utf16(struct lines *lines)
{
	size_t room = lines->room - 1 - lines->end, have, used, taken, from = lines->end;
	unsigned char raw[8192];
	ssize_t got;

	do {
		memcpy(raw, lines->odd, lines->odd_count);
		got = input_read(lines->input, raw + lines->odd_count,
		    (room / 2 < sizeof raw ? room / 2 : sizeof raw) - lines->odd_count);
		if (got < 0)
			return -1;
		have = lines->odd_count + (size_t)got;
		for (used = 0; used < have; used += taken) {
			uint32_t c = character16(lines, raw + used, have - used, got == 0, &taken);

			if (!taken)
				break;
			lines->end += utf8_put(lines->buffer + lines->end, c);
		}
		lines->odd_count = have - used;
		memcpy(lines->odd, raw + used, lines->odd_count);
	} while (lines->end == from && got > 0);
	return (ssize_t)(lines->end - from);
}

/* The first bytes say what the others are; those that are no mark wait in odd. */
static int
sniff(struct lines *lines)
{
	char *head = lines->odd;
	size_t mark = 0;
	ssize_t got;

	while (lines->odd_count < 3 && (got = input_read(lines->input, head + lines->odd_count, 3 - lines->odd_count))) {
		if (got < 0)
			return -1;
		lines->odd_count += (size_t)got;
	}
	lines->encoding = UTF8;
	if (lines->odd_count >= 2 && memcmp(head, "\xff\xfe", 2) == 0)
		lines->encoding = UTF16LE;
	else if (lines->odd_count >= 2 && memcmp(head, "\xfe\xff", 2) == 0)
		lines->encoding = UTF16BE;
	if (lines->encoding != UTF8)
		mark = 2;
	else if (lines->odd_count == 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		mark = 3;
	lines->odd_count -= mark;
	memmove(head, head + mark, lines->odd_count);
	return 0;
}

/* Adds to the buffer: how much, 0 at the end, -1 if it cannot be read. */
static ssize_t
fill(struct lines *lines)
{
	size_t room = lines->room - 1 - lines->end;
	ssize_t got;

	if (lines->encoding == UNKNOWN && sniff(lines) < 0)
		return -1;
	if (lines->encoding != UTF8)
		return fill_utf16(lines);
	got = (ssize_t)lines->odd_count;
	memcpy(lines->buffer + lines->end, lines->odd, lines->odd_count);
	lines->odd_count = 0;
	if (!got)
		got = input_read(lines->input, lines->buffer + lines->end, room < READ_SIZE ? room : READ_SIZE);
	lines->end += got > 0 ? (size_t)got : 0;
	return got;
}

/* More bytes behind the ones kept; false at the end. Of a line over LINES_MAX what was read is dropped. */
static bool
more(struct lines *lines, bool *cut)
{
	ssize_t got;

	if (lines->finished)
		return false;
	if (lines->start) {
		lines->end -= lines->start;
		memmove(lines->buffer, lines->buffer + lines->start, lines->end);
		lines->start = 0;
	}
	*cut |= lines->end > LINES_MAX;
	if (*cut)
		lines->end = 0;
	if (lines->room - lines->end < READ_SIZE / 2) {
		lines->room *= 2;
		lines->buffer = mem_resize(lines->buffer, lines->room, 1);
	}
	got = fill(lines);
	lines->finished = got <= 0;
	lines->failed = got < 0;
	return got > 0;
}

bool
lines_next(struct lines *lines, char **line, size_t *length)
{
	size_t searched = 0;
	bool cut = false, ends;
	char *newline;

	for (;;) {
		newline = memchr(lines->buffer + lines->start + searched, '\n', lines->end - lines->start - searched);
		searched = lines->end - lines->start;
		ends = !newline && !more(lines, &cut);
		if (!newline && !ends) {
			searched = cut ? 0 : searched;
			continue;
		}
		if (lines->start == lines->end && !cut)
			return false;
		*line = lines->buffer + lines->start;
		*length = newline ? (size_t)(newline - *line) : lines->end - lines->start;
		lines->start += *length + (newline != NULL);
		lines->number++;
		if (!cut)
			return true;
		if (!lines->too_long++)
			lines->first_too_long = lines->number;
		cut = false;
		searched = 0;
	}
}
