#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "source/perf_data_header.h"

/* perf's own mark in the header of a build-id: byte 20 says how long it is; before Linux 5.12 it is 20. */
#define MISC_BUILD_ID_SIZE (1u << 15)
/* PERF_RECORD_EVENT_UPDATE: what is updated. */
#define UPDATE_NAME 2
#define TEXT_MAX 65536u

static char *
name_by_attr(const struct perf_event_attr *attr)
{
	static const char *const software[] = { "cpu-clock", "task-clock", "page-faults", "context-switches",
		"cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
		"bpf-output", "cgroup-switches" };
	static const char *const hardware[] = { "cycles", "instructions", "cache-references", "cache-misses",
		"branches", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend",
		"ref-cycles" };

	if (attr->type == PERF_TYPE_SOFTWARE && attr->config < sizeof software / sizeof *software)
		return mem_print("%s", software[attr->config]);
	if (attr->type == PERF_TYPE_HARDWARE && attr->config < sizeof hardware / sizeof *hardware)
		return mem_print("%s", hardware[attr->config]);
	if (attr->type == PERF_TYPE_TRACEPOINT)
		return mem_print("tracepoint-%llu", (unsigned long long)attr->config);
	return mem_print("event-%u-0x%llx", attr->type, (unsigned long long)attr->config);
}

static int
add_ids(struct perf_data_header *header, uint32_t event, struct cursor ids)
{
	while (cursor_left(&ids) >= 8) {
		if (header->id_count >= PERF_IDS_MAX)
			return -1;
		mem_grow(&header->ids, header->id_count, &header->id_room);
		header->ids[header->id_count++] = (struct perf_event_id){ cursor_u64(&ids), event };
	}
	header->ids_sorted = false;
	return 0;
}

int
perf_header_add_event(struct perf_data_header *header, struct cursor attr, struct cursor ids)
{
	struct perf_event event = { 0 };
	size_t size = cursor_left(&attr);

	if (size < PERF_ATTR_SIZE_VER0 || header->event_count >= PERF_EVENTS_MAX)
		return -1;
	/* One from a newer perf is longer, from an older one shorter: what it lacks is 0. */
	memcpy(&event.attr, attr.at, size < sizeof event.attr ? size : sizeof event.attr);
	event.name = name_by_attr(&event.attr);
	perf_layout_init(&event.layout, &event.attr);
	mem_grow(&header->events, header->event_count, &header->event_room);
	header->events[header->event_count++] = event;
	return add_ids(header, (uint32_t)header->event_count - 1, ids);
}

static int
compare_ids(const void *a, const void *b)
{
	const struct perf_event_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static struct perf_event *
find_event(struct perf_data_header *header, uint64_t id)
{
	struct perf_event_id key = { .id = id };
	const struct perf_event_id *found;

	if (!header->ids_sorted && header->id_count)
		qsort(header->ids, header->id_count, sizeof *header->ids, compare_ids);
	header->ids_sorted = true;
	found = header->id_count ? bsearch(&key, header->ids, header->id_count, sizeof key, compare_ids) : NULL;
	return found ? &header->events[found->event] : NULL;
}

const struct perf_event *
perf_header_event_of(struct perf_data_header *header, uint64_t id)
{
	const struct perf_event *event = id ? find_event(header, id) : NULL;

	return event ? event : header->events;
}

static void
name_event(struct perf_event *event, const char *name)
{
	if (!*name)
		return;
	free(event->name);
	event->name = mem_print("%s", name);
	event->named = true;
}

/* perf's string: how many bytes, then so many bytes with a NUL among them. NULL: damaged. */
static const char *
take_string(struct cursor *c)
{
	uint32_t size = cursor_u32(c);
	const char *text = size && size <= TEXT_MAX ? cursor_take(c, size) : NULL;

	return text && memchr(text, '\0', size) ? text : NULL;
}

static int
set_text(char **to, struct cursor *c)
{
	const char *text = take_string(c);

	if (!text)
		return -1;
	free(*to);
	*to = mem_print("%s", text);
	return 0;
}

/* How many words, then the words. */
static int
set_command(struct perf_data_header *header, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	struct buf line = { 0 };
	const char *word = "";

	for (uint32_t i = 0; i < n && (word = take_string(c)) && line.length < TEXT_MAX; i++)
		buf_print(&line, "%s%s", i ? " " : "", word);
	if (word && line.length) {
		free(header->command);
		header->command = mem_copy(line.data, line.length);
	}
	buf_release(&line);
	return word ? 0 : -1;
}

/* How many, how long an attribute is; then for each: attribute, number of ids, name, ids. They stand in
 * the order of the attributes; ids, where there are any, say it better. */
static int
name_events(struct perf_data_header *header, struct cursor *c)
{
	uint32_t n = cursor_u32(c), size = cursor_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		struct perf_event *event = NULL;
		uint32_t ids;
		const char *name;

		cursor_take(c, size);
		ids = cursor_u32(c);
		name = take_string(c);
		if (!name || ids > PERF_IDS_MAX)
			return -1;
		for (uint32_t k = 0; k < ids; k++) {
			uint64_t id = cursor_u64(c);

			if (!event)
				event = find_event(header, id);
			if (!c->ok)
				return -1;
		}
		if (!event && i < header->event_count)
			event = &header->events[i];
		if (event)
			name_event(event, name);
	}
	return 0;
}

int
perf_header_add_build_id(struct perf_data_header *header, const struct perf_event_header *record)
{
	struct cursor c = cursor_of(record + 1, record->size - sizeof *record);
	struct perf_build_id build_id = { 0 };
	const unsigned char *bytes;
	const char *path;
	unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	cursor_u32(&c); /* the machine's pid: a guest's are not ours to know */
	bytes = cursor_take(&c, 24);
	path = cursor_text(&c);
	if (!c.ok || header->build_id_count >= PERF_BUILD_IDS_MAX)
		return -1;
	build_id.size = sizeof build_id.bytes;
	if (record->misc & MISC_BUILD_ID_SIZE)
		build_id.size = bytes[20];
	if (!build_id.size || build_id.size > sizeof build_id.bytes || !*path ||
	    (mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_USER))
		return 0;
	memcpy(build_id.bytes, bytes, build_id.size);
	build_id.path = mem_print("%s", path);
	build_id.kernel = mode == PERF_RECORD_MISC_KERNEL;
	mem_grow(&header->build_ids, header->build_id_count, &header->build_id_room);
	header->build_ids[header->build_id_count++] = build_id;
	return 0;
}

static int
add_build_ids(struct perf_data_header *header, struct cursor *c)
{
	while (cursor_left(c)) {
		struct perf_event_header head;
		union {
			struct perf_event_header head;
			unsigned char bytes[65536];
		} record; /* aligned, whatever the table is */

		if (cursor_left(c) < sizeof head)
			return -1;
		memcpy(&head, c->at, sizeof head);
		if (head.size < sizeof head || head.size > cursor_left(c))
			return -1;
		memcpy(record.bytes, cursor_take(c, head.size), head.size);
		if (perf_header_add_build_id(header, &record.head) < 0)
			return -1;
	}
	return 0;
}

/* Version, clock, the wall's time, the clock's time: of one instant. */
static void
set_clock(struct perf_data_header *header, struct cursor *c)
{
	cursor_take(c, 8);
	header->clock_wall = cursor_u64(c);
	header->clock_time = cursor_u64(c);
}

int
perf_header_add_feature(struct perf_data_header *header, unsigned feature, struct cursor c)
{
	switch (feature) {
	case FEATURE_BUILD_ID:
		return add_build_ids(header, &c);
	case FEATURE_HOSTNAME:
		return set_text(&header->host, &c);
	case FEATURE_OSRELEASE:
		return set_text(&header->release, &c);
	case FEATURE_ARCH:
		return set_text(&header->arch, &c);
	case FEATURE_NRCPUS:
		cursor_u32(&c); /* configured; then online */
		header->cpus = cursor_u32(&c);
		break;
	case FEATURE_CMDLINE:
		return set_command(header, &c);
	case FEATURE_EVENT_DESC:
		return name_events(header, &c);
	case FEATURE_SAMPLE_TIME:
		header->first_sample = cursor_u64(&c);
		header->last_sample = cursor_u64(&c);
		break;
	case FEATURE_DIR_FORMAT:
		header->is_directory = true;
		break;
	case FEATURE_COMPRESSED:
		header->is_compressed = true;
		break;
	case FEATURE_CLOCK_DATA:
		set_clock(header, &c);
		break;
	}
	return c.ok ? 0 : -1;
}

int
perf_header_update_event(struct perf_data_header *header, struct cursor c)
{
	uint64_t kind = cursor_u64(&c), id = cursor_u64(&c);
	const char *name;
	struct perf_event *event;

	if (!c.ok)
		return -1;
	event = find_event(header, id);
	if (kind != UPDATE_NAME || !event)
		return 0;
	name = cursor_text(&c);
	if (c.ok)
		name_event(event, name);
	return c.ok ? 0 : -1;
}

void
perf_header_release(struct perf_data_header *header)
{
	for (size_t i = 0; i < header->event_count; i++)
		free(header->events[i].name);
	for (size_t i = 0; i < header->build_id_count; i++)
		free(header->build_ids[i].path);
	free(header->events);
	free(header->ids);
	free(header->build_ids);
	free(header->host);
	free(header->release);
	free(header->arch);
	free(header->command);
	*header = (struct perf_data_header){ 0 };
}
