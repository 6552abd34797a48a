/* Sorted rows seen as the tree they are: boxes with a place and a width, in one pass, without a node in
 * memory. A row after its prefix and before its next sibling is all it takes for a box never to be split.
 * It must not know pixels, names or colours. */
#ifndef RENDER_TREE_H
#define RENDER_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/fold.h"

/* How the children of a box follow each other. */
enum tree_order {
	ORDER_NAME,   /* as byte strings: the canonical order */
	ORDER_WEIGHT, /* the widest first */
	ORDER_INPUT,  /* as they came */
	ORDER_TIME,   /* a flame chart: by the label time, which is no box then, else every line as it came */
};

/* How wide a row of two columns is. */
enum tree_layout {
	LAYOUT_UNION, /* as the larger of them: nothing is hidden */
	LAYOUT_NEW,
	LAYOUT_BASE,
};

/* The two columns of a row or a box, base and new; of a ratio: denominator and numerator. */
struct pair {
	uint64_t base, new;
};

struct tree {
	const struct fold *fold;
	const struct stack **rows; /* each after its prefix but in a flame chart, none of value 0 */
	uint32_t *shared;	   /* by row: how many frames it shares with the row before */
	size_t count;
	uint64_t frames;    /* of all rows, shared ones once */
	uint64_t total;	    /* of all rows' widths; 0: nothing to draw */
	bool keeps_places; /* small frames lie where they are, as in a flame chart, not at the right end */
	struct pair *pairs; /* by row, NULL: one column */
	enum tree_order order;
	enum tree_layout layout;
	struct stack *own;  /* rows that are not the fold's */
};

enum box_kind {
	BOX_ROOT,  /* all there is; depth 0 */
	BOX_FRAME,
	BOX_SMALL, /* what is too narrow among the children of one box, at that box's right end; or where it lies */
};

struct box {
	enum box_kind kind;
	uint32_t name;	/* of a frame: number in fold->names */
	uint32_t depth;
	uint32_t small; /* of BOX_SMALL: how many frames */
	uint32_t row;	/* the row that was its last */
	uint64_t left;	/* in units of value from the picture's left edge: own value first, then children */
	uint64_t total, self;
	struct pair totals, selves; /* of two columns */
};

/* What a walk left out, in frames and in value. */
struct tree_cut {
	uint64_t frames; /* narrower than asked, descendants included */
	uint64_t gathered, lost; /* value in BOX_SMALL, and in what was too narrow even together */
};

typedef void tree_draw(void *context, const struct box *box);

/* As the profile's kind wants it: of a ratio the base, its denominator; else the union. */
enum tree_layout tree_layout_of(const struct header *header);

/* -1, said, if the values add up to more than a picture can show (2^64). fold must outlive the tree. */
int tree_open(struct tree *tree, const struct fold *fold, enum tree_order order, enum tree_layout layout);
void tree_close(struct tree *tree);

/* The width of a row. */
static inline uint64_t
tree_width(const struct tree *tree, size_t row)
{
	const struct pair *pair;

	if (!tree->pairs)
		return (uint64_t)tree->rows[row]->value;
	pair = &tree->pairs[row];
	return tree->layout == LAYOUT_NEW	 ? pair->new :
	    tree->layout == LAYOUT_BASE		 ? pair->base :
	    pair->new > pair->base		 ? pair->new :
						   pair->base;
}

/* For tree_open(): the order of rows by ORDER_WEIGHT or ORDER_INPUT, a number of a row each; free() it. */
uint32_t *tree_siblings(const struct tree *tree, enum tree_order order);

/* Calls draw for every box of at least least (> 0), children before their parents. */
void tree_walk(const struct tree *tree, uint64_t least, tree_draw *draw, void *context, struct tree_cut *cut);

#endif
