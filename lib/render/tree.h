/* Sorted rows seen as the tree they are: boxes with a place and a width, in one pass, without a node in
 * memory. A row after its prefix and before its next sibling is all it takes for a box never to be split.
 * It must not know pixels, names or colours. */
#ifndef RENDER_TREE_H
#define RENDER_TREE_H

#include <stdint.h>

#include "fold/fold.h"

struct tree {
	const struct fold *fold;
	const struct stack **rows; /* in canonical order, none of value 0 */
	uint32_t *shared;	   /* by row: how many frames it shares with the row before */
	size_t count;
	uint64_t total; /* of all rows; 0: nothing to draw */
};

enum box_kind {
	BOX_ROOT,  /* all there is; depth 0 */
	BOX_FRAME,
	BOX_SMALL, /* what is too narrow among the children of one box, at that box's right end */
};

struct box {
	enum box_kind kind;
	uint32_t name;	/* of a frame: number in fold->names */
	uint32_t depth;
	uint32_t small; /* of BOX_SMALL: how many frames */
	uint64_t left;	/* in units of value from the picture's left edge: own value first, then children */
	uint64_t total, self;
};

/* What a walk left out, in frames and in value. */
struct tree_cut {
	uint64_t frames; /* narrower than asked, descendants included */
	uint64_t gathered, lost; /* value in BOX_SMALL, and in what was too narrow even together */
};

typedef void tree_draw(void *context, const struct box *box);

/* -1, said, if the values add up to more than a picture can show (2^64). fold must outlive the tree. */
int tree_open(struct tree *tree, const struct fold *fold);
void tree_close(struct tree *tree);

/* Calls draw for every box of at least least (> 0), children before their parents. */
void tree_walk(const struct tree *tree, uint64_t least, tree_draw *draw, void *context, struct tree_cut *cut);

#endif
