/* --by: leading label frames, gp-folded(5). */
#ifndef RECORD_LABELS_H
#define RECORD_LABELS_H

#include <stddef.h>
#include <stdint.h>

enum label {
	LABEL_TIME, LABEL_HOST, LABEL_CONTAINER, LABEL_CGROUP, LABEL_PID, LABEL_TID, LABEL_THREAD, LABEL_CPU, LABEL_COUNT
};

struct labels {
	enum label list[LABEL_COUNT]; /* as typed, time first */
	size_t count;
	uint64_t slice_ns; /* of time */
};

/* "host,pid,time=100ms". NULL, or what is wrong with it, such as an unknown or a repeated key; free() it. */
char *labels_parse(struct labels *labels, const char *text);

/* "time", "host" … */
const char *label_name(enum label label);

#endif
