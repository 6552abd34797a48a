#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "render/functions.h"
#include "render/markup.h"
#include "render/paint.h"
#include "render/text.h"

#define COLUMNS 80
/* Of so many rows of boxes in the same places the first and the last ones say enough. */
#define ALIKE_MAX 24
/* Of the functions with the largest values of their own. */
#define ROWS 10

/* A box in the cells of its line. */
struct cell_box {
	struct box box;
	struct paint paint;
	struct box_look look;
};

struct text {
	const struct tree *tree;
	struct picture *picture;
	struct painter painter;
	struct amounts amounts;
	bool coloured;
	size_t columns;
	struct cell_box *boxes;
	size_t count, room;
	struct buf line;
};

static size_t
columns_of_terminal(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10)
		return size.ws_col;
	return COLUMNS;
}

/* Text cut to so many columns, and filled up to them. */
static void
put(struct buf *to, const char *text, size_t length, size_t columns, bool filled)
{
	size_t used = 0;

	for (size_t at = 0, taken; at < length; at += taken) {
		uint32_t code = utf8_next(text + at, length - at, &taken);
		unsigned width = utf8_columns(code);
		bool last = at + taken == length;

		/* What follows is taken for a column a byte, which cuts early where it is not ASCII. */
		if (used + width > columns || (!last && columns >= 5 && used + width + 2 > columns && length - at > columns - used)) {
			for (int i = 0; i < 2 && used < columns && columns >= 5; i++, used++)
				buf_char(to, '.');
			break;
		}
		if (utf8_is_harmless(code))
			buf_add(to, text + at, taken);
		else
			buf_text(to, "\xef\xbf\xbd");
		used += utf8_is_harmless(code) ? width : 1;
	}
	for (; filled && used < columns; used++)
		buf_char(to, ' ');
}

static void
see(void *context, const struct box *box)
{
	struct text *text = context;
	struct box_look look = picture_look(text->tree->fold, box);

	painter_see(&text->painter, box, &look);
}

static void
keep(void *context, const struct box *box)
{
	struct text *text = context;
	struct cell_box *cell;

	mem_grow(&text->boxes, text->count, &text->room);
	cell = &text->boxes[text->count++];
	cell->box = *box;
	cell->look = picture_look(text->tree->fold, box);
	cell->paint = painter_paint(&text->painter, box, &cell->look);
}

static int
compare(const void *a, const void *b)
{
	const struct box *x = &((const struct cell_box *)a)->box, *y = &((const struct cell_box *)b)->box;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->left < y->left ? -1 : x->left > y->left;
}

static size_t
column(const struct text *text, uint64_t value)
{
	return (size_t)((unsigned __int128)value * text->columns / text->tree->total);
}

static void
begin_colour(struct text *text, const struct paint *paint)
{
	uint32_t rgb = paint->is_rgb ? paint->rgb : colour_rgb(paint->colour, true);
	uint32_t words = paint->is_rgb ? colour_text_on(rgb) : COLOUR_TEXT_DARK;

	buf_print(&text->line, "\033[48;2;%u;%u;%um\033[38;2;%u;%u;%um", rgb >> 16, rgb >> 8 & 255, rgb & 255, words >> 16,
	    words >> 8 & 255, words & 255);
	if (paint->mark)
		buf_text(&text->line, paint->mark == MARK_NEW ? "\033[4m" : "\033[9m");
}

/* "[main ×1.2 ]"; colours need no brackets. */
static void
print_box(struct text *text, const struct cell_box *cell, size_t width)
{
	struct buf words = { 0 };

	buf_add(&words, cell->look.name, cell->look.length < NAME_SHOWN_MAX ? cell->look.length : NAME_SHOWN_MAX);
	if (text->tree->pairs && !text->painter.changes.is_ratio && change_step(&text->painter.changes, &cell->box)) {
		buf_char(&words, ' ');
		change_brief(&text->painter.changes, &cell->box.totals, &words);
	}
	if (text->coloured)
		begin_colour(text, &cell->paint);
	if (width < 2) {
		buf_char(&text->line, text->coloured ? ' ' : '|');
	} else if (text->coloured) {
		put(&text->line, words.data, words.length, width - 1, true);
		buf_char(&text->line, ' ');
	} else {
		buf_char(&text->line, '[');
		put(&text->line, words.data, words.length, width - 2, true);
		buf_char(&text->line, ']');
	}
	if (text->coloured)
		buf_text(&text->line, "\033[0m");
	buf_release(&words);
}

/* Where the row of boxes that begins at from ends. */
static size_t
row_end(const struct text *text, size_t from)
{
	size_t end = from;

	while (end < text->count && text->boxes[end].box.depth == text->boxes[from].box.depth)
		end++;
	return end;
}

/* Do two rows have their boxes in the same places. */
static bool
are_alike(const struct text *text, size_t a, size_t b)
{
	size_t count = row_end(text, a) - a;

	if (b >= text->count || row_end(text, b) - b != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct box *x = &text->boxes[a + i].box, *y = &text->boxes[b + i].box;

		if (column(text, x->left) != column(text, y->left) ||
		    column(text, x->left + x->total) != column(text, y->left + y->total))
			return false;
	}
	return true;
}

static void
print_row(struct text *text, size_t from, struct out *out)
{
	size_t at = 0, last = row_end(text, from);

	for (size_t i = from; i < last; i++) {
		const struct box *box = &text->boxes[i].box;
		size_t left = column(text, box->left), right = column(text, box->left + box->total);

		for (; at < left; at++)
			buf_char(&text->line, ' ');
		if (right > left)
			print_box(text, &text->boxes[i], right - left);
		at = right > at ? right : at;
	}
	out_add(out, text->line.data, text->line.length);
	out_char(out, '\n');
	buf_clear(&text->line);
}

/* Of deep recursion a row is like the one before, ten thousand times. */
static void
print_boxes(struct text *text, struct out *out)
{
	for (size_t from = 0, next; from < text->count; from = next) {
		size_t alike = 1, printed = 0;

		for (next = row_end(text, from); are_alike(text, from, next); next = row_end(text, next))
			alike++;
		for (size_t at = from; at < next; at = row_end(text, at), printed++) {
			if (alike <= ALIKE_MAX || printed < ALIKE_MAX / 2 || alike - printed < ALIKE_MAX / 2)
				print_row(text, at, out);
			else if (printed == ALIKE_MAX / 2)
				out_print(out, "... %zu rows of boxes in the same places ...\n", alike - ALIKE_MAX + 1);
		}
	}
}

/* The functions with the largest values of their own, in all their places. */
static void
print_table(struct text *text, struct out *out)
{
	const struct intern *names = &text->tree->fold->names;
	struct functions all = functions_of(text->tree, 0, text->tree->count);

	functions_sort(&all, names, BY_SELF);
	out_text(out, "\nSelf:\n");
	for (size_t i = 0; i < all.count && i < ROWS && all.list[i].self; i++) {
		const struct function *function = &all.list[i];

		amount_share(&text->amounts, function->self, &text->line);
		out_print(out, "  %7s  ", text->line.data);
		buf_clear(&text->line);
		put(&text->line, intern_name(names, function->name), intern_length(names, function->name),
		    text->columns > 40 ? text->columns - 30 : 10, false);
		buf_text(&text->line, "  ");
		if (text->tree->pairs)
			change_brief(&text->painter.changes, &function->selves, &text->line);
		else
			amount_print(&text->amounts, function->self, &text->line);
		out_print(out, "%s\n", text->line.data);
		buf_clear(&text->line);
	}
	functions_release(&all);
}

static void
print_head(struct text *text, struct out *out)
{
	const struct header *header = &text->tree->fold->header;
	struct buf words = { 0 }, more = { 0 };

	picture_title(text->picture, header, &words);
	picture_subtitle(text->picture, header, &text->amounts, &more);
	if (more.length)
		buf_print(&words, " · %s", more.data);
	buf_release(&more);
	put(&text->line, words.data, words.length, text->columns, false);
	out_print(out, "%s\n", text->line.data);
	buf_clear(&text->line);
	buf_release(&words);
}

void
text_write(const struct tree *tree, struct picture *picture, struct out *out, bool coloured)
{
	struct text text = {
		.tree = tree,
		.picture = picture,
		.amounts = picture_amounts(picture, &tree->fold->header, tree->total),
		.coloured = coloured,
		.columns = picture->width ? (size_t)picture->width : columns_of_terminal(),
	};
	uint64_t least = tree->total / text.columns + (tree->total % text.columns > 0);
	struct tree_cut cut = { 0 };

	print_head(&text, out);
	if (!tree->total) {
		out_text(out, "No samples: there is nothing to draw\n");
		buf_release(&text.line);
		return;
	}
	painter_open(&text.painter, tree, picture, &text.amounts);
	tree_walk(tree, least, see, &text, &cut);
	painter_ready(&text.painter);
	tree_walk(tree, least, keep, &text, &cut);
	qsort(text.boxes, text.count, sizeof *text.boxes, compare);
	print_boxes(&text, out);
	print_table(&text, out);
	picture_tell_cut(picture, &text.amounts, &cut, "a column");
	painter_close(&text.painter);
	free(text.boxes);
	buf_release(&text.line);
}
