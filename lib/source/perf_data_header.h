/* What a perf.data says of itself: its events, and the features of its header. The same bytes stand in
 * sections of a file and in records of a pipe; this module takes bytes and does not know which.
 * Layouts: linux/perf_event.h and tools/perf/Documentation/perf.data-file-format.txt. */
#ifndef SOURCE_PERF_DATA_HEADER_H
#define SOURCE_PERF_DATA_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "source/perf_record.h"

#define PERF_EVENTS_MAX 4096
#define PERF_IDS_MAX 4194304 /* an id per event, thread and CPU */
#define PERF_BUILD_IDS_MAX 262144

/* Features that something is made of; the numbers are perf's. */
enum perf_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_COMPRESSED = 27,
	FEATURE_CLOCK_DATA = 29,
	PERF_FEATURES = 256,
};

struct perf_event {
	char *name; /* as perf called it, or made from attr */
	bool named; /* by the file */
	struct perf_event_attr attr;
	struct perf_layout layout;
};

struct perf_build_id {
	char *path; /* or "[kernel.kallsyms]", "[vdso]", a module's "[name]" */
	unsigned char bytes[20];
	uint8_t size;
	bool kernel;
};

struct perf_data_header {
	struct perf_event *events; /* in the order of the file */
	size_t event_count, event_room;
	struct perf_event_id {
		uint64_t id;
		uint32_t event;
	} *ids; /* sorted when ids_sorted */
	size_t id_count, id_room;
	bool ids_sorted;
	struct perf_build_id *build_ids;
	size_t build_id_count, build_id_room;
	char *host, *release, *arch, *command; /* NULL: not said */
	uint32_t cpus;				 /* 0: not said */
	uint64_t first_sample, last_sample;	 /* 0: not said */
	uint64_t clock_wall, clock_time;	 /* one instant, since 1970 and in the records' clock; 0: not said */
	bool is_directory, is_compressed;
};

/* An event and its ids. -1, in silence, if the bytes are no attribute. */
int perf_header_add_event(struct perf_data_header *header, struct cursor attr, struct cursor ids);

/* A feature's bytes. Those of no use here are passed over. -1, in silence, if they are damaged. */
int perf_header_add_feature(struct perf_data_header *header, unsigned feature, struct cursor bytes);

/* One record of the build-id table, or of a pipe. -1, in silence, if it is damaged. */
int perf_header_add_build_id(struct perf_data_header *header, const struct perf_event_header *record);

/* A name that arrives by itself (PERF_RECORD_EVENT_UPDATE). */
int perf_header_update_event(struct perf_data_header *header, struct cursor bytes);

/* The event of an id; the first one if it is not known (made up by perf: 0). */
const struct perf_event *perf_header_event_of(struct perf_data_header *header, uint64_t id);

void perf_header_release(struct perf_data_header *header);

#endif
