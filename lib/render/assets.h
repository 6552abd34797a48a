/* The files of lib/render/assets/, taken into the program when it is built. */
#ifndef RENDER_ASSETS_H
#define RENDER_ASSETS_H

struct asset {
	const char *start, *end;
};

extern const struct asset asset_svg_js, asset_svg_css, asset_svg_dark_css, asset_page_js, asset_page_css, asset_page_html;

#endif
