/* gp-view: look at profiles in the terminal. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/warn.h"
#include "fold/match.h"
#include "view/view.h"

static struct opt_texts focus, ignore, show_from, hide, collapse, times;
static bool merge_recursion, reverse;
static const char *order;
static struct period *periods;
static struct view_options view;

static const struct opt options[] = {
	{ 0, "focus", "REGEX", OPT_LIST, &focus, "only stacks with such a frame" },
	{ 0, "ignore", "REGEX", OPT_LIST, &ignore, "no stacks with such a frame" },
	{ 0, "show-from", "REGEX", OPT_LIST, &show_from, "stacks from such a frame on" },
	{ 0, "hide", "REGEX", OPT_LIST, &hide, "without such frames" },
	{ 0, "collapse", "REGEX", OPT_LIST, &collapse, "runs of such frames as one" },
	{ 0, "merge-recursion", NULL, OPT_SWITCH, &merge_recursion, "direct recursion as one frame" },
	{ 0, "reverse", NULL, OPT_SWITCH, &reverse, "callers above callees: leaves first" },
	{ 0, "order", "name|weight", OPT_TEXT, &order, "how callees follow each other (name)" },
	{ 0, "search", "REGEX", OPT_TEXT, &view.search, "begin with this search" },
	{ 0, "time", "FROM..TO", OPT_LIST, &times, "only these seconds of the label time" },
	{ 0, "strict", NULL, OPT_SWITCH, &view.reading.strict, "stop at the first line that cannot be read" },
	{ 0, "force", NULL, OPT_SWITCH, &view.reading.force, "add different units and periods all the same" },
	{ 0 },
};

static const struct command command = {
	.summary = "look at profiles in the terminal, with keys",
	.operands = "[file ...]",
	.options = options,
	.examples = {
		{ "What a profile says", "gp-view web1.folded" },
		{ "Ten seconds of this machine, looked at without a file", "gp-record -a -d 10 | gp-view" },
		{ "A minute of this machine, second by second", "gp-record -a -d 60 --every 1s -o - | gp-view" },
	},
};

/* The options' steps, each of which can be taken back as those of the keys. */
static int
add_steps(void)
{
	static const struct {
		const struct opt_texts *texts;
		enum step_kind kind;
	} lists[] = { { &focus, STEP_FOCUS }, { &ignore, STEP_IGNORE }, { &show_from, STEP_SHOW_FROM },
		{ &hide, STEP_HIDE }, { &collapse, STEP_COLLAPSE } };
	const struct intern none = { 0 };

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t t = 0; t < lists[i].texts->count; t++) {
			/* Better said now than on a screen that goes away. */
			if (match_names(&none, lists[i].texts->text[t], false, NULL, 0) < 0)
				return -1;
			steps_add(&view.steps, lists[i].kind, lists[i].texts->text[t]);
		}
	if (merge_recursion)
		steps_add(&view.steps, STEP_MERGE_RECURSION, "");
	if (reverse)
		steps_add(&view.steps, STEP_REVERSE, "");
	return view.search ? match_names(&none, view.search, false, NULL, 0) : 0;
}

static void
check_options(void)
{
	periods = mem_alloc((times.count + 1) * sizeof *periods);
	for (size_t i = 0; i < times.count; i++)
		if (period_parse(&periods[i], times.text[i]) < 0)
			opt_misuse(&command, "--time takes seconds such as 10..20, not '%s'", times.text[i]);
	view.periods = periods;
	view.period_count = times.count;
	view.order = order && *order == 'w' ? ORDER_WEIGHT : ORDER_NAME;
}

/* As the signal that ended the keys would have ended us. */
static int
end_by(int number)
{
	signal(number, SIG_DFL);
	raise(number);
	return 128 + number;
}

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv), count = argc - first, number = 0, status = 1;
	bool follows = !count || (count == 1 && strcmp(argv[first], "-") == 0);
	struct fold *fold = NULL;

	check_options();
	opt_require_input(&command, count);
	if (follows && isatty(STDIN_FILENO))
		die("standard input is the terminal, where keys come from: name a file");
	if (add_steps() == 0) {
		if (!follows) {
			fold = mem_alloc(sizeof *fold);
			fold_init(fold);
		}
		if (follows || folded_read(fold, argv + first, count, &view.reading) == 0) {
			status = view_run(&view, fold, &number) < 0;
		} else {
			fold_release(fold);
			free(fold);
		}
	}
	free(periods);
	return number ? end_by(number) : status;
}
