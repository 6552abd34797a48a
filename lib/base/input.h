/* Operands as bytes: a file, "-" for stdin, compressed or not, an archive as its members in order, which
 * may be compressed themselves.
 * It must not know what the bytes mean. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct input;

/* NULL, after saying why, if name cannot be opened. */
struct input *input_open(const char *name);

/* Goes to the first, then the next member; a file that is no archive has one. 1: there is one,
 * 0: no more, -1: damaged (said). */
int input_next_member(struct input *input);

/* The first bytes of the member, up to n and to INPUT_PEEK_MAX; they stay to be read. For deciding what the
 * member is, before anything of it is read. -1 if it cannot be read (said). */
#define INPUT_PEEK_MAX 64
ssize_t input_peek(struct input *input, void *bytes, size_t n);

/* Up to n bytes of the member; 0 at its end, -1 if it cannot be read (said). */
ssize_t input_read(struct input *input, void *bytes, size_t n);

/* What messages call it: "-" is "standard input", a member "day.tar:web1.folded". */
const char *input_name(const struct input *input);

/* The descriptor when the bytes are those of a regular file, as they are and from its first one on; else -1. */
int input_plain_file(const struct input *input);

void input_close(struct input *input);

/* Lines of a member, whatever its encoding: UTF-16 with a BOM becomes UTF-8, a UTF-8 BOM goes. */
struct lines {
	struct input *input;
	char *buffer;
	size_t start, end, room;
	unsigned long number; /* of the line last returned, from 1 */
	unsigned long too_long, first_too_long; /* lines over LINES_MAX, left out, and the first one's number */
	int encoding;
	bool finished, failed;
	char odd[4]; /* bytes of a mark or a character that a read cut */
	size_t odd_count;
};

/* The longest line taken: longer than any profiler writes, shorter than what would hurt. */
#define LINES_MAX ((size_t)256 << 20)

void lines_open(struct lines *lines, struct input *input);
/* The next line without its newline, valid until the next call; one byte after it may be written.
 * False at the end of the member; lines->failed says if that was damage. */
bool lines_next(struct lines *lines, char **line, size_t *length);
void lines_close(struct lines *lines);

#endif
