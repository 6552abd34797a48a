#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "source/bpf/filter.h"
#include "source/perf_piece.h"

bool
perf_piece_parse(const struct perf_event_header *header, struct perf_piece *piece)
{
	struct cursor c = cursor_of(header + 1, header->size - sizeof *header);
	uint32_t size;

	if (header->type != PERF_RECORD_SAMPLE)
		return false;
	cursor_take(&c, 4);
	piece->tid = cursor_u32(&c);
	cursor_take(&c, 8 + 8 + 4); /* time, CPU, size of what follows */
	if (cursor_u32(&c) != PIECE_MAGIC)
		return false;
	piece->sp = cursor_u64(&c);
	piece->stack.address = cursor_u64(&c);
	size = cursor_u32(&c);
	cursor_take(&c, 4);
	piece->stack.bytes = cursor_take(&c, size);
	piece->stack.size = size;
	if (!c.ok)
		piece->stack.size = 0;
	return true;
}

static int
by_address(const void *a, const void *b)
{
	const struct stack_piece *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

size_t
perf_pieces_of(const struct sample *sample, const struct perf_piece *pieces, size_t count, struct stack_piece *list)
{
	bool sorted = true;

	if (sample->user != USER_64)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (pieces[i].tid != sample->tid || pieces[i].sp != sample->regs[R_RSP])
			return 0;
		list[i] = pieces[i].stack;
		sorted &= i == 0 || list[i].address > list[i - 1].address;
	}
	if (!sorted)
		qsort(list, count, sizeof *list, by_address);
	return count;
}
