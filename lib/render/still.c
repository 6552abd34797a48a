#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/markup.h"
#include "render/paint.h"
#include "render/still.h"

/* One of so many parts of the whole is wide enough. */
#define PARTS 200
#define ROWS 50
#define WIDTH 1200.0
#define ROW 18
#define COLUMN 7.25

struct still {
	const struct tree *tree;
	const struct amounts *amounts;
	struct painter painter;
	struct buf text;
	uint32_t deepest;
	bool inverted;
};

static void
measure(void *context, const struct box *box)
{
	struct still *still = context;
	struct box_look look = picture_look(still->tree->fold, box);

	painter_see(&still->painter, box, &look);
	if (box->depth > still->deepest)
		still->deepest = box->depth;
}

/* Attributes only: a page may be shown where styles are forbidden, too. */
static void
draw(void *context, const struct box *box)
{
	struct still *still = context;
	struct box_look look = picture_look(still->tree->fold, box);
	double scale = WIDTH / (double)still->tree->total;
	double x = (double)box->left * scale, width = (double)box->total * scale;
	uint32_t y = ROW * (still->inverted ? box->depth : still->deepest - box->depth);
	struct paint paint = painter_paint(&still->painter, box, &look);
	uint32_t rgb = paint.is_rgb ? paint.rgb : colour_rgb(paint.colour, false);
	struct buf *to = &still->text, words = { 0 };

	buf_text(to, "<g><title>");
	markup_text(to, look.name, look.length < NAME_SHOWN_MAX ? look.length : NAME_SHOWN_MAX);
	if (still->tree->pairs) {
		change_words(&still->painter.changes, box, &words);
		markup_lines(to, words.data, words.length);
		buf_release(&words);
	} else {
		buf_text(to, ", ");
		amount_print(still->amounts, box->total, to);
		buf_text(to, ", ");
		amount_share(still->amounts, box->total, to);
	}
	buf_print(to, "</title><rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"#%06x\"/>", x, y,
	    width > 1 ? width - 0.5 : 0.5, ROW - 1, rgb);
	if (width >= 3 * COLUMN + 8) {
		buf_print(to, "<text x=\"%.1f\" y=\"%.1f\"%s>", x + 4, y + 12.5,
		    paint.is_rgb && colour_text_on(rgb) ? " fill=\"#ffffff\"" : "");
		markup_fit(to, look.name, look.length, (size_t)((width - 8) / COLUMN));
		buf_text(to, "</text>");
	}
	buf_text(to, "</g>\n");
}

static void
write_picture(const struct tree *tree, struct picture *picture, const struct amounts *amounts, struct out *out)
{
	struct still still = { .tree = tree, .amounts = amounts, .inverted = picture->inverted };
	uint64_t least = (tree->total + PARTS - 1) / PARTS;
	struct tree_cut cut;

	painter_open(&still.painter, tree, picture, amounts);
	tree_walk(tree, least, measure, &still, &cut);
	painter_ready(&still.painter);
	tree_walk(tree, least, draw, &still, &cut);
	painter_close(&still.painter);
	out_print(out, "<svg viewBox=\"0 0 %g %u\" width=\"100%%\" role=\"img\" aria-label=\"Flame graph of the frames of at "
	    "least 0.5 %%\" font-family=\"monospace\" font-size=\"12\" fill=\"#1f2328\">\n", WIDTH, (still.deepest + 1) * ROW);
	out_add(out, still.text.data, still.text.length);
	out_text(out, "</svg>\n");
	buf_release(&still.text);
}

struct function {
	uint32_t name, rank, last; /* last: the row that counted it, + 1 */
	uint64_t self, total;
};

static int
by_self(const void *a, const void *b)
{
	const struct function *one = a, *other = b;

	if (one->self != other->self)
		return one->self < other->self ? 1 : -1;
	if (one->total != other->total)
		return one->total < other->total ? 1 : -1;
	return one->rank < other->rank ? -1 : one->rank > other->rank;
}

/* Self and total of every name, recursion counted once. In order of self, total and name. */
static struct function *
functions_of(const struct tree *tree)
{
	size_t count = tree->fold->names.count;
	uint32_t *ranks = intern_ranks(&tree->fold->names);
	struct function *all = mem_alloc((count + 1) * sizeof *all);

	for (size_t i = 0; i < count; i++)
		all[i] = (struct function){ .name = (uint32_t)i, .rank = ranks[i] };
	free(ranks);
	for (size_t i = 0; i < tree->count; i++) {
		const struct stack *row = tree->rows[i];

		for (uint32_t frame = 0; frame < row->count; frame++) {
			struct function *function = &all[row->frames[frame]];

			if (function->last == i + 1)
				continue;
			function->last = (uint32_t)i + 1;
			function->total += (uint64_t)row->value;
		}
		if (row->count)
			all[row->frames[row->count - 1]].self += (uint64_t)row->value;
	}
	qsort(all, count, sizeof *all, by_self);
	return all;
}

static void
cell(struct buf *to, const struct amounts *amounts, uint64_t value)
{
	buf_text(to, "<td align=\"right\">");
	amount_print(amounts, value, to);
	buf_text(to, "</td><td align=\"right\">");
	amount_share(amounts, value, to);
	buf_text(to, "</td>");
}

static void
write_table(const struct tree *tree, const struct amounts *amounts, struct out *out)
{
	struct function *all = functions_of(tree);
	struct buf to = { 0 };

	buf_text(&to, "<table>\n<tr><th>Self</th><th></th><th>Total</th><th></th><th align=\"left\">Function</th></tr>\n");
	for (size_t i = 0; i < tree->fold->names.count && i < ROWS && all[i].total; i++) {
		struct box box = { .kind = BOX_FRAME, .name = all[i].name };
		struct box_look look = picture_look(tree->fold, &box);

		buf_text(&to, "<tr>");
		cell(&to, amounts, all[i].self);
		cell(&to, amounts, all[i].total);
		buf_text(&to, "<td>");
		markup_text(&to, look.name, look.length < NAME_SHOWN_MAX ? look.length : NAME_SHOWN_MAX);
		buf_text(&to, "</td></tr>\n");
	}
	buf_text(&to, "</table>\n");
	out_add(out, to.data, to.length);
	buf_release(&to);
	free(all);
}

void
still_write(const struct tree *tree, struct picture *picture, struct out *out)
{
	struct amounts amounts = picture_amounts(picture, &tree->fold->header, tree->total);

	out_text(out, "<div id=\"still\">\n");
	if (!tree->total) {
		out_text(out, "<p>No samples: there is nothing to draw.</p>\n");
	} else {
		out_text(out, "<p>Without JavaScript: the frames of at least 0.5 %, and the functions with most of their own.</p>\n");
		write_picture(tree, picture, &amounts, out);
		write_table(tree, &amounts, out);
	}
	out_text(out, "</div>\n");
}
