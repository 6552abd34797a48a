/* What a page shows where no script runs: a picture of the wide frames, and the first rows of the table. */
#ifndef RENDER_STILL_H
#define RENDER_STILL_H

#include "base/out.h"
#include "render/picture.h"

/* What a dark scheme makes of its colours; a page without styles has the light ones. */
void still_style(struct out *out);
void still_write(const struct tree *tree, struct picture *picture, struct out *out);

#endif
