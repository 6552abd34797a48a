/* gp-merge: add profiles. */
#include "base/opt.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "fold/label.h"

static const char *output;
static bool gzip, no_header;
static struct folded_options reading;
static struct opt_texts labels;

static const struct opt options[] = {
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, complete or not at all" },
	{ 'z', "gzip", NULL, OPT_SWITCH, &gzip, "compress the output" },
	{ 0, "label", "KEY=VALUE", OPT_LIST, &labels, "put a label on all stacks; may be repeated" },
	{ 0, "by-file", NULL, OPT_SWITCH, &reading.by_file, "label the stacks of each file with its name" },
	{ 0, "strict", NULL, OPT_SWITCH, &reading.strict, "stop at the first line that cannot be read" },
	{ 0, "force", NULL, OPT_SWITCH, &reading.force, "add different units and periods all the same" },
	{ 0, "no-header", NULL, OPT_SWITCH, &no_header, "leave the header line out" },
	{ 0 },
};

static const struct command command = {
	.summary = "add profiles in folded form",
	.operands = "[file ...]",
	.options = options,
	.examples = {
		{ "One profile of a day, from compressed parts", "gp-merge -o day.folded hour-*.folded.gz" },
		{ "Two hosts side by side in one picture", "gp-merge --by-file web1.folded web2.folded | gp-flame >webs.svg" },
		{ "Say where a profile comes from", "gp-record -a -d 10 | gp-merge --label host=web1 >web1.folded" },
	},
};

/* What the merged profile says of itself. */
static void
sign(struct header *header)
{
	header_set_number(header, "gp", 1);
	header_set_text(header, "tool", warn_program());
	header_set_text(header, "version", GP_VERSION);
}

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv), status = 1;
	struct fold fold;
	struct out *out;

	for (size_t i = 0; i < labels.count; i++)
		if (!label_is_well_formed(labels.text[i]))
			opt_misuse(&command, "--label takes KEY=VALUE with a KEY of a-z and _, not '%s'", labels.text[i]);
	reading.labels = labels.text;
	reading.label_count = labels.count;
	opt_require_input(&command, argc - first);
	stop_with_input();
	fold_init(&fold);
	if (folded_read(&fold, argv + first, argc - first, &reading) == 0 && (out = out_open(output, gzip))) {
		sign(&fold.header);
		folded_write(&fold, out, no_header);
		status = out_close(out) < 0;
	}
	fold_release(&fold);
	return status;
}
