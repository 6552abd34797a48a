/* All stacks of a tree in few bytes of text: what the page carries, its script unpacks, and any program can
 * turn back into the same folded text.
 *
 * A number is digits to the base 47, the least first, each a printable ASCII character but '<': a digit d
 * is the character number d, counted from the blank, or d + 47 when more digits follow.
 *
 * Names, in byte order, are lines: how many bytes it shares with the line before (a number, counted in the
 * text as written), its colour (a number), the rest of the text. In the text a byte that is a control, '<',
 * '\' or no UTF-8 is '\' and two hexadecimal digits.
 *
 * Rows: the number of frames (of the tree: shared ones once) and of rows; then for each stack, in canonical
 * order, how many frames it goes back from the stack before, how many it adds, these frames, its value.
 * A frame is known by its caller's name: 0 to RECENT - 1 say which of the callee's names seen last after
 * that name, the last first; more is the name's line + RECENT. Every frame written becomes the last seen. */
#ifndef RENDER_PACK_H
#define RENDER_PACK_H

#include "base/out.h"
#include "render/tree.h"

#define PACK_RECENT 3

struct pack {
	const struct tree *tree;
	uint32_t *rank;	 /* by number in fold->names: place among all names, then line among those in use */
	uint32_t *order; /* by line: number in fold->names */
	size_t names;
	uint64_t frames;
};

void pack_open(struct pack *pack, const struct tree *tree);
void pack_write_names(const struct pack *pack, struct out *out);
void pack_write_rows(const struct pack *pack, struct out *out);
void pack_close(struct pack *pack);

#endif
