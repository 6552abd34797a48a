#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/graph.h"

static void
keep(void *context, const struct box *box)
{
	struct graph *graph = context;

	mem_grow(&graph->boxes, graph->count, &graph->room);
	graph->boxes[graph->count++].box = *box;
}

static int
compare(const void *a, const void *b)
{
	const struct box *x = &((const struct graph_box *)a)->box, *y = &((const struct graph_box *)b)->box;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->left < y->left ? -1 : x->left > y->left;
}

static size_t
column(const struct graph *graph, uint64_t value)
{
	return (size_t)((unsigned __int128)value * graph->columns / graph->total);
}

/* Rows of a part are a tree too: those above the zoom are as wide as it is. */
static void
walk_part(struct graph *graph, size_t from, size_t to)
{
	struct tree part = *graph->tree;
	uint64_t least = graph->total / graph->columns + (graph->total % graph->columns > 0);

	part.rows += from;
	part.pairs = part.pairs ? part.pairs + from : NULL;
	part.count = to - from;
	part.total = graph->total;
	part.shared = mem_resize(NULL, part.count + 1, sizeof *part.shared);
	memcpy(part.shared, graph->tree->shared + from, part.count * sizeof *part.shared);
	part.shared[0] = 0;
	tree_walk(&part, least, keep, graph, &graph->cut);
	free(part.shared);
}

/* What is above the zoom is worth more than its part that is seen. */
static void
set_values(struct graph *graph, size_t from)
{
	for (size_t i = 0; i < graph->count; i++) {
		struct box *box = &graph->boxes[i].box;
		struct box whole;

		box->row += (uint32_t)from;
		graph->boxes[i].from = column(graph, box->left);
		graph->boxes[i].to = column(graph, box->left + box->total);
		if (box->depth >= graph->zoom.depth || box->kind == BOX_SMALL)
			continue;
		whole = place_box(graph->tree, (struct place){ box->row, box->depth });
		box->total = whole.total;
		box->self = whole.self;
		box->totals = whole.totals;
		box->selves = whole.selves;
	}
}

void
graph_open(struct graph *graph, const struct tree *tree, struct place zoom, size_t columns)
{
	struct place chosen = { 0 };
	bool had = graph->tree == tree && graph->count;
	size_t from, to;

	if (had)
		chosen = graph_place(graph);
	graph->tree = tree;
	graph->zoom = zoom;
	graph->columns = columns ? columns : 1;
	graph->count = graph->chosen = 0;
	graph->cut = (struct tree_cut){ 0 };
	place_range(tree, zoom, &from, &to);
	graph->total = place_box(tree, zoom).total;
	if (!graph->total)
		return;
	walk_part(graph, from, to);
	qsort(graph->boxes, graph->count, sizeof *graph->boxes, compare);
	set_values(graph, from);
	graph_choose(graph, had && place_within(tree, chosen, zoom) ? chosen : zoom);
}

void
graph_release(struct graph *graph)
{
	free(graph->boxes);
	*graph = (struct graph){ 0 };
}

const struct graph_box *
graph_chosen(const struct graph *graph)
{
	return graph->count ? &graph->boxes[graph->chosen] : NULL;
}

struct place
graph_place(const struct graph *graph)
{
	const struct graph_box *chosen = graph_chosen(graph);

	if (!chosen)
		return (struct place){ 0 };
	return (struct place){ chosen->box.row, chosen->box.depth - (chosen->box.kind == BOX_SMALL) };
}

/* The first box of a depth, or deeper. */
static size_t
first_at(const struct graph *graph, size_t depth)
{
	size_t low = 0, high = graph->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (graph->boxes[middle].box.depth < depth)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
graph_choose(struct graph *graph, struct place place)
{
	/* Above the zoom every line has one box, and every row is below it. */
	for (uint32_t depth = place.depth; depth > 0; depth--) {
		struct place wanted = { place.row, depth };

		for (size_t i = first_at(graph, depth); i < graph->count && graph->boxes[i].box.depth == depth; i++) {
			const struct box *box = &graph->boxes[i].box;

			if (box->kind == BOX_FRAME &&
			    place_same(graph->tree, wanted, (struct place){ box->row, depth })) {
				graph->chosen = i;
				return;
			}
		}
	}
	graph->chosen = 0;
}

/* The box of a line that has most of what is between two columns; the line's end if there is none. */
static size_t
widest_between(const struct graph *graph, size_t depth, size_t from, size_t to)
{
	size_t best = graph->count, most = 0;

	for (size_t i = first_at(graph, depth); i < graph->count && graph->boxes[i].box.depth == depth; i++) {
		const struct graph_box *box = &graph->boxes[i];
		size_t left = box->from > from ? box->from : from, right = box->to < to ? box->to : to;

		if (right > left && right - left > most) {
			most = right - left;
			best = i;
		}
	}
	return best;
}

void
graph_move(struct graph *graph, enum graph_move move)
{
	const struct graph_box *chosen = graph_chosen(graph);
	size_t to = graph->count, depth;

	if (!chosen)
		return;
	depth = chosen->box.depth;
	switch (move) {
	case MOVE_UP:
		if (depth)
			to = widest_between(graph, depth - 1, chosen->from, chosen->to);
		break;
	case MOVE_DOWN:
		to = widest_between(graph, depth + 1, chosen->from, chosen->to);
		break;
	case MOVE_LEFT:
		to = graph->chosen ? graph->chosen - 1 : graph->count;
		break;
	case MOVE_RIGHT:
		to = graph->chosen + 1;
		break;
	case MOVE_FIRST:
		to = first_at(graph, depth);
		break;
	case MOVE_LAST:
		to = first_at(graph, depth + 1) - 1;
		break;
	}
	if (to < graph->count && (move == MOVE_UP || move == MOVE_DOWN || graph->boxes[to].box.depth == depth))
		graph->chosen = to;
}

static int
compare_places(const struct box *a, const struct box *b)
{
	if (a->left != b->left)
		return a->left < b->left ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

bool
graph_next(struct graph *graph, bool backwards, bool (*wanted)(const void *context, const struct box *box),
    const void *context)
{
	int way = backwards ? -1 : 1;
	size_t best = graph->count, end = graph->count;

	/* The nearest in that direction, else, round the end, the farthest in the other. */
	for (size_t i = 0; i < graph->count; i++) {
		const struct box *box = &graph->boxes[i].box;
		int from_here = way * compare_places(box, &graph->boxes[graph->chosen].box);

		if (i == graph->chosen || !wanted(context, box))
			continue;
		if (from_here > 0 && (best == graph->count || way * compare_places(box, &graph->boxes[best].box) < 0))
			best = i;
		if (from_here < 0 && (end == graph->count || way * compare_places(box, &graph->boxes[end].box) < 0))
			end = i;
	}
	best = best < graph->count ? best : end;
	if (best == graph->count)
		return false;
	graph->chosen = best;
	return true;
}

void
graph_scroll(struct graph *graph, size_t rows)
{
	size_t deepest = graph->count ? graph->boxes[graph->count - 1].box.depth : 0;
	size_t depth = graph->count ? graph->boxes[graph->chosen].box.depth : 0;

	if (graph->top + rows > deepest + 1 && graph->top > graph->zoom.depth)
		graph->top = deepest + 1 > rows + graph->zoom.depth ? deepest + 1 - rows : graph->zoom.depth;
	if (depth < graph->top)
		graph->top = depth;
	if (rows && depth >= graph->top + rows)
		graph->top = depth - rows + 1;
}
