/* A tree as one page that needs nothing but itself: all frames, packed, drawn on a canvas. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "base/out.h"
#include "render/picture.h"

/* A tree without value gives a page that says so. */
void html_write(const struct tree *tree, const struct picture *picture, struct out *out);

#endif
