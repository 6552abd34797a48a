/* Kernel code that comes and goes while it is looked at: BPF programs, trampolines; as records tell. What has gone is
 * in no list of symbols at the end, and other code may lie there. It must not know stacks. */
#ifndef RECORD_KERNEL_CODE_H
#define RECORD_KERNEL_CODE_H

#include <stdbool.h>

#include "record/frames.h"
#include "sample/record.h"

struct kernel_code {
	struct kernel_piece {
		uint64_t start, end;
		char *name;
		/* How often records were lost: it may have gone, and another come. Once: what has been sampled since is of
		 * one or the other. Twice: or of both. */
		enum { PIECE_CERTAIN, PIECE_DOUBTFUL, PIECE_MIXED } state;
	} *list; /* what is there now, by start, not overlapping */
	size_t count, room;
};

/* RECORD_SYMBOL. What goes gives its frames their names; what comes had nothing to do with what was sampled there. */
void kernel_code_follow(struct kernel_code *code, struct frames *frames, const struct record *record);

/* Names the frames of what is there for certain, before the kernel names the rest. */
void kernel_code_name(const struct kernel_code *code, struct frames *frames);

/* Records were lost. What was sampled until now has its name; of the rest the record of its end will tell, or the
 * kernel's list at our own end, if it can have been only one; of more only a name that did not change is right. */
void kernel_code_doubt(struct kernel_code *code, struct frames *frames);

/* The frames begin anew. */
void kernel_code_restart(struct kernel_code *code);

void kernel_code_release(struct kernel_code *code);

#endif
