/* Code that programs made themselves: each frame of it belongs to one program, whose perf map names it, at the
 * program's end at the latest. It must not know stacks. */
#ifndef RECORD_JIT_H
#define RECORD_JIT_H

#include <stdbool.h>

#include "base/map.h"
#include "record/frames.h"
#include "record/processes.h"
#include "symbol/perf_map.h"

/* What is read of maps when programs end, while others are recorded: so many bytes at once, the largest map's, in a
 * third of a second; records wait in the rings for longer. Who makes one after the other must not keep us from all
 * else: */
#define JIT_READ_AT_ONCE PERF_MAP_MAX
/* so many more with each second, 2 % of a CPU. */
#define JIT_READ_A_SECOND ((uint64_t)16 << 20)
/* At a profile's end nothing waits: four of the largest maps, or a hundred usual ones. */
#define JIT_READ_AT_END ((uint64_t)1 << 30)
/* Bytes of names for a profile: 300,000 usual ones. Each is there three times while it is written. */
#define JIT_NAMES ((uint64_t)32 << 20)

struct jits {
	struct map by_program; /* → struct jit * */
	bool replay, foreign;  /* as in struct recording_options */
	size_t past;	       /* programs of a replay that were named by what is in /tmp now */
	uint64_t read, time;   /* of JIT_READ_AT_ONCE, at this record time */
	uint64_t names;	       /* of JIT_NAMES */
	size_t unread;	       /* programs that these left without some name; of the interval that the recording is at */
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
