/* gp-flame: draw profiles. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/edit.h"
#include "fold/folded.h"
#include "fold/period.h"
#include "render/dialects.h"
#include "render/html.h"
#include "render/svg.h"
#include "render/text.h"

/* Where --cp keeps colours, as the references do. */
#define PALETTE_FILE "palette.map"

static const char *output, *narrowest, *colours, *background, *sought, *stroke, *interface, *attributes, *total;
static const char *order, *layout, *delta;
static uint64_t width = UINT64_MAX; /* not given */
static bool page, beside, separate, as_text, by_hash, by_fnv, by_chance, keeps, chart, unsorted, diffusion, cuts_right;
static struct opt_texts links, times;
static struct period *periods;
static struct opt_texts focus, ignore, hide, show_from, collapse;
static struct edit edit;
static struct folded_options reading;
static struct picture picture = { .narrowest = 0.1 };
static const struct dialect *dialect; /* NULL: our own */

static const struct opt options[] = {
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, a page if it ends in .html" },
	{ 0, "html", NULL, OPT_SWITCH, &page, "write a page with all frames instead of an SVG" },
	{ 0, "csp", NULL, OPT_SWITCH, &beside, "script and style of the page in files beside it, nothing inline" },
	{ 0, "link", "TEMPLATE", OPT_LIST, &links, "open sources: https://host/{file}#L{line}; {name}, {module}" },
	{ 0, "separate", NULL, OPT_SWITCH, &separate, "a tab of the page for each file instead of their sum" },
	{ 0, "text", NULL, OPT_SWITCH, &as_text, "print in the terminal, as wide as it is" },
	{ 0, "time", "FROM..TO", OPT_LIST, &times, "only these seconds of the label time" },
	{ 0, "title", "TEXT", OPT_TEXT, &picture.title, "title; the default is what the header knows" },
	{ 0, "subtitle", "TEXT", OPT_TEXT, &picture.subtitle, "the line below it" },
	{ 0, "notes", "TEXT", OPT_TEXT, &picture.notes, "description kept in the SVG; the header's notes" },
	{ 0, "countname", "TEXT", OPT_TEXT, &picture.unit, "what is counted; the header's unit" },
	{ 0, "nametype", "TEXT", OPT_TEXT, &picture.name_type, "said before a name: Function:" },
	{ 0, "width", "PIXELS", OPT_NUMBER, &width, "width of the SVG (1200), columns of --text" },
	{ 0, "height", "PIXELS", OPT_NUMBER, &picture.row, "height of a frame" },
	{ 0, "minwidth", "WIDTH", OPT_TEXT, &narrowest, "gather what is narrower: 0.1px (the default) or 0.1%" },
	{ 0, "inverted", NULL, OPT_SWITCH, &picture.inverted, "draw from the top downwards" },
	{ 0, "reverse", NULL, OPT_SWITCH, &edit.reverse, "callers above callees: leaves first" },
	{ 0, "order", "name|weight|input", OPT_TEXT, &order, "how callees follow each other (name)" },
	{ 0, "flamechart", NULL, OPT_SWITCH, &chart, "left to right by time: label or input" },
	{ 0, "no-sort", NULL, OPT_SWITCH, &unsorted, "the same as --order input" },
	{ 0, "focus", "REGEX", OPT_LIST, &focus, "only stacks with such a frame" },
	{ 0, "ignore", "REGEX", OPT_LIST, &ignore, "no stacks with such a frame" },
	{ 0, "show-from", "REGEX", OPT_LIST, &show_from, "stacks from such a frame on" },
	{ 0, "hide", "REGEX", OPT_LIST, &hide, "without such frames" },
	{ 0, "collapse", "REGEX", OPT_LIST, &collapse, "runs of such frames as one" },
	{ 0, "merge-recursion", NULL, OPT_SWITCH, &edit.merge_recursion, "direct recursion as one frame" },
	{ 0, "depth", "N", OPT_NUMBER, &edit.depth, "no more than N frames of a stack" },
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
	{ 0, "total", "N", OPT_TEXT, &total, "the width of the picture is worth N" },
	{ 0, "factor", "N", OPT_REAL, &picture.factor, "print values times N" },
	{ 0, "fonttype", "FONT", OPT_TEXT, &picture.font, "font of the words" },
	{ 0, "fontsize", "PIXELS", OPT_REAL, &picture.font_size, "size of names (12)" },
	{ 0, "fontwidth", "RATIO", OPT_REAL, &picture.font_width, "width of a character in font sizes (0.604)" },
	{ 0, "truncate-text-right", NULL, OPT_SWITCH, &cuts_right, "long names lose their end: the default" },
	{ 0, "truncate-text-left", NULL, OPT_SWITCH, &picture.cuts_left, "long names lose their beginning" },
	{ 0, "encoding", "NAME", OPT_TEXT, &picture.encoding, "of the SVG (UTF-8)" },
	{ 0, "pretty-xml", NULL, OPT_SWITCH, &picture.indented, "indent the SVG" },
	{ 0, "no-javascript", NULL, OPT_SWITCH, &picture.no_script, "an SVG without script" },
	{ 0, "strict", NULL, OPT_SWITCH, &reading.strict, "stop at the first line that cannot be read" },
	{ 0, "force", NULL, OPT_SWITCH, &reading.force, "add different units and periods all the same" },
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
	size_t length = path ? strlen(path) : 0;

	return length > 5 && strcmp(path + length - 5, ".html") == 0;
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
		picture_colours(&known);
		opt_misuse(&command, "no colours '%s'; there are %s", colours, known.data);
	}
	edit.chain = colours && strcmp(colours, "chain") == 0;
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
	picture.leaves_small = true;
	if (!picture.title || !*picture.title)
		picture.title = chart ? "Flame Chart" : picture.inverted ? "Icicle Graph" : "Flame Graph";
}

static void
check_page(void)
{
	page = page || ends_in_html(output);
	if (!page && (separate || links.count || beside))
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

	if (dialect)
		speak();
	if (narrowest && picture_set_narrowest(&picture, narrowest) < 0)
		opt_misuse(&command, "--minwidth takes a width such as 0.1px or 0.1%%, not '%s'", narrowest);
	picture.width = width == UINT64_MAX && !as_text ? 1200 : width == UINT64_MAX ? 0 : width;
	if (width != UINT64_MAX && (width < (as_text ? 10 : 100) || width > PICTURE_WIDTH_MAX))
		opt_misuse(&command, "--width takes %d to %d", as_text ? 10 : 100, PICTURE_WIDTH_MAX);
	if (picture.row > PICTURE_SIZE_MAX || picture.font_size > PICTURE_SIZE_MAX || picture.font_width > PICTURE_SIZE_MAX)
		opt_misuse(&command, "--height, --fontsize and --fontwidth take up to %d", PICTURE_SIZE_MAX);
	if (picture.encoding && (!*picture.encoding || strspn(picture.encoding, letters) != strlen(picture.encoding)))
		opt_misuse(&command, "--encoding takes a name such as UTF-8, not '%s'", picture.encoding);
	if (chart && (edit.reverse || unsorted))
		opt_misuse(&command, "--flamechart goes with neither --reverse nor --no-sort");
	if (as_text && (page || ends_in_html(output)))
		opt_misuse(&command, "--text and a page: one of them");
	picture.cuts_left = picture.cuts_left && !cuts_right;
	check_page();
	periods = mem_alloc((times.count + 1) * sizeof *periods);
	for (size_t i = 0; i < times.count; i++)
		if (period_parse(&periods[i], times.text[i]) < 0)
			opt_misuse(&command, "--time takes seconds such as 10..20, not '%s'", times.text[i]);
	set_colours();
}

/* --total, in the profile's own unit. */
static void
set_total(struct tree *tree)
{
	double scale = (double)header_number(&tree->fold->header, "scale", 1), value;
	char *end;

	if (!total)
		return;
	value = strtod(total, &end) * scale;
	if (*end || !(value > 0) || value >= 0x1p63)
		opt_misuse(&command, "--total takes a number, not '%s'", total);
	if (value >= (double)tree->total)
		tree->total = (uint64_t)value;
	else if (value > 0.02 * (double)tree->total)
		tell("--total %s is less than what there is, left out", total);
}

static int
read_all(struct fold *fold, struct tree *tree, char *const operands[], int count)
{
	static struct nameattr names;
	enum tree_order by = chart ? ORDER_TIME : unsorted ? ORDER_INPUT : ORDER_NAME;
	enum tree_layout column = layout && *layout == 'n' ? LAYOUT_NEW : layout && *layout == 'b' ? LAYOUT_BASE : LAYOUT_UNION;
	const char *kind;

	if (order)
		by = chart || *order == 'n' ? by : *order == 'w' ? ORDER_WEIGHT : ORDER_INPUT;
	edit.focus = (struct edit_list){ focus.text, focus.count };
	edit.ignore = (struct edit_list){ ignore.text, ignore.count };
	edit.hide = (struct edit_list){ hide.text, hide.count };
	edit.show_from = (struct edit_list){ show_from.text, show_from.count };
	edit.collapse = (struct edit_list){ collapse.text, collapse.count };
	reading.each_line = chart;
	if (attributes && nameattr_read(&names, attributes) < 0)
		return -1;
	picture.attributes = attributes ? &names : NULL;
	if (keeps && palette_read(&picture.palette, PALETTE_FILE) < 0)
		return -1;
	if (folded_read(fold, operands, count, &reading) < 0)
		return -1;
	if (times.count)
		period_keep(fold, periods, times.count);
	if (edit_apply(&edit, fold) < 0)
		return -1;
	/* A ratio's width is its denominator. */
	kind = header_text(&fold->header, "kind");
	if (kind && strcmp(kind, "ratio") == 0 && !layout)
		column = LAYOUT_BASE;
	if (tree_open(tree, fold, by, column) < 0)
		return -1;
	tree->keeps_places |= picture.leaves_small;
	set_total(tree);
	return 0;
}

/* flamegraph.pl draws a picture that says so also of what it could not read. */
static int
fail(struct fold *fold, struct tree *tree)
{
	if (dialect != &dialect_flamegraph)
		return -1;
	fold_release(fold);
	fold_init(fold);
	return tree_open(tree, fold, ORDER_NAME, LAYOUT_UNION);
}

/* Operands as one profile, or each one as its own. */
struct profiles {
	struct fold *folds;
	struct tree *trees;
	char **titles;
	size_t count; /* of those that are open */
};

static int
write_page(const struct profiles *profiles, struct out *out)
{
	char *script = NULL, *style = NULL;
	struct html html = { .trees = profiles->trees, .titles = (const char *const *)profiles->titles,
		.count = profiles->count, .links = links.text, .link_count = links.count };
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

/* What a profile's tab is called: its file, without folders and what says how it is written. */
static char *
tab_title(const char *operand)
{
	const char *slash = strrchr(operand, '/'), *name = slash && slash[1] ? slash + 1 : operand;
	size_t length = strcspn(name, ".");

	return mem_print("%.*s", (int)(length ? length : strlen(name)), name);
}

static int
read_profiles(struct profiles *profiles, char *const operands[], int count)
{
	size_t wanted = separate && count > 1 ? (size_t)count : 1;

	profiles->folds = mem_alloc(wanted * sizeof *profiles->folds);
	profiles->trees = mem_alloc(wanted * sizeof *profiles->trees);
	profiles->titles = mem_alloc(wanted * sizeof *profiles->titles);
	for (size_t i = 0; i < wanted; i++) {
		fold_init(&profiles->folds[i]);
		profiles->titles[i] = wanted > 1 ? tab_title(operands[i]) : mem_print("%s", "");
		profiles->count++;
		if (read_all(&profiles->folds[i], &profiles->trees[i], wanted > 1 ? operands + i : operands, wanted > 1 ? 1 : count) < 0)
			return fail(&profiles->folds[i], &profiles->trees[i]);
	}
	return 0;
}

static void
release_profiles(struct profiles *profiles)
{
	for (size_t i = 0; i < profiles->count; i++) {
		tree_close(&profiles->trees[i]);
		fold_release(&profiles->folds[i]);
		free(profiles->titles[i]);
	}
	free(profiles->trees);
	free(profiles->folds);
	free(profiles->titles);
}

/* The exit status. */
static int
draw(const struct profiles *profiles)
{
	struct out *out = out_open(output, false);
	bool is_empty = true;
	int result = 0;

	if (!out)
		return 1;
	if (as_text)
		text_write(profiles->trees, &picture, out, !output && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
	else if (page)
		result = write_page(profiles, out);
	else
		svg_write(profiles->trees, &picture, out);
	for (size_t i = 0; i < profiles->count; i++)
		is_empty = is_empty && !profiles->trees[i].total;
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
	struct profiles profiles = { 0 };
	int first, status = 1;

	dialect = dialect_translate(dialects, &argc, &argv);
	first = opt_parse(&command, argc, argv);
	check_options();
	opt_require_input(&command, argc - first);
	stop_with_input();
	if (read_profiles(&profiles, argv + first, argc - first) == 0)
		status = draw(&profiles);
	release_profiles(&profiles);
	palette_release(&picture.palette);
	free(links.text);
	free(times.text);
	free(periods);
	return status;
}
