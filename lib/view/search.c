#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fold/match.h"
#include "view/search.h"

/* Escapes such as \S are no capitals. */
static bool
has_capital(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (isupper((unsigned char)*text))
			return true;
	}
	return false;
}

void
search_release(struct search *search)
{
	enum search_case which = search->which;

	free(search->text);
	free(search->marks);
	*search = (struct search){ .which = which };
}

bool
search_is_exact(const struct search *search)
{
	return search->which == CASE_EXACT ||
	       (search->which == CASE_BY_TEXT && search->text && has_capital(search->text));
}

bool
search_has(const struct search *search, uint32_t name)
{
	return search->text && name < search->marked && search->marks[name] & 1;
}

void
search_count(struct search *search, const struct tree *tree, size_t from, size_t to)
{
	search->names = search->total = search->self = 0;
	for (size_t i = 0; search->text && i < search->marked; i++)
		search->marks[i] &= 1;
	for (size_t i = from; search->text && i < to; i++) {
		const struct stack *row = tree->rows[i];
		bool found = false;

		for (uint32_t f = 0; f < row->count; f++) {
			uint8_t *mark = &search->marks[row->frames[f]];

			found |= *mark & 1;
			if (*mark == 1) {
				search->names++;
				*mark = 3; /* counted */
			}
		}
		search->total += found ? tree_width(tree, i) : 0;
		if (row->count && search->marks[row->frames[row->count - 1]] & 1)
			search->self += tree_width(tree, i);
	}
}

int
search_again(struct search *search, const struct tree *tree, size_t from, size_t to)
{
	const struct intern *names = &tree->fold->names;

	if (!search->text)
		return 0;
	free(search->marks);
	search->marked = names->count;
	search->marks = mem_alloc(search->marked + 1);
	if (match_names(names, search->text, !search_is_exact(search), search->marks, 1) < 0) {
		search_release(search);
		return -1;
	}
	search_count(search, tree, from, to);
	return 0;
}

int
search_set(struct search *search, const char *text, const struct tree *tree, size_t from, size_t to)
{
	char *copy = text && *text ? mem_copy(text, strlen(text)) : NULL;

	search_release(search);
	search->text = copy;
	return search_again(search, tree, from, to);
}
