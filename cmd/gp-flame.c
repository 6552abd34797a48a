/* gp-flame: draw profiles. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/stop.h"
#include "base/warn.h"
#include "render/dialects.h"
#include "render/html.h"
#include "render/svg.h"
#include "render/text.h"
#include "render/trees.h"

/* Where --cp keeps colours, as the references do. */
#define PALETTE_FILE "palette.map"

static const char *output, *narrowest, *colours, *background, *sought, *stroke, *interface, *attributes;
static const char *order, *layout, *delta;
static uint64_t width = UINT64_MAX; /* not given */
static bool page, beside, as_text, by_hash, by_fnv, by_chance, keeps, chart, unsorted, diffusion, cuts_right;
static struct opt_texts links, times;
static struct period *periods;
static struct opt_texts focus, ignore, hide, show_from, collapse;
static struct trees_options wanted = { .frames_max = 16000000, .reading.any_text = true };
static struct picture picture = { .narrowest = 0.1 };
static const struct dialect *dialect; /* NULL: our own */

static const struct opt options[] = {
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, a page if it ends in .html" },
	{ 0, "html", NULL, OPT_SWITCH, &page, "write a page with all frames instead of an SVG" },
	{ 0, "csp", NULL, OPT_SWITCH, &beside, "script and style of the page in files beside it, nothing inline" },
	{ 0, "link", "TEMPLATE", OPT_LIST, &links, "open sources: https://host/{file}#L{line}; {name}, {module}" },
	{ 0, "separate", NULL, OPT_SWITCH, &wanted.separate, "a tab of the page for each file instead of their sum" },
	{ 0, "text", NULL, OPT_SWITCH, &as_text, "print in the terminal, as wide as it is" },
	{ 0, "time", "FROM..TO", OPT_LIST, &times, "only these seconds of the label time" },
	{ 0, "title", "TEXT", OPT_TEXT, &picture.title, "title; the default is what the header knows" },
	{ 0, "subtitle", "TEXT", OPT_TEXT, &picture.subtitle, "the line below it" },
	{ 0, "notes", "TEXT", OPT_TEXT, &picture.notes, "description kept in the SVG; the header's notes" },
	{ 0, "countname", "TEXT", OPT_TEXT, &picture.unit, "what is counted; the header's unit" },
	{ 0, "nametype", "TEXT", OPT_TEXT, &picture.name_type, "said before a name: Function:" },
	{ 0, "width", "PIXELS", OPT_NUMBER, &width, "width of the SVG (the window's), columns of --text" },
	{ 0, "height", "PIXELS", OPT_NUMBER, &picture.row, "height of a frame" },
	{ 0, "minwidth", "WIDTH", OPT_TEXT, &narrowest, "gather what is narrower: 0.1px (the default) or 0.1%" },
	{ 0, "max-frames", "N", OPT_NUMBER, &wanted.frames_max, "the smallest frames beyond N go to [small] (16000000)" },
	{ 0, "inverted", NULL, OPT_SWITCH, &picture.inverted, "draw from the top downwards" },
	{ 0, "reverse", NULL, OPT_SWITCH, &wanted.edit.reverse, "callers above callees: leaves first" },
	{ 0, "order", "name|weight|input", OPT_TEXT, &order, "how callees follow each other (name)" },
	{ 0, "flamechart", NULL, OPT_SWITCH, &chart, "left to right by time: label or input" },
	{ 0, "no-sort", NULL, OPT_SWITCH, &unsorted, "the same as --order input" },
	{ 0, "focus", "REGEX", OPT_LIST, &focus, "only stacks with such a frame" },
	{ 0, "ignore", "REGEX", OPT_LIST, &ignore, "no stacks with such a frame" },
	{ 0, "show-from", "REGEX", OPT_LIST, &show_from, "stacks from such a frame on" },
	{ 0, "hide", "REGEX", OPT_LIST, &hide, "without such frames" },
	{ 0, "collapse", "REGEX", OPT_LIST, &collapse, "runs of such frames as one" },
	{ 0, "merge-recursion", NULL, OPT_SWITCH, &wanted.edit.merge_recursion, "direct recursion as one frame" },
	{ 0, "depth", "N", OPT_NUMBER, &wanted.edit.depth, "no more than N frames of a stack" },
	{ 0, "colors", "COLORS", OPT_TEXT, &colours, "kind (the default), module, package, hot, java ..." },
	{ 0, "color", "COLORS", OPT_TEXT, &colours, "the same as --colors" },
	{ 0, "hash", NULL, OPT_SWITCH, &by_hash, "colour by a name's first and last characters" },
	{ 0, "deterministic", NULL, OPT_SWITCH, &by_fnv, "colour by all of a name" },
	{ 0, "random", NULL, OPT_SWITCH, &by_chance, "colour by chance" },
	{ 0, "cp", NULL, OPT_SWITCH, &keeps, "keep colours in ./palette.map" },
	{ 0, "colordiffusion", NULL, OPT_SWITCH, &diffusion, "colour by width" },
	{ 0, "bgcolors", "COLOR", OPT_TEXT, &background, "yellow, blue, green, grey or #rrggbb" },
	{ 0, "search-color", "COLOR", OPT_TEXT, &sought, "of what a search finds: #rrggbb" },
	{ 0, "stroke-color", "COLOR", OPT_TEXT, &stroke, "round every frame: #rrggbb or none" },
	{ 0, "uicolor", "COLOR", OPT_TEXT, &interface, "of the words around: #rrggbb" },
	{ 0, "delta", "total|self|points", OPT_TEXT, &delta, "what change colours a diff (total)" },
	{ 0, "negate", NULL, OPT_SWITCH, &picture.negate, "swap the colours of less and more" },
	{ 0, "layout", "union|new|base", OPT_TEXT, &layout, "which column is the width (union)" },
	{ 0, "search", "REGEX", OPT_TEXT, &picture.search, "begin with this search" },
	{ 0, "nameattr", "FILE", OPT_TEXT, &attributes, "links and titles of names" },
	{ 0, "total", "N", OPT_REAL, &wanted.total, "the width of the picture is worth N" },
	{ 0, "factor", "N", OPT_REAL, &picture.factor, "print values times N" },
	{ 0, "fonttype", "FONT", OPT_TEXT, &picture.font, "font of the words" },
	{ 0, "fontsize", "PIXELS", OPT_REAL, &picture.font_size, "size of names (12)" },
	{ 0, "fontwidth", "RATIO", OPT_REAL, &picture.font_width, "width of a character in font sizes (0.604)" },
	{ 0, "truncate-text-right", NULL, OPT_SWITCH, &cuts_right, "long names lose their end: the default" },
	{ 0, "truncate-text-left", NULL, OPT_SWITCH, &picture.cuts_left, "long names lose their beginning" },
	{ 0, "encoding", "NAME", OPT_TEXT, &picture.encoding, "of the SVG (UTF-8)" },
	{ 0, "pretty-xml", NULL, OPT_SWITCH, &picture.indented, "indent the SVG" },
	{ 0, "no-javascript", NULL, OPT_SWITCH, &picture.no_script, "an SVG without script" },
	{ 0, "strict", NULL, OPT_SWITCH, &wanted.reading.strict, "stop at the first line that cannot be read" },
	{ 0, "force", NULL, OPT_SWITCH, &wanted.reading.force, "add different units and periods all the same" },
	{ 0 },
};

static const struct command command = {
	.summary = "draw folded stacks as a flame graph",
	.operands = "[file ...]",
	.options = options,
	.examples = {
		{ "Where the CPU time of this machine goes", "gp-record -a -d 10 | gp-flame >flame.svg" },
		{ "All frames in a page that works offline", "gp-flame -o flame.html web1.folded" },
		{ "Two machines in one picture", "gp-flame web1.folded.gz web2.folded.gz >webs.svg" },
	},
};

static bool
ends_in_html(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	return dot > path && strcmp(dot, ".html") == 0;
}

static void
set_colour(const char *name, const char *text, bool *is_set, uint32_t *rgb)
{
	if (!text)
		return;
	*is_set = strcmp(text, "none") != 0;
	if (*is_set && palette_hex(text, rgb) < 0)
		opt_misuse(&command, "%s takes a colour such as #cc0066, not '%s'", name, text);
}

static void
set_colours(void)
{
	struct palette *palette = &picture.palette;
	struct buf known = { 0 };

	palette->is_inferno = dialect == &dialect_inferno;
	palette->values = by_hash ? VALUES_HASH :
	    by_fnv		  ? VALUES_FNV :
	    by_chance		  ? VALUES_RANDOM :
	    palette->is_inferno	  ? VALUES_SEQUENCE :
				    VALUES_SUM;
	if (!colours && (by_hash || by_fnv || by_chance || keeps))
		colours = "hot";
	if (colours && picture_set_colours(&picture, colours) < 0) {
		picture_colours(&picture, &known);
		opt_misuse(&command, "no colours '%s'; there are %s", colours, known.data);
	}
	wanted.edit.chain = colours && strcmp(colours, "chain") == 0;
	if (diffusion)
		picture.colours = COLOURS_DIFFUSION;
	if (background || dialect) {
		picture.has_background = true;
		if (palette_background(palette, background, picture.background) < 0)
			opt_misuse(&command, "--bgcolors takes yellow, blue, green, grey or #rrggbb, not '%s'", background);
	}
	set_colour("--search-color", sought, &picture.has_sought, &picture.sought);
	set_colour("--stroke-color", stroke, &picture.has_stroke, &picture.stroke);
	set_colour("--uicolor", interface, &picture.has_ui, &picture.ui);
	picture.change_by = !delta || *delta == 't' ? CHANGE_TOTAL : *delta == 's' ? CHANGE_SELF : CHANGE_POINTS;
}

/* Under a reference's name the picture has its margins, its title, and no boxes that it has not. */
static void
speak(void)
{
	picture.margin = 10;
	picture.is_reference = picture.leaves_small = true;
	if (!picture.title || !*picture.title)
		picture.title = chart ? "Flame Chart" : picture.inverted ? "Icicle Graph" : "Flame Graph";
}

static void
check_page(void)
{
	page = page || ends_in_html(output);
	if (as_text && page)
		opt_misuse(&command, "--text and a page: one of them");
	if (!page && (wanted.separate || links.count || beside))
		opt_misuse(&command, "--separate, --link and --csp are for pages: --html, or -o NAME.html");
	if (beside && !ends_in_html(output))
		opt_misuse(&command, "--csp puts files beside the page: -o NAME.html");
	for (size_t i = 0; i < links.count; i++)
		if (!html_link_is_safe(links.text[i]))
			opt_misuse(&command, "--link takes http:, https: and editors' addresses, not '%s'", links.text[i]);
}

static void
check_options(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	unsigned least_width = dialect ? 0 : as_text ? 10 : 100;

	if (dialect)
		speak();
	if (narrowest && picture_set_narrowest(&picture, narrowest) < 0)
		opt_misuse(&command, "--minwidth takes a width such as 0.1px or 0.1%%, not '%s'", narrowest);
	picture.is_fluid = width == UINT64_MAX;
	picture.width = width != UINT64_MAX ? width : as_text ? 0 : 1200;
	if (width != UINT64_MAX && (width < least_width || width > PICTURE_WIDTH_MAX))
		opt_misuse(&command, "--width takes %u to %d", least_width, PICTURE_WIDTH_MAX);
	if (picture.row > PICTURE_SIZE_MAX || picture.font_size > PICTURE_SIZE_MAX || picture.font_width > PICTURE_SIZE_MAX)
		opt_misuse(&command, "--height, --fontsize and --fontwidth take up to %d", PICTURE_SIZE_MAX);
	if (picture.encoding && (!*picture.encoding || strspn(picture.encoding, letters) != strlen(picture.encoding)))
		opt_misuse(&command, "--encoding takes a name such as UTF-8, not '%s'", picture.encoding);
	if (chart && dialect != &dialect_flamegraph && (wanted.edit.reverse || unsorted))
		opt_misuse(&command, "--flamechart goes with neither --reverse nor --no-sort");
	picture.cuts_left = picture.cuts_left && !cuts_right;
	check_page();
	wanted.periods = periods = mem_alloc((times.count + 1) * sizeof *periods);
	for (size_t i = 0; i < times.count; i++)
		if (period_parse(&periods[i], times.text[i]) < 0)
			opt_misuse(&command, "--time takes seconds such as 10..20, not '%s'", times.text[i]);
	wanted.period_count = times.count;
	set_colours();
}

static void
set_reading(void)
{
	bool sorted = unsorted && dialect == &dialect_inferno;

	wanted.edit.focus = (struct edit_list){ focus.text, focus.count };
	wanted.edit.ignore = (struct edit_list){ ignore.text, ignore.count };
	wanted.edit.hide = (struct edit_list){ hide.text, hide.count };
	wanted.edit.show_from = (struct edit_list){ show_from.text, show_from.count };
	wanted.edit.collapse = (struct edit_list){ collapse.text, collapse.count };
	wanted.edit.show_from_last = dialect == &dialect_inferno;
	wanted.order = chart ? ORDER_TIME : order && *order == 'w' ? ORDER_WEIGHT :
	    (unsorted && !sorted) || (order && *order == 'i') ? ORDER_INPUT : ORDER_NAME;
	wanted.has_layout = layout;
	wanted.layout = layout && *layout == 'n' ? LAYOUT_NEW : layout && *layout == 'b' ? LAYOUT_BASE : LAYOUT_UNION;
	wanted.is_sorted = sorted;
	wanted.reading.each_line = chart || sorted;
}

/* The files beside the picture that it is drawn by. */
static int
read_aids(void)
{
	static struct nameattr names;

	if (attributes && nameattr_read(&names, attributes) < 0)
		return -1;
	picture.attributes = attributes ? &names : NULL;
	return keeps ? palette_read(&picture.palette, PALETTE_FILE) : 0;
}

static int
write_page(const struct trees *trees, struct out *out)
{
	char *script = NULL, *style = NULL;
	struct html html = { .trees = trees->list, .titles = (const char *const *)trees->titles,
		.count = trees->count, .links = links.text, .link_count = links.count };
	int result = 0;

	if (beside)
		result = html_write_beside(output, &script, &style);
	html.script = script;
	html.style = style;
	html_write(&html, &picture, out);
	free(script);
	free(style);
	return result;
}

/* The exit status. */
static int
draw(const struct trees *trees)
{
	struct out *out = out_open(output, false);
	bool is_empty = trees_are_empty(trees);
	int result = 0;

	if (!out)
		return 1;
	for (size_t i = 0; i < trees->count; i++)
		trees->list[i].keeps_places |= picture.leaves_small;
	if (as_text)
		text_write(trees->list, &picture, out, !output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
	else if (page)
		result = write_page(trees, out);
	else
		svg_write(trees->list, &picture, out);
	if (is_empty)
		warn("no stacks with a count: the picture says so and nothing else");
	if (out_close(out) < 0 || result < 0 || (keeps && palette_write(&picture.palette, PALETTE_FILE) < 0))
		return 1;
	return !is_empty ? 0 : dialect == &dialect_flamegraph ? 2 : 1;
}

int
main(int argc, char *argv[])
{
	static const struct dialect *const dialects[] = { &dialect_flamegraph, &dialect_inferno, NULL };
	struct trees trees = { 0 };
	int first, status = 1;

	dialect = dialect_translate(dialects, &argc, &argv);
	first = opt_parse(&command, argc, argv);
	check_options();
	set_reading();
	opt_require_input(&command, argc - first);
	stop_with_input();
	if (read_aids() == 0 && trees_open(&trees, &wanted, argv + first, argc - first) == 0)
		status = draw(&trees);
	else if (dialect == &dialect_flamegraph)
		/* It draws a picture that says so also of what it could not read. */
		status = draw(trees_empty(&trees));
	trees_close(&trees);
	palette_release(&picture.palette);
	return status;
}
