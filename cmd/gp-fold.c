/* gp-fold: what others recorded, as folded text. */
#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/out.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "fold/import_page.h"
#include "record/replay.h"
#include "source/perf_data.h"
#include "symbol/source_lines.h"

static const char *output, *event_name, *by, *unwind = "auto";
static bool gzip, user_only, kernel_only, addresses, lines, no_header;
static uint64_t max_depth = 4096;

static const struct opt options[] = {
	{ 'e', "event", "NAME", OPT_TEXT, &event_name, "of several events this one (the first)" },
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, complete or not at all" },
	{ 'z', "gzip", NULL, OPT_SWITCH, &gzip, "compress the output" },
	{ 0, "by", "KEYS", OPT_TEXT, &by, "label frames: host,pid,tid,thread,cpu,time=100ms" },
	{ 0, "user-only", NULL, OPT_SWITCH, &user_only, "leave the kernel's frames out" },
	{ 0, "kernel-only", NULL, OPT_SWITCH, &kernel_only, "leave the frames of user space out" },
	{ 0, "unwind", "auto|cfi|fp", OPT_TEXT, &unwind, "how to walk stacks that were copied" },
	{ 0, "max-depth", "N", OPT_NUMBER, &max_depth, "user frames taken at most (4096)" },
	{ 0, "addresses", NULL, OPT_SWITCH, &addresses, "where no symbol is: [libfoo.so+0x1234]" },
	{ 0, "lines", NULL, OPT_SWITCH, &lines, "name (file:line), and calls that were inlined, by debug information" },
	{ 0, "no-header", NULL, OPT_SWITCH, &no_header, "leave the header line out" },
	{ 0 },
};

static const struct command command = {
	.summary = "fold what others recorded: perf.data",
	.operands = "[file]",
	.options = options,
	.examples = {
		{ "A picture of what perf recorded", "gp-fold perf.data | gp-flame >perf.svg" },
		{ "Without a file between",
		    "perf record -o - -a --call-graph dwarf -- sleep 10 | gp-fold | gp-flame >m.svg" },
		{ "Another event of the same file", "gp-fold -e page-faults perf.data >faults.folded" },
	},
};

static struct labels labels;

static void
check_options(int operands)
{
	char *wrong;

	if (operands > 1)
		opt_misuse(&command, "one file at a time; gp-merge adds what comes out");
	if (user_only && kernel_only)
		opt_misuse(&command, "--user-only and --kernel-only leave nothing together");
	if (lines && source_lines_lack())
		tell("--lines does nothing: %s", source_lines_lack());
	if (max_depth < 1 || max_depth > 65536)
		opt_misuse(&command, "--max-depth takes 1 to 65536");
	if (by && (wrong = labels_parse(&labels, by)))
		opt_misuse(&command, "%s", wrong);
	for (size_t i = 0; i < labels.count; i++)
		if (labels.list[i] == LABEL_CGROUP)
			opt_misuse(&command, "--by cgroup: a perf.data does not say which cgroup a task was in");
	opt_require_input(&command, operands);
}

static int
fold_perf_data(struct input *input, struct fold *fold)
{
	return replay_perf_data(fold, input, &(struct replay_options){
	    .tool = "gp-fold",
	    .event = event_name,
	    .unwind = strcmp(unwind, "fp") == 0 ? WALK_FP : strcmp(unwind, "cfi") == 0 ? WALK_CFI : WALK_AUTO,
	    .max_depth = (uint32_t)max_depth,
	    .user_only = user_only,
	    .kernel_only = kernel_only,
	    .addresses = addresses,
	    .lines = lines,
	    .allow_bpf = !getenv("GP_NO_BPF"),
	    .labels = labels,
	});
}

/* Text may begin with a mark that it is of two bytes a character; otherwise a NUL is none of its. */
static bool
may_be_text(const char *head, size_t size)
{
	return !memchr(head, '\0', size) || (size >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 ||
		   memcmp(head, "\xfe\xff", 2) == 0));
}

static int
fold_text(struct input *input, struct fold *fold)
{
	const struct folded_options strict = { .strict = true };

	if (event_name || by || user_only || kernel_only || addresses || lines)
		return warn("%s is no perf.data: --event, --by, --user-only, --kernel-only, --addresses and --lines ask for one",
		    input_name(input));
	if (folded_read_member(fold, input, &strict) < 0)
		return warn("%s is no folded text, no perf.data and no page: what perf script printed is not read, its perf.data is",
		    input_name(input));
	return 0;
}

/* A page may hold several profiles: a stream of them then, each ended by a line "#". Written are whole pages. */
static int
fold_page(struct input *input, struct fold *first, struct out *out)
{
	struct import_page page;
	struct fold *folds = NULL;
	size_t count = 0, room = 0;
	int more = import_page_open(&page, input);

	while (more >= 0) {
		mem_grow(&folds, count, &room);
		fold_init(&folds[count]);
		more = import_page_next(&page, &folds[count]);
		if (more <= 0) {
			fold_release(&folds[count]);
			break;
		}
		count++;
	}
	if (more == 0 && count == 1) {
		fold_release(first);
		*first = folds[0];
		count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		if (more == 0) {
			folded_write(&folds[i], out, no_header);
			out_text(out, "#\n");
		}
		fold_release(&folds[i]);
	}
	free(folds);
	import_page_close(&page);
	return more;
}

/* What it is, its first bytes tell. */
static int
fold_member(struct input *input, struct fold *fold, struct out *out)
{
	char head[INPUT_PEEK_MAX];
	ssize_t size = input_peek(input, head, sizeof head);

	if (size < 0)
		return -1;
	switch (perf_data_kind(head, (size_t)size)) {
	case PERF_DATA_YES:
		return fold_perf_data(input, fold);
	case PERF_DATA_FOREIGN:
		return warn("%s is a perf.data of a big-endian machine, or of before Linux 3.0: neither is read here",
		    input_name(input));
	case PERF_DATA_NOT:
		break;
	}
	if (size == 0)
		return warn("%s is empty", input_name(input));
	if (import_page_is(head, (size_t)size))
		return fold_page(input, fold, out);
	if (!may_be_text(head, (size_t)size))
		return warn("%s is neither perf.data nor folded text nor a page of gp-flame, which is what gp-fold reads", input_name(input));
	return fold_text(input, fold);
}

static int
fold_input(struct input *input, struct fold *fold, struct out *out)
{
	int more;

	if (!input)
		return -1;
	more = input_next_member(input);
	if (more == 0)
		return warn("%s is an archive without files", input_name(input));
	if (more < 0 || fold_member(input, fold, out) < 0)
		return -1;
	more = input_next_member(input);
	return more > 0 ? warn("%s is one of several files: gp-fold takes one at a time", input_name(input)) : more;
}

static struct input *
open_input(const char *name)
{
	struct stat st;

	if (stat(name, &st) < 0 || !S_ISDIR(st.st_mode))
		return input_open(name);
	warn("%s is a directory: what perf record --threads writes is not read here", name);
	return NULL;
}

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv), status = 1;
	struct input *input;
	struct fold fold;
	struct out *out;

	check_options(argc - first);
	stop_with_input();
	folded_expect(output);
	out = out_open(output, gzip);
	if (!out)
		return 1;
	input = open_input(argv[first] ? argv[first] : "-");
	fold_init(&fold);
	if (fold_input(input, &fold, out) < 0) {
		out_abandon(out);
	} else {
		folded_write(&fold, out, no_header);
		status = out_close(out) < 0;
	}
	input_close(input);
	fold_release(&fold);
	return status;
}
