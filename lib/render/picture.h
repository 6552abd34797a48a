/* What a person asked of a picture, and what is said around its boxes. It must not know how it is drawn. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "render/amount.h"
#include "render/colour.h"
#include "render/tree.h"

struct picture {
	const char *title, *subtitle; /* NULL: what the header knows */
	const char *search;	      /* highlighted from the start; NULL: nothing */
	uint64_t width;		      /* pixels */
	double narrowest;	      /* of a box: pixels, or */
	bool is_percent;	      /* percent of the whole */
	bool inverted;		      /* drawn from the top */
};

/* More than any screen; less than what a browser refuses to lay out. */
#define PICTURE_WIDTH_MAX 100000
/* Bytes of a name that are shown; all of it is data. */
#define NAME_SHOWN_MAX 4096

/* "0.1px", "0.1%", "0.1" (pixels). -1, silent, on anything else. */
int picture_set_narrowest(struct picture *picture, const char *text);

/* The least value that is drawn when the whole is so many pixels wide. */
uint64_t picture_least(const struct picture *picture, uint64_t total, double pixels);

void picture_title(const struct picture *picture, const struct header *header, struct buf *to);
void picture_subtitle(const struct picture *picture, const struct header *header, const struct amounts *amounts,
    struct buf *to);

/* A box's name as it is shown, its kind and its colour. */
struct box_look {
	const char *name;
	size_t length;
	enum frame_kind kind;
	unsigned colour;
};
struct box_look picture_look(const struct fold *fold, const struct box *box);

#endif
