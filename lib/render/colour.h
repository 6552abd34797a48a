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

/* More colours behind those of the kinds: how much of a box is its own, from none to all; steps of change, from
 * less to more, the middle grey; and colours that differ for every eye, a group of kinds each. */
#define COLOUR_SELF COLOUR_COUNT
#define COLOUR_CHANGE (COLOUR_SELF + SHADES)
#define COLOUR_CHANGES 9
#define COLOUR_SAFE (COLOUR_CHANGE + COLOUR_CHANGES)
#define COLOUR_SAFE_GROUPS 8
#define COLOUR_END (COLOUR_SAFE + COLOUR_SAFE_GROUPS * SHADES)
/* Kinds that are coloured frames; the others are grey. */
#define KIND_HUES KIND_LABEL

/* The kind of a frame, and in *shown how long its name is without the suffix that tells. */
enum frame_kind frame_kind(const char *name, size_t length, bool is_label, size_t *shown);
const char *frame_kind_title(enum frame_kind kind);
const char *frame_kind_suffix(enum frame_kind kind); /* "_[k]", or "" */

/* By text alone: one of KIND_HUES, one of SHADES. */
unsigned colour_hue(const char *text, size_t length);
unsigned colour_shade(const char *name, size_t length);
/* Of COLOUR_SAFE; labels and marks stay as they are. */
unsigned colour_safe(enum frame_kind kind, const char *name, size_t length);
/* The first of its shades; and the kind that stands for a kind's runtime, with its title. */
unsigned colour_safe_first(enum frame_kind kind);
enum frame_kind colour_runtime(enum frame_kind kind, const char **title);
unsigned colour_of(enum frame_kind kind, const char *name, size_t length);
/* 0xrrggbb on a light or a dark page. Text in COLOUR_TEXT has a contrast of at least 4.5 on each. */
uint32_t colour_rgb(unsigned colour, bool dark);

/* Black or white, what can be read on it: the contrast is at least 4.58. */
uint32_t colour_text_on(uint32_t rgb);

#define COLOUR_TEXT_LIGHT 0x1f2328
#define COLOUR_TEXT_DARK 0xf3f2ee

#endif
