#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fold/seen.h"

#define SLOTS ((size_t)1 << 15)
#define LINES_KEPT_MAX (SLOTS / 2)
#define TEXT_MAX ((size_t)16 << 20)
/* A search looks at so many slots, whatever the hashes. */
#define PROBES 8

struct seen_line {
	uint64_t hash;
	uint32_t at, length; /* in text; length 0: free */
	uint32_t index;
};

/* Long texts are compared whole when they are found; to find them a few words of them do. Stacks differ
 * most at the end. */
uint64_t
seen_hash(const char *text, size_t length)
{
	static const unsigned char eighths[] = { 1, 2, 3, 4, 5, 6 };
	uint64_t hash = hash_seed ^ length, word;

	if (length < 64)
		return hash_bytes(text, length);
	for (size_t i = 0; i < sizeof eighths; i++) {
		memcpy(&word, text + length / 8 * eighths[i], sizeof word);
		hash = hash_mix(hash ^ word, 0x9e3779b97f4a7c15u);
	}
	return hash_mix(hash, hash_bytes(text + length - 32, 32));
}

uint32_t
seen_find(const struct seen *seen, uint64_t hash, const char *text, size_t length)
{
	if (!seen->count)
		return UINT32_MAX;
	for (size_t i = 0; i < PROBES; i++) {
		const struct seen_line *line = &seen->lines[(hash + i) & (SLOTS - 1)];

		if (!line->length)
			break;
		if (line->hash == hash && line->length == length && memcmp(seen->text + line->at, text, length) == 0)
			return line->index;
	}
	return UINT32_MAX;
}

/* Room for a text; begins anew when what fills the room, which may be of the past, keeps out several times
 * as much. */
static bool
make_room(struct seen *seen, size_t length)
{
	if (!seen->lines)
		seen->lines = mem_alloc(SLOTS * sizeof *seen->lines);
	if (seen->count == LINES_KEPT_MAX || length > TEXT_MAX - seen->used) {
		if (++seen->refused <= 4 * seen->count || length > TEXT_MAX)
			return false;
		seen_clear(seen);
	}
	if (seen->used + length > seen->room) {
		seen->room = 2 * seen->room > seen->used + length ? 2 * seen->room : seen->used + length;
		seen->text = mem_resize(seen->text, seen->room, 1);
	}
	return true;
}

static void
keep(struct seen *seen, uint64_t hash, const char *text, size_t length, uint32_t index)
{
	if (!make_room(seen, length))
		return;
	for (size_t i = 0; i < PROBES; i++) {
		struct seen_line *line = &seen->lines[(hash + i) & (SLOTS - 1)];

		if (line->length)
			continue;
		*line = (struct seen_line){ hash, (uint32_t)seen->used, (uint32_t)length, index };
		memcpy(seen->text + seen->used, text, length);
		seen->used += length;
		seen->count++;
		break;
	}
}

void
seen_note(struct seen *seen, uint64_t hash, const char *text, size_t length, uint32_t index)
{
	uint32_t *mark, tag = (uint32_t)(hash >> 32) | 1;

	if (!seen->once)
		seen->once = mem_alloc(SLOTS * sizeof *seen->once);
	mark = &seen->once[hash & (SLOTS - 1)];
	if (*mark == tag)
		keep(seen, hash, text, length, index);
	*mark = tag;
}

void
seen_clear(struct seen *seen)
{
	if (seen->count)
		memset(seen->lines, 0, SLOTS * sizeof *seen->lines);
	seen->used = seen->count = seen->refused = 0;
}

void
seen_release(struct seen *seen)
{
	free(seen->lines);
	free(seen->once);
	free(seen->text);
	*seen = (struct seen){ 0 };
}
