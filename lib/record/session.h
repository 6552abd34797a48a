/* A recording from its beginning to its profiles: waits for the source, takes what it has, and at the end, or the
 * end of each interval, makes the profile. What recording programs share; the program sets it up. */
#ifndef RECORD_SESSION_H
#define RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/child.h"
#include "record/notes.h"
#include "record/profiles.h"
#include "record/recording.h"
#include "source/perf_event.h"

struct session {
	/* Set by the program, which owns them. */
	struct perf_sampler *sampler;
	struct targets *targets;
	struct child *child; /* pid 0: no command */
	const char *command; /* its name */
	struct recording_options recording_options; /* but start */
	struct profiles *profiles;
	struct notes notes;    /* what the program knows; the rest is filled in */
	uint64_t delay, duration; /* ns; duration 0: until something ends it */
	bool no_header;

	/* Its own. */
	struct recording *recording;
	uint64_t begin, end;	     /* CLOCK_MONOTONIC; samples before begin are left out */
	uint64_t from, to;	     /* of the interval; to is UINT64_MAX for the last */
	uint64_t now;		     /* what is known of ends here */
	uint64_t samples;
	uint64_t wait_ms;	     /* at most, for the next records */
	struct perf_totals totals, totals_now; /* when the interval began and ended */
	struct recording_counts counts; /* of the last profile */
	pid_t recorder;		     /* not one of its writers */
	uint64_t cpu_before, cpu_now; /* the recorder's, when the interval began and ended */
	bool stopped;		     /* the reader has left */
};

/* Records until the duration is over, the command or the targets have ended, or a signal says so, and writes what
 * there is. -1, said, if it could not begin (*status is what to exit with) or something could not be written. */
int session_run(struct session *session, int *status);
void session_release(struct session *session);

#endif
