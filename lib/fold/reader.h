/* The state of reading folded text: what folded_read.c (files and lines), folded_stream.c, profile.c (headers, columns)
 * and exact.c (values) share. For no one else. */
#ifndef FOLD_READER_H
#define FOLD_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/folded.h"
#include "fold/seen.h"
#include "fold/split.h"
#include "fold/value.h"

struct reader {
	struct fold *fold;
	const struct folded_options *options;
	unsigned decimals;	    /* values in fold are times 10^decimals */
	unsigned columns;	    /* of the profiles so far, 0: there are none */
	uint64_t profiles, sources; /* added so far, and how many they say they were made of */
	uint64_t bare;		    /* of the profiles, those without a header */

	/* The file. */
	const char *file;
	unsigned long skipped, first; /* lines, and the first one's number */
	const char *why;
	uint32_t *labels; /* names of ours that every stack gets */
	size_t label_count, label_room;

	/* The profile. */
	bool open, ended; /* ended: by a line "#" */
	struct header header;	 /* json NULL: it has none, and is staged */
	unsigned own_decimals;	 /* the header's scale */
	struct stacks staged;	 /* its lines that end in one number */
	struct stacks pairs;	 /* its lines that end in two: the first one's text is a last frame, see settle() */
	uint64_t single_lines, pair_lines;
	unsigned long first_single;

	struct split split;
	struct seen seen; /* rows of where lines go now */
};

/* fold may hold something already: the sum goes on from there. Closing gives result, or -1, said. */
void reader_open(struct reader *reader, struct fold *fold, const struct folded_options *options);
int reader_close(struct reader *reader, int result);

/* What people give by mistake is refused: -1, said. */
int reader_refuse(struct input *input);
/* A line of whatever kind; reader->ended then tells if the profile is whole. -1, said, if that is fatal. */
int reader_line(struct reader *reader, const char *text, size_t length, unsigned long number);
/* How many lines could not be read, once. */
void reader_say_skipped(struct reader *reader);

/* A line that cannot be read; why is static text. -1, said, if that is fatal. */
int reader_skip(struct reader *reader, unsigned long line, const char *why);

/* A profile begins with header (taken over), or with its first line where it has none. */
int profile_open(struct reader *reader, struct header *header);
/* Its stacks are in fold. */
int profile_close(struct reader *reader);

/* Where the profile's stacks go line by line. */
static inline struct stacks *
profile_stacks(struct reader *reader)
{
	return reader->header.json ? &reader->fold->stacks : &reader->staged;
}

/* The value in units of fold's, which become finer if need be. */
int exact_value(struct reader *reader, const struct value *value, unsigned long line, unsigned __int128 *result);
/* Values so far are multiplied, so that ones with so many decimals can be added. */
int exact_refine(struct reader *reader, unsigned decimals);
/* Does every sum fit into 64 bits. */
int exact_check(const struct fold *fold, const struct stacks *stacks);

#endif
