/* The palettes of flamegraph.pl and inferno-flamegraph, by their formulas: a name and up to three numbers in
 * [0,1) give a colour. It must not know boxes; what the numbers come from is part of the palette. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/intern.h"

enum palette_values {
	VALUES_SUM,	 /* Perl's generator seeded with the sum of the bytes: flamegraph.pl's own */
	VALUES_HASH,	 /* --hash: the first three characters, and the last */
	VALUES_FNV,	 /* --deterministic: FNV-1a of the name */
	VALUES_RANDOM,	 /* --random: another picture each time */
	VALUES_SEQUENCE, /* a fixed sequence, in order of drawing: inferno's own */
};

struct palette {
	const struct palette_name *name; /* NULL: none chosen */
	enum palette_values values;
	bool is_inferno;   /* where both have a palette of the name: inferno's; single precision as there */
	uint64_t state;	   /* of the generators */
	/* --cp: colours that are kept from picture to picture */
	bool keeps;
	struct intern kept;
	uint32_t *kept_rgb;
	size_t kept_room;
};

/* -1, silent: there is no such palette. */
int palette_choose(struct palette *palette, const char *name);
/* The name of the one chosen. */
const char *palette_name(const struct palette *palette);
/* The names, commas between. */
void palette_names(const struct palette *palette, struct buf *to);

/* 0xrrggbb; *means: what the colour says of the frame, static text, NULL if nothing. The root has no name. */
uint32_t palette_rgb(struct palette *palette, const char *name, size_t length, const char **means);

/* The background's two colours, by the name of a gradient or "#rrggbb", NULL: the palette's own. -1, silent. */
int palette_background(const struct palette *palette, const char *name, uint32_t gradient[2]);

/* A file "name->rgb(r,g,b)" a line, which need not be there; lines that are no such thing are counted and said.
 * -1, said, if it is there and cannot be read. */
int palette_read(struct palette *palette, const char *path);
/* The same file, with what is new, by name. -1, said. */
int palette_write(const struct palette *palette, const char *path);
void palette_release(struct palette *palette);

/* "#rrggbb" only. -1, silent. */
int palette_hex(const char *text, uint32_t *rgb);

#endif
