#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/perf_order.h"

void
perf_order_add(struct perf_order *order, uint64_t time, const struct perf_event_header *record,
    struct perf_block *block)
{
	if (time < order->released)
		order->late++;
	if (time > order->newest)
		order->newest = time;
	mem_grow(&order->list, order->count, &order->room);
	order->list[order->count++] = (struct perf_entry){ time, order->next_number++, record, block };
}

static int
compare(const void *a, const void *b)
{
	const struct perf_entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void
sort(struct perf_order *order)
{
	order->count -= order->first;
	memmove(order->list, order->list + order->first, order->count * sizeof *order->list);
	order->first = 0;
	qsort(order->list, order->count, sizeof *order->list, compare);
}

void
perf_order_end_round(struct perf_order *order)
{
	if (order->count) {
		sort(order);
		for (order->ready = 0; order->ready < order->count; order->ready++)
			if (order->list[order->ready].time > order->round_limit)
				break;
	}
	order->round_limit = order->newest;
}

void
perf_order_give_half(struct perf_order *order)
{
	if (order->count) {
		sort(order);
		order->ready = (order->count + 1) / 2;
	}
}

void
perf_order_give_all(struct perf_order *order)
{
	if (order->count) {
		sort(order);
		order->ready = order->count;
	}
}

bool
perf_order_next(struct perf_order *order, struct perf_entry *entry)
{
	if (order->first >= order->ready)
		return false;
	*entry = order->list[order->first++];
	order->released = entry->time;
	if (order->first == order->count)
		order->first = order->count = order->ready = 0;
	return true;
}

void
perf_order_release(struct perf_order *order)
{
	free(order->list);
	*order = (struct perf_order){ 0 };
}
