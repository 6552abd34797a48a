/* Folded text ↔ profile: the currency between programs. Writing is canonical, reading tolerant and
 * exact: gp-folded(5). */
#ifndef FOLD_FOLDED_H
#define FOLD_FOLDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/input.h"
#include "base/out.h"
#include "fold/fold.h"

struct folded_options {
	bool strict;		    /* the first line that cannot be read is fatal */
	bool any_text;		    /* text without one stack is an empty profile, and no failure */
	bool force;		    /* units and periods may differ */
	const char *const *labels;  /* "host=web1": leading label frames put on every stack, after time */
	size_t label_count;
	bool by_file;		    /* label file=NAME per operand */
	bool each_line;		    /* every line is a stack of its own, in order: for flame charts */
};

/* Adds every profile of every operand ("-" is stdin; none: stdin) to fold. Lines that cannot be read are
 * counted and said once a file. -1, said, when something is missing from the sum. */
int folded_read(struct fold *fold, char *const operands[], int count, const struct folded_options *options);

/* The same of one member of an input that the caller has opened to see what it is. */
int folded_read_member(struct fold *fold, struct input *input, const struct folded_options *options);

/* A stream of profiles, each ended by a line "#": one at a time, as soon as it is whole. */
struct folded_stream {
	struct input *input;
	struct lines lines;
	const struct folded_options *options; /* NULL: none */
	uint64_t profiles; /* so far */
	bool in_member;
};

/* input stays the caller's. */
void folded_stream_open(struct folded_stream *stream, struct input *input, const struct folded_options *options);
/* The next profile into fold, which is empty. 1: there is one; 0: the stream has ended; -1, said. What ends within a
 * profile that is not the first one does not give it (said). */
int folded_stream_next(struct folded_stream *stream, struct fold *fold);
void folded_stream_close(struct folded_stream *stream);

/* Says that a file named like a picture (.svg, .html, ...) will be folded text, and what draws it. NULL is stdout. */
void folded_expect(const char *path);

/* Canonical text, the header first unless it is absent or no_header; without it values that are not
 * whole are written with a point. */
void folded_write(const struct fold *fold, struct out *out, bool no_header);

#endif
