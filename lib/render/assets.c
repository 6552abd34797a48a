#include "render/assets.h"

/* The assembler takes the bytes as they are; its paths are seen from where make runs. */
#define FILE_OF(file) ".incbin \"lib/render/assets/" file "\"\n"
#define TEXT_OF(text) ".ascii \"" text "\"\n"
#define ASSET(name, parts)                                                                   \
	__asm__(".section .rodata\n"                                                         \
		"bytes_" #name ":\n"                                                         \
		parts                                                                        \
		"bytes_" #name "_end:\n"                                                     \
		".byte 0\n"                                                                  \
		".previous\n");                                                              \
	extern const char bytes_##name[] __attribute__((visibility("hidden")));              \
	extern const char bytes_##name##_end[] __attribute__((visibility("hidden")));        \
	const struct asset asset_##name = { bytes_##name, bytes_##name##_end }

ASSET(svg_css, FILE_OF("svg.css"));
ASSET(svg_dark_css, FILE_OF("svg_dark.css"));
ASSET(svg_js,
    TEXT_OF("'use strict';\\n(() => {\\n")
    FILE_OF("names.js") FILE_OF("address.js") FILE_OF("svg_boxes.js") FILE_OF("svg_view.js") FILE_OF("svg_tip.js")
    FILE_OF("svg_search.js") FILE_OF("svg_link.js") FILE_OF("svg_outline.js") FILE_OF("svg_controls.js") FILE_OF("svg_keys.js")
    FILE_OF("svg_start.js")
    TEXT_OF("})();\\n"));
ASSET(page_css, FILE_OF("page.css"));
ASSET(page_html, FILE_OF("page.html"));
/* One function around all files of the page's script: what they share is nobody else's. The last one runs. */
ASSET(page_js,
    TEXT_OF("'use strict';\\n(() => {\\n")
    FILE_OF("profile.js") FILE_OF("pack.js") FILE_OF("labels.js") FILE_OF("weave.js") FILE_OF("chart.js") FILE_OF("names.js")
    FILE_OF("words.js") FILE_OF("change.js") FILE_OF("colour.js") FILE_OF("graph.js") FILE_OF("details.js")
    FILE_OF("search.js") FILE_OF("list.js") FILE_OF("table.js") FILE_OF("outline.js") FILE_OF("time.js") FILE_OF("panel.js")
    FILE_OF("compare.js") FILE_OF("address.js") FILE_OF("link.js") FILE_OF("command.js") FILE_OF("share.js")
    FILE_OF("keys.js") FILE_OF("start.js")
    TEXT_OF("})();\\n"));
