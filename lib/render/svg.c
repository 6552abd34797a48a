#include <inttypes.h>
#include <string.h>

#include "render/markup.h"
#include "render/svg.h"
#include "render/svg_parts.h"

#define MARGIN 16
#define FONT 12
#define ROW_MORE 6    /* a row is so much higher than its font */
#define COLUMN 0.6042 /* of monospaced fonts, in font sizes: the widest in use is 0.602 */

void
svg_pass_on(struct svg *svg)
{
	if (svg->picture->encoding)
		markup_ascii(&svg->text);
	out_add(svg->out, svg->text.data, svg->text.length);
	buf_clear(&svg->text);
}

static void
measure(void *context, const struct box *box)
{
	struct svg *svg = context;
	struct box_look look;

	if (box->kind == BOX_SMALL && svg->picture->leaves_small)
		return;
	if (box->depth > svg->deepest)
		svg->deepest = box->depth;
	look = picture_look(svg->tree->fold, box);
	painter_see(&svg->painter, box, &look);
	if (svg->picture->colours != COLOURS_PALETTE && svg->picture->colours != COLOURS_DIFFUSION)
		svg->used[painter_paint(&svg->painter, box, &look).colour] = true;
}

static void
write_frames(struct svg *svg, uint64_t least, struct tree_cut *cut)
{
	struct buf *to = &svg->text;

	buf_print(to,
	    "<g class=\"frames\" data-x=\"%.10g\" data-width=\"%.0f\" data-total=\"%" PRIu64 "\" data-column=\"%.3f\" "
	    "data-inset=\"%d\" data-drop=\"%.1f\" data-row=\"%.10g\" data-top=\"%.10g\" data-cut=\"%s\"%s data-type=\"",
	    svg->margin, svg->inner, svg->tree->total, svg->column, SVG_TEXT_INSET, svg->drop,
	    svg->row, svg->top, svg->picture->cuts_left ? "left" : "right",
	    svg->picture->is_fluid ? " data-fluid=\"yes\"" : "");
	if (svg->picture->name_type)
		markup_text(to, svg->picture->name_type, strlen(svg->picture->name_type));
	buf_text(to, "\" data-search=\"");
	if (svg->picture->search)
		markup_text(to, svg->picture->search, strlen(svg->picture->search));
	buf_text(to, "\">\n");
	tree_walk(svg->tree, least, svg_box, svg, cut);
	buf_text(to, "</g>\n");
}

/* Sizes that follow from what was asked. */
static void
set_sizes(struct svg *svg)
{
	const struct picture *picture = svg->picture;
	double font = picture->font_size > 0 ? picture->font_size : FONT;

	svg->margin = picture->margin > 0 ? picture->margin : MARGIN;
	svg->inner = (double)picture->width > 4 * svg->margin ? (double)picture->width - 2 * svg->margin : 2 * svg->margin;
	svg->row = picture->row ? (double)picture->row : font + ROW_MORE;
	svg->box = svg->row > 1 ? svg->row - 1 : 1;
	/* Digits and capitals are about 0.7 of the font high: in the middle of the box. */
	svg->drop = (svg->box + font * 0.7) / 2;
	svg->column = font * (picture->font_width > 0 ? picture->font_width : COLUMN);
}

void
svg_write(const struct tree *tree, struct picture *picture, struct out *out)
{
	struct svg svg = {
		.tree = tree,
		.picture = picture,
		.out = out,
		.amounts = picture_amounts(picture, &tree->fold->header, tree->total),
	};
	struct buf title = { 0 }, subtitle = { 0 };
	struct tree_cut cut = { 0 };
	bool is_narrow; /* the controls then have a line of their own */
	double y, height;
	uint64_t least;

	set_sizes(&svg);
	is_narrow = svg.inner < 2 * SVG_CONTROLS;
	y = is_narrow ? 78 : 34;
	least = picture_least(picture, tree->total, svg.inner);
	picture_title(picture, &tree->fold->header, &title);
	picture_subtitle(picture, &tree->fold->header, &svg.amounts, &subtitle);
	painter_open(&svg.painter, tree, picture, &svg.amounts);
	if (tree->total)
		tree_walk(tree, least, measure, &svg, &cut);
	painter_ready(&svg.painter);
	svg.top = svg_legend(&svg, y + 40, false);
	if (tree->pairs)
		svg.used[COLOUR_CHANGE] = svg.used[COLOUR_CHANGE + 2 * CHANGE_STEPS] = true;
	height = svg.top + (tree->total ? (double)svg.deepest + 1 : 5) * svg.row + 34;
	svg_head(&svg, height, &title);
	svg_line(&svg, "title", y, 10.5, &title, is_narrow);
	svg_line(&svg, "subtitle soft", y + 20, 6.6, &subtitle, is_narrow);
	buf_text(&svg.text, "<g class=\"legend\">\n");
	svg_legend(&svg, y + 40, true);
	buf_text(&svg.text, "</g>\n");
	if (tree->total)
		write_frames(&svg, least, &cut);
	else
		svg_empty(&svg, svg.top + 2.5 * svg.row);
	svg_foot(&svg, height);
	svg_pass_on(&svg);
	picture_tell_cut(picture, &svg.amounts, &cut, "--minwidth");
	painter_close(&svg.painter);
	buf_release(&svg.text);
	buf_release(&title);
	buf_release(&subtitle);
}
