/* Code that programs made themselves: each frame of it belongs to one program, whose perf map names it, at the
 * program's end at the latest. It must not know stacks. */
#ifndef RECORD_JIT_H
#define RECORD_JIT_H

#include <stdbool.h>

#include "base/map.h"
#include "record/frames.h"
#include "record/processes.h"

struct jits {
	struct map by_program; /* → struct jit * */
	bool replay, foreign;  /* as in struct recording_options */
	size_t past;	       /* programs of a replay that were named by what is in /tmp now */
	size_t unread;	       /* programs whose map was not read at their end; of the interval, which the recording begins */
	int64_t credit;	       /* bytes that may be read at ends; up to date at record time credited */
	uint64_t credited;
};

/* Is what is mapped there code that no file has? */
bool jit_is_made(const struct module *module);

/* The frame of an address that a thread of the process runs in; its map is looked for at the first one. */
uint32_t jit_frame(struct jits *jits, struct frames *frames, const struct processes *processes,
    const struct process *process, uint32_t tid, struct module *module, uint64_t address);

/* Before what is known of the process changes: the program ends with this record, an exit or an exec. Where so much has
 * been read at ends that records would be lost over it, its map is not. */
void jit_end(struct jits *jits, struct frames *frames, const struct process *process, const struct record *record);

/* Names what has no name yet; the frames are then let go of, and programs that are no more. frames NULL: another
 * process has named them. */
void jit_name_all(struct jits *jits, struct frames *frames, const struct processes *processes);

void jit_release(struct jits *jits);

#endif
