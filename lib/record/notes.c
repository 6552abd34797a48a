#include <stdio.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/opt.h"
#include "base/warn.h"
#include "record/notes.h"
#include "target/task.h"

/* A gap between counted and sampled time that is worth a word: more than chance and rounding make. */
#define GAP_PERCENT 3.0
/* Below so many samples rounding alone makes that gap. */
#define GAP_SAMPLES 10u

/* So many samples are worth advice. */
#define FEW_SAMPLES 20u

static uint64_t
period_ns(const struct notes *notes)
{
	if (!notes->is_clock)
		return 0;
	return notes->frequency ? 1000000000u / notes->frequency : notes->period;
}

static double
self_s(const struct notes *notes)
{
	return (double)(notes->self_cpu ? notes->self_cpu : clock_cpu()) / 1e9;
}

static double
sampled_s(const struct notes *notes, const struct recording_counts *counts)
{
	return (double)counts->samples * (double)period_ns(notes) / 1e9;
}

/* The share of the counted time that samples stand for, in percent; 100 where nothing was counted. */
static double
seen_percent(const struct notes *notes, const struct recording_counts *counts)
{
	if (!notes->counted || !period_ns(notes))
		return 100;
	return 100 * sampled_s(notes, counts) / ((double)notes->counted / 1e9);
}

static double
share(uint64_t part, const struct recording_counts *counts)
{
	return counts->total ? 100.0 * (double)part / (double)counts->total : 0;
}

static void
note(struct header *header, uint64_t value, const struct recording_counts *counts, const char *what)
{
	char text[256];

	if (!value)
		return;
	snprintf(text, sizeof text, "%llu %s (%.2f %%)", (unsigned long long)value, what, share(value, counts));
	header_add_to_list(header, "notes", text);
}

static void
write_deep(struct header *header, const struct notes *notes, const struct recording_counts *counts)
{
	/* A few of these may have become [exec] since, or [unknown:too-many]. */
	uint64_t too_deep = counts->too_deep < counts->truncated ? counts->too_deep : counts->truncated;
	uint64_t cut = counts->truncated - too_deep;
	char text[256];

	note(header, cut, counts, "truncated: deeper than the copy of the stack");
	note(header, too_deep, counts, "truncated: of more frames than --max-depth");
	note(header, counts->completed, counts,
	    "completed from memory after the sample (--complete): their upper frames may be of another moment");
	if ((cut || counts->completed) && notes->no_copies) {
		snprintf(text, sizeof text, "deep stacks are not copied whole: %s", notes->no_copies);
		header_add_to_list(header, "notes", text);
	}
	if (notes->deep_stacks) {
		snprintf(text, sizeof text, "%llu stacks deeper than their samples: %llu bytes more copied at the same instant",
		    (unsigned long long)notes->deep_stacks, (unsigned long long)notes->deep_bytes);
		header_add_to_list(header, "notes", text);
	}
	if (notes->deep_refused) {
		snprintf(text, sizeof text, "%llu deep stacks refused, or in part: larger than 2 MiB, not in memory, "
		    "of a coroutine for the first time, or the ring was full", (unsigned long long)notes->deep_refused);
		header_add_to_list(header, "notes", text);
	}
}

static void
write_notes(struct header *header, const struct notes *notes, const struct recording_counts *counts)
{
	char text[256];

	if (notes->lost) {
		snprintf(text, sizeof text, "%llu records lost, of samples and others: the rings were full", (unsigned long long)notes->lost);
		header_add_to_list(header, "notes", text);
	}
	if (notes->throttled) {
		snprintf(text, sizeof text, "throttled %llu times: the kernel sampled less than asked for",
		    (unsigned long long)notes->throttled);
		header_add_to_list(header, "notes", text);
	}
	if (notes->unfollowed) {
		snprintf(text, sizeof text, "%llu child processes not recorded: too many at once",
		    (unsigned long long)notes->unfollowed);
		header_add_to_list(header, "notes", text);
	}
	if (notes->gone_cpus) {
		snprintf(text, sizeof text, "%llu CPUs went offline: not sampled from then on",
		    (unsigned long long)notes->gone_cpus);
		header_add_to_list(header, "notes", text);
	}
	write_deep(header, notes, counts);
	note(header, counts->unresolved, counts, "did not reach their root");
	note(header, counts->pooled, counts, "[unknown:too-many]: more different stacks or addresses than are kept");
	note(header, counts->bits32, counts, "of 32-bit tasks: the leaf only");
	note(header, counts->guessed, counts,
	    "with a step by a frame pointer that nothing vouches for: a caller may be missing there");
	note(header, counts->other_namespace, counts, "of tasks of an outer pid namespace");
	note(header, counts->unnamed_leaf, counts, "without a symbol for the address itself");
	if (counts->kernel_hidden && !notes->user_only && notes->sees_kernel)
		header_add_to_list(header, "notes", "kernel names hidden: kptr_restrict, perf_event_paranoid");
	if (counts->kernel_unreadable && counts->samples && !notes->user_only && notes->sees_kernel)
		header_add_to_list(header, "notes", "no kernel names: /proc/kallsyms does not tell them");
	if (counts->unopened) {
		snprintf(text, sizeof text, "%llu files not opened, their code without names: the limit of open files",
		    (unsigned long long)counts->unopened);
		header_add_to_list(header, "notes", text);
	}
	if (counts->unread_maps) {
		snprintf(text, sizeof text, "perf maps of %llu programs not read, or not whole, as there was so much of them: [jit]",
		    (unsigned long long)counts->unread_maps);
		header_add_to_list(header, "notes", text);
	}
	if (counts->kernel_foreign)
		header_add_to_list(header, "notes", "kernel addresses not named: they are another kernel's");
	if (notes->no_bpf) {
		snprintf(text, sizeof text, "no BPF: %s", notes->no_bpf);
		header_add_to_list(header, "notes", text);
	}
	if (!notes->sees_kernel && !notes->user_only && notes->counted) {
		snprintf(text, sizeof text, "user side only: %.1f %% of the CPU time that the kernel counted",
		    seen_percent(notes, counts));
		header_add_to_list(header, "notes", text);
	} else if (!notes->sees_kernel && !notes->user_only) {
		header_add_to_list(header, "notes", "user side only");
	}
	if (notes->per_task)
		header_add_to_list(header, "notes",
		    "sampled per task: short processes and many threads are counted too little");
}

void
notes_write(struct header *header, const struct notes *notes, const struct recording_counts *counts)
{
	char start[32];

	header_set_number(header, "gp", 1);
	header_set_text(header, "tool", notes->tool);
	header_set_text(header, "version", GP_VERSION);
	if (notes->host)
		header_set_text(header, "host", notes->host);
	if (notes->start) {
		clock_print(notes->start, start);
		header_set_text(header, "start", start);
	}
	header_set_real(header, "duration_s", (double)notes->duration / 1e9, 3);
	if (notes->event)
		header_set_text(header, "event", notes->event);
	header_set_text(header, "unit", notes->is_clock ? "samples" : "events");
	if (notes->frequency)
		header_set_number(header, "freq_hz", notes->frequency);
	else if (notes->period)
		header_set_number(header, "period", notes->period);
	if (period_ns(notes))
		header_set_number(header, "period_ns", period_ns(notes));
	if (notes->cpus)
		header_set_number(header, "cpus", notes->cpus);
	if (notes->target)
		header_set_text(header, "target", notes->target);
	for (size_t i = 0; notes->labels && i < notes->labels->count; i++)
		header_add_to_list(header, "labels", label_name(notes->labels->list[i]));
	header_set_number(header, "samples", counts->samples);
	header_set_number(header, "lost", notes->lost);
	header_set_number(header, "truncated", counts->truncated);
	header_set_number(header, "unresolved", counts->unresolved);
	if (notes->counted)
		header_set_real(header, "cpu_s", (double)notes->counted / 1e9, 3);
	if (period_ns(notes))
		header_set_real(header, "sampled_s", sampled_s(notes, counts), 3);
	write_notes(header, notes, counts);
	header_set_real(header, "self_cpu_s", self_s(notes), 3);
	header_set_number(header, "self_rss_kb", (uint64_t)clock_peak_kb());
}

static void
tell_gap(const struct notes *notes, const struct recording_counts *counts)
{
	double seen = seen_percent(notes, counts);
	double counted = (double)notes->counted / 1e9;

	if (!notes->per_task || !period_ns(notes) || notes->counted < GAP_SAMPLES * period_ns(notes) ||
	    notes->user_only || notes->kernel_only || (seen >= 100 - GAP_PERCENT && seen <= 100 + GAP_PERCENT))
		return;
	tell("saw %.1f %% of %.2f s of CPU time: %s without CAP_PERFMON (sudo, or `sudo sysctl kernel.perf_event_paranoid=0`)%s",
	    seen, counted, notes->sees_kernel ? "short-lived tasks and many threads are sampled too little" :
	    "the kernel's side is hidden and short-lived tasks are sampled too little",
	    notes->frequency && notes->frequency < 999 ? "; -F 999 sees more of them" : "");
}

/* Beside a number of samples: theirs, or a share where stacks count events. */
static void
part_print(uint64_t part, const struct notes *notes, const struct recording_counts *counts, char text[static 32])
{
	if (notes->is_clock)
		snprintf(text, 32, "%llu", (unsigned long long)part);
	else
		snprintf(text, 32, "%.1f %%", share(part, counts));
}

/* kptr_restrict 0 shows addresses to those who may profile the kernel (kernel/ksyms_common.c). */
static void
tell_hidden(void)
{
	bool restricted = task_sysctl("kptr_restrict", 1) > 0;

	tell("kernel names are hidden: `sudo sysctl kernel.%s`, or run with sudo (CAP_SYSLOG)",
	    restricted ? "kptr_restrict=0" : "perf_event_paranoid=1");
}

void
notes_tell(const struct notes *notes, const struct recording_counts *counts)
{
	char truncated[32], unresolved[32];

	if (!counts->samples && !notes->lost && notes->is_clock)
		tell("no samples: the target used no CPU, or less than a sample stands for (idle, stopped, waiting or short)%s",
		    notes->per_task ? ", or only root may see it (it is another user's, or not to be read)" : "");
	else if (!counts->samples && !notes->lost)
		tell("no samples: %s did not happen, or less often than a sample stands for", notes->event);
	tell_gap(notes, counts);
	if (counts->kernel_hidden && !notes->user_only && notes->sees_kernel && counts->samples)
		tell_hidden();
	if (counts->kernel_unreadable && !notes->user_only && notes->sees_kernel && counts->samples)
		tell("kernel frames have no names: /proc/kallsyms does not tell them");
	if (counts->unopened)
		tell("%llu files could not be opened, their code has no names: raise the limit of open files (`ulimit -n`)",
		    (unsigned long long)counts->unopened);
	if (counts->unread_maps)
		tell("perf maps of %llu programs were not read, or not whole, as there was so much of them: code stays [jit]",
		    (unsigned long long)counts->unread_maps);
	if (counts->pooled)
		tell("more different stacks than are kept: the rest is [unknown:too-many]; record for a shorter time, or in parts (--every)");
	if (counts->unresolved > counts->total / 2 && counts->samples >= FEW_SAMPLES)
		tell("most stacks end before their root: code without unwind tables (Java: -XX:+PreserveFramePointer; "
		     "a perf.data: record it with --call-graph dwarf)");
	part_print(counts->truncated, notes, counts, truncated);
	part_print(counts->unresolved, notes, counts, unresolved);
	tell("%llu samples in %.1f s, %llu lost, %s truncated, %s unresolved; own CPU %.3f s, peak memory %ld MB",
	    (unsigned long long)counts->samples, (double)notes->duration / 1e9, (unsigned long long)notes->lost,
	    truncated, unresolved, self_s(notes), clock_peak_kb() / 1024);
}
