#include <string.h>

#include "render/assets.h"
#include "render/markup.h"
#include "render/svg_parts.h"

static void
add(struct buf *to, const struct asset *file)
{
	buf_add(to, file->start, (size_t)(file->end - file->start));
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
		buf_print(to, ".frames rect,.frames path{stroke:#%06x;stroke-width:.5}", picture->stroke);
	if (picture->has_sought)
		buf_print(to, ".frames .match,.frames.sought .match{fill:#%06x}.frames rect.match+text{fill:#%06x}", picture->sought,
		    colour_text_on(picture->sought));
	if (picture->has_ui)
		buf_print(to, ".soft,.legend text,.bar output{fill:#%06x;color:#%06x}", picture->ui, picture->ui);
	if (svg->tree->pairs)
		buf_text(to, ".new:not(.match){fill:url(#new)}.gone:not(.match){fill:url(#gone)}");
}

static void
scheme_style(struct svg *svg, bool dark)
{
	for (unsigned i = 0; i < COLOUR_END; i++)
		if (svg->used[i])
			buf_print(&svg->text, ".k%u{fill:#%06x}", i, colour_rgb(i, dark));
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

void
svg_style(struct svg *svg)
{
	struct buf *to = &svg->text;

	buf_text(to, "<style>\n");
	add(to, &asset_svg_css);
	scheme_style(svg, false);
	asked_style(svg);
	/* A background that was asked for is there whatever the scheme, and so is what is legible on it. */
	if (!svg->picture->has_background) {
		buf_text(to, "\n@media (prefers-color-scheme:dark){\n");
		add(to, &asset_svg_dark_css);
		scheme_style(svg, true);
		asked_style(svg);
		buf_text(to, "\n}");
	}
	buf_text(to, "\n</style>\n");
	write_definitions(svg);
}
