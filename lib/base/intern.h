/* Names as small numbers: equal bytes get equal numbers, dense from 0 in order of arrival.
 * A name's bytes live, at one address, as long as the table. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct intern {
	struct arena text;
	struct intern_name {
		const char *text; /* NUL after it; may hold NULs */
		uint32_t length;
		uint32_t hash;
	} *names;
	size_t count, room;
	struct intern_slot *slots;
	size_t slot_count;
};

/* The numbers of names, INTERN_NONE for one that is not there. Many at once wait for memory together. */
#define INTERN_BATCH 32
#define INTERN_NONE UINT32_MAX
struct intern_text {
	const char *text;
	size_t length;
};
void intern_find(const struct intern *intern, const struct intern_text *texts, size_t count, uint32_t *numbers);

/* The number of a name, new or old. A name is shorter than 4 GiB. */
uint32_t intern_add(struct intern *intern, const char *text, size_t length);
uint32_t intern_text(struct intern *intern, const char *text);

static inline const char *
intern_name(const struct intern *intern, uint32_t number)
{
	return intern->names[number].text;
}

static inline size_t
intern_length(const struct intern *intern, uint32_t number)
{
	return intern->names[number].length;
}

/* The numbers in order of their names as byte strings: rank[number]. free() it. */
uint32_t *intern_ranks(const struct intern *intern);

/* Of memory. */
size_t intern_bytes(const struct intern *intern);

void intern_release(struct intern *intern);

#endif
