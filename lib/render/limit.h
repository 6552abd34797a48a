/* A tree with no more frames than asked: the smallest go, and a frame "[small]" on each caller stands for those
 * that it lost. It must not know how the tree is drawn. */
#ifndef RENDER_LIMIT_H
#define RENDER_LIMIT_H

#include "render/tree.h"

#define LIMIT_SMALL "[small]"

/* A tree of most frames or fewer stays. Else fold, which must be the tree's, is changed: labels and the widest
 * frames stay, of equal ones those that come first; frames [small] are not counted. How much that was is said, and
 * becomes a note of the header. -1, said, as tree_open(). */
int tree_limit(struct tree *tree, struct fold *fold, uint64_t most);

#endif
