#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"
#include "render/tree.h"

/* A box whose right edge is not known yet. */
struct open_box {
	uint32_t name, small;
	uint64_t left, next; /* next: where its next child begins */
	uint64_t total, self, small_total;
	uint64_t small_left; /* in a chart: where the small ones lie that are not drawn yet */
	struct pair totals, selves, smalls;
};

struct walk_state {
	const struct tree *tree;
	uint64_t least;
	tree_draw *draw;
	void *context;
	struct tree_cut *cut;
	struct open_box *open; /* from the root to the box worked on */
	size_t depth, room;    /* of open: boxes in it */
	uint32_t row;
};

static uint32_t
shared_frames(const struct stack *a, const struct stack *b)
{
	uint32_t shorter = a->count < b->count ? a->count : b->count, shared = 0;

	while (shared < shorter && a->frames[shared] == b->frames[shared])
		shared++;
	return shared;
}

static void
share(struct tree *tree)
{
	tree->frames = 0;
	for (size_t i = 0; i < tree->count; i++) {
		tree->shared[i] = i ? shared_frames(tree->rows[i - 1], tree->rows[i]) : 0;
		tree->frames += tree->rows[i]->count - tree->shared[i];
	}
}

/* Every stack with a value, in order of arrival. */
static const struct stack **
fold_arrived(const struct fold *fold, size_t *count)
{
	const struct stacks *stacks = &fold->stacks;
	const struct stack **rows = mem_resize(NULL, stacks->count + 1, sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->list[i].value || stacks_base(stacks, &stacks->list[i]))
			rows[(*count)++] = &stacks->list[i];
	return rows;
}

static bool
has_time(const struct fold *fold, const struct stack *stack)
{
	const char *name = stack->count ? intern_name(&fold->names, stack->frames[0]) : "";

	return strncmp(name, "time=", 5) == 0;
}

/* -1, said: more than a picture can show. Two columns are summed apart, as either may be drawn. */
static int
add_up(struct tree *tree)
{
	unsigned __int128 width = 0, base = 0, new = 0;

	for (size_t i = 0; i < tree->count; i++) {
		unsigned __int128 b = stacks_base(&tree->fold->stacks, tree->rows[i]), n = tree->rows[i]->value;

		base += b;
		new += n;
		width += tree->layout == LAYOUT_UNION && b > n ? b : n;
	}
	if (width > UINT64_MAX || base > UINT64_MAX || new > UINT64_MAX)
		return warn("the values add up to more than 2^64: nothing is drawn");
	tree->total = tree->pairs && tree->layout == LAYOUT_BASE ? (uint64_t)base : (uint64_t)width;
	for (size_t i = 0; tree->pairs && i < tree->count; i++)
		tree->pairs[i] = (struct pair){ (uint64_t)stacks_base(&tree->fold->stacks, tree->rows[i]),
			(uint64_t)tree->rows[i]->value };
	return 0;
}

/* Rows lose the label time, by which they are in order. */
static void
drop_times(struct tree *tree)
{
	tree->own = mem_resize(NULL, tree->count, sizeof *tree->own);
	for (size_t i = 0; i < tree->count; i++) {
		tree->own[i] = *tree->rows[i];
		if (has_time(tree->fold, tree->rows[i])) {
			tree->own[i].frames++;
			tree->own[i].count--;
		}
		tree->rows[i] = &tree->own[i];
	}
}

static void
rearrange(struct tree *tree, const uint32_t *order)
{
	const struct stack **rows = mem_resize(NULL, tree->count + 1, sizeof *rows);
	struct pair *pairs = tree->pairs ? mem_resize(NULL, tree->count + 1, sizeof *pairs) : NULL;

	for (size_t i = 0; i < tree->count; i++) {
		rows[i] = tree->rows[order[i]];
		if (pairs)
			pairs[i] = tree->pairs[order[i]];
	}
	free(tree->rows);
	free(tree->pairs);
	tree->rows = rows;
	tree->pairs = pairs;
}

enum tree_layout
tree_layout_of(const struct header *header)
{
	const char *kind = header_text(header, "kind");

	return kind && strcmp(kind, "ratio") == 0 ? LAYOUT_BASE : LAYOUT_UNION;
}

int
tree_open(struct tree *tree, const struct fold *fold, enum tree_order order, enum tree_layout layout)
{
	bool timed = false;
	uint32_t *siblings;

	*tree = (struct tree){ .fold = fold, .order = order, .layout = layout, .keeps_places = order == ORDER_TIME };
	for (size_t i = 0; tree->keeps_places && i < fold->stacks.count && !timed; i++)
		timed = has_time(fold, &fold->stacks.list[i]);
	tree->rows = tree->keeps_places && !timed ? fold_arrived(fold, &tree->count) : fold_sorted(fold, &tree->count);
	if (fold->stacks.base)
		tree->pairs = mem_alloc((tree->count + 1) * sizeof *tree->pairs);
	if (add_up(tree) < 0) {
		tree_close(tree);
		return -1;
	}
	if (timed)
		drop_times(tree);
	tree->shared = mem_alloc(tree->count * sizeof *tree->shared);
	share(tree);
	if (order == ORDER_WEIGHT || order == ORDER_INPUT) {
		siblings = tree_siblings(tree, order);
		rearrange(tree, siblings);
		free(siblings);
		share(tree);
	}
	return 0;
}

void
tree_close(struct tree *tree)
{
	free(tree->rows);
	free(tree->shared);
	free(tree->pairs);
	free(tree->own);
	*tree = (struct tree){ 0 };
}

static void
push(struct walk_state *walk, uint32_t name)
{
	uint64_t left = walk->depth ? walk->open[walk->depth - 1].next : 0;

	mem_grow(&walk->open, walk->depth, &walk->room);
	walk->open[walk->depth++] = (struct open_box){ .name = name, .left = left, .next = left };
}

static void
pair_add(struct pair *to, const struct pair *pair)
{
	to->base += pair->base;
	to->new += pair->new;
}

/* The small children of the box at depth become one. */
static void
draw_small(struct walk_state *walk, struct open_box *parent, uint32_t depth)
{
	struct box box = {
		.kind = BOX_SMALL,
		.depth = depth + 1,
		.small = parent->small,
		.row = walk->row,
		.left = walk->tree->keeps_places ? parent->small_left : parent->next,
		.total = parent->small_total,
		.self = parent->small_total,
		.totals = parent->smalls,
		.selves = parent->smalls,
	};

	if (parent->small_total < walk->least) {
		walk->cut->lost += parent->small_total;
	} else {
		walk->cut->gathered += parent->small_total;
		walk->draw(walk->context, &box);
	}
	parent->small = 0;
	parent->small_total = 0;
	parent->smalls = (struct pair){ 0 };
}

/* frames of a width too small together. A layout may give no width at all: these are no boxes. */
static void
add_small(struct walk_state *walk, struct open_box *parent, uint64_t width, const struct pair *pair, uint32_t frames)
{
	if (!width)
		return;
	if (walk->tree->keeps_places) {
		if (!parent->small)
			parent->small_left = parent->next;
		parent->next += width;
	}
	parent->small++;
	parent->small_total += width;
	pair_add(&parent->smalls, pair);
	walk->cut->frames += frames;
}

/* The box on top is complete: it is drawn, or left to its parent's small ones. */
static void
pop(struct walk_state *walk)
{
	struct open_box done = walk->open[--walk->depth];
	struct open_box *parent = walk->depth ? &walk->open[walk->depth - 1] : NULL;
	struct box box = {
		.kind = parent ? BOX_FRAME : BOX_ROOT,
		.name = done.name,
		.depth = (uint32_t)walk->depth,
		.row = walk->row,
		.left = done.left,
		.total = done.total,
		.self = done.self,
		.totals = done.totals,
		.selves = done.selves,
	};

	if (parent) {
		parent->total += done.total;
		pair_add(&parent->totals, &done.totals);
	}
	if (parent && done.total < walk->least) {
		add_small(walk, parent, done.total, &done.totals, 1);
		return;
	}
	if (parent) {
		if (walk->tree->keeps_places && parent->small)
			draw_small(walk, parent, (uint32_t)walk->depth - 1);
		parent->next += done.total;
	} else if (walk->tree->total > box.total) {
		box.total = walk->tree->total; /* a total that was asked for */
	}
	if (done.small)
		draw_small(walk, &done, box.depth);
	walk->draw(walk->context, &box);
}

/* The frames that only this row has are all as wide as the row: if that is too narrow the first of them is
 * one more small frame of the one below. Most rows of a large profile end so. */
static bool
leave_out(struct walk_state *walk, size_t i, uint32_t own, uint64_t width)
{
	static const struct pair none;
	const struct pair *pair = walk->tree->pairs ? &walk->tree->pairs[i] : &none;
	struct open_box *top = &walk->open[walk->depth - 1];

	if (!own || width >= walk->least)
		return false;
	top->total += width;
	pair_add(&top->totals, pair);
	add_small(walk, top, width, pair, own);
	return true;
}

static void
add_self(struct walk_state *walk, size_t i, uint64_t width)
{
	struct open_box *top = &walk->open[walk->depth - 1];

	if (walk->tree->keeps_places && top->small)
		draw_small(walk, top, (uint32_t)walk->depth - 1);
	top->self += width;
	top->total += width;
	top->next += width;
	if (walk->tree->pairs) {
		pair_add(&top->totals, &walk->tree->pairs[i]);
		pair_add(&top->selves, &walk->tree->pairs[i]);
	}
}

void
tree_walk(const struct tree *tree, uint64_t least, tree_draw *draw, void *context, struct tree_cut *cut)
{
	struct walk_state walk = { tree, least ? least : 1, draw, context, cut, NULL, 0, 0, 0 };

	*cut = (struct tree_cut){ 0 };
	push(&walk, 0);
	for (size_t i = 0; i < tree->count; i++) {
		const struct stack *row = tree->rows[i];
		uint32_t frame = tree->shared[i], after = i + 1 < tree->count ? tree->shared[i + 1] : 0;
		uint32_t common = frame > after ? frame : after;
		uint64_t width = tree_width(tree, i);

		while (walk.depth > (size_t)frame + 1)
			pop(&walk);
		walk.row = (uint32_t)i;
		for (; frame < common; frame++)
			push(&walk, row->frames[frame]);
		if (leave_out(&walk, i, row->count - common, width))
			continue;
		for (; frame < row->count; frame++)
			push(&walk, row->frames[frame]);
		add_self(&walk, i, width);
	}
	while (walk.depth)
		pop(&walk);
	free(walk.open);
}
