/* Which colour each box of a picture has, and the legend that says why. Boxes are seen once, then painted in the
 * same order. It must not know where they lie or how they are written. */
#ifndef RENDER_PAINT_H
#define RENDER_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/change.h"
#include "render/picture.h"

struct paint {
	bool is_rgb;	 /* one colour, light and dark: rgb; else a colour of render/colour.h */
	uint32_t rgb;
	unsigned colour;
	enum change_mark mark;
};

struct legend_entry {
	char *text;
	unsigned colour; /* or, where is_rgb, */
	bool is_rgb;
	uint32_t rgb;
	enum change_mark mark;
	unsigned rank;	 /* its place, then by weight */
	uint64_t weight; /* of the boxes themselves */
};

struct painter {
	const struct tree *tree;
	struct picture *picture;
	struct changes changes;
	struct legend_entry *legend;
	size_t legend_count, legend_room;
	/* Palettes: a colour a box, in order of drawing. */
	uint32_t *rgb;
	size_t count, room, next;
	/* Boxes that ended together, the last one first: a palette of inferno's takes its numbers in the other order. */
	struct pending {
		uint32_t name;
		uint64_t weight;
		enum box_kind kind;
	} *pending;
	size_t pending_count, pending_room;
	uint32_t pending_row;
};

/* The picture's palette learns names where it keeps them. */
void painter_open(struct painter *painter, const struct tree *tree, struct picture *picture,
    const struct amounts *amounts);
void painter_see(struct painter *painter, const struct box *box, const struct box_look *look);
/* All are seen: the legend is sorted. */
void painter_ready(struct painter *painter);
struct paint painter_paint(struct painter *painter, const struct box *box, const struct box_look *look);
void painter_close(struct painter *painter);

#endif
