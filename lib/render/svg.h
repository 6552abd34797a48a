/* A tree as one SVG: whole without script (an <img>, a mail, a print), and with it zoom, search and reset. */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

#include "base/out.h"
#include "render/picture.h"

/* A tree without value gives a picture that says so. What was left out is said (tell). */
void svg_write(const struct tree *tree, struct picture *picture, struct out *out);

#endif
