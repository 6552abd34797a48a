/* A search: which names it finds, and what they are worth together, counted without overlap. */
#ifndef VIEW_SEARCH_H
#define VIEW_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "render/tree.h"

enum search_case {
	CASE_BY_TEXT, /* a capital letter means itself, without one any case is found */
	CASE_EXACT,
	CASE_ANY,
};

struct search {
	char *text; /* NULL: nothing is searched */
	enum search_case which;
	uint8_t *marks; /* by number of name: is it found */
	size_t marked;	/* how many marks there are */
	uint64_t names, total, self; /* found: names that are in the rows, their value, and that of leaves */
};

/* Looks again: for another text (NULL or "": none), or in another tree. -1, said: no such expression; then nothing is
 * searched. Of the rows [from, to). */
int search_set(struct search *search, const char *text, const struct tree *tree, size_t from, size_t to);
int search_again(struct search *search, const struct tree *tree, size_t from, size_t to);
/* The numbers only, of other rows of the same tree. */
void search_count(struct search *search, const struct tree *tree, size_t from, size_t to);
/* Does it find letters only as they are written. */
bool search_is_exact(const struct search *search);
bool search_has(const struct search *search, uint32_t name);
void search_release(struct search *search);

#endif
