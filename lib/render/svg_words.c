#include <string.h>

#include "render/assets.h"
#include "render/markup.h"
#include "render/svg_parts.h"

#define LETTER 6.4    /* of 11 px legend text, on the safe side */
#define SWATCH 15
#define LEGEND_TEXT 40

/* One swatch for each entry, wrapped; returns where the next thing may begin. With !write it only measures. */
double
svg_legend(struct svg *svg, double y, bool write)
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
			svg_fill(svg, &paint, "");
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
void
svg_line(struct svg *svg, const char *class, double y, double letter, const struct buf *words, bool is_full)
{
	double room = svg->inner - (is_full ? 0 : SVG_CONTROLS);

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

void
svg_empty(struct svg *svg, double y)
{
	buf_print(&svg->text,
	    "<text class=\"title soft\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">No samples: there is nothing to "
	    "draw</text>\n",
	    svg->margin + svg->inner / 2, y);
}

void
svg_head(struct svg *svg, double height, const struct buf *title)
{
	const struct picture *picture = svg->picture;
	struct buf notes = { 0 }, *to = &svg->text;
	double width = svg->inner + 2 * svg->margin;

	buf_print(to,
	    "<?xml version=\"1.0\" encoding=\"%s\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	    "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"graphics-document\">\n<title>",
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
	svg_style(svg);
	buf_text(to, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
}

void
svg_foot(struct svg *svg, double height)
{
	buf_print(&svg->text, "<text class=\"details soft\" x=\"%.10g\" y=\"%.0f\"></text>\n", svg->margin, height - 14);
	if (svg->tree->total && !svg->picture->no_script)
		write_script(svg);
	buf_text(&svg->text, "</svg>\n");
}
