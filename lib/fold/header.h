/* The header line of a profile: one JSON object, gp-folded(5), with whatever keys it has. */
#ifndef FOLD_HEADER_H
#define FOLD_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct header {
	void *json; /* a jansson object, NULL: there was no header */
};

void header_release(struct header *header);
void header_copy(struct header *to, const struct header *from);

/* Reads the object in text ("{...}", without the #). -1, silently, if it is not one. */
int header_parse(struct header *header, const char *text, size_t length);

/* Appends "#{...}\n": no blanks, keys in the order of gp-folded(5), then unknown ones as they came. */
void header_print(const struct header *header, struct buf *to);

/* Keys. Getters give NULL, or the fallback, for what is absent or of another type. */
const char *header_text(const struct header *header, const char *key);
uint64_t header_number(const struct header *header, const char *key, uint64_t fallback);
double header_real(const struct header *header, const char *key, double fallback);
bool header_has(const struct header *header, const char *key);
bool header_list_has(const struct header *header, const char *key, const char *text);
size_t header_list_count(const struct header *header, const char *key);
const char *header_list_at(const struct header *header, const char *key, size_t i);

/* Setters make the object where there was none. Text that is not UTF-8 gets U+FFFD for what is wrong. */
void header_set_text(struct header *header, const char *key, const char *text);
void header_set_number(struct header *header, const char *key, uint64_t value);
void header_set_real(struct header *header, const char *key, double value, int decimals);
void header_add_to_list(struct header *header, const char *key, const char *text); /* once each */
void header_remove(struct header *header, const char *key);

/* Do both have the key, with equal values. */
bool header_same(const struct header *one, const struct header *other, const char *key);
/* The key as from has it, which may be: not at all. */
void header_copy_key(struct header *to, const struct header *from, const char *key);
/* Leaves what is equal in both. */
void header_keep_common(struct header *header, const struct header *other);

/* The header of the sum of two profiles: what was counted is added, lists are united, start is the
 * earlier one, the rest stays if it is equal. Unit and period stay where only one side knows them. */
void header_merge(struct header *header, const struct header *other);

#endif
