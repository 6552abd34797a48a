/* Texts of stacks that came before, so that one that comes again is not taken apart: a bounded memory of
 * the lines that repeat. It must not know what they mean. */
#ifndef FOLD_SEEN_H
#define FOLD_SEEN_H

#include <stddef.h>
#include <stdint.h>

struct seen {
	struct seen_line *lines;
	uint32_t *once; /* marks of what was seen once: only what comes again is kept */
	char *text;
	size_t used, room; /* of text */
	size_t count;
	size_t refused; /* lines that would have been kept, had there been room */
};

uint64_t seen_hash(const char *text, size_t length);

/* The index noted with the text, or UINT32_MAX. */
uint32_t seen_find(const struct seen *seen, uint64_t hash, const char *text, size_t length);

/* Notes a text that was not found. */
void seen_note(struct seen *seen, uint64_t hash, const char *text, size_t length, uint32_t index);

/* Indexes hold no more. */
void seen_clear(struct seen *seen);
void seen_release(struct seen *seen);

#endif
