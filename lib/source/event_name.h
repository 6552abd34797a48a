/* Names of events → what perf_event_open() wants. Software events and the generic hardware ones. */
#ifndef SOURCE_EVENT_NAME_H
#define SOURCE_EVENT_NAME_H

#include <stdbool.h>
#include <stdint.h>

struct event_kind {
	const char *name;
	uint32_t type;	 /* PERF_TYPE_* */
	uint64_t config; /* PERF_COUNT_* */
	bool is_clock;	 /* counts ns of CPU time: samples are even in time */
	bool in_kernel;	 /* happens only inside the kernel: nothing is left of it without kernel access */
};

/* NULL if there is none of that name. */
const struct event_kind *event_kind_find(const char *name);

/* All names, blanks between. Static. */
const char *event_kind_names(void);

#endif
