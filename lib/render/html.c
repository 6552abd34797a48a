#include <inttypes.h>
#include <string.h>

#include "render/assets.h"
#include "render/html.h"
#include "render/markup.h"
#include "render/pack.h"

static void
asset(struct out *out, const struct asset *file)
{
	out_add(out, file->start, (size_t)(file->end - file->start));
}

static void
json_member(struct buf *to, const char *key, const char *text)
{
	buf_print(to, "\"%s\":", key);
	markup_json(to, text, strlen(text));
	buf_char(to, ',');
}

/* [["kernel","_[k]",["#ffc99d",...],["#81502a",...]],...]: title, suffix, shades on a light and on a dark page. */
static void
json_kinds(struct buf *to)
{
	buf_text(to, "\"kinds\":[");
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		buf_print(to, "%s[\"%s\",\"%s\"", kind ? ",\n" : "\n", frame_kind_title(kind), frame_kind_suffix(kind));
		for (int dark = 0; dark < 2; dark++)
			for (unsigned shade = 0; shade < SHADES; shade++)
				buf_print(to, "%s\"#%06x\"%s", shade ? "," : ",[", colour_rgb(kind * SHADES + shade, dark),
				    shade == SHADES - 1 ? "]" : "");
		buf_char(to, ']');
	}
	buf_text(to, "],\n");
}

/* What the script must know that is not data. */
static void
json_settings(struct buf *to, const struct picture *picture, const struct amounts *amounts)
{
	buf_char(to, '{');
	json_kinds(to);
	json_member(to, "unit", amounts->unit);
	json_member(to, "search", picture->search ? picture->search : "");
	buf_print(to, "\"shades\":%d,\"recent\":%d,\"scale\":%" PRIu64 ",\"inverted\":%s}", SHADES, PACK_RECENT,
	    amounts->scale, picture->inverted ? "true" : "false");
}

/* The header as it came, so that the page gives the same profile back. */
static void
write_header(const struct header *header, struct out *out)
{
	struct buf line = { 0 };

	if (header->json)
		header_print(header, &line);
	out_text(out, "<script type=\"application/json\" id=\"header\">");
	/* Without '#' and newline. In JSON a '<' is only inside strings, where it may be written so. */
	for (size_t i = 1; i + 1 < line.length; i++)
		if (line.data[i] == '<')
			out_text(out, "\\u003c");
		else
			out_char(out, line.data[i]);
	out_text(out, "</script>\n");
	buf_release(&line);
}

static void
write_data(const struct tree *tree, const struct picture *picture, const struct amounts *amounts, struct out *out)
{
	struct buf settings = { 0 };
	struct pack pack;

	json_settings(&settings, picture, amounts);
	out_text(out, "<script type=\"application/json\" id=\"settings\">");
	out_add(out, settings.data, settings.length);
	out_text(out, "</script>\n");
	buf_release(&settings);
	write_header(&tree->fold->header, out);
	pack_open(&pack, tree);
	out_text(out, "<script type=\"text/plain\" id=\"names\">");
	pack_write_names(&pack, out);
	out_text(out, "</script>\n<script type=\"text/plain\" id=\"rows\">");
	pack_write_rows(&pack, out);
	out_text(out, "</script>\n");
	pack_close(&pack);
}

void
html_write(const struct tree *tree, const struct picture *picture, struct out *out)
{
	const struct header *header = &tree->fold->header;
	struct amounts amounts = amounts_of(header, tree->total);
	struct buf title = { 0 }, subtitle = { 0 }, words = { 0 };

	picture_title(picture, header, &words);
	markup_text(&title, words.data ? words.data : "", words.length);
	buf_clear(&words);
	picture_subtitle(picture, header, &amounts, &words);
	markup_text(&subtitle, words.data ? words.data : "", words.length);
	/* Nothing may be fetched, whatever the data says. */
	out_print(out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<link rel=\"icon\" href=\"data:,\">\n<title>%s</title>\n<style>\n",
	    title.data ? title.data : "");
	asset(out, &asset_page_css);
	out_print(out, "</style>\n</head>\n<body>\n<header>\n<div class=\"words\">\n<h1>%s</h1>\n<p>%s</p>\n</div>\n",
	    title.data ? title.data : "", subtitle.data ? subtitle.data : "");
	asset(out, &asset_page_html);
	write_data(tree, picture, &amounts, out);
	out_text(out, "<script>\n");
	asset(out, &asset_page_js);
	out_text(out, "</script>\n</body>\n</html>\n");
	buf_release(&title);
	buf_release(&subtitle);
	buf_release(&words);
}
