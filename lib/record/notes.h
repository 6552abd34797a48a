/* What a recording was and how good it is: the header, its notes, and the last line on stderr. */
#ifndef RECORD_NOTES_H
#define RECORD_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/header.h"
#include "record/recording.h"

/* What only the program knows. Text may be NULL, numbers 0: not known. */
struct notes {
	const char *tool, *target, *event, *host;
	uint64_t start;	    /* wall clock, ns */
	uint64_t duration;  /* ns */
	uint64_t frequency, period; /* as asked for */
	bool is_clock;	    /* the event is CPU time: period in ns */
	uint64_t cpus;
	uint64_t counted;   /* CPU time by the kernel's own counters, ns */
	bool per_task;	    /* sampled by events that tasks inherit */
	bool sees_kernel;
	bool user_only, kernel_only; /* asked for */
	const char *no_bpf; /* why the targets were chosen in the drain, or names by kallsyms */
	bool counts_command; /* the target is a command, all of it */
	uint64_t self_cpu;   /* of the recorder for this profile, ns; 0: all of it so far */
	uint64_t lost, throttled, unfollowed, gone_cpus;
	const char *no_copies; /* why no stack was copied beyond its sample */
	uint64_t deep_stacks, deep_bytes, deep_refused;
	const struct labels *labels;
};

/* Fills the header's keys. */
void notes_write(struct header *header, const struct notes *notes, const struct recording_counts *counts);

/* One line for people, and one more for what they should do something about. */
void notes_tell(const struct notes *notes, const struct recording_counts *counts);

#endif
