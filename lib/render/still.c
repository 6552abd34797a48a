#include <stdbool.h>
#include <stdio.h>

#include "render/functions.h"
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
	char scheme[16] = "";

	if (!paint.is_rgb)
		snprintf(scheme, sizeof scheme, "class=\"k%u\" ", paint.colour);
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
	buf_print(to, "</title><rect %sx=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"#%06x\"/>", scheme, x, y,
	    width > 1 ? width - 0.5 : 0.5, ROW - 1, rgb);
	if (width >= 3 * COLUMN + 8) {
		buf_print(to, "<text x=\"%.1f\" y=\"%.1f\"%s>", x + 4, y + 12.5,
		    !paint.is_rgb ? "" : colour_text_on(rgb) ? " fill=\"#ffffff\"" : " fill=\"#000000\"");
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
	struct functions all = functions_of(tree, 0, tree->count);
	struct buf to = { 0 };

	buf_text(&to, "<table>\n<tr><th>Self</th><th></th><th>Total</th><th></th><th align=\"left\">Function</th></tr>\n");
	functions_sort(&all, &tree->fold->names, BY_SELF);
	for (size_t i = 0; i < all.count && i < ROWS; i++) {
		struct box box = { .kind = BOX_FRAME, .name = all.list[i].name };
		struct box_look look = picture_look(tree->fold, &box);

		buf_text(&to, "<tr>");
		cell(&to, amounts, all.list[i].self);
		cell(&to, amounts, all.list[i].total);
		buf_text(&to, "<td>");
		markup_text(&to, look.name, look.length < NAME_SHOWN_MAX ? look.length : NAME_SHOWN_MAX);
		buf_text(&to, "</td></tr>\n");
	}
	buf_text(&to, "</table>\n");
	out_add(out, to.data, to.length);
	buf_release(&to);
	functions_release(&all);
}

void
still_style(struct out *out)
{
	struct buf to = { 0 };

	buf_print(&to, "@media (prefers-color-scheme: dark) {\n#still svg{fill:#%06x}", COLOUR_TEXT_DARK);
	for (unsigned i = 0; i < COLOUR_END; i++)
		buf_print(&to, "#still .k%u{fill:#%06x}", i, colour_rgb(i, true));
	buf_text(&to, "\n}\n");
	out_add(out, to.data, to.length);
	buf_release(&to);
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
