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

/* Reads UTF-16 and leaves UTF-8: at most 3 bytes for 2. Unpaired surrogates become U+FFFD. */
static ssize_t
read_utf16(struct lines *lines, char *to, size_t room)
{
	unsigned char raw[8192];
	size_t have = lines->odd_count, used = 0, put = 0;
	ssize_t got;

	memcpy(raw, lines->odd, have);
	got = input_read(lines->input, raw + have, (room < sizeof raw ? room : sizeof raw) / 2 - 4);
	if (got < 0)
		return -1;
	have += (size_t)got;
	while (have - used >= 2) {
		uint32_t c = unit16(lines, raw + used);

		if (c >= 0xd800 && c < 0xdc00) {
			if (have - used < 4 && got > 0)
				break;
			if (have - used >= 4) {
				uint32_t low = unit16(lines, raw + used + 2);

				if (low >= 0xdc00 && low < 0xe000) {
					c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
					used += 2;
				}
			}
		}
		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd;
		put += utf8_put(to + put, c);
		used += 2;
	}
	lines->odd_count = have - used;
	memcpy(lines->odd, raw + used, lines->odd_count);
	if (!put && got > 0)
		return read_utf16(lines, to, room);
	return (ssize_t)put;
}

/* Looks at the first bytes: false if there are none yet. */
static void
sniff(struct lines *lines)
{
	char *p = lines->buffer;
	size_t have = 0;
	ssize_t got;

	while (have < 3 && (got = input_read(lines->input, p + have, have ? 3 - have : READ_SIZE)) > 0)
		have += (size_t)got;
	lines->encoding = UTF8;
	if (have >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
		lines->start = 3;
	} else if (have >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0)) {
		/* The rest of this first read is UTF-16 too: recode it through a second buffer. */
		size_t units = (have - 2) / 2, put = 0;
		unsigned char *raw = (unsigned char *)mem_copy(p + 2, have - 2);

		lines->encoding = p[0] == '\xff' ? UTF16LE : UTF16BE;
		lines->room = have * 2 + READ_SIZE;
		lines->buffer = mem_resize(lines->buffer, lines->room, 1);
		for (size_t i = 0; i < units; i++) {
			uint32_t c = unit16(lines, raw + 2 * i);

			if (c >= 0xd800 && c < 0xdc00 && i + 1 == units) {
				units = i; /* cut by the read: keep it for the next */
				break;
			}
			if (c >= 0xd800 && c < 0xdc00) {
				uint32_t low = unit16(lines, raw + 2 * i + 2);

				if (low >= 0xdc00 && low < 0xe000) {
					c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
					i++;
				}
			}
			if (c >= 0xd800 && c < 0xe000)
				c = 0xfffd;
			put += utf8_put(lines->buffer + put, c);
		}
		lines->odd_count = have - 2 - 2 * units;
		memcpy(lines->odd, raw + 2 * units, lines->odd_count);
		free(raw);
		have = put;
	}
	lines->end = have;
}

static ssize_t
fill(struct lines *lines)
{
	size_t room = lines->room - 1 - lines->end;

	return lines->encoding == UTF8 ? input_read(lines->input, lines->buffer + lines->end, room) :
					 read_utf16(lines, lines->buffer + lines->end, room / 2);
}

/* More bytes behind the ones kept; false at the end. A line over LINES_MAX loses its middle. */
static bool
more(struct lines *lines, bool *cut)
{
	ssize_t got;

	if (lines->finished)
		return false;
	if (lines->start > 0) {
		memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
		lines->end -= lines->start;
		lines->start = 0;
	}
	if (lines->end > LINES_MAX) {
		*cut = true;
		lines->end = 0;
	}
	if (lines->room - lines->end < READ_SIZE / 2) {
		lines->room *= 2;
		lines->buffer = mem_resize(lines->buffer, lines->room, 1);
	}
	got = fill(lines);
	if (got <= 0) {
		lines->finished = true;
		lines->failed = got < 0;
		return false;
	}
	lines->end += (size_t)got;
	return true;
}

bool
lines_next(struct lines *lines, char **line, size_t *length)
{
	size_t searched = 0;
	bool cut = false;
	char *newline;

	if (lines->encoding == UNKNOWN)
		sniff(lines);
	for (;;) {
		newline = memchr(lines->buffer + lines->start + searched, '\n',
		    lines->end - lines->start - searched);
		if (newline) {
			*line = lines->buffer + lines->start;
			*length = (size_t)(newline - *line);
			lines->start += *length + 1;
			lines->number++;
			if (!cut)
				return true;
			lines->too_long++;
			cut = false;
			searched = 0;
			continue;
		}
		searched = lines->end - lines->start;
		if (!more(lines, &cut))
			break;
		if (cut)
			searched = 0;
	}
	if (lines->start == lines->end)
		return false;
	*line = lines->buffer + lines->start;
	*length = lines->end - lines->start;
	lines->start = lines->end;
	lines->number++;
	lines->too_long += cut;
	return !cut;
}
