/* A tree as lines of text for a terminal, the root first. */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>

#include "base/out.h"
#include "render/picture.h"

/* As wide as picture->width in columns, 0: as the terminal is, else 80. A tree without value gives a line that
 * says so. */
void text_write(const struct tree *tree, struct picture *picture, struct out *out, bool coloured);

#endif
