#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/frames.h"
#include "record/jit.h"
#include "record/kernel_code.h"
#include "record/kernel_modules.h"
#include "record/naming.h"
#include "record/processes.h"
#include "record/recording.h"
#include "record/rest.h"
#include "target/cgroup.h"
#include "target/container.h"

struct recording {
	struct recording_options options;
	struct processes processes;
	struct walker *walker;
	struct walk walk;
	struct frames frames;
	struct jits jits;
	struct kernel_code kernel_code;
	struct kernel_modules kernel_modules;
	struct stacks stacks;
	uint32_t *row; /* of the sample at hand */
	size_t row_room;
	uint64_t epoch; /* foldings so far: frames' numbers are good for one */
	uint32_t markers[WALK_NO_STACK + 1], no_mapping;
	char host[256];
	struct recording_counts counts;
	uint64_t was_cut;
	struct rest rest;
};

/* Why a stack is not whole, right after the process name. */
static const char *const marker_names[] = {
	[WALK_TRUNCATED] = "[truncated]",
	[WALK_TOO_DEEP] = "[truncated]",
	[WALK_NO_CFI] = "[unknown:no-cfi]",
	[WALK_NO_FILE] = "[unknown:no-file]",
	[WALK_JIT] = "[unknown:jit]",
	[WALK_NO_CODE] = "[unknown:no-mapping]",
	[WALK_BAD_STACK] = "[unknown:bad-stack]",
	[WALK_OTHER_STACK] = "[unknown:other-stack]",
	[WALK_32BIT] = "[unknown:32-bit]",
	[WALK_NO_STACK] = "[unknown:no-stack]",
};
/* A process is taken to be in the group where it was for so many nanoseconds of record time; and so many makers of one
 * that is gone, and theirs, are asked where they are. */
#define PLACE_NS 1000000000u
#define MAKERS_MAX 16
#define TOO_MANY "[unknown:too-many]"

static void
begin_epoch(struct recording *recording)
{
	recording->epoch++;
	for (size_t i = WALK_TRUNCATED; i <= WALK_NO_STACK; i++)
		recording->markers[i] = frames_text(&recording->frames, marker_names[i]);
	recording->no_mapping = recording->markers[WALK_NO_CODE];
	recording->frames.too_many = frames_text(&recording->frames, TOO_MANY);
	recording->frames.limit = recording->options.stacks_max ? recording->options.stacks_max : RECORDING_STACKS;
}

struct recording *
recording_open(const struct recording_options *options)
{
	struct recording *recording = mem_alloc(sizeof *recording);

	recording->options = *options;
	processes_init(&recording->processes, options->replay);
	recording->jits.replay = options->replay;
	recording->jits.foreign = options->foreign;
	recording->walker = walker_open(options->unwind, options->max_depth);
	if (options->host)
		snprintf(recording->host, sizeof recording->host, "%s", options->host);
	else
		gethostname(recording->host, sizeof recording->host - 1);
	recording->kernel_modules.path = options->modules;
	kernel_modules_look(&recording->kernel_modules);
	begin_epoch(recording);
	return recording;
}

void
recording_close(struct recording *recording)
{
	if (!recording)
		return;
	walker_close(recording->walker); /* keeps nothing of the modules, but looks at them */
	processes_release(&recording->processes);
	jit_release(&recording->jits);
	kernel_code_release(&recording->kernel_code);
	kernel_modules_release(&recording->kernel_modules);
	frames_release(&recording->frames);
	stacks_release(&recording->stacks);
	free(recording->walk.frames);
	free(recording->row);
	rest_release(&recording->rest);
	free(recording);
}

struct modules *
recording_modules(struct recording *recording)
{
	return &recording->processes.modules;
}

void
recording_name(struct recording *recording, uint32_t pid, const char *program)
{
	processes_name(&recording->processes, pid, program);
}

/* --- a sample becomes a row */

static uint32_t
label_text(struct recording *recording, enum label label, const char *value)
{
	char text[4096];

	snprintf(text, sizeof text, "%s=%s", label_name(label), value);
	return frames_text(&recording->frames, text);
}

static uint32_t
label_number(struct recording *recording, enum label label, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return label_text(recording, label, text);
}

static uint32_t
label_time(struct recording *recording, uint64_t time)
{
	uint64_t slice = recording->options.labels.slice_ns;
	uint64_t since = time > recording->options.start ? time - recording->options.start : 0;
	uint64_t ms = since / slice * slice / 1000000u;
	char text[40];

	snprintf(text, sizeof text, "%06llu.%03llu", (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000));
	return label_text(recording, LABEL_TIME, text);
}

static uint64_t
stamp_of(const struct recording *recording, const struct process *process)
{
	return recording->epoch << 32 | (process->generation + 1u);
}

/* Frames of an older name are no worse, those of another epoch are none. */
static bool
has_frames(const struct recording *recording, const struct process *process)
{
	return process->cached.stamp >> 32 == recording->epoch;
}

static bool
is_fresh(const struct recording *recording, const struct process *process, uint64_t time)
{
	return process->cached.stamp == stamp_of(recording, process) && time - process->cached.time < PLACE_NS;
}

/* The group or container that a process is in. Of one that is gone already it is where that was last, or its maker. */
static uint32_t
label_place(struct recording *recording, enum label label, const struct process *process)
{
	bool has_own = has_frames(recording, process);
	const struct process *last = has_own ? process : processes_maker(&recording->processes, process);
	struct buf text = { 0 };
	int failed = -1;
	uint32_t frame;

	/* The number of one that has ended may be another's. */
	if (!recording->options.replay && process->threads != UINT32_MAX)
		failed = label == LABEL_CGROUP ? cgroup_of(process->pid, &text) : container_of(process->pid, &text);
	if (failed && last && has_frames(recording, last))
		frame = label == LABEL_CGROUP ? last->cached.cgroup : last->cached.container;
	else
		frame = label_text(recording, label, failed ? "[unknown]" : text.data);
	buf_release(&text);
	return frame;
}

static void
refresh_one(struct recording *recording, struct process *process, uint64_t time)
{
	process->cached.name = frames_text(&recording->frames, process->name ? process->name : "");
	for (size_t i = 0; i < recording->options.labels.count; i++)
		switch (recording->options.labels.list[i]) {
		case LABEL_PID:
			process->cached.pid = label_number(recording, LABEL_PID, process->pid);
			break;
		case LABEL_CGROUP:
			process->cached.cgroup = label_place(recording, LABEL_CGROUP, process);
			break;
		case LABEL_CONTAINER:
			process->cached.container = label_place(recording, LABEL_CONTAINER, process);
			break;
		default:
			break;
		}
	process->cached.stamp = stamp_of(recording, process);
	process->cached.time = time;
}

/* What is asked for every sample of a process is kept with it until its name changes, or for a while, as it may be
 * moved to another group. Its makers come first: one that is gone is where they are. */
static void
refresh(struct recording *recording, struct process *process, uint64_t time)
{
	struct process *line[MAKERS_MAX];
	size_t count = 0;

	for (; process && count < MAKERS_MAX && !is_fresh(recording, process, time); count++) {
		line[count] = process;
		process = recording->options.labels.count ? processes_maker(&recording->processes, process) : NULL;
	}
	while (count > 0)
		refresh_one(recording, line[--count], time);
}

/* The kernel gives a task that is about to be no more the number -1. */
static uint32_t
label_of(struct recording *recording, enum label label, const struct process *process, const struct sample *sample)
{
	bool ends = label == LABEL_PID ? sample->pid == UINT32_MAX :
	    (label == LABEL_TID || label == LABEL_THREAD) && sample->tid == UINT32_MAX;

	if (ends)
		return label_text(recording, label, "[exit]");
	switch (label) {
	case LABEL_TIME:
		return label_time(recording, sample->time);
	case LABEL_HOST:
		return label_text(recording, label, recording->host);
	case LABEL_CGROUP:
		return process ? process->cached.cgroup : label_text(recording, label, "[unknown]");
	case LABEL_CONTAINER:
		return process ? process->cached.container : label_text(recording, label, "[unknown]");
	case LABEL_PID:
		return process ? process->cached.pid : label_number(recording, label, 0);
	case LABEL_TID:
		return label_number(recording, label, sample->tid);
	case LABEL_THREAD:
		return label_text(recording, label, process ?
		    processes_thread_name(&recording->processes, sample->pid, sample->tid) : "");
	case LABEL_CPU:
	case LABEL_COUNT:
		break;
	}
	return label_number(recording, LABEL_CPU, sample->cpu);
}

static void
row_reserve(struct recording *recording, size_t count)
{
	if (count <= recording->row_room)
		return;
	recording->row_room = count * 2;
	recording->row = mem_resize(recording->row, recording->row_room, sizeof *recording->row);
}

static uint32_t
user_frame(struct recording *recording, const struct process *process, const struct sample *sample,
    const struct frame *frame)
{
	uint64_t address = frame->vaddr;

	if (!frame->module)
		return recording->no_mapping;
	if (!jit_is_made(frame->module))
		return frames_user(&recording->frames, frame->module, frame->vaddr);
	if (frame->module->kind == MODULE_FILE) /* vaddr is an offset in the memfd; below the leaf the call is before pc */
		address = frame->pc - (frame != recording->walk.frames);
	return jit_frame(&recording->jits, &recording->frames, &recording->processes, process, sample->tid,
	    frame->module, address);
}

/* The user side: a marker if it is not whole, then its frames from the root. */
static size_t
add_user(struct recording *recording, struct process *process, const struct sample *sample, size_t n)
{
	struct maps *maps = processes_maps(&recording->processes, process, sample->tid, sample->time);
	struct walk *walk = &recording->walk;
	uint64_t value = recording->options.weighted ? sample->weight : 1;

	walker_walk(recording->walker, maps, sample, walk);
	if (walk->end == WALK_NO_CODE &&
	    processes_maps_again(&recording->processes, process, sample->tid, sample->time)) {
		maps = processes_maps(&recording->processes, process, sample->tid, sample->time);
		walker_walk(recording->walker, maps, sample, walk);
	}
	recording->was_cut = walk->end == WALK_TRUNCATED ? walk->missed : 0;
	if (recording->was_cut && recording->options.complete && !recording->options.replay &&
	    rest_walk(&recording->rest, recording->walker, maps, sample, walk))
		recording->counts.completed += value;
	if (walk->used_libunwind)
		recording->counts.by_libunwind += value;
	if (walk->guessed)
		recording->counts.guessed += value;
	if (walk->end == WALK_TOO_DEEP)
		recording->counts.too_deep += value;
	row_reserve(recording, n + walk->count + sample->kernel_count + 1);
	if (walk->end != WALK_ROOT)
		recording->row[n++] = recording->markers[walk->end];
	for (size_t i = walk->count; i-- > 0;) {
		const struct frame *frame = &walk->frames[i];

		recording->row[n++] = user_frame(recording, process, sample, frame);
	}
	return n;
}

static bool
has_user_side(const struct recording *recording, const struct sample *sample)
{
	if (sample->user == USER_NONE || recording->options.kernel_only)
		return false;
	/* Kernel workers that borrow a process (io_uring, vhost) show registers that were never used. */
	return sample->user == USER_CHAIN || sample->regs[R_RIP] || sample->regs[R_RSP];
}

/* Has it an address that was one too many? */
static bool
is_pooled(const struct recording *recording, size_t n)
{
	const struct frames *frames = &recording->frames;

	for (size_t i = 0; frames->count >= frames->limit && i < n; i++)
		if (recording->row[i] == frames->too_many)
			return true;
	return false;
}

/* Nothing new is kept from here on; names and labels a little longer. */
static void
limit_bytes(struct recording *recording)
{
	size_t most = recording->options.bytes_max ? recording->options.bytes_max : RECORDING_BYTES;
	size_t bytes = stacks_bytes(&recording->stacks) + frames_bytes(&recording->frames);

	if (bytes >= most)
		recording->frames.limit = 1;
	if (bytes >= most + most / 4)
		recording->frames.text_limit = 1;
}

/* Where no other stack is kept, a process still has its own line, as long as there is room for lines. */
static void
count_stack(struct recording *recording, size_t n, uint64_t value)
{
	size_t process = recording->options.labels.count;
	bool pooled = is_pooled(recording, n);

	limit_bytes(recording);
	recording->stacks.limit = recording->frames.limit;
	if (stacks_add(&recording->stacks, recording->row, n, value) == SIZE_MAX) {
		pooled = true;
		recording->row[process + 1] = recording->frames.too_many;
		for (size_t i = 0; recording->frames.text_limit && i <= process; i++)
			recording->row[i] = recording->frames.too_many;
		recording->stacks.limit = 0;
		stacks_add(&recording->stacks, recording->row, process + 2, value);
	}
	recording->counts.pooled += pooled ? value : 0;
}

static void
take_sample(struct recording *recording, const struct sample *sample)
{
	bool outside = sample->pid == 0, ending = sample->pid == UINT32_MAX;
	struct process *process = NULL;
	size_t n = 0;

	recording->was_cut = 0;
	row_reserve(recording, LABEL_COUNT + 2 + sample->kernel_count);
	if (!outside && !ending) {
		process = processes_of(&recording->processes, sample->pid, sample->tid, sample->time);
		refresh(recording, process, sample->time);
	}
	if (!recording->options.start)
		recording->options.start = sample->time;
	for (size_t i = 0; i < recording->options.labels.count; i++)
		recording->row[n++] = label_of(recording, recording->options.labels.list[i], process, sample);
	recording->row[n++] = process ? process->cached.name :
	    frames_text(&recording->frames, ending ? "[exit]" : NAMING_OTHER_NAMESPACE);
	if (process && has_user_side(recording, sample))
		n = add_user(recording, process, sample, n);
	if (!recording->options.user_only)
		for (size_t i = sample->kernel_count; i-- > 0;)
			/* All but the leaf are return addresses: the call is before them. */
			recording->row[n++] = frames_kernel(&recording->frames, sample->kernel[i] - (i > 0));
	recording->counts.samples++;
	count_stack(recording, n, recording->options.weighted ? sample->weight : 1);
}

void
recording_take(struct recording *recording, const struct record *record)
{
	switch (record->kind) {
	case RECORD_SAMPLE:
		take_sample(recording, &record->sample);
		return;
	case RECORD_LOST:
		recording->counts.lost += record->lost;
		kernel_code_doubt(&recording->kernel_code, &recording->frames);
		break;
	case RECORD_THROTTLE:
		recording->counts.throttled++;
		break;
	case RECORD_SYMBOL:
		kernel_code_follow(&recording->kernel_code, &recording->frames, record);
		break;
	case RECORD_COMM:
		if (!record->comm.exec)
			break;
		__attribute__((fallthrough));
	case RECORD_EXIT:
		jit_end(&recording->jits, &recording->frames, processes_known(&recording->processes, record->pid), record);
		break;
	default:
		break;
	}
	processes_follow(&recording->processes, record);
}

void
recording_caught_up(struct recording *recording)
{
	kernel_modules_follow(&recording->kernel_modules, &recording->frames);
}

uint64_t
recording_was_cut(const struct recording *recording)
{
	return recording->was_cut;
}

/* --- rows become stacks of names */

static void
forget_counts(struct recording *recording)
{
	frames_release(&recording->frames);
	stacks_release(&recording->stacks);
	recording->counts = (struct recording_counts){ 0 };
	recording->jits.unread = 0;
	kernel_code_restart(&recording->kernel_code);
	kernel_modules_restart(&recording->kernel_modules);
	begin_epoch(recording);
}

void
recording_restart(struct recording *recording, uint64_t start)
{
	jit_name_all(&recording->jits, NULL, &recording->processes);
	forget_counts(recording);
	recording->options.start = start;
	processes_tidy(&recording->processes, start);
}

void
recording_fold(struct recording *recording, struct fold *fold, struct recording_counts *counts)
{
	struct frames *frames = &recording->frames;
	struct intern raw = { 0 };
	struct naming naming = { .frames = frames, .raw = &raw, .fold = fold, .markers = recording->markers,
		.labels = recording->options.labels.count, .counts = &recording->counts };
	struct frames_options options = { recording->options.addresses, recording->options.allow_bpf,
		recording->options.kernel_is_ours, recording->options.lines, &recording->kernel_modules };
	enum kernel_source source;

	modules_check(&recording->processes.modules);
	jit_name_all(&recording->jits, frames, &recording->processes);
	kernel_code_name(&recording->kernel_code, frames);
	source = frames_name(frames, &options, &raw);
	naming_fold(&naming, &recording->stacks);
	recording->counts.kernel_hidden = recording->options.kernel_is_ours && source == KERNEL_HIDDEN;
	recording->counts.kernel_unreadable = recording->options.kernel_is_ours && source == KERNEL_UNREADABLE;
	recording->counts.kernel_foreign = !recording->options.kernel_is_ours && source == KERNEL_HIDDEN;
	recording->counts.named_by_maps = recording->jits.past;
	recording->counts.unread_maps = recording->jits.unread;
	recording->counts.kernel_by_bpf = source == KERNEL_BPF;
	for (size_t i = 0; i < recording->processes.modules.count; i++)
		recording->counts.unopened += recording->processes.modules.list[i]->trouble == EMFILE;
	*counts = recording->counts;

	intern_release(&raw);
	forget_counts(recording);
}
