/* gp-flame: draw profiles. */
#include <string.h>

#include "base/opt.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "render/html.h"
#include "render/svg.h"

static const char *output, *narrowest;
static bool page;
static struct folded_options reading;
static struct picture picture = { .width = 1200, .narrowest = 0.1 };

static const struct opt options[] = {
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, a page if it ends in .html" },
	{ 0, "html", NULL, OPT_SWITCH, &page, "write a page with all frames instead of an SVG" },
	{ 0, "title", "TEXT", OPT_TEXT, &picture.title, "title; the default is what the header knows" },
	{ 0, "subtitle", "TEXT", OPT_TEXT, &picture.subtitle, "the line below it" },
	{ 0, "width", "PIXELS", OPT_NUMBER, &picture.width, "width of the SVG (1200)" },
	{ 0, "minwidth", "WIDTH", OPT_TEXT, &narrowest, "gather what is narrower: 0.1px (the default) or 0.1%" },
	{ 0, "inverted", NULL, OPT_SWITCH, &picture.inverted, "draw from the top downwards" },
	{ 0, "search", "REGEX", OPT_TEXT, &picture.search, "begin with this search" },
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

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv);
	struct tree tree;
	struct fold fold;
	struct out *out;
	bool is_empty;

	if (narrowest && picture_set_narrowest(&picture, narrowest) < 0)
		opt_misuse(&command, "--minwidth takes a width such as 0.1px or 0.1%%, not '%s'", narrowest);
	if (picture.width < 100 || picture.width > PICTURE_WIDTH_MAX)
		opt_misuse(&command, "--width takes 100 to %d pixels", PICTURE_WIDTH_MAX);
	opt_require_input(&command, argc - first);
	stop_with_input();
	fold_init(&fold);
	if (folded_read(&fold, argv + first, argc - first, &reading) < 0 || tree_open(&tree, &fold, ORDER_NAME, LAYOUT_UNION) < 0)
		return 1;
	if (header_number(&fold.header, "columns", 1) == 2)
		tell("two columns: the second is drawn");
	out = out_open(output, false);
	if (!out)
		return 1;
	if (page || ends_in_html(output))
		html_write(&tree, &picture, out);
	else
		svg_write(&tree, &picture, out);
	is_empty = tree.total == 0;
	if (is_empty)
		warn("no stacks with a count: the picture says so and nothing else");
	tree_close(&tree);
	fold_release(&fold);
	return out_close(out) < 0 || is_empty;
}
