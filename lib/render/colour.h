/* What a frame is, by its name, and the colours that say so: hue by kind, shade by name, the same name the
 * same colour in every profile. It must not know where a box lies. */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the legend. */
enum frame_kind {
	KIND_NATIVE,
	KIND_CPP, /* by "::" */
	KIND_KERNEL,
	KIND_INLINED,
	KIND_JAVA_C2,
	KIND_JAVA_C1,
	KIND_INTERPRETED,
	KIND_JAVASCRIPT,
	KIND_PYTHON,
	KIND_RUBY,
	KIND_PHP,
	KIND_NET,
	KIND_WAKER,
	KIND_LABEL,
	KIND_MARK, /* "[truncated]", "[libfoo.so]", and boxes that are no frames */
	KIND_COUNT,
};

#define SHADES 6
/* A colour is kind * SHADES + shade. */
#define COLOUR_COUNT (KIND_COUNT * SHADES)

/* The kind of a frame, and in *shown how long its name is without the suffix that tells. */
enum frame_kind frame_kind(const char *name, size_t length, bool is_label, size_t *shown);
const char *frame_kind_title(enum frame_kind kind);
const char *frame_kind_suffix(enum frame_kind kind); /* "_[k]", or "" */

unsigned colour_of(enum frame_kind kind, const char *name, size_t length);
/* 0xrrggbb on a light or a dark page. Text in COLOUR_TEXT has a contrast of at least 4.5 on each. */
uint32_t colour_rgb(unsigned colour, bool dark);

#define COLOUR_TEXT_LIGHT 0x1f2328
#define COLOUR_TEXT_DARK 0xf3f2ee

#endif
