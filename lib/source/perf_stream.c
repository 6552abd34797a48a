#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "source/perf_stream.h"

/* Records below this type are the kernel's, or made in its form: whole words, with pointers into them. */
#define TYPE_USER 64
/* Blocks kept for the next round rather than given back: fresh ones cost a page fault for every page. */
#define SPARE_MAX 16

uint64_t
perf_stream_position(const struct perf_stream *stream)
{
	return stream->offset - (stream->filled - stream->start);
}

static struct perf_block *
block_new(struct perf_stream *stream)
{
	struct perf_block *block = stream->spare;

	if (block) {
		stream->spare = block->next;
		stream->spare_count--;
	} else {
		block = mem_resize(NULL, 1, sizeof *block);
		stream->block_count++;
	}
	block->next = NULL;
	block->held = 1;
	return block;
}

void
perf_stream_let_go(struct perf_stream *stream, struct perf_block *block)
{
	if (!block || --block->held)
		return;
	if (stream->spare_count >= SPARE_MAX) {
		free(block);
		stream->block_count--;
		return;
	}
	block->next = stream->spare;
	stream->spare = block;
	stream->spare_count++;
}

/* Up to n bytes, as many as come at once; 0 at the end. */
static ssize_t
read_bytes(struct perf_stream *stream, void *to, size_t n)
{
	ssize_t got;

	if (stream->fd < 0) {
		got = input_read(stream->input, to, n);
	} else {
		if (n > stream->end - stream->offset)
			n = (size_t)(stream->end - stream->offset);
		do
			got = pread(stream->fd, to, n, (off_t)stream->offset);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			return warn("read %s:", input_name(stream->input));
	}
	if (got > 0)
		stream->offset += (uint64_t)got;
	return got;
}

/* Makes room for a record of need bytes that begins at start: in this block if nobody holds it, else in a
 * new one, to which the record's beginning moves. */
static void
make_room(struct perf_stream *stream, size_t need)
{
	struct perf_block *old = stream->block;
	size_t have = stream->filled - stream->start;

	if (old && stream->start + need <= PERF_BLOCK_SIZE)
		return;
	if (!old || old->held > 1)
		stream->block = block_new(stream);
	if (old)
		memmove(stream->block->bytes, old->bytes + stream->start, have);
	if (old && old != stream->block)
		perf_stream_let_go(stream, old);
	stream->start = 0;
	stream->filled = have;
}

/* Reads until need bytes are there from start on. 0: the end came first. */
static int
fill(struct perf_stream *stream, size_t need)
{
	make_room(stream, need);
	while (stream->filled - stream->start < need) {
		ssize_t got = read_bytes(stream, stream->block->bytes + stream->filled,
		    PERF_BLOCK_SIZE - stream->filled);

		if (got <= 0)
			return (int)got;
		stream->filled += (size_t)got;
	}
	return 1;
}

static int
end_inside(struct perf_stream *stream)
{
	if (stream->filled == stream->start)
		return 0;
	stream->was_cut = true;
	if (stream->may_be_cut)
		return 0;
	return warn("%s is cut at byte %" PRIu64 ", inside a record", input_name(stream->input), stream->offset);
}

int
perf_stream_next(struct perf_stream *stream, const struct perf_event_header **record, struct perf_block **block)
{
	struct perf_event_header header;
	unsigned char *at;
	size_t shift;
	int got = fill(stream, sizeof header);

	if (got <= 0)
		return got < 0 ? -1 : end_inside(stream);
	memcpy(&header, stream->block->bytes + stream->start, sizeof header);
	if (header.size < sizeof header || (header.type < TYPE_USER && header.size % 8))
		return warn("%s is damaged: a record of %u bytes at byte %" PRIu64, input_name(stream->input),
		    header.size, perf_stream_position(stream));
	got = fill(stream, header.size);
	if (got <= 0)
		return got < 0 ? -1 : end_inside(stream);
	at = stream->block->bytes + stream->start;
	stream->start += header.size;
	/* In a pipe perf's own records may end between words, and all behind them lie askew. They move down
	 * into bytes that have been handed out: those of a record of perf's, done with by now, or of a record
	 * that has moved down itself. */
	shift = (uintptr_t)at % 8;
	if (shift)
		memmove(at - shift, at, header.size);
	*record = (const void *)(at - shift);
	*block = stream->block;
	stream->block->held++;
	return 1;
}

int
perf_stream_skip(struct perf_stream *stream, uint64_t size)
{
	while (size) {
		size_t have = stream->filled - stream->start;
		size_t n = size < have ? (size_t)size : have;
		int got;

		stream->start += n;
		size -= n;
		if (!size)
			break;
		got = fill(stream, 1);
		if (got < 0)
			return -1;
		if (got == 0) {
			stream->was_cut = true;
			return stream->may_be_cut ? 0 : warn("%s is cut at byte %" PRIu64 ", in a processor's trace",
			    input_name(stream->input), stream->offset);
		}
	}
	return 0;
}

void
perf_stream_release(struct perf_stream *stream)
{
	perf_stream_let_go(stream, stream->block);
	while (stream->spare) {
		struct perf_block *next = stream->spare->next;

		free(stream->spare);
		stream->spare = next;
	}
	stream->block = NULL;
}
