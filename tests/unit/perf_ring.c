/* Pieces of stacks find their sample, and no other: in a ring made here. */
#include <stdlib.h>

#include "source/bpf/filter.h"
#include "source/perf_ring.h"
#include "tap.h"

#define RING ((size_t)1 << 17)
#define NEVER UINT64_MAX

static struct perf_ring ring;
static struct perf_order order;

static void
put(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		ring.data[(ring.control->data_head + i) % RING] = ((const unsigned char *)bytes)[i];
	ring.control->data_head += size;
}

/* A record with TID and TIME first, as samples have them. */
static void
put_record(uint32_t type, uint32_t tid, uint64_t time, const void *more, size_t size)
{
	struct perf_event_header header = { .type = type, .size = (uint16_t)(sizeof header + 24 + size) };
	uint32_t ids[2] = { tid, tid };
	uint64_t words[2] = { time, 0 };

	put(&header, sizeof header);
	put(ids, sizeof ids);
	put(words, sizeof words);
	put(more, size);
}

static void
put_sample(uint32_t tid, uint64_t time)
{
	uint64_t period = 10101010;

	put_record(PERF_RECORD_SAMPLE, tid, time, &period, sizeof period);
}

static void
put_piece(uint32_t tid, uint64_t time, uint64_t sp, uint64_t address)
{
	static unsigned char raw[4 + PIECE_HEAD + 4096];
	uint32_t size = 4096, words[2] = { sizeof raw - 4, PIECE_MAGIC };

	memcpy(raw, words, 8);
	memcpy(raw + 8, &sp, 8);
	memcpy(raw + 16, &address, 8);
	memcpy(raw + 24, &size, 4);
	memset(raw + 32, (int)(address >> 12), 4096);
	put_record(PERF_RECORD_SAMPLE, tid, time, raw, sizeof raw);
}

/* LOST has what sample_id_all adds at its end: TID, TIME, CPU. */
static void
put_lost(uint64_t time)
{
	struct perf_event_header header = { .type = PERF_RECORD_LOST, .size = sizeof header + 16 + 24 };
	uint64_t words[5] = { 0, 1, 0, time, 0 };

	put(&header, sizeof header);
	put(words, sizeof words);
}

/* As the second event has it that gets it: longer by a sample_id than what was written of it. */
static void
put_symbol(uint64_t time)
{
	struct perf_event_header header = { .type = PERF_RECORD_KSYMBOL, .size = sizeof header + 16 + 8 + 24 + 24 };
	uint64_t words[9] = { 0xffffffffc0001000, 256, 0x786770 /* a name */, 0, time, 0, NEVER - 1, NEVER - 1, NEVER - 1 };

	put(&header, sizeof header);
	put(words, sizeof words);
}

static size_t
collect(uint64_t limit)
{
	perf_rings_collect(&ring, 1, limit, &order);
	perf_rings_release(&ring, 1);
	return order.count;
}

static size_t
pieces_of(size_t i, uint32_t tid, uint64_t sp, struct stack_piece *list)
{
	struct sample sample = { .tid = tid, .user = USER_64 };

	sample.regs[R_RSP] = sp;
	return perf_pieces_of(&sample, order.pieces + order.list[i].first_piece, order.list[i].piece_count, list);
}

int
main(void)
{
	struct stack_piece list[64];
	bool whole = true;

	ring = (struct perf_ring){ .control = calloc(1, sizeof *ring.control), .data = malloc(RING), .size = RING,
		.unwrapped = malloc(65536) };

	put_piece(7, 100, 0x1000, 0x9000);
	put_piece(7, 101, 0x1000, 0x5000);
	put_sample(7, 102);
	put_sample(7, 103);
	ok(collect(1000) == 2 && order.list[0].piece_count == 2 && order.list[1].piece_count == 0,
	    "pieces are no records, and belong to the sample behind them");
	ok(pieces_of(0, 7, 0x1000, list) == 2 && list[0].address == 0x5000 && list[1].address == 0x9000 &&
	    list[0].size == 4096 && list[0].bytes[4095] == 5, "they come by address");
	ok(pieces_of(0, 8, 0x1000, list) == 0, "not another thread's");
	ok(pieces_of(0, 7, 0x1008, list) == 0, "not another stack's");

	put_piece(7, 200, 0x1000, 0x5000);
	put_lost(201);
	put_piece(7, 202, 0x1000, 0x9000);
	put_sample(7, 203);
	ok(collect(1000) == 2 && order.list[1].piece_count == 1 && pieces_of(1, 7, 0x1000, list) == 1 &&
	    list[0].address == 0x9000, "what was before a loss is nobody's");

	put_piece(7, 300, 0x1000, 0x5000);
	ok(collect(1000) == 0, "a piece waits");
	put_sample(7, 1100);
	ok(collect(1000) == 0, "... while its sample is too young");
	ok(collect(2000) == 1 && order.list[0].piece_count == 1, "... and is there when its time has come");

	put_piece(7, 300, 0x1000, 0x5000);
	collect(1000000000);
	ok(ring.control->data_tail == ring.control->data_head, "one whose sample never came does not fill the ring");

	put_symbol(1000000001);
	put_sample(7, 1000000002);
	ok(collect(1000000003) == 2 && order.list[0].time == 1000000001,
	    "a record that claims to be longer than it is has its time, and holds nobody up");

	for (uint64_t i = 0; i < 200; i++) { /* round the ring's end */
		put_piece(7, 2000000000 + i, 0x1000, 0x5000);
		put_piece(7, 2000000000 + i, 0x1000, 0x6000);
		put_sample(7, 2000000000 + i);
		whole &= collect(NEVER) == 1 && pieces_of(0, 7, 0x1000, list) == 2 && list[0].bytes[0] == 5 &&
		    list[0].bytes[4095] == 5 && list[1].bytes[0] == 6 && list[1].bytes[4095] == 6;
	}
	ok(whole, "a piece that the ring's end cuts is whole");
	return done_testing();
}
