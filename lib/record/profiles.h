/* Where a recording's profiles go: all of it to one output, or each interval to a file named by its beginning, or
 * one interval after the other into a stream. Intervals are named and written by processes of their own, in order,
 * so that whoever records goes on at once; one that cannot be written is lost alone. */
#ifndef RECORD_PROFILES_H
#define RECORD_PROFILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/out.h"

/* So many wait for a slow disk or reader, each with a copy of what changed since. The recorder never waits, or its rings
 * would overflow: what cannot be written yet is one profile with what follows. */
#define PROFILES_WRITERS 8

struct profiles {
	/* Set by the program. */
	const char *output; /* NULL or "-": stdout; with every strftime's letters, in UTC, make its name */
	bool gzip;
	uint64_t every; /* ns; 0: one profile */

	/* The rest is its own. */
	struct out *out; /* the only profile's, or the stream's, until it is written */
	bool is_stream;
	char *last_name;
	uint64_t last_wall; /* that it stands for */
	struct {
		pid_t pid;
		int pidfd;
	} writers[PROFILES_WRITERS]; /* in order */
	unsigned writer_count;
	uint64_t written, failed; /* profiles */
	uint64_t postponed;	  /* how often one was to be written, and could not be then */
	bool reader_left;
};

/* Is output such that every interval has another name than the one before, whenever it begins, or a stream? */
bool profiles_have_names(const struct profiles *profiles);

/* Opens what can be opened, the first interval's name for a try. -1, said. */
int profiles_open(struct profiles *profiles, uint64_t wall);

/* make writes the profile of what there is now, begun at wall. A writer's make runs in a process of its own. -1: it
 * is lost, as said. 1: it is not written, as too many wait or no process can be started: go on, and try again with what
 * there is then; the last is written whatever it takes. */
int profiles_write(struct profiles *profiles, uint64_t wall, bool last, void (*make)(void *context, struct out *out),
    void *context);

/* Takes note of writers that have ended; wait: of all. */
void profiles_reap(struct profiles *profiles, bool wait);

/* -1 if something was lost. */
int profiles_close(struct profiles *profiles);

/* Nothing was recorded: files stay as they were. */
void profiles_abandon(struct profiles *profiles);

#endif
