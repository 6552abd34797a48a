/* A perf.data → profile: its records go through the same recording as live ones. Made earlier, or on another
 * machine, so that nothing is named but what is proved to be what was recorded; the header's notes say the rest. */
#ifndef RECORD_REPLAY_H
#define RECORD_REPLAY_H

#include "base/input.h"
#include "fold/fold.h"
#include "record/labels.h"
#include "unwind/walk.h"

struct replay_options {
	const char *tool;  /* for the header */
	const char *event; /* NULL: the first that samples; the others are said */
	enum walk_mode unwind;
	uint32_t max_depth;
	bool user_only, kernel_only, addresses, lines;
	bool allow_bpf; /* for the kernel's names */
	struct labels labels;
};

/* Adds the file to fold, its header included. -1 after saying why; fold is then no profile. */
int replay_perf_data(struct fold *fold, struct input *input, const struct replay_options *options);

#endif
