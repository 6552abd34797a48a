/* Who is recorded, decided record by record in the drain: by process, descent, thread or cgroup. Where a
 * BPF filter has decided in the kernel already, everything that arrives is a member. */
#ifndef SOURCE_TARGETS_H
#define SOURCE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "sample/record.h"
#include "target/cgroup.h"

enum targets_kind {
	TARGETS_MACHINE,
	TARGETS_PROCESSES, /* and the children they start from now on, as perf does */
	TARGETS_THREADS,   /* these and no other */
	TARGETS_CGROUP,	   /* the tasks in it: asked for after fork and exec, and again when the answer is old */
	TARGETS_COMMAND,   /* a process we started, and its children */
};

struct targets {
	enum targets_kind kind;
	const uint32_t *ids; /* processes or threads; of the command, its process */
	size_t count;
	struct cgroup *cgroup;
	uint32_t except;    /* a process to leave out (ourselves), and its descendants from now on; 0: none */
	bool decided;	    /* of samples, by BPF */
	bool own_events;    /* the events are the targets' alone: all they tell is */
	bool awaits_exec;   /* of a command: its process is there, and nobody's until it has become the command */
	struct map members; /* pid (thread: tid) → in or out, and since when that is known */
	struct map excepted; /* processes that except, or one of them, has started */
	struct map gone;    /* members whose numbers nobody had when that was last looked at */
	size_t tidy_at;	    /* when there are so many members it is looked at again */
};

/* Processes and threads that are not there are said at once, not found missing after a minute: -1. */
int targets_check(const struct targets *targets);
/* Is one of the processes or threads still there? Always true of the other kinds. */
bool targets_live(const struct targets *targets);

/* After kind, ids or cgroup are set. */
void targets_begin(struct targets *targets);
void targets_release(struct targets *targets);

/* Is this sample, or what this record tells, one of the targets'? Follows forks and exec. */
bool targets_take(struct targets *targets, const struct record *record);

#endif
