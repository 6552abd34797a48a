/* What the files that write an SVG share: the picture in the making. Nobody else includes it. */
#ifndef RENDER_SVG_PARTS_H
#define RENDER_SVG_PARTS_H

#include "base/out.h"
#include "render/paint.h"

/* All in pixels, as the script knows them too (it is told by data- attributes). */
#define SVG_TEXT_INSET 4	/* from a box's edge to its text */
#define SVG_CONTROLS 400	/* room of the search field and its buttons */

struct svg {
	const struct tree *tree;
	const struct picture *picture;
	struct painter painter;
	struct amounts amounts;
	struct out *out;
	struct buf text;
	double margin;
	double inner;	   /* width of the root's box */
	double row, box;   /* from box to box, and how high one is */
	double drop;	   /* from a box's top to its baseline */
	double column;	   /* width of a character */
	double top;	   /* of the boxes */
	uint32_t deepest;  /* depth of what is drawn */
	bool used[COLOUR_END];
};

/* What is written so far goes out. */
void svg_pass_on(struct svg *svg);

/* svg_box.c: a box and its text, for tree_walk(). */
void svg_box(void *context, const struct box *box);
/* A class that has a colour in both schemes, or a colour and the class of its text; and more classes. */
void svg_fill(struct svg *svg, const struct paint *paint, const char *more);

/* svg_style.c */
void svg_style(struct svg *svg);

/* svg_words.c: what is around the boxes. */
void svg_head(struct svg *svg, double height, const struct buf *title);
/* A line of the head, cut where the controls begin or at the margin. */
void svg_line(struct svg *svg, const char *class, double y, double letter, const struct buf *words, bool is_full);
/* Returns where the next thing may begin. With !write it only measures. */
double svg_legend(struct svg *svg, double y, bool write);
void svg_empty(struct svg *svg, double y);
void svg_foot(struct svg *svg, double height);

#endif
