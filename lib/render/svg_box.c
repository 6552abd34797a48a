#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/markup.h"
#include "render/svg_parts.h"

#define HUNDRED 100 /* positions are exact to a hundredth of a pixel, so that edges meet */
#define FLUSH ((size_t)64 << 10)

/* 12345 hundredths: "123.45" */
static void
hundredths(struct buf *to, uint64_t number)
{
	unsigned rest = (unsigned)(number % HUNDRED);

	buf_number(to, number / HUNDRED);
	if (rest) {
		buf_char(to, '.');
		buf_char(to, (char)('0' + rest / 10));
		if (rest % 10)
			buf_char(to, (char)('0' + rest % 10));
	}
}

/* Where a value ends, in hundredths of a pixel from the root's left edge. */
static uint64_t
place(const struct svg *svg, uint64_t value)
{
	uint64_t width = (uint64_t)(svg->inner * HUNDRED);

	return (uint64_t)(((unsigned __int128)value * width + svg->tree->total / 2) / svg->tree->total);
}

static void
title_words(struct svg *svg, const struct box *box, const struct box_look *look)
{
	struct buf *to = &svg->text;

	buf_char(to, '\n');
	if (box->kind == BOX_SMALL) {
		amount_group(box->small, to);
		buf_print(to, " small frame%s, ", box->small == 1 ? "" : "s");
	} else if (box->kind == BOX_FRAME) {
		buf_print(to, "%s, ", frame_kind_title(look->kind));
	}
	if (svg->tree->pairs) {
		change_brief(&svg->painter.changes, &box->totals, to);
		change_words(&svg->painter.changes, box, to);
		return;
	}
	amount_print(&svg->amounts, box->total, to);
	buf_text(to, ", ");
	amount_share(&svg->amounts, box->total, to);
	if (box->kind != BOX_SMALL && box->self != box->total) {
		buf_text(to, "\nself ");
		amount_print(&svg->amounts, box->self, to);
		buf_text(to, ", ");
		amount_share(&svg->amounts, box->self, to);
	}
}

static void
box_title(struct svg *svg, const struct box *box, const struct box_look *look, const struct nameattr_values *values)
{
	struct buf *to = &svg->text, words;

	buf_text(to, "<title>");
	if (values && values->value[ATTR_TITLE]) {
		markup_text(to, values->value[ATTR_TITLE], strlen(values->value[ATTR_TITLE]));
	} else {
		markup_text(to, look->name, look->length < NAME_SHOWN_MAX ? look->length : NAME_SHOWN_MAX);
		if (svg->tree->pairs) {
			/* Names of columns are anybody's text. */
			words = *to;
			*to = (struct buf){ 0 };
			title_words(svg, box, look);
			markup_lines(&words, to->data, to->length);
			buf_release(to);
			*to = words;
		} else {
			title_words(svg, box, look);
		}
	}
	buf_text(to, "</title>");
}

static const char *
mark_class(enum change_mark mark)
{
	return mark == MARK_NEW ? " new" : mark == MARK_GONE ? " gone" : "";
}

/* A class that has a colour in both schemes, or a colour and the class of its text. */
void
svg_fill(struct svg *svg, const struct paint *paint, const char *more)
{
	struct buf *to = &svg->text;

	if (!paint->is_rgb) {
		buf_print(to, " class=\"k%u%s", paint->colour, mark_class(paint->mark));
		markup_text(to, more, strlen(more));
		buf_char(to, '"');
		return;
	}
	buf_print(to, " class=\"%c", colour_text_on(paint->rgb) ? 'w' : 'b');
	markup_text(to, more, strlen(more));
	buf_print(to, "\" fill=\"rgb(%u,%u,%u)\"", paint->rgb >> 16, paint->rgb >> 8 & 255, paint->rgb & 255);
}

static void
draw_text(struct svg *svg, const struct box_look *look, uint64_t x, uint64_t width, double y)
{
	double columns = ((double)width / HUNDRED - 2 * SVG_TEXT_INSET) / svg->column;
	struct buf *to = &svg->text;

	if (columns < 3)
		return;
	buf_text(to, "<text x=\"");
	hundredths(to, x + (uint64_t)((svg->margin + SVG_TEXT_INSET) * HUNDRED));
	buf_print(to, "\" y=\"%.1f\">", y + svg->drop);
	(svg->picture->cuts_left ? markup_fit_end : markup_fit)(to, look->name, look->length, (size_t)columns);
	buf_text(to, "</text>\n");
}

void
svg_box(void *context, const struct box *box)
{
	struct svg *svg = context;
	struct buf *to = &svg->text;
	struct box_look look = picture_look(svg->tree->fold, box);
	uint64_t x = place(svg, box->left), width = place(svg, box->left + box->total) - x;
	uint32_t row = svg->picture->inverted ? box->depth : svg->deepest - box->depth;
	double y = svg->top + (double)row * svg->row;
	const struct nameattr_values *values = NULL;
	struct paint paint;
	bool is_link;

	if (box->kind == BOX_SMALL && svg->picture->leaves_small)
		return;
	paint = painter_paint(&svg->painter, box, &look);
	if (svg->picture->attributes && box->kind == BOX_FRAME)
		values = nameattr_find(svg->picture->attributes, look.name, look.length);
	is_link = values && nameattr_has_link(values);
	if (svg->picture->indented)
		buf_print(to, "%*s", 2 * (int)(box->depth < 40 ? box->depth : 40), "");
	if (is_link) {
		buf_text(to, "<a");
		nameattr_link(values, to);
		buf_char(to, '>');
	}
	buf_text(to, "<rect");
	if (values && values->value[ATTR_CLASS]) {
		char *more = mem_print(" %s", values->value[ATTR_CLASS]);

		svg_fill(svg, &paint, more);
		free(more);
	} else {
		svg_fill(svg, &paint, "");
	}
	buf_text(to, " x=\"");
	hundredths(to, x + (uint64_t)(svg->margin * HUNDRED));
	buf_print(to, "\" y=\"%.10g\" width=\"", y);
	hundredths(to, width);
	buf_print(to, "\" height=\"%.10g\" data-l=\"", svg->box);
	buf_number(to, box->left);
	buf_text(to, "\" data-t=\"");
	buf_number(to, box->total);
	/* Most boxes are leaves. */
	if (box->kind != BOX_SMALL && box->self != box->total) {
		buf_text(to, "\" data-s=\"");
		buf_number(to, box->self);
	}
	if (values && values->value[ATTR_TITLE]) {
		buf_text(to, "\" data-n=\"");
		markup_text(to, look.name, look.length < NAME_SHOWN_MAX ? look.length : NAME_SHOWN_MAX);
	}
	buf_char(to, '"');
	if (values)
		nameattr_box(values, to);
	buf_char(to, '>');
	box_title(svg, box, &look, values);
	buf_text(to, "</rect>\n");
	draw_text(svg, &look, x, width, y);
	if (is_link)
		buf_text(to, "</a>\n");
	if (to->length > FLUSH)
		svg_pass_on(svg);
}
