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
 * Rows of a flame chart are in order of arrival, those with a label time in canonical order, the label in them.
 *
 * Rows: the number of frames (of the tree: shared ones once) and of rows; then for each stack, in canonical
 * order (one without frames may come first), how many frames it goes back from the stack before, how many it
 * adds, these frames, its value, with two columns both.
 * A frame is known by its caller's name: 0 to PACK_RECENT - 1 say which of the callee's names seen last after
 * that name, the last first; more is the name's line + PACK_RECENT. Every frame written becomes the last seen.
 *
 * A profile is four elements of the page, each with data-tab, the profile's number: class "header", JSON, its
 * '<' as \u003c; "names"; "rows", with data-recent and data-columns; and "sum", the CRC-32 of these three, one
 * after the other, as eight hexadecimal digits. lib/fold/import_page.h reads them. */
#ifndef RENDER_PACK_H
#define RENDER_PACK_H

#include "base/out.h"
#include "render/picture.h"
#include "render/tree.h"

#define PACK_RECENT 3

/* With a palette each name has a colour of its own: a further element, class "paints", a number 0xrrggbb a name. */
void pack_write(const struct tree *tree, size_t tab, struct picture *picture, struct out *out);

#endif
