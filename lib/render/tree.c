#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/warn.h"
#include "render/tree.h"

/* A box whose right edge is not known yet. */
struct open_box {
	uint32_t name, small;
	uint64_t left, next; /* next: where its next child begins */
	uint64_t total, self, small_total;
};

struct walk_state {
	const struct tree *tree;
	uint64_t least;
	tree_draw *draw;
	void *context;
	struct tree_cut *cut;
	struct open_box *open; /* from the root to the box worked on */
	size_t depth, room;    /* of open: boxes in it */
};

static uint32_t
shared_frames(const struct stack *a, const struct stack *b)
{
	uint32_t shorter = a->count < b->count ? a->count : b->count, shared = 0;

	while (shared < shorter && a->frames[shared] == b->frames[shared])
		shared++;
	return shared;
}

int
tree_open(struct tree *tree, const struct fold *fold)
{
	unsigned __int128 total = fold_total(fold);

	*tree = (struct tree){ .fold = fold };
	if (total > UINT64_MAX)
		return warn("the values add up to more than 2^64: nothing is drawn");
	tree->total = (uint64_t)total;
	tree->rows = fold_sorted(fold, &tree->count);
	tree->shared = mem_alloc(tree->count * sizeof *tree->shared);
	for (size_t i = 1; i < tree->count; i++)
		tree->shared[i] = shared_frames(tree->rows[i - 1], tree->rows[i]);
	return 0;
}

void
tree_close(struct tree *tree)
{
	free(tree->rows);
	free(tree->shared);
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
draw_small(struct walk_state *walk, const struct open_box *parent, uint32_t depth)
{
	struct box box = {
		.kind = BOX_SMALL,
		.depth = depth + 1,
		.small = parent->small,
		.left = parent->next,
		.total = parent->small_total,
		.self = parent->small_total,
	};

	if (parent->small_total < walk->least) {
		walk->cut->lost += parent->small_total;
		return;
	}
	walk->cut->gathered += parent->small_total;
	walk->draw(walk->context, &box);
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
		.left = done.left,
		.total = done.total,
		.self = done.self,
	};

	if (parent)
		parent->total += done.total;
	if (parent && done.total < walk->least) {
		parent->small++;
		parent->small_total += done.total;
		walk->cut->frames++;
		return;
	}
	if (parent)
		parent->next += done.total;
	if (done.small)
		draw_small(walk, &done, box.depth);
	walk->draw(walk->context, &box);
}

/* The frames that only this row has are all as wide as the row: if that is too narrow the first of them is
 * one more small frame of the one below. Most rows of a large profile end so. */
static bool
leave_out(struct walk_state *walk, size_t i, uint32_t own)
{
	const struct stack *row = walk->tree->rows[i];
	struct open_box *top = &walk->open[walk->depth - 1];

	if (!own || row->value >= walk->least)
		return false;
	top->total += (uint64_t)row->value;
	top->small_total += (uint64_t)row->value;
	top->small++;
	walk->cut->frames += own;
	return true;
}

void
tree_walk(const struct tree *tree, uint64_t least, tree_draw *draw, void *context, struct tree_cut *cut)
{
	struct walk_state walk = { tree, least ? least : 1, draw, context, cut, NULL, 0, 0 };

	*cut = (struct tree_cut){ 0 };
	push(&walk, 0);
	for (size_t i = 0; i < tree->count; i++) {
		const struct stack *row = tree->rows[i];
		uint32_t frame = tree->shared[i], after = i + 1 < tree->count ? tree->shared[i + 1] : 0;
		uint32_t common = frame > after ? frame : after;
		struct open_box *top;

		while (walk.depth > (size_t)frame + 1)
			pop(&walk);
		for (; frame < common; frame++)
			push(&walk, row->frames[frame]);
		if (leave_out(&walk, i, row->count - common))
			continue;
		for (; frame < row->count; frame++)
			push(&walk, row->frames[frame]);
		top = &walk.open[walk.depth - 1];
		top->self += (uint64_t)row->value;
		top->total += (uint64_t)row->value;
		top->next += (uint64_t)row->value;
	}
	while (walk.depth)
		pop(&walk);
	free(walk.open);
}
