#include "render/assets.h"

/* The assembler takes the bytes as they are; its paths are seen from where make runs. */
#define ASSET(name, file)                                                                    \
	__asm__(".section .rodata\n"                                                         \
		"bytes_" #name ":\n"                                                         \
		".incbin \"lib/render/assets/" file "\"\n"                                   \
		"bytes_" #name "_end:\n"                                                     \
		".byte 0\n"                                                                  \
		".previous\n");                                                              \
	extern const char bytes_##name[] __attribute__((visibility("hidden")));              \
	extern const char bytes_##name##_end[] __attribute__((visibility("hidden")));        \
	const struct asset asset_##name = { bytes_##name, bytes_##name##_end }

ASSET(svg_js, "svg.js");
ASSET(page_js, "page.js");
ASSET(page_css, "page.css");
ASSET(page_html, "page.html");
