/* Trees as one page that needs nothing but itself: all frames, packed, drawn on a canvas; without script a
 * small picture and a table. */
#ifndef RENDER_HTML_H
#define RENDER_HTML_H

#include "base/out.h"
#include "render/picture.h"

struct html {
	const struct tree *trees; /* a tab each */
	const char *const *titles;
	size_t count;
	const char *const *links; /* templates of addresses, from html_link_is_safe() */
	size_t link_count;
	const char *script, *style; /* names of files beside the page; NULL: all is in it */
};

/* Trees without value give a page that says so. The picture's palette learns names where it keeps them. */
void html_write(const struct html *html, struct picture *picture, struct out *out);

/* Of page NAME.html, writes NAME.js and NAME.css and gives their names, to be freed. -1, said. */
int html_write_beside(const char *page, char **script, char **style);

/* Does a template begin with http:, https: or an editor's scheme: nothing that could run. */
bool html_link_is_safe(const char *template);

#endif
