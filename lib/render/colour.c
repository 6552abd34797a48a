#include <string.h>

#include "render/colour.h"

/* For each kind the first and the last shade on a light page, then on a dark one: made in OKLCH with equal
 * lightness, so that no kind shouts; shades between them are mixed. */
static const struct {
	const char *title;
	uint32_t light[2], dark[2];
} kinds[KIND_COUNT] = {
	[KIND_NATIVE] = { "native", { 0xffc1b4, 0xf3a37e }, { 0x814c42, 0x643a26 } },
	[KIND_CPP] = { "C++, Rust", { 0xfad9a1, 0xd8c26e }, { 0x765c2a, 0x564a1a } },
	[KIND_KERNEL] = { "kernel", { 0xffc9a3, 0xecae68 }, { 0x805130, 0x604017 } },
	[KIND_INLINED] = { "inlined", { 0xa9e4e8, 0x7ccadd }, { 0x33676b, 0x234f59 } },
	[KIND_JAVA_C2] = { "Java (C2)", { 0xbbe1ae, 0x82cd97 }, { 0x47663c, 0x275134 } },
	[KIND_JAVA_C1] = { "Java (C1)", { 0xd6e2a9, 0xa7ce88 }, { 0x5b6534, 0x3c502b } },
	[KIND_INTERPRETED] = { "Java (interpreted)", { 0xbed7c1, 0x96c0aa }, { 0x4c604f, 0x344a3f } },
	[KIND_JAVASCRIPT] = { "JavaScript", { 0xa2e5cc, 0x62cfbf }, { 0x2d6955, 0x0f514a } },
	[KIND_PYTHON] = { "Python", { 0xabd7fb, 0x90b8f0 }, { 0x3a5f7c, 0x314664 } },
	[KIND_RUBY] = { "Ruby", { 0xffbcca, 0xf3999a }, { 0x7e4855, 0x653536 } },
	[KIND_PHP] = { "PHP", { 0xcbc7fb, 0xbea4e7 }, { 0x57537d, 0x4a3c5f } },
	[KIND_NET] = { ".NET", { 0xe5c3f0, 0xdb9fd2 }, { 0x6b4f74, 0x583854 } },
	[KIND_WAKER] = { "waker", { 0xace1f9, 0x8ac3ef }, { 0x366478, 0x2c4b63 } },
	[KIND_LABEL] = { "label", { 0xccd6e0, 0xb1b9c9 }, { 0x555d65, 0x42474f } },
	[KIND_MARK] = { "no name", { 0xd3d1cc, 0xb7b6b0 }, { 0x5c5b57, 0x464542 } },
};

/* gp-folded(5), frames */
static const struct {
	const char *suffix;
	enum frame_kind kind;
} suffixes[] = {
	{ "_[k]", KIND_KERNEL },
	{ "_[j]", KIND_JAVA_C2 },
	{ "_[1]", KIND_JAVA_C1 },
	{ "_[0]", KIND_INTERPRETED },
	{ "_[i]", KIND_INLINED },
	{ "_[p]", KIND_PYTHON },
	{ "_[rb]", KIND_RUBY },
	{ "_[php]", KIND_PHP },
	{ "_[net]", KIND_NET },
	{ "_[w]", KIND_WAKER },
};

/* What V8 calls its code in perf maps, new and old. */
static const char *const v8_prefixes[] = {
	"LazyCompile:", "Function:", "JS:", "Script:", "Eval:", "RegExp:", "Builtin:", "BytecodeHandler:", "Stub:",
};

static bool
begins(const char *name, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);

	return length >= n && memcmp(name, prefix, n) == 0;
}

static bool
ends(const char *name, size_t length, const char *suffix)
{
	size_t n = strlen(suffix);

	return length >= n && memcmp(name + length - n, suffix, n) == 0;
}

enum frame_kind
frame_kind(const char *name, size_t length, bool is_label, size_t *shown)
{
	*shown = length;
	if (length && name[length - 1] == ']') {
		for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
			if (ends(name, length, suffixes[i].suffix)) {
				*shown -= strlen(suffixes[i].suffix);
				return suffixes[i].kind;
			}
		if (name[0] == '[')
			return KIND_MARK;
	}
	if (is_label)
		return KIND_LABEL;
	for (size_t i = 0; i < sizeof v8_prefixes / sizeof *v8_prefixes; i++)
		if (begins(name, length, v8_prefixes[i]))
			return KIND_JAVASCRIPT;
	return memmem(name, length, "::", 2) ? KIND_CPP : KIND_NATIVE;
}

const char *
frame_kind_title(enum frame_kind kind)
{
	return kinds[kind].title;
}

/* FNV-1a, the same on every machine and in every run, unlike the seeded hash of tables. */
static unsigned
shade_of(const char *name, size_t length)
{
	uint32_t hash = 0x811c9dc5;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x01000193;
	return (unsigned)((uint64_t)(hash ^ hash >> 15) * SHADES >> 32);
}

unsigned
colour_of(enum frame_kind kind, const char *name, size_t length)
{
	return (unsigned)kind * SHADES + shade_of(name, length);
}

uint32_t
colour_rgb(unsigned colour, bool dark)
{
	const uint32_t *range = dark ? kinds[colour / SHADES].dark : kinds[colour / SHADES].light;
	uint32_t shade = colour % SHADES, rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		uint32_t first = range[0] >> shift & 255, last = range[1] >> shift & 255;

		rgb = rgb << 8 | (first * (SHADES - 1 - shade) + last * shade + (SHADES - 1) / 2) / (SHADES - 1);
	}
	return rgb;
}
