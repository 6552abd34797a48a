/* What the page's script must know that is no data: kinds of frames and their colours, units, what was asked of the
 * picture. One object of JSON. */
#ifndef RENDER_SETTINGS_H
#define RENDER_SETTINGS_H

#include "base/out.h"
#include "render/html.h"

void settings_write(const struct html *html, struct picture *picture, struct out *out);

#endif
