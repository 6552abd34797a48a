/* The graph: the boxes of a part of a tree as they lie on a screen of so many columns, callees below callers, and the
 * one that is chosen. Found once for a zoom, moved about in without looking at the tree again. It must not know colours
 * or keys. */
#ifndef VIEW_GRAPH_H
#define VIEW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "view/place.h"

struct graph_box {
	struct box box;
	size_t from, to; /* columns */
};

struct graph {
	const struct tree *tree;
	struct place zoom;
	uint64_t total; /* of the zoom, as wide as the screen */
	size_t columns;
	struct graph_box *boxes; /* by depth, then from left to right; the first is the root */
	size_t count, room;
	size_t chosen;
	size_t top; /* depth of the first line */
	struct tree_cut cut;
};

/* The tree from zoom on. A tree without value has no boxes. What was chosen before is chosen by its place. */
void graph_open(struct graph *graph, const struct tree *tree, struct place zoom, size_t columns);
void graph_release(struct graph *graph);

/* Chooses what lies there, or the nearest thing above it that is wide enough to be seen. */
void graph_choose(struct graph *graph, struct place place);
/* Of the chosen box; of a [small] its parent. */
struct place graph_place(const struct graph *graph);
const struct graph_box *graph_chosen(const struct graph *graph); /* NULL: there is nothing */

enum graph_move { MOVE_UP, MOVE_DOWN, MOVE_LEFT, MOVE_RIGHT, MOVE_FIRST, MOVE_LAST };
void graph_move(struct graph *graph, enum graph_move move);
/* The next box, from left to right and from the top, that is asked for; false: there is no other. */
bool graph_next(struct graph *graph, bool backwards, bool (*wanted)(const void *context, const struct box *box),
    const void *context);

/* So that the chosen box is on one of so many lines. */
void graph_scroll(struct graph *graph, size_t rows);

#endif
