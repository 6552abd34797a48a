#include <inttypes.h>
#include <string.h>

#include "render/markup.h"
#include "render/pack.h"
#include "render/settings.h"

static void
json_text(struct buf *to, const char *text)
{
	markup_json(to, text, strlen(text));
}

static void
json_texts(struct buf *to, const char *key, const char *const *texts, size_t count)
{
	buf_print(to, "\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_char(to, ',');
		json_text(to, texts[i]);
	}
	buf_text(to, "],");
}

/* ["#ffc99d",...], colours that follow each other. */
static void
json_colours(struct buf *to, unsigned first, unsigned count, bool dark)
{
	for (unsigned i = 0; i < count; i++)
		buf_print(to, "%s\"#%06x\"", i ? "," : "[", colour_rgb(first + i, dark));
	buf_char(to, ']');
}

/* [title, suffix, light, dark, safe light, safe dark, the kind that is its runtime, the runtime's title] */
static void
json_kinds(struct buf *to)
{
	const char *title;

	buf_text(to, "\"kinds\":[");
	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		unsigned safe = colour_safe_first(kind), runtime = colour_runtime(kind, &title);

		buf_print(to, "%s[\"%s\",\"%s\",", kind ? ",\n" : "\n", frame_kind_title(kind), frame_kind_suffix(kind));
		for (int dark = 0; dark < 2; dark++) {
			json_colours(to, kind * SHADES, SHADES, dark);
			buf_char(to, ',');
		}
		for (int dark = 0; dark < 2; dark++) {
			json_colours(to, safe, SHADES, dark);
			buf_char(to, ',');
		}
		buf_print(to, "%u,\"%s\"]", runtime, title);
	}
	buf_text(to, "],\n");
}

/* Light and dark. */
static void
json_range(struct buf *to, const char *key, unsigned first, unsigned count)
{
	buf_print(to, "\"%s\":[", key);
	json_colours(to, first, count, false);
	buf_char(to, ',');
	json_colours(to, first, count, true);
	buf_text(to, "],");
}

/* Lists by tab. */
static void
json_tabs(const struct html *html, const struct picture *picture, struct buf *to)
{
	static const char *const layouts[] = { [LAYOUT_UNION] = "union", [LAYOUT_NEW] = "new", [LAYOUT_BASE] = "base" };

	json_texts(to, "tabs", html->titles, html->count);
	for (size_t i = 0; i < html->count; i++) {
		buf_text(to, i ? "," : "\"units\":[");
		json_text(to, picture_amounts(picture, &html->trees[i].fold->header, 0).unit);
	}
	for (size_t i = 0; i < html->count; i++)
		buf_print(to, "%s%" PRIu64, i ? "," : "],\"scales\":[", amounts_of(&html->trees[i].fold->header, 0).scale);
	for (size_t i = 0; i < html->count; i++)
		buf_print(to, "%s%d", i ? "," : "],\"columns\":[", html->trees[i].pairs ? 2 : 1);
	for (size_t i = 0; i < html->count; i++)
		buf_print(to, "%s\"%s\"", i ? "," : "],\"layouts\":[", layouts[html->trees[i].layout]);
	/* As asked for, or the sum. */
	for (size_t i = 0; i < html->count; i++)
		buf_print(to, "%s%" PRIu64, i ? "," : "],\"totals\":[", html->trees[i].pairs ? 0 : html->trees[i].total);
	/* What one sample is worth. */
	for (size_t i = 0; i < html->count; i++) {
		struct amounts amounts = amounts_of(&html->trees[i].fold->header, html->trees[i].total);

		buf_print(to, "%s%.17g", i ? "," : "],\"samples\":[",
		    changes_of(&html->trees[i], &amounts, CHANGE_TOTAL, false).sample);
	}
	buf_text(to, "],");
}

/* Titles and links that a file gives to names. */
static void
json_attributes(const struct nameattr *attributes, struct buf *to)
{
	buf_text(to, "\"attributes\":{");
	for (uint32_t i = 0; attributes && i < attributes->names.count; i++) {
		const struct nameattr_values *values = &attributes->values[i];

		buf_text(to, i ? ",\n" : "\n");
		markup_json(to, intern_name(&attributes->names, i), intern_length(&attributes->names, i));
		buf_text(to, ":[");
		json_text(to, values->value[ATTR_TITLE] ? values->value[ATTR_TITLE] : "");
		buf_char(to, ',');
		json_text(to, nameattr_has_link(values) ? values->value[ATTR_HREF] : "");
		buf_char(to, ']');
	}
	buf_text(to, "},\n");
}

static void
json_picture(struct picture *picture, struct buf *to)
{
	static const char *const deltas[] = { [CHANGE_TOTAL] = "total", [CHANGE_SELF] = "self", [CHANGE_POINTS] = "points" };
	const char *means;

	buf_print(to, "\"colours\":\"%s\",\"delta\":\"%s\",\"negate\":%s,\"isInferno\":%s,\"cutsLeft\":%s,\"factor\":%.17g,",
	    colouring_name(picture->colours), deltas[picture->change_by], picture->negate ? "true" : "false",
	    picture->palette.is_inferno ? "true" : "false", picture->cuts_left ? "true" : "false",
	    picture->factor > 0 ? picture->factor : 1);
	if (picture->has_sought)
		buf_print(to, "\"sought\":\"#%06x\",", picture->sought);
	if (picture->has_stroke)
		buf_print(to, "\"stroke\":\"#%06x\",", picture->stroke);
	if (picture->has_ui)
		buf_print(to, "\"ui\":\"#%06x\",", picture->ui);
	if (picture->has_background)
		buf_print(to, "\"background\":[\"#%06x\",\"#%06x\"],", picture->background[0], picture->background[1]);
	if (picture->colours == COLOURS_PALETTE)
		buf_print(to, "\"palette\":\"%s\",\"rootPaint\":\"#%06x\",", palette_name(&picture->palette),
		    palette_rgb(&picture->palette, "", 0, &means));
	json_attributes(picture->attributes, to);
	buf_text(to, "\"search\":");
	json_text(to, picture->search ? picture->search : "");
}

void
settings_write(const struct html *html, struct picture *picture, struct out *out)
{
	static const char *const orders[] = { [ORDER_NAME] = "name", [ORDER_WEIGHT] = "weight", [ORDER_INPUT] = "input",
		[ORDER_TIME] = "time" };
	struct buf to = { 0 };

	buf_char(&to, '{');
	json_kinds(&to);
	json_range(&to, "self", COLOUR_SELF, SHADES);
	json_range(&to, "change", COLOUR_CHANGE, COLOUR_CHANGES);
	json_tabs(html, picture, &to);
	json_texts(&to, "links", html->links, html->link_count);
	json_picture(picture, &to);
	buf_print(&to, ",\"order\":\"%s\",\"label\":%d,\"shades\":%d,\"hues\":%d,\"root\":%u,\"recent\":%d,\"inverted\":%s}",
	    orders[html->trees[0].order], KIND_LABEL, SHADES, KIND_HUES,
	    colour_of(KIND_MARK, "all", 3), PACK_RECENT, picture->inverted ? "true" : "false");
	out_text(out, "<script type=\"application/json\" id=\"settings\">");
	out_add(out, to.data, to.length);
	out_text(out, "</script>\n");
	buf_release(&to);
}
