/* The line from source to fold that every recording program shares: processes are followed through the
 * records, samples are walked at once, counted as numbers, and named at the end. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/fold.h"
#include "record/labels.h"
#include "sample/record.h"
#include "target/module.h"
#include "unwind/walk.h"

/* A day of code that is made anew all the time must not take all memory: so many different stacks, and addresses, are
 * kept. */
#define RECORDING_STACKS ((size_t)2 << 20)
/* And so many bytes of them, at the moment when they are written: 30,000 stacks that are 4,000 deep, or a million and a
 * half of 50. A service may be given twice as much (examples/gp-record.service), since one interval is written while
 * the next one is recorded. Of names of processes and values of labels a fourth more is kept. */
#define RECORDING_BYTES ((size_t)512 << 20)

struct recording_options {
	enum walk_mode unwind;
	uint32_t max_depth;	 /* frames of user code */
	bool user_only, kernel_only;
	bool addresses;		 /* [libfoo.so+0x1234] */
	bool lines;		 /* name (file:line), and inlined calls */
	bool allow_bpf;		 /* for the kernel's names */
	bool weighted;		 /* a stack counts its samples' weights, not their number */
	bool complete;		 /* what a stack's copy lacks is read from memory afterwards */
	bool replay;		 /* records of the past: /proc is not asked about their processes */
	bool foreign;		 /* of another machine: what lies in our /tmp says nothing of its processes */
	size_t stacks_max;	 /* that are kept apart, and addresses as well; 0: RECORDING_STACKS */
	size_t bytes_max;	 /* the same; 0: RECORDING_BYTES */
	bool kernel_is_ours;	 /* the running kernel's names are the record's */
	const char *modules;	 /* where the kernel's modules lie: "/proc/modules", or a copy of it; NULL: nobody tells */
	struct labels labels;
	uint64_t start;		 /* CLOCK_MONOTONIC of the header's start; 0: of the first sample */
	const char *host;	 /* for the label; NULL: this one */
};

/* Every sample taken is in the graph. truncated and unresolved have nothing in common: what is in neither reached its
 * root, or kept nothing but its process's name (pooled). The others say more of the same stacks. In values of the graph
 * (samples, or events where they are weighted). */
struct recording_counts {
	uint64_t samples;	  /* taken */
	uint64_t total;		  /* the sum of the graph */
	uint64_t truncated;	  /* the stack went beyond the copy, or beyond max_depth */
	uint64_t too_deep;	  /* of these, beyond max_depth */
	uint64_t unresolved;	  /* ended for another reason before its root */
	uint64_t bits32;	  /* of these, i386 tasks */
	uint64_t pooled;	  /* of more different stacks or addresses than are kept: all of it, or a frame */
	uint64_t other_namespace; /* tasks of an outer pid namespace */
	uint64_t unnamed_leaf;	  /* the address itself has no name */
	uint64_t guessed;	  /* stacks with a step by a frame pointer that nothing vouches for */
	uint64_t completed;	  /* stacks with upper frames of a later moment */
	uint64_t by_libunwind;	  /* stacks that rows could not walk */
	uint64_t named_by_maps;	  /* programs of a replay whose own code has the names that /tmp has now */
	uint64_t unread_maps;	  /* programs whose own code lacks names, as there was so much of perf maps */
	uint64_t lost, throttled; /* as the records said */
	uint64_t unopened;	  /* files that the limit of open files kept closed */
	bool kernel_hidden;	  /* kptr_restrict */
	bool kernel_unreadable;	  /* nobody tells the kernel's names */
	bool kernel_foreign;	  /* of another kernel: addresses are not named */
	bool kernel_by_bpf;
};

struct recording;

struct recording *recording_open(const struct recording_options *options);
void recording_close(struct recording *recording);

/* The files seen; a source may tell what it knows of them before records come. */
struct modules *recording_modules(struct recording *recording);

/* A process is about to run this program: it is called by it until exec says so itself. */
void recording_name(struct recording *recording, uint32_t pid, const char *program);

/* Takes a record in; nothing of it is kept but numbers. */
void recording_take(struct recording *recording, const struct record *record);

/* All records that were there have been taken. */
void recording_caught_up(struct recording *recording);

/* The stack of the sample taken last went beyond its copy, to this address. 0: it did not. */
uint64_t recording_was_cut(const struct recording *recording);

/* Forgets what was counted, and what of processes and files has not been needed for long: an interval begins,
 * start as in the options. What another process has of it (fork) is not touched. */
void recording_restart(struct recording *recording, uint64_t start);

/* Names everything and adds it to fold; the recording is empty afterwards and may go on. */
void recording_fold(struct recording *recording, struct fold *fold, struct recording_counts *counts);

#endif
