#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/warn.h"
#include "record/notes.h"
#include "record/recording.h"
#include "record/replay.h"
#include "source/perf_data.h"

/* Of files that are no longer as recorded so many are named. */
#define CHANGED_MAX 5

struct replay {
	const struct replay_options *options;
	const char *file;
	struct perf_data *data;
	const struct perf_data_header *header;
	size_t event;
	bool is_clock;	   /* samples are even in time and counted; else events are */
	const char *doubt; /* what speaks against naming kernel addresses; NULL: nothing */
	struct recording *recording;
};

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

/* A clock's samples are even in time; other events are counted. */
static bool
is_clock(const struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	    (event->attr.config == PERF_COUNT_SW_CPU_CLOCK || event->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static int
no_event(const struct replay *replay)
{
	char *names = event_names(replay->header, SIZE_MAX);

	if (replay->options->event)
		warn("%s has no event %s; there are: %s", replay->file, replay->options->event, names ? names : "none");
	else
		warn("%s has no event that samples", replay->file);
	free(names);
	return -1;
}

static int
choose_event(struct replay *replay)
{
	const struct perf_event *events = replay->header->events;
	const char *wanted = replay->options->event;
	size_t i = 0, count = replay->header->event_count;
	char *others;

	while (i < count && (wanted ? !is_called(&events[i], wanted) : is_dummy(&events[i])))
		i++;
	if (i == count)
		return no_event(replay);
	others = event_names(replay->header, i);
	if (others && !wanted)
		tell("folding %s; there are also %s (-e NAME folds another)", events[i].name, others);
	free(others);
	perf_data_choose(replay->data, i);
	replay->event = i;
	replay->is_clock = is_clock(&events[i]);
	return 0;
}

/* --- the recording */

/* Registers are numbered and unwound as those of this machine. */
static int
check_machine(const struct replay *replay)
{
	const char *arch = replay->header->arch;

	if (!arch || strcmp(arch, "x86_64") == 0 || arch[0] == 'i' ||
	    !(replay->header->events[replay->event].attr.sample_type & PERF_SAMPLE_REGS_USER))
		return 0;
	return warn("%s was recorded on %s: its copies of stacks cannot be walked on x86_64, chains of perf record "
		    "-g can", replay->file, arch);
}

static void
expect_files(const struct replay *replay)
{
	static const unsigned char none[20];
	const struct perf_data_header *header = replay->header;
	struct modules *modules = recording_modules(replay->recording);
	bool knows_vdso = false;

	for (size_t i = 0; i < header->build_id_count; i++) {
		const struct perf_build_id *build_id = &header->build_ids[i];

		modules_expect(modules, build_id->path, build_id->bytes, build_id->size);
		knows_vdso |= strcmp(build_id->path, "[vdso]") == 0;
	}
	if (!knows_vdso && perf_data_kernel_other(perf_data_kernel(replay->data), header))
		modules_expect(modules, "[vdso]", none, sizeof none);
}

static void
open_recording(struct replay *replay)
{
	const struct replay_options *options = replay->options;
	char here[256] = "";

	gethostname(here, sizeof here - 1);
	replay->doubt = perf_data_kernel_doubt(perf_data_kernel(replay->data), replay->header);
	replay->recording = recording_open(&(struct recording_options){
	    .unwind = options->unwind,
	    .max_depth = options->max_depth,
	    .user_only = options->user_only,
	    .kernel_only = options->kernel_only,
	    .addresses = options->addresses,
	    .lines = options->lines,
	    .allow_bpf = options->allow_bpf,
	    .weighted = !replay->is_clock,
	    .replay = true,
	    .foreign = !replay->header->host || strcmp(replay->header->host, here) != 0,
	    .kernel_is_ours = !replay->doubt,
	    .labels = options->labels,
	    .host = replay->header->host ? replay->header->host : "",
	});
	expect_files(replay);
}

/* -1: the file is damaged (said), and what was read is no profile. */
static int
take_records(struct replay *replay)
{
	struct record record;
	uint64_t samples = 0;
	int got;

	while ((got = perf_data_next(replay->data, &record)) > 0) {
		recording_take(replay->recording, &record);
		if (record.kind == RECORD_SAMPLE && ++samples % 4096 == 0)
			progress_show("%s: %llu samples", replay->file, (unsigned long long)samples);
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
		if (different++ < CHANGED_MAX)
			buf_print(&changed, "%s%s", changed.length ? " " : "", module->path);
	}
	if (by_path)
		note(header, "%zu file%s without a recorded build-id: named by what is at the path now", by_path,
		    by_path == 1 ? "" : "s");
	if (different) {
		buf_text(&changed, different > CHANGED_MAX ? " …" : "");
		note(header, "no names from %zu file%s no longer as recorded: %s", different, different == 1 ? "" : "s",
		    changed.data);
		tell("no names from %zu file%s no longer as recorded: %s", different, different == 1 ? "" : "s",
		    changed.data);
	}
	buf_release(&changed);
}

static void
note_kernel(struct header *header, const struct replay *replay, struct recording_counts *counts)
{
	bool named = !replay->doubt && !replay->options->user_only &&
	    !replay->header->events[replay->event].attr.exclude_kernel;

	if (named && !perf_data_kernel_has_build_id(perf_data_kernel(replay->data), replay->header))
		note(header, "the kernel's build-id was not recorded: named by the running kernel");
	if (!counts->kernel_foreign)
		return;
	note(header, "kernel addresses not named: %s", replay->doubt);
	tell("kernel addresses are not named: %s", replay->doubt);
	counts->kernel_foreign = false; /* said better */
}

static void
note_end(struct header *header, const struct replay *replay)
{
	const struct perf_data_end *end = perf_data_end(replay->data);

	if (end->was_killed) {
		note(header, "perf record was killed: its last records and its build-ids are missing");
		warn("%s: perf record was killed; its last records and its build-ids are missing", replay->file);
	}
	if (end->late)
		note(header, "%lu records out of order", end->late);
}

/* perf record -k tells an instant by both clocks. */
static uint64_t
wall_of(const struct perf_data_header *header, uint64_t time)
{
	return header->clock_wall && time ? header->clock_wall - header->clock_time + time : 0;
}

static void
write_header(struct replay *replay, struct header *header, struct recording_counts *counts)
{
	const struct perf_data_header *file = replay->header;
	const struct perf_event *event = &file->events[replay->event];
	const struct perf_data_end *end = perf_data_end(replay->data);
	struct notes notes = {
		.tool = replay->options->tool,
		.target = file->command,
		.event = event->name,
		.host = file->host,
		.start = wall_of(file, end->first),
		.duration = end->last - end->first,
		.frequency = event->attr.freq ? event->attr.sample_freq : 0,
		.period = event->attr.freq ? 0 : event->attr.sample_period,
		.is_clock = replay->is_clock,
		.cpus = file->cpus,
		.sees_kernel = !event->attr.exclude_kernel,
		.user_only = replay->options->user_only,
		.kernel_only = replay->options->kernel_only,
		.lost = counts->lost,
		.throttled = counts->throttled,
		.labels = &replay->options->labels,
	};

	note_kernel(header, replay, counts);
	if (counts->named_by_maps)
		note(header, "code that %llu program%s made: named by what is in /tmp now",
		    (unsigned long long)counts->named_by_maps, counts->named_by_maps == 1 ? "" : "s");
	note_files(header, recording_modules(replay->recording));
	note_end(header, replay);
	notes_write(header, &notes, counts);
	if (counts->samples)
		notes_tell(&notes, counts);
	else
		tell("%s has no samples of %s", replay->file, event->name);
}

int
replay_perf_data(struct fold *fold, struct input *input, const struct replay_options *options)
{
	struct replay replay = { .options = options, .file = input_name(input) };
	struct recording_counts counts;
	int result = -1;

	replay.data = perf_data_open(input);
	if (!replay.data)
		return -1;
	replay.header = perf_data_header(replay.data);
	if (choose_event(&replay) == 0 && check_machine(&replay) == 0) {
		open_recording(&replay);
		result = take_records(&replay);
	}
	if (result == 0) {
		recording_fold(replay.recording, fold, &counts);
		write_header(&replay, &fold->header, &counts);
	}
	recording_close(replay.recording);
	perf_data_close(replay.data);
	return result;
}
