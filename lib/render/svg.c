#include <inttypes.h>
#include <string.h>

#include "base/warn.h"
#include "render/assets.h"
#include "render/markup.h"
#include "render/svg.h"

/* All in pixels, as the script knows them too (it is told by data- attributes). */
#define MARGIN 16
#define ROW 18	      /* from box to box */
#define BOX 17	      /* a box's height */
#define TEXT_INSET 4  /* from a box's edge to its text */
#define TEXT_DROP 12.5 /* from a box's top to its baseline */
#define COLUMN 7.25   /* of 12 px monospaced fonts: the widest in use is 0.602 em */
#define LETTER 6.4    /* of 11 px legend text, on the safe side */
#define SWATCH 15
#define CONTROLS 250  /* room of the search field */
#define HUNDRED 100   /* positions are exact to a hundredth of a pixel, so that edges meet */
#define FLUSH ((size_t)64 << 10)

static const char style[] =
    "svg{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\"DejaVu Sans\",sans-serif;"
    "font-size:12px}"
    "svg{background:#fbfaf8}text{fill:#1f2328}.page{fill:#fbfaf8}.title{font-size:17px;font-weight:600}.soft{fill:#5c6370}"
    ".legend text{font-size:11px;fill:#5c6370}"
    ".frames{cursor:pointer}.frames rect{rx:2px}.frames rect:hover{stroke:#1f2328;stroke-width:1}"
    ".frames text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
    "\"Liberation Mono\",monospace;pointer-events:none;white-space:pre}"
    ".frames .above{opacity:.55}.frames.sought rect{opacity:.45}.frames.sought .match{fill:#ee7cf7;opacity:1}"
    ".controls{font-size:12px}.controls text{cursor:pointer;fill:#5c6370}.controls text:hover{text-decoration:underline}"
    ".controls input{box-sizing:border-box;width:100%;height:24px;padding:0 8px;border:1px solid #cfcdc7;"
    "border-radius:6px;background:#fff;color:#1f2328;font:12px ui-monospace,Menlo,Consolas,monospace}"
    ".controls input:invalid{border-color:#c2362b}";

/* What a dark page changes; the boxes' colours follow. */
static const char dark_style[] =
    "svg{background:#17191d}text{fill:#f3f2ee}.page{fill:#17191d}.soft,.legend text,.controls text{fill:#a3a9b4}"
    ".frames rect:hover{stroke:#f3f2ee}.frames.sought .match{fill:#a526b8}"
    ".controls input{border-color:#40454e;background:#1f2227;color:#f3f2ee}";

struct svg {
	const struct tree *tree;
	const struct picture *picture;
	struct amounts amounts;
	struct out *out;
	struct buf text;
	double inner;	   /* width of the root's box */
	double top;	   /* of the boxes */
	uint32_t deepest;  /* depth of what is drawn */
	bool used[COLOUR_COUNT], in_legend[KIND_COUNT];
};

static void
pass_on(struct svg *svg)
{
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

	if (box->depth > svg->deepest)
		svg->deepest = box->depth;
	look = picture_look(svg->tree->fold, box);
	svg->used[look.colour] = true;
	svg->in_legend[look.kind] |= box->kind == BOX_FRAME;
}

static void
box_title(struct svg *svg, const struct box *box, const struct box_look *look)
{
	struct buf *to = &svg->text;

	buf_text(to, "<title>");
	markup_text(to, look->name, look->length < NAME_SHOWN_MAX ? look->length : NAME_SHOWN_MAX);
	buf_char(to, '\n');
	if (box->kind == BOX_SMALL) {
		amount_group(box->small, to);
		buf_print(to, " small frame%s, ", box->small == 1 ? "" : "s");
	} else if (box->kind == BOX_FRAME) {
		buf_print(to, "%s, ", frame_kind_title(look->kind));
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
	buf_text(to, "</title>");
}

static void
draw(void *context, const struct box *box)
{
	struct svg *svg = context;
	struct buf *to = &svg->text;
	struct box_look look = picture_look(svg->tree->fold, box);
	uint64_t x = place(svg, box->left), width = place(svg, box->left + box->total) - x;
	uint32_t row = svg->picture->inverted ? box->depth : svg->deepest - box->depth;
	double y = svg->top + (double)row * ROW, columns = ((double)width / HUNDRED - 2 * TEXT_INSET) / COLUMN;

	buf_print(to, "<rect class=\"k%u\" x=\"", look.colour);
	hundredths(to, x + MARGIN * HUNDRED);
	buf_print(to, "\" y=\"%.0f\" width=\"", y);
	hundredths(to, width);
	buf_print(to, "\" height=\"%d\" data-l=\"", BOX);
	buf_number(to, box->left);
	buf_text(to, "\" data-t=\"");
	buf_number(to, box->total);
	buf_text(to, "\">");
	box_title(svg, box, &look);
	buf_text(to, "</rect>\n");
	if (columns >= 3) {
		buf_text(to, "<text x=\"");
		hundredths(to, x + (MARGIN + TEXT_INSET) * HUNDRED);
		buf_print(to, "\" y=\"%.1f\">", y + TEXT_DROP);
		markup_fit(to, look.name, look.length, (size_t)columns);
		buf_text(to, "</text>\n");
	}
	if (to->length > FLUSH)
		pass_on(svg);
}

static void
write_style(struct svg *svg)
{
	struct buf *to = &svg->text;

	buf_print(to, "<style>\n%s\n", style);
	for (unsigned i = 0; i < COLOUR_COUNT; i++)
		if (svg->used[i])
			buf_print(to, ".k%u{fill:#%06x}", i, colour_rgb(i, false));
	buf_print(to, "\n@media (prefers-color-scheme:dark){\n%s\n", dark_style);
	for (unsigned i = 0; i < COLOUR_COUNT; i++)
		if (svg->used[i])
			buf_print(to, ".k%u{fill:#%06x}", i, colour_rgb(i, true));
	buf_text(to, "\n}\n</style>\n");
}

/* One swatch for each kind there is, wrapped; returns where the next thing may begin. With !write it only
 * measures. */
static double
legend(struct svg *svg, double y, bool write)
{
	double x = MARGIN, right = MARGIN + svg->inner;
	bool any = false;

	for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
		const char *title = frame_kind_title(kind);
		double width = SWATCH + LETTER * (double)strlen(title) + 10;
		unsigned shade = 0;

		while (svg->in_legend[kind] && !svg->used[kind * SHADES + shade])
			shade++;
		if (!svg->in_legend[kind])
			continue;
		if (any && x + width > right) {
			x = MARGIN;
			y += 16;
		}
		if (write)
			buf_print(&svg->text,
			    "<rect class=\"k%u\" x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"2\"/>"
			    "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			    kind * SHADES + shade, x, y - 9, x + SWATCH, y, title);
		x += width;
		any = true;
	}
	return any ? y + 12 : y - 8;
}

/* A line of the head, cut where the search field begins or at the margin. */
static void
head_line(struct svg *svg, const char *class, double y, double letter, const struct buf *words, bool is_full)
{
	double room = svg->inner - (is_full ? 0 : CONTROLS);

	buf_print(&svg->text, "<text class=\"%s\" x=\"%d\" y=\"%.0f\">", class, MARGIN, y);
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
	    "<g class=\"frames\" data-x=\"%d\" data-width=\"%.0f\" data-total=\"%" PRIu64 "\" data-column=\"%.2f\" "
	    "data-inset=\"%d\" data-drop=\"%.1f\" data-search=\"",
	    MARGIN, svg->inner, svg->tree->total, COLUMN, TEXT_INSET, TEXT_DROP);
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
	    MARGIN + svg->inner / 2, y);
}

static void
tell_cut(const struct svg *svg, const struct tree_cut *cut)
{
	struct buf words = { 0 };

	if (!cut->frames)
		return;
	amount_group(cut->frames, &words);
	buf_print(&words, " frame%s narrower than --minwidth: ", cut->frames == 1 ? "" : "s");
	amount_share(&svg->amounts, cut->gathered, &words);
	buf_text(&words, " in boxes [small], ");
	amount_share(&svg->amounts, cut->lost, &words);
	buf_text(&words, " not drawn");
	tell("%s", words.data);
	buf_release(&words);
}

void
svg_write(const struct tree *tree, const struct picture *picture, struct out *out)
{
	struct svg svg = {
		.tree = tree,
		.picture = picture,
		.out = out,
		.amounts = amounts_of(&tree->fold->header, tree->total),
		.inner = picture->width > 4 * MARGIN ? (double)picture->width - 2 * MARGIN : 2 * MARGIN,
	};
	uint64_t least = picture_least(picture, tree->total, svg.inner);
	struct buf title = { 0 }, subtitle = { 0 };
	struct tree_cut cut = { 0 };
	bool is_narrow = svg.inner < 2 * CONTROLS; /* the controls then have a line of their own */
	double y = is_narrow ? 68 : 34, height, rows;

	picture_title(picture, &tree->fold->header, &title);
	picture_subtitle(picture, &tree->fold->header, &svg.amounts, &subtitle);
	if (tree->total)
		tree_walk(tree, least, measure, &svg, &cut);
	svg.top = legend(&svg, y + 40, false);
	rows = tree->total ? (double)svg.deepest + 1 : 5;
	height = svg.top + rows * ROW + 34;
	buf_print(&svg.text,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
	    "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
	    svg.inner + 2 * MARGIN, height, svg.inner + 2 * MARGIN, height);
	markup_text(&svg.text, title.data ? title.data : "", title.length);
	buf_text(&svg.text, "</title>\n");
	write_style(&svg);
	buf_text(&svg.text, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	head_line(&svg, "title", y, 10.5, &title, is_narrow);
	head_line(&svg, "soft", y + 20, 6.6, &subtitle, is_narrow);
	buf_text(&svg.text, "<g class=\"legend\">\n");
	legend(&svg, y + 40, true);
	buf_text(&svg.text, "</g>\n");
	if (tree->total)
		write_frames(&svg, least, &cut);
	else
		write_empty(&svg, svg.top + 2.5 * ROW);
	buf_print(&svg.text, "<g class=\"controls\" data-right=\"%.0f\"></g>\n", MARGIN + svg.inner);
	buf_print(&svg.text, "<text class=\"details soft\" x=\"%d\" y=\"%.0f\"></text>\n", MARGIN, height - 14);
	buf_print(&svg.text, "<text class=\"matched soft\" x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\"></text>\n",
	    MARGIN + svg.inner, height - 14);
	if (tree->total)
		write_script(&svg);
	buf_text(&svg.text, "</svg>\n");
	pass_on(&svg);
	tell_cut(&svg, &cut);
	buf_release(&svg.text);
	buf_release(&title);
	buf_release(&subtitle);
}
