#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "source/perf_data.h"
#include "source/perf_data_file.h"
#include "source/perf_order.h"

/* perf's own records, which no kernel writes. */
enum {
	USER_ATTR = 64,
	USER_EVENT_TYPE = 65,
	USER_TRACING_DATA = 66,
	USER_BUILD_ID = 67,
	USER_FINISHED_ROUND = 68,
	USER_AUXTRACE = 71,
	USER_EVENT_UPDATE = 78,
	USER_FEATURE = 80,
	USER_COMPRESSED = 81,
	USER_COMPRESSED2 = 83,
	USER_FIRST = 64,
};

struct perf_data {
	struct input *input;
	int spool; /* a copy of what could not be sought, or -1 */
	struct perf_data_header header;
	struct perf_data_kernel kernel;
	struct perf_stream stream;
	struct perf_order order;
	struct perf_entry ahead;   /* where perf_data_open() stopped reading */
	struct perf_entry current; /* handed out; let go at the next call */
	bool at_end, lost_told;
	size_t chosen;
	uint64_t lost_records, lost_samples;
	bool counts_lost; /* perf wrote how many samples were lost, event by event */
	struct perf_data_end end;
};

enum perf_data_kind
perf_data_kind(const void *bytes, size_t size)
{
	if (size < PERF_DATA_MAGIC_SIZE)
		return PERF_DATA_NOT;
	if (memcmp(bytes, "PERFILE2", 8) == 0)
		return PERF_DATA_YES;
	return memcmp(bytes, "2ELIFREP", 8) == 0 || memcmp(bytes, "PERFFILE", 8) == 0 ? PERF_DATA_FOREIGN :
											PERF_DATA_NOT;
}

static int
damaged(const struct perf_data *data, const char *what)
{
	return warn("%s is damaged: %s", input_name(data->input), what);
}

static int
refuse_compressed(const struct perf_data *data)
{
	return warn("%s was compressed by perf record -z, which is not read here: record without -z, and compress "
		    "the whole file afterwards if it must be small", input_name(data->input));
}

/* perf's own records. They are done with at once; 0, or -1 said. */
static int
take_user_record(struct perf_data *data, const struct perf_event_header *record)
{
	struct cursor c = cursor_of(record + 1, record->size - sizeof *record), attr;
	uint32_t size;
	uint64_t feature;

	switch (record->type) {
	case USER_ATTR:
		attr = c;
		cursor_take(&c, 4); /* type */
		size = cursor_u32(&c);
		size = size ? size : PERF_ATTR_SIZE_VER0;
		attr.end = attr.at + (size < cursor_left(&attr) ? size : cursor_left(&attr));
		c.at = attr.end;
		if (perf_header_add_event(&data->header, attr, c) < 0)
			return damaged(data, "an event's attribute");
		break;
	case USER_EVENT_UPDATE:
		if (perf_header_update_event(&data->header, c) < 0)
			return damaged(data, "an event's name");
		break;
	case USER_FEATURE:
		feature = cursor_u64(&c);
		if (feature < PERF_FEATURES && perf_header_add_feature(&data->header, (unsigned)feature, c) < 0)
			return damaged(data, "a feature of its header");
		break;
	case USER_BUILD_ID:
		if (perf_header_add_build_id(&data->header, record) < 0)
			return damaged(data, "a build-id");
		break;
	case USER_FINISHED_ROUND:
		perf_order_end_round(&data->order);
		break;
	case USER_TRACING_DATA:
		return perf_stream_skip(&data->stream, (cursor_u32(&c) + 7ull) & ~7ull);
	case USER_AUXTRACE:
		return perf_stream_skip(&data->stream, cursor_u64(&c));
	case USER_COMPRESSED:
	case USER_COMPRESSED2:
		return refuse_compressed(data);
	}
	return 0;
}

static const struct perf_event *
event_of(struct perf_data *data, const struct perf_event_header *record)
{
	struct perf_data_header *header = &data->header;

	if (header->event_count == 1)
		return header->events;
	return perf_header_event_of(header, perf_record_id(&header->events->layout, record));
}

static int
damaged_record(struct perf_data *data)
{
	return warn("%s is damaged: a record before byte %" PRIu64 " contradicts itself", input_name(data->input),
	    perf_stream_position(&data->stream));
}

/* What is known before any process is: taken in at once. */
static bool
is_kernel_mapping(const struct perf_event_header *record)
{
	return (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2) &&
	    (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/* LOST counts what did not fit into a ring, records of every kind; where perf has written the kernel's own
 * count of lost samples (LOST_SAMPLES, Linux 6.0) that is the better one. */
static void
take_lost(struct perf_data *data, const struct perf_event_header *header, const struct perf_event *event,
    const struct record *record)
{
	if (header->type == PERF_RECORD_LOST) {
		data->lost_records += record->lost;
	} else if (event == &data->header.events[data->chosen]) {
		data->lost_samples += record->lost;
		data->counts_lost = event->attr.read_format & PERF_FORMAT_LOST;
	}
}

/* Others' samples are counted and dropped before they take memory; so is what guests do. */
static bool
is_wanted(struct perf_data *data, const struct perf_event_header *record, const struct perf_event *event)
{
	unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		if (event == &data->header.events[data->chosen])
			return true;
		data->end.other_samples++;
		return false;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return mode != PERF_RECORD_MISC_GUEST_KERNEL && mode != PERF_RECORD_MISC_GUEST_USER;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_KSYMBOL:
		return true;
	default:
		return false;
	}
}

/* What is not about a process at one time is taken in at once. 1: taken in, 0: another record, -1: said. */
static int
take_at_once(struct perf_data *data, const struct perf_event_header *header)
{
	bool is_lost = header->type == PERF_RECORD_LOST || header->type == PERF_RECORD_LOST_SAMPLES;
	const struct perf_event *event;
	struct record record;

	if (!is_lost && !is_kernel_mapping(header))
		return 0;
	event = event_of(data, header);
	if (perf_record_parse(&event->layout, header, &record) < 0)
		return damaged_record(data);
	if (is_lost)
		take_lost(data, header, event, &record);
	else
		perf_data_kernel_add(&data->kernel, &record);
	return 1;
}

/* A record of a process: true if it is handed out now, else it waits for its time or is dropped. */
static bool
take_in_order(struct perf_data *data, const struct perf_event_header *header, struct perf_block *block)
{
	const struct perf_event *event = event_of(data, header);
	uint64_t time;

	if (!is_wanted(data, header, event))
		return false;
	time = perf_record_time(&event->layout, header);
	block->held++;
	if (time == 0 || time == UINT64_MAX) {
		data->current = (struct perf_entry){ .record = header, .block = block };
		return true;
	}
	perf_order_add(&data->order, time, header, block);
	if (data->stream.block_count > PERF_DATA_BLOCKS_MAX)
		perf_order_give_half(&data->order);
	return false;
}

/* Reads on past what perf says of itself and of the kernel, to the next record of a process: data->ahead.
 * 1: there is one, 0: the end, -1: said. */
static int
read_on(struct perf_data *data)
{
	struct perf_entry *ahead = &data->ahead;

	while (!ahead->block) {
		int got = perf_stream_next(&data->stream, &ahead->record, &ahead->block);

		if (got <= 0)
			return got;
		if (ahead->record->type >= USER_FIRST)
			got = take_user_record(data, ahead->record);
		else if (!data->header.event_count)
			got = damaged(data, "records before any event");
		else if ((got = take_at_once(data, ahead->record)) == 0)
			return 1;
		perf_stream_let_go(&data->stream, ahead->block);
		ahead->block = NULL;
		if (got < 0)
			return -1;
		if (data->order.first < data->order.ready) /* a round has ended */
			return 1;
	}
	return 1;
}

/* All that a pipe says of its events, and where the kernel lies, stand before the first process. */
static int
read_beginning(struct perf_data *data)
{
	if (data->header.is_compressed)
		return refuse_compressed(data);
	if (data->header.is_directory)
		return warn("%s belongs to a directory written by perf record --threads, which is not read here: "
			    "record without --threads", input_name(data->input));
	if (read_on(data) < 0)
		return -1;
	return data->header.event_count ? 0 : damaged(data, "no events");
}

struct perf_data *
perf_data_open(struct input *input)
{
	struct perf_data *data = mem_alloc(sizeof *data);

	data->input = input;
	if (perf_data_file_open(input, &data->stream, &data->header, &data->spool) == 0 && read_beginning(data) == 0)
		return data;
	perf_data_close(data);
	return NULL;
}

static void
let_go(struct perf_data *data)
{
	perf_stream_let_go(&data->stream, data->current.block);
	data->current.block = NULL;
}

/* The next record in order becomes current. 1: there is one, 0: the end, -1: said. */
static int
advance(struct perf_data *data)
{
	let_go(data);
	while (!perf_order_next(&data->order, &data->current)) {
		bool is_now = false;
		int got;

		if (data->at_end)
			return 0;
		got = read_on(data);
		if (got < 0)
			return -1;
		if (got == 0) {
			data->at_end = true;
			perf_order_give_all(&data->order);
		} else if (data->ahead.block) {
			is_now = take_in_order(data, data->ahead.record, data->ahead.block);
			perf_stream_let_go(&data->stream, data->ahead.block);
			data->ahead.block = NULL;
		}
		if (is_now)
			return 1;
	}
	return 1;
}

static int
tell_lost(struct perf_data *data, struct record *record)
{
	uint64_t lost = data->counts_lost ? data->lost_samples : data->lost_records + data->lost_samples;

	if (data->lost_told || !lost)
		return 0;
	data->lost_told = true;
	*record = (struct record){ .kind = RECORD_LOST, .time = data->end.last };
	record->lost = lost;
	return 1;
}

int
perf_data_next(struct perf_data *data, struct record *record)
{
	int got = advance(data);

	if (got <= 0)
		return got < 0 ? -1 : tell_lost(data, record);
	if (perf_record_parse(&event_of(data, data->current.record)->layout, data->current.record, record) < 0)
		return damaged_record(data);
	if (record->kind == RECORD_SAMPLE) {
		data->end.samples++;
		data->end.last = record->time;
		if (!data->end.first)
			data->end.first = record->time;
	}
	return 1;
}

void
perf_data_choose(struct perf_data *data, size_t event)
{
	data->chosen = event;
}

const struct perf_data_header *
perf_data_header(const struct perf_data *data)
{
	return &data->header;
}

const struct perf_data_kernel *
perf_data_kernel(const struct perf_data *data)
{
	return &data->kernel;
}

const struct perf_data_end *
perf_data_end(struct perf_data *data)
{
	data->end.late = data->order.late;
	data->end.was_killed = data->stream.was_cut;
	return &data->end;
}

void
perf_data_close(struct perf_data *data)
{
	if (!data)
		return;
	let_go(data);
	perf_stream_let_go(&data->stream, data->ahead.block);
	perf_order_give_all(&data->order);
	while (perf_order_next(&data->order, &data->current))
		let_go(data);
	perf_order_release(&data->order);
	perf_stream_release(&data->stream);
	perf_header_release(&data->header);
	perf_data_kernel_release(&data->kernel);
	if (data->spool >= 0)
		close(data->spool);
	free(data);
}
