#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/assets.h"
#include "render/markup.h"
#include "render/paint.h"
#include "render/svg.h"

/* All in pixels, as the script knows them too (it is told by data- attributes). */
#define MARGIN 16
#define FONT 12
#define ROW_MORE 6    /* a row is so much higher than its font */
#define TEXT_INSET 4  /* from a box's edge to its text */
#define COLUMN 0.6042 /* of monospaced fonts, in font sizes: the widest in use is 0.602 */
#define LETTER 6.4    /* of 11 px legend text, on the safe side */
#define SWATCH 15
#define LEGEND_TEXT 40
#define CONTROLS 250  /* room of the search field */
#define HUNDRED 100   /* positions are exact to a hundredth of a pixel, so that edges meet */
#define FLUSH ((size_t)64 << 10)

static const char style[] =
    "svg{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\"DejaVu Sans\",sans-serif;"
    "font-size:12px}"
    "svg{background:#fbfaf8}text{fill:#1f2328}.page{fill:#fbfaf8}.title{font-size:17px;font-weight:600}.soft{fill:#5c6370}"
    ".legend text{font-size:11px;fill:#5c6370}"
    ".frames{cursor:pointer}.frames rect{rx:2px}.frames rect:hover{stroke:#1f2328;stroke-width:1}"
    ".frames rect.w+text{fill:#fff}.frames rect.b+text{fill:#000}.frames a{text-decoration:none}"
    ".stripes{stroke:#1f2328;stroke-opacity:.3;stroke-width:1.5}"
    ".frames text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
    "\"Liberation Mono\",monospace;pointer-events:none;white-space:pre}"
    ".frames .above{opacity:.55}.frames.sought rect{opacity:.45}.frames.sought .match{fill:#ee7cf7;opacity:1}"
    ".frames.sought rect.match+text{fill:#000}"
    ".controls{font-size:12px}.controls text{cursor:pointer;fill:#5c6370}.controls text:hover{text-decoration:underline}"
    ".controls input{box-sizing:border-box;width:100%;height:24px;padding:0 8px;border:1px solid #cfcdc7;"
    "border-radius:6px;background:#fff;color:#1f2328;font:12px ui-monospace,Menlo,Consolas,monospace}"
    ".controls input:invalid{border-color:#c2362b}";

/* What a dark page changes; the boxes' colours follow. */
static const char dark_style[] =
    "svg{background:#17191d}text{fill:#f3f2ee}.page{fill:#17191d}.soft,.legend text,.controls text{fill:#a3a9b4}"
    ".stripes{stroke:#f3f2ee}.frames rect:hover{stroke:#f3f2ee}.frames.sought .match{fill:#a526b8}"
    ".frames.sought rect.match+text{fill:#fff}"
    ".controls input{border-color:#40454e;background:#1f2227;color:#f3f2ee}";

struct svg {
	const struct tree *tree;
	const struct picture *picture;
	struct painter painter;
	struct amounts amounts;
	struct out *out;
	struct buf text;
	double margin;
	double inner;	   /* width of the root's box */
	double row, box;   /* from box to box, and how high one is */
	double drop;	   /* from a box's top to its baseline */
	double column;	   /* width of a character */
	double top;	   /* of the boxes */
	uint32_t deepest;  /* depth of what is drawn */
	bool used[COLOUR_END];
};

static void
pass_on(struct svg *svg)
{
	if (svg->picture->encoding)
		markup_ascii(&svg->text);
	out_add(svg->out, svg->text.data, svg->text.length);
	buf_clear(&svg->text);
}

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
		change_relative(&box->totals, to);
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
static void
fill(struct svg *svg, const struct paint *paint, const char *more)
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
	double columns = ((double)width / HUNDRED - 2 * TEXT_INSET) / svg->column;
	struct buf *to = &svg->text;

	if (columns < 3)
		return;
	buf_text(to, "<text x=\"");
	hundredths(to, x + (uint64_t)((svg->margin + TEXT_INSET) * HUNDRED));
	buf_print(to, "\" y=\"%.1f\">", y + svg->drop);
	(svg->picture->cuts_left ? markup_fit_end : markup_fit)(to, look->name, look->length, (size_t)columns);
	buf_text(to, "</text>\n");
}

static void
draw(void *context, const struct box *box)
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

		fill(svg, &paint, more);
		free(more);
	} else {
		fill(svg, &paint, "");
	}
	buf_text(to, " x=\"");
	hundredths(to, x + (uint64_t)(svg->margin * HUNDRED));
	buf_print(to, "\" y=\"%.10g\" width=\"", y);
	hundredths(to, width);
	buf_print(to, "\" height=\"%.10g\" data-l=\"", svg->box);
	buf_number(to, box->left);
	buf_text(to, "\" data-t=\"");
	buf_number(to, box->total);
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
		pass_on(svg);
}

/* What was asked for goes before what a scheme has. */
static void
asked_style(struct svg *svg)
{
	const struct picture *picture = svg->picture;
	struct buf *to = &svg->text;

	if (picture->font) {
		buf_text(to, "svg text,.frames text{font-family:");
		/* A quoted name can hold nothing that ends it. */
		if (strcmp(picture->font, "monospace") == 0 || strcmp(picture->font, "sans-serif") == 0 ||
		    strcmp(picture->font, "serif") == 0) {
			buf_text(to, picture->font);
		} else {
			struct buf clean = { 0 };

			for (const char *p = picture->font; *p; p++)
				if (!strchr("\"\\\n{}<>&;", *p))
					buf_char(&clean, *p);
			buf_text(to, "\"");
			markup_text(to, clean.data ? clean.data : "", clean.length);
			buf_text(to, "\"");
			buf_release(&clean);
		}
		buf_text(to, "}");
	}
	if (picture->font_size > 0)
		buf_print(to, ".frames text{font-size:%.10gpx}", picture->font_size);
	if (picture->has_background)
		buf_text(to, "svg{background:none}.page{fill:url(#background)}");
	if (picture->has_stroke)
		buf_print(to, ".frames rect{stroke:#%06x;stroke-width:.5}", picture->stroke);
	if (picture->has_sought)
		buf_print(to, ".frames.sought .match{fill:#%06x}.frames.sought rect.match+text{fill:#%06x}", picture->sought,
		    colour_text_on(picture->sought));
	if (picture->has_ui)
		buf_print(to, ".soft,.controls text,.legend text{fill:#%06x}", picture->ui);
	if (svg->tree->pairs)
		buf_text(to, ".new{fill:url(#new)}.gone{fill:url(#gone)}");
}

static void
scheme_style(struct svg *svg, bool dark)
{
	for (unsigned i = 0; i < COLOUR_END; i++)
		if (svg->used[i])
			buf_print(&svg->text, ".k%u{fill:#%06x}", i, colour_rgb(i, dark));
}

static void
write_style(struct svg *svg)
{
	struct buf *to = &svg->text;

	buf_print(to, "<style>\n%s\n", style);
	scheme_style(svg, false);
	asked_style(svg);
	/* A background that was asked for is there whatever the scheme, and so is what is legible on it. */
	if (!svg->picture->has_background) {
		buf_print(to, "\n@media (prefers-color-scheme:dark){\n%s\n", dark_style);
		scheme_style(svg, true);
		asked_style(svg);
		buf_text(to, "\n}");
	}
	buf_text(to, "\n</style>\n");
}

/* Stripes over the colour, rising where a frame is new, falling where it is gone. */
static void
write_pattern(struct svg *svg, const char *name, unsigned colour, const char *path)
{
	buf_print(&svg->text,
	    "<pattern id=\"%s\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"k%u\" "
	    "width=\"8\" height=\"8\"/><path d=\"%s\" class=\"stripes\"/></pattern>\n",
	    name, colour, path);
}

static void
write_definitions(struct svg *svg)
{
	const uint32_t *rgb = svg->picture->background;
	struct buf *to = &svg->text;

	if (!svg->picture->has_background && !svg->tree->pairs)
		return;
	buf_text(to, "<defs>\n");
	if (svg->picture->has_background)
		buf_print(to,
		    "<linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\"><stop stop-color=\"#%06x\" "
		    "offset=\"5%%\"/><stop stop-color=\"#%06x\" offset=\"95%%\"/></linearGradient>\n",
		    rgb[0], rgb[1]);
	if (svg->tree->pairs) {
		bool negate = svg->painter.changes.negate;

		write_pattern(svg, "new", COLOUR_CHANGE + (negate ? 0 : 2 * CHANGE_STEPS), "M-2 2L2 -2M0 8L8 0M6 10L10 6");
		write_pattern(svg, "gone", COLOUR_CHANGE + (negate ? 2 * CHANGE_STEPS : 0), "M-2 6L2 10M0 0L8 8M6 -2L10 2");
	}
	buf_text(to, "</defs>\n");
}

/* One swatch for each entry, wrapped; returns where the next thing may begin. With !write it only measures. */
static double
legend(struct svg *svg, double y, bool write)
{
	double x = svg->margin, right = svg->margin + svg->inner;
	const struct painter *painter = &svg->painter;

	for (size_t i = 0; i < painter->legend_count; i++) {
		const struct legend_entry *entry = &painter->legend[i];
		size_t length = strlen(entry->text);
		double width = SWATCH + LETTER * (double)(length < LEGEND_TEXT ? length : LEGEND_TEXT) + 10;
		struct paint paint = { entry->is_rgb, entry->rgb, entry->colour, entry->mark };

		if (i && x + width > right) {
			x = svg->margin;
			y += 16;
		}
		if (write) {
			buf_text(&svg->text, "<rect");
			fill(svg, &paint, "");
			buf_print(&svg->text,
			    " x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"2\"/><text x=\"%.1f\" y=\"%.1f\">", x,
			    y - 9, x + SWATCH, y);
			markup_fit(&svg->text, entry->text, length, LEGEND_TEXT);
			buf_text(&svg->text, "</text>\n");
		} else if (!entry->is_rgb) {
			svg->used[entry->colour] = true;
		}
		x += width;
	}
	return painter->legend_count ? y + 12 : y - 8;
}

/* A line of the head, cut where the search field begins or at the margin. */
static void
head_line(struct svg *svg, const char *class, double y, double letter, const struct buf *words, bool is_full)
{
	double room = svg->inner - (is_full ? 0 : CONTROLS);

	buf_print(&svg->text, "<text class=\"%s\" x=\"%.10g\" y=\"%.0f\">", class, svg->margin, y);
	if (words->length)
		markup_fit(&svg->text, words->data, words->length, (size_t)(room > 0 ? room / letter : 0));
	buf_text(&svg->text, "</text>\n");
}

static void
write_script(struct svg *svg)
{
	buf_text(&svg->text, "<script><![CDATA[\n");
	buf_add(&svg->text, asset_svg_js.start, (size_t)(asset_svg_js.end - asset_svg_js.start));
	buf_text(&svg->text, "]]></script>\n");
}

static void
write_frames(struct svg *svg, uint64_t least, struct tree_cut *cut)
{
	struct buf *to = &svg->text;

	buf_print(to,
	    "<g class=\"frames\" data-x=\"%.10g\" data-width=\"%.0f\" data-total=\"%" PRIu64 "\" data-column=\"%.3f\" "
	    "data-inset=\"%d\" data-drop=\"%.1f\" data-cut=\"%s\" data-type=\"",
	    svg->margin, svg->inner, svg->tree->total, svg->column, TEXT_INSET, svg->drop,
	    svg->picture->cuts_left ? "left" : "right");
	if (svg->picture->name_type)
		markup_text(to, svg->picture->name_type, strlen(svg->picture->name_type));
	buf_text(to, "\" data-search=\"");
	if (svg->picture->search)
		markup_text(to, svg->picture->search, strlen(svg->picture->search));
	buf_text(to, "\">\n");
	tree_walk(svg->tree, least, draw, svg, cut);
	buf_text(to, "</g>\n");
}

static void
write_empty(struct svg *svg, double y)
{
	buf_print(&svg->text,
	    "<text class=\"title soft\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">No samples: there is nothing to "
	    "draw</text>\n",
	    svg->margin + svg->inner / 2, y);
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

static void
write_head(struct svg *svg, double height, const struct buf *title)
{
	const struct picture *picture = svg->picture;
	struct buf notes = { 0 }, *to = &svg->text;
	double width = svg->inner + 2 * svg->margin;

	buf_print(to,
	    "<?xml version=\"1.0\" encoding=\"%s\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	    "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
	    picture->encoding ? picture->encoding : "UTF-8", width, height, width, height);
	markup_text(to, title->data ? title->data : "", title->length);
	buf_text(to, "</title>\n");
	picture_notes(picture, &svg->tree->fold->header, &notes);
	if (notes.length) {
		buf_text(to, "<desc>");
		markup_lines(to, notes.data, notes.length);
		buf_text(to, "</desc>\n");
	}
	buf_release(&notes);
	write_style(svg);
	write_definitions(svg);
	buf_text(to, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
}

static void
write_foot(struct svg *svg, double height)
{
	buf_print(&svg->text, "<g class=\"controls\" data-right=\"%.0f\"></g>\n", svg->margin + svg->inner);
	buf_print(&svg->text, "<text class=\"details soft\" x=\"%.10g\" y=\"%.0f\"></text>\n", svg->margin, height - 14);
	buf_print(&svg->text, "<text class=\"matched soft\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\"></text>\n",
	    svg->margin + svg->inner, height - 14);
	if (svg->tree->total && !svg->picture->no_script)
		write_script(svg);
	buf_text(&svg->text, "</svg>\n");
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
	is_narrow = svg.inner < 2 * CONTROLS;
	y = is_narrow ? 68 : 34;
	least = picture_least(picture, tree->total, svg.inner);
	picture_title(picture, &tree->fold->header, &title);
	picture_subtitle(picture, &tree->fold->header, &svg.amounts, &subtitle);
	painter_open(&svg.painter, tree, picture, &svg.amounts);
	if (tree->total)
		tree_walk(tree, least, measure, &svg, &cut);
	painter_ready(&svg.painter);
	svg.top = legend(&svg, y + 40, false);
	if (tree->pairs)
		svg.used[COLOUR_CHANGE] = svg.used[COLOUR_CHANGE + 2 * CHANGE_STEPS] = true;
	height = svg.top + (tree->total ? (double)svg.deepest + 1 : 5) * svg.row + 34;
	write_head(&svg, height, &title);
	head_line(&svg, "title", y, 10.5, &title, is_narrow);
	head_line(&svg, "soft", y + 20, 6.6, &subtitle, is_narrow);
	buf_text(&svg.text, "<g class=\"legend\">\n");
	legend(&svg, y + 40, true);
	buf_text(&svg.text, "</g>\n");
	if (tree->total)
		write_frames(&svg, least, &cut);
	else
		write_empty(&svg, svg.top + 2.5 * svg.row);
	write_foot(&svg, height);
	pass_on(&svg);
	picture_tell_cut(picture, &svg.amounts, &cut, "--minwidth");
	painter_close(&svg.painter);
	buf_release(&svg.text);
	buf_release(&title);
	buf_release(&subtitle);
}
