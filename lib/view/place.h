/* A box of a tree by where it is: the first frames of a row. Places are cheap and die with their tree; as text, the
 * stack of gp-folded(5), they find their like in another one. */
#ifndef VIEW_PLACE_H
#define VIEW_PLACE_H

#include <stdbool.h>

#include "base/buf.h"
#include "render/tree.h"

struct place {
	uint32_t row;	/* any one below it */
	uint32_t depth; /* how many frames of the row; 0: all there is */
};

/* Its rows: from up to, not including, to. A tree without rows has none. */
void place_range(const struct tree *tree, struct place place, size_t *from, size_t *to);
bool place_same(const struct tree *tree, struct place one, struct place other);
/* Is place below above, or the same. */
bool place_within(const struct tree *tree, struct place place, struct place above);

/* What it is worth, as tree_walk() would have it. */
struct box place_box(const struct tree *tree, struct place place);

/* Appends the frames with ';' between. */
void place_print(const struct tree *tree, struct place place, struct buf *to);
/* The place of such a text, or as much of it as there is. */
struct place place_find(const struct tree *tree, const char *text, size_t length);

#endif
