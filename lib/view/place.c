#include <string.h>

#include "view/place.h"

void
place_range(const struct tree *tree, struct place place, size_t *from, size_t *to)
{
	*from = place.row;
	*to = tree->count ? (size_t)place.row + 1 : 0;
	if (!place.depth) {
		*from = 0;
		*to = tree->count;
		return;
	}
	while (*from > 0 && tree->shared[*from] >= place.depth)
		(*from)--;
	while (*to < tree->count && tree->shared[*to] >= place.depth)
		(*to)++;
}

bool
place_within(const struct tree *tree, struct place place, struct place above)
{
	return place.depth >= above.depth && (!above.depth || memcmp(tree->rows[place.row]->frames,
	    tree->rows[above.row]->frames, above.depth * sizeof(uint32_t)) == 0);
}

bool
place_same(const struct tree *tree, struct place one, struct place other)
{
	return one.depth == other.depth && place_within(tree, one, other);
}

struct box
place_box(const struct tree *tree, struct place place)
{
	struct box box = { .kind = place.depth ? BOX_FRAME : BOX_ROOT, .depth = place.depth };
	size_t from, to;

	place_range(tree, place, &from, &to);
	if (place.depth)
		box.name = tree->rows[place.row]->frames[place.depth - 1];
	for (size_t i = from; i < to; i++) {
		bool ends = tree->rows[i]->count == place.depth;

		box.total += tree_width(tree, i);
		box.self += ends ? tree_width(tree, i) : 0;
		if (!tree->pairs)
			continue;
		box.totals.base += tree->pairs[i].base;
		box.totals.new += tree->pairs[i].new;
		box.selves.base += ends ? tree->pairs[i].base : 0;
		box.selves.new += ends ? tree->pairs[i].new : 0;
	}
	box.row = to ? (uint32_t)to - 1 : 0;
	return box;
}

void
place_print(const struct tree *tree, struct place place, struct buf *to)
{
	const struct intern *names = &tree->fold->names;

	for (uint32_t i = 0; i < place.depth; i++) {
		uint32_t name = tree->rows[place.row]->frames[i];

		if (i)
			buf_char(to, ';');
		buf_add(to, intern_name(names, name), intern_length(names, name));
	}
}

/* The first row of [from, to) whose frame at depth is the name, and in *to the end of such rows. */
static size_t
narrow(const struct tree *tree, size_t from, size_t *to, uint32_t depth, uint32_t name)
{
	size_t end = *to;

	while (from < end && (tree->rows[from]->count <= depth || tree->rows[from]->frames[depth] != name))
		from++;
	for (*to = from; *to < end && tree->rows[*to]->count > depth && tree->rows[*to]->frames[depth] == name;)
		(*to)++;
	return from;
}

struct place
place_find(const struct tree *tree, const char *text, size_t length)
{
	struct place place = { 0 };
	size_t from = 0, to = tree->count;
	const char *end = text + length;

	for (bool more = length > 0; more;) {
		const char *next = memchr(text, ';', (size_t)(end - text));
		struct intern_text frame = { text, (size_t)((next ? next : end) - text) };
		uint32_t name;

		intern_find(&tree->fold->names, &frame, 1, &name);
		if (name != INTERN_NONE)
			from = narrow(tree, from, &to, place.depth, name);
		if (name == INTERN_NONE || from == to)
			break;
		place.row = (uint32_t)from;
		place.depth++;
		more = next;
		text = next ? next + 1 : end;
	}
	return place;
}
