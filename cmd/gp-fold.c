/* gp-fold: what others recorded, as folded text. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/out.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "record/notes.h"
#include "record/recording.h"
#include "source/perf_data.h"

static const char *output, *event_name, *by, *unwind = "auto";
static bool gzip, user_only, kernel_only, addresses, no_header;
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
	{ 0, "no-header", NULL, OPT_SWITCH, &no_header, "leave the header line out" },
	{ 0 },
};

static const struct command command = {
	.summary = "fold what others recorded: perf.data",
	.operands = "[file]",
	.options = options,
	.examples = {
		{ "A picture of what perf recorded", "gp-fold perf.data | gp-flame >perf.svg" },
		{ "Without a file between", "perf record -o - -a --call-graph dwarf -- sleep 10 | gp-fold | gp-flame >m.svg" },
		{ "Another event of the same file", "gp-fold -e page-faults perf.data >faults.folded" },
	},
};

static struct labels labels;

static void
check_options(int operands)
{
	if (operands > 1)
		opt_misuse(&command, "one file at a time; gp-merge adds what comes out");
	if (user_only && kernel_only)
		opt_misuse(&command, "--user-only and --kernel-only leave nothing together");
	if (max_depth < 1 || max_depth > 65536)
		opt_misuse(&command, "--max-depth takes 1 to 65536");
	if (by && labels_parse(&labels, by) < 0)
		opt_misuse(&command, "--by takes KEY,KEY,…");
	for (size_t i = 0; i < labels.count; i++)
		if (labels.list[i] == LABEL_CGROUP)
			opt_misuse(&command, "--by cgroup: a perf.data does not say which cgroup a task was in");
	opt_require_input(&command, operands);
}

/* --- which event */

static bool
is_dummy(const struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_DUMMY;
}

/* The name as it is, or without the modifiers that perf puts behind it ("cycles:ppp"). */
static bool
is_called(const struct perf_event *event, const char *name)
{
	const char *colon = strrchr(event->name, ':');
	size_t length = strlen(name);

	return strcmp(event->name, name) == 0 ||
	    (colon && (size_t)(colon - event->name) == length && strncmp(event->name, name, length) == 0);
}

/* All but one, blanks between; free() it. */
static char *
event_names(const struct perf_data_header *header, size_t except)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < header->event_count; i++)
		if (i != except && !is_dummy(&header->events[i]))
			buf_print(&names, "%s%s", names.length ? " " : "", header->events[i].name);
	return names.data;
}

static int
choose_event(struct perf_data *data, const char *file, size_t *chosen)
{
	const struct perf_data_header *header = perf_data_header(data);
	char *others;

	for (*chosen = 0; *chosen < header->event_count; ++*chosen) {
		const struct perf_event *event = &header->events[*chosen];

		if (event_name ? is_called(event, event_name) : !is_dummy(event))
			break;
	}
	others = event_names(header, *chosen);
	if (*chosen == header->event_count) {
		if (event_name)
			warn("%s has no event %s; there are: %s", file, event_name, others ? others : "none");
		else
			warn("%s has no event that samples", file);
		free(others);
		return -1;
	}
	if (others && !event_name)
		tell("folding %s; there are also %s (-e NAME folds another)", header->events[*chosen].name, others);
	free(others);
	perf_data_choose(data, *chosen);
	return 0;
}

/* --- the recording */

/* Registers are numbered and unwound as those of this machine. */
static int
check_machine(const struct perf_data_header *header, const struct perf_event *event, const char *file)
{
	bool same = !header->arch || strcmp(header->arch, "x86_64") == 0 || header->arch[0] == 'i';

	if (same || !(event->attr.sample_type & PERF_SAMPLE_REGS_USER))
		return 0;
	return warn("%s was recorded on %s: its copies of stacks cannot be walked on x86_64, those of perf record -g can",
	    file, header->arch);
}

static struct recording *
open_recording(const struct perf_data_header *header, bool is_clock, bool kernel_is_ours)
{
	struct recording *recording = recording_open(&(struct recording_options){
	    .unwind = strcmp(unwind, "fp") == 0 ? WALK_FP : strcmp(unwind, "cfi") == 0 ? WALK_CFI : WALK_AUTO,
	    .max_depth = (uint32_t)max_depth,
	    .user_only = user_only,
	    .kernel_only = kernel_only,
	    .addresses = addresses,
	    .allow_bpf = !getenv("GP_NO_BPF"),
	    .weighted = !is_clock,
	    .replay = true,
	    .kernel_is_ours = kernel_is_ours,
	    .labels = labels,
	    .host = header->host ? header->host : "",
	});
	static const unsigned char no_build_id[20];
	struct modules *modules = recording_modules(recording);
	bool knows_vdso = false;

	for (size_t i = 0; i < header->build_id_count; i++) {
		const struct perf_build_id *build_id = &header->build_ids[i];

		modules_expect(modules, build_id->path, build_id->bytes, build_id->size);
		knows_vdso |= strcmp(build_id->path, "[vdso]") == 0;
	}
	if (!knows_vdso && !kernel_is_ours) /* another kernel's: ours is not the one that was mapped */
		modules_expect(modules, "[vdso]", no_build_id, sizeof no_build_id);
	return recording;
}

/* -1: the file is damaged (said), and what was read is no profile. */
static int
replay(struct perf_data *data, struct recording *recording, const char *file)
{
	struct record record;
	uint64_t samples = 0;
	int got;

	while ((got = perf_data_next(data, &record)) > 0) {
		recording_take(recording, &record);
		if (record.kind == RECORD_SAMPLE && ++samples % 4096 == 0)
			progress_show("%s: %llu samples", file, (unsigned long long)samples);
	}
	progress_clear();
	return got;
}

/* --- what can be said of it */

static void
note(struct header *header, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
note(struct header *header, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	header_add_to_list(header, "notes", text);
}

/* Files that are not what was recorded, or that nothing vouches for. */
static void
note_files(struct header *header, const struct modules *modules)
{
	struct buf changed = { 0 };
	size_t by_path = 0, different = 0;

	for (size_t i = 0; i < modules->count; i++) {
		const struct module *module = modules->list[i];

		by_path += module->by_path;
		if (module->elf || module->trouble != ESTALE)
			continue;
		if (different++ < 5)
			buf_print(&changed, "%s%s", changed.length ? " " : "", module->path);
	}
	if (by_path)
		note(header, "%zu file%s without a recorded build-id: named by what is at the path now", by_path,
		    by_path == 1 ? "" : "s");
	if (different) {
		buf_text(&changed, different > 5 ? " …" : "");
		note(header, "no names from %zu file%s no longer as recorded: %s", different, different == 1 ? "" : "s",
		    changed.data);
		tell("no names from %zu file%s no longer as recorded: %s", different, different == 1 ? "" : "s",
		    changed.data);
	}
	buf_release(&changed);
}

static void
note_file(struct header *header, const struct perf_data_end *end, const char *file)
{
	if (end->was_killed) {
		note(header, "perf record was killed: its last records and its list of build-ids are missing");
		warn("%s: perf record was killed; its last records and its list of build-ids are missing", file);
	}
	if (end->late)
		note(header, "%lu records out of order", end->late);
}

static uint64_t
wall_of(const struct perf_data_header *header, uint64_t time)
{
	return header->clock_wall && time ? header->clock_wall - header->clock_time + time : 0;
}

static int
fold_perf_data(struct input *input, struct fold *fold)
{
	const char *file = input_name(input), *doubt = NULL;
	struct perf_data *data = perf_data_open(input);
	const struct perf_data_header *header;
	const struct perf_event *event;
	struct recording *recording = NULL;
	struct recording_counts counts;
	struct notes notes;
	bool is_clock;
	size_t chosen;
	int result = -1;

	if (!data || choose_event(data, file, &chosen) < 0)
		goto out;
	header = perf_data_header(data);
	event = &header->events[chosen];
	if (check_machine(header, event, file) < 0)
		goto out;
	is_clock = event->attr.type == PERF_TYPE_SOFTWARE &&
	    (event->attr.config == PERF_COUNT_SW_CPU_CLOCK || event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
	doubt = perf_data_kernel_doubt(perf_data_kernel(data), header);
	recording = open_recording(header, is_clock, !doubt);
	if (replay(data, recording, file) < 0)
		goto out;

	recording_fold(recording, fold, &counts);
	event = &header->events[chosen];
	notes = (struct notes){
		.tool = "gp-fold",
		.target = header->command,
		.event = event->name,
		.host = header->host,
		.start = wall_of(header, perf_data_end(data)->first),
		.duration = perf_data_end(data)->last - perf_data_end(data)->first,
		.frequency = event->attr.freq ? event->attr.sample_freq : 0,
		.period = event->attr.freq ? 0 : event->attr.sample_period,
		.is_clock = is_clock,
		.cpus = header->cpus,
		.sees_kernel = !event->attr.exclude_kernel,
		.user_only = user_only,
		.kernel_only = kernel_only,
		.lost = counts.lost,
		.throttled = counts.throttled,
		.labels = &labels,
	};
	if (!doubt && notes.sees_kernel && !user_only && !perf_data_kernel_has_build_id(perf_data_kernel(data), header))
		note(&fold->header, "the kernel's build-id was not recorded: named by the running kernel");
	if (counts.kernel_foreign) {
		note(&fold->header, "kernel addresses not named: %s", doubt);
		tell("kernel addresses are not named: %s", doubt);
		counts.kernel_foreign = false;
	}
	notes_write(&fold->header, &notes, &counts);
	note_files(&fold->header, recording_modules(recording));
	note_file(&fold->header, perf_data_end(data), file);
	notes_tell(&notes, &counts);
	result = 0;
out:
	recording_close(recording);
	perf_data_close(data);
	return result;
}

/* --- what is it? */

static int
fold_input(struct input *input, struct fold *fold)
{
	const struct folded_options strict = { .strict = true };
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
	if (memchr(head, '\0', (size_t)size))
		return warn("%s is neither perf.data nor folded text, which is what gp-fold reads", input_name(input));
	if (folded_read_member(fold, input, &strict) < 0)
		return warn("%s is read as folded text, since it is no perf.data; gp-fold knows these two",
		    input_name(input));
	return 0;
}

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv);
	struct input *input;
	struct fold fold;
	struct out *out;

	check_options(argc - first);
	stop_with_input();
	out = out_open(output, gzip);
	if (!out)
		return 1;
	input = input_open(argv[first] ? argv[first] : "-");
	fold_init(&fold);
	if (!input || input_next_member(input) <= 0 || fold_input(input, &fold) < 0) {
		out_abandon(out);
		return 1;
	}
	folded_write(&fold, out, no_header);
	input_close(input);
	fold_release(&fold);
	return out_close(out) < 0;
}
