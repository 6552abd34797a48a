/* The line from source to fold that every recording program shares: processes are followed through the
 * records, samples are walked at once, counted as numbers, and named at the end. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/fold.h"
#include "sample/record.h"
#include "target/module.h"
#include "unwind/walk.h"

enum label { LABEL_TIME, LABEL_HOST, LABEL_CGROUP, LABEL_PID, LABEL_TID, LABEL_THREAD, LABEL_CPU, LABEL_COUNT };

struct recording_options {
	enum walk_mode unwind;
	uint32_t max_depth;	 /* frames of user code */
	bool user_only, kernel_only;
	bool addresses;		 /* [libfoo.so+0x1234] */
	bool allow_bpf;		 /* for the kernel's names */
	bool weighted;		 /* a stack counts its samples' weights, not their number */
	bool replay;		 /* records of the past: /proc is not asked about their processes */
	bool kernel_is_ours;	 /* the running kernel's names are the record's */
	enum label labels[LABEL_COUNT]; /* in the order typed, time first */
	size_t label_count;
	uint64_t slice_ns;	 /* of the label time */
	uint64_t start;		 /* CLOCK_MONOTONIC of the header's start; 0: of the first sample */
};

/* Every sample taken is in exactly one place: whole, or one of these. */
struct recording_counts {
	uint64_t samples, weight;	/* in the graph */
	uint64_t whole;			/* to the root */
	uint64_t truncated;		/* the stack went beyond the copy, or beyond max_depth */
	uint64_t unresolved;		/* ended elsewhere than at a root */
	uint64_t bits32;
	uint64_t unnamed;		/* frames without a name, [lib] or [unknown:...] */
	uint64_t other_namespace;
	uint64_t guessed;		/* stacks with a frame-pointer step where nothing vouches for it */
	uint64_t by_libunwind;		/* stacks that rows could not walk */
	uint64_t lost, throttled;	/* as the records said */
	bool kernel_hidden;		/* kptr_restrict */
};

struct recording;

struct recording *recording_open(const struct recording_options *options);
void recording_close(struct recording *recording);

/* The files seen; a source may tell what it knows of them before records come. */
struct modules *recording_modules(struct recording *recording);

/* A process that was there before: its name and, later, its maps are read from /proc. */
void recording_know(struct recording *recording, uint32_t pid);

/* Takes a record in; nothing of it is kept but numbers. */
void recording_take(struct recording *recording, const struct record *record);

/* Names everything and adds it to fold; the recording is empty afterwards and may go on. */
void recording_fold(struct recording *recording, struct fold *fold, struct recording_counts *counts);

#endif
