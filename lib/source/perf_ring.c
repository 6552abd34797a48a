#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "source/perf_record.h"
#include "source/perf_ring.h"

/* perf_event_header.size has 16 bits. */
#define RECORD_MAX 65536u

int
perf_ring_map(struct perf_ring *ring, int fd, uint64_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return -1;
	*ring = (struct perf_ring){ .fd = fd, .control = memory, .size = size };
	ring->data = (unsigned char *)memory + page;
	ring->unwrapped = mem_alloc(RECORD_MAX);
	return 0;
}

void
perf_ring_unmap(struct perf_ring *ring)
{
	if (ring->control)
		munmap(ring->control, (size_t)sysconf(_SC_PAGESIZE) + ring->size);
	free(ring->unwrapped);
	*ring = (struct perf_ring){ .fd = -1 };
}

/* TID, TIME, CPU. */
#define SAMPLE_ID_SIZE 24u

/* A sample has its time behind header and TID; every other record behind TID in its last 24 bytes. */
static uint64_t
time_of(const struct perf_event_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t at = header->type == PERF_RECORD_SAMPLE ? sizeof *header + 8 :
							 perf_record_end(header, SAMPLE_ID_SIZE) - 16;
	uint64_t time;

	memcpy(&time, bytes + at, sizeof time);
	return time;
}

/* The record at `at`, in one part; NULL: there is none that is whole. */
static const struct perf_event_header *
record_at(struct perf_ring *ring, uint64_t at, uint64_t head)
{
	/* Records are 8-aligned, so that a header is never cut in two. */
	uint64_t offset = at & (ring->size - 1);
	const struct perf_event_header *header = (const void *)(ring->data + offset);
	size_t first = ring->size - offset;

	if (head - at < sizeof *header || header->size < sizeof *header + 16 || header->size > head - at)
		return NULL;
	if (header->size <= first)
		return header;
	memcpy(ring->unwrapped, header, first);
	memcpy(ring->unwrapped + first, ring->data, header->size - first);
	return (const void *)ring->unwrapped;
}

static void
add_piece(struct perf_order *order, const struct perf_piece *piece)
{
	mem_grow(&order->pieces, order->total_pieces, &order->piece_room);
	order->pieces[order->total_pieces++] = *piece;
}

/* Pieces wait for their sample, also until the next time. Where any other record comes, above all one that
 * tells of losses, the sample was lost; and should nothing come, they must not fill the ring for ever. */
#define PIECES_WAIT_NS 100000000u

static void
collect(struct perf_ring *ring, uint32_t number, uint64_t limit, struct perf_order *order)
{
	uint64_t head = __atomic_load_n(&ring->control->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->tail, first_at = 0, first_time = 0, time;
	const struct perf_event_header *header;
	struct perf_piece piece;
	size_t waiting = 0;

	ring->piece_bytes = 0;
	for (; (header = record_at(ring, at, head)) && (time = time_of(header)) <= limit; at += header->size) {
		if (perf_piece_parse(header, &piece)) {
			first_at = waiting ? first_at : at;
			first_time = waiting ? first_time : time;
			add_piece(order, &piece);
			ring->piece_bytes += piece.stack.size;
			waiting++;
			continue;
		}
		if (header->type != PERF_RECORD_SAMPLE) {
			order->total_pieces -= waiting;
			waiting = 0;
		}
		mem_grow(&order->list, order->count, &order->room);
		order->list[order->count] = (struct perf_waiting){ time, header, number, (uint32_t)order->count,
			order->total_pieces - waiting, waiting };
		order->count++;
		waiting = 0;
	}
	order->total_pieces -= waiting;
	ring->next_tail = waiting && first_time + PIECES_WAIT_NS > limit ? first_at : at;
}

static int
by_time(const void *a, const void *b)
{
	const struct perf_waiting *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void
perf_rings_collect(struct perf_ring *rings, size_t count, uint64_t limit, struct perf_order *order)
{
	order->count = order->total_pieces = 0;
	for (size_t i = 0; i < count; i++)
		collect(&rings[i], (uint32_t)i, limit, order);
	if (order->count)
		qsort(order->list, order->count, sizeof *order->list, by_time);
}

void
perf_rings_release(struct perf_ring *rings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rings[i].tail = rings[i].next_tail;
		__atomic_store_n(&rings[i].control->data_tail, rings[i].tail, __ATOMIC_RELEASE);
	}
}
