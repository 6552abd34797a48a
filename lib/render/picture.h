/* What a person asked of a picture, and what is said around its boxes. It must not know how it is drawn. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "render/amount.h"
#include "render/change.h"
#include "render/colour.h"
#include "render/nameattr.h"
#include "render/palette.h"
#include "render/tree.h"

enum colouring {
	COLOURS_KIND,
	COLOURS_MODULE,
	COLOURS_PACKAGE,
	COLOURS_RUNTIME,
	COLOURS_SELF,
	COLOURS_SAFE,
	COLOURS_PALETTE,   /* one of the references'; of two columns, their red and blue */
	COLOURS_DIFFUSION, /* redder the wider */
};

/* "kind": as --colors and the page's script call it. */
const char *colouring_name(enum colouring colouring);

struct picture {
	const char *title, *subtitle, *notes; /* NULL: what the header knows */
	const char *search;	      /* highlighted from the start; NULL: nothing */
	const char *unit;	      /* of the values; NULL: the header's */
	const char *name_type;	      /* said before a name; NULL: nothing */
	const char *encoding;	      /* of the SVG; NULL: UTF-8 */
	uint64_t width;		      /* pixels */
	uint64_t row;		      /* from box to box; 0: as the font wants it */
	double margin;		      /* left and right; 0: our own */
	const char *font;	      /* NULL: monospaced */
	double font_size;	      /* 0: 12 */
	double font_width;	      /* of a character, in font sizes; 0: of monospaced fonts */
	double factor;		      /* of values where they are printed; 0: none */
	double narrowest;	      /* of a box: pixels, or */
	bool is_percent;	      /* percent of the whole */
	bool is_reference;	      /* drawn as by one of the references: with their palettes only */
	bool leaves_small;	      /* narrower boxes are left out, not gathered */
	bool inverted;		      /* drawn from the top */
	bool cuts_left;		      /* a name that does not fit loses its beginning */
	bool no_script;
	bool is_fluid;		      /* where scripts run, as wide as the window */
	bool indented;		      /* the markup, for those who read it */
	enum colouring colours;
	struct palette palette;
	enum change_by change_by;
	bool negate;
	bool has_background, has_sought, has_stroke, has_ui;
	uint32_t background[2], sought, stroke, ui; /* colours asked for */
	struct nameattr *attributes;  /* NULL: none */
};

/* More than any screen; less than what a browser refuses to lay out. */
#define PICTURE_WIDTH_MAX 100000
/* Of a row or a font: beyond it nothing is a picture. */
#define PICTURE_SIZE_MAX 1000
/* Bytes of a name that are shown; all of it is data. */
#define NAME_SHOWN_MAX 4096

/* A name of --colors. -1, silent: there is none such; picture_colours() lists them. */
int picture_set_colours(struct picture *picture, const char *name);
void picture_colours(const struct picture *picture, struct buf *to);

/* "0.1px", "0.1%", "0.1" (pixels). -1, silent, on anything else. */
int picture_set_narrowest(struct picture *picture, const char *text);

/* The least value that is drawn when the whole is so many pixels wide. */
uint64_t picture_least(const struct picture *picture, uint64_t total, double pixels);

void picture_title(const struct picture *picture, const struct header *header, struct buf *to);
void picture_subtitle(const struct picture *picture, const struct header *header, const struct amounts *amounts,
    struct buf *to);

/* Notes of the header, or those asked for, a line each. */
void picture_notes(const struct picture *picture, const struct header *header, struct buf *to);
/* With what was asked of them. */
struct amounts picture_amounts(const struct picture *picture, const struct header *header, uint64_t total);

/* Says what was not drawn alone, if anything: frames narrower than this. */
void picture_tell_cut(const struct picture *picture, const struct amounts *amounts, const struct tree_cut *cut,
    const char *than);

/* A box's name as it is shown, its kind and its colour. */
struct box_look {
	const char *name;
	size_t length;
	enum frame_kind kind;
	unsigned colour;
};
struct box_look picture_look(const struct fold *fold, const struct box *box);

#endif
