#include <math.h>
#include <string.h>

#include "render/colour.h"

/* The suffixes are those of gp-folded(5). For each kind the first and the last shade on a light page, then
 * on a dark one: made in OKLCH with equal lightness, so that no kind shouts; shades between are mixed. */
static const struct {
	const char *title, *suffix;
	uint32_t light[2], dark[2];
} kinds[KIND_COUNT] = {
	[KIND_NATIVE] = { "native", "", { 0xffc0c3, 0xf59f91 }, { 0x804a4e, 0x653831 } },
	[KIND_CPP] = { "C++, Rust", "", { 0xf4dca1, 0xd0c570 }, { 0x725e2a, 0x524c1b } },
	[KIND_KERNEL] = { "kernel", "_[k]", { 0xffc99d, 0xedae5f }, { 0x81502a, 0x614011 } },
	[KIND_INLINED] = { "inlined", "_[i]", { 0xa9e4e8, 0x7ccadd }, { 0x33676b, 0x234f59 } },
	[KIND_JAVA_C2] = { "JIT, Java (C2)", "_[j]", { 0xbbe1ae, 0x82cd97 }, { 0x47663c, 0x275134 } },
	[KIND_JAVA_C1] = { "Java (C1)", "_[1]", { 0xd6e2a9, 0xa7ce88 }, { 0x5b6534, 0x3c502b } },
	[KIND_INTERPRETED] = { "Java (interpreted)", "_[0]", { 0xbed7c1, 0x96c0aa }, { 0x4c604f, 0x344a3f } },
	[KIND_JAVASCRIPT] = { "JavaScript", "", { 0xa2e5cc, 0x62cfbf }, { 0x2d6955, 0x0f514a } },
	[KIND_PYTHON] = { "Python", "_[p]", { 0xabd7fb, 0x90b8f0 }, { 0x3a5f7c, 0x314664 } },
	[KIND_RUBY] = { "Ruby", "_[rb]", { 0xf8bcdd, 0xee98b4 }, { 0x794964, 0x623544 } },
	[KIND_PHP] = { "PHP", "_[php]", { 0xc6c8fc, 0xb9a6e9 }, { 0x54547e, 0x473c60 } },
	[KIND_NET] = { ".NET", "_[net]", { 0xe0c4f4, 0xd6a0d8 }, { 0x675077, 0x563957 } },
	[KIND_WAKER] = { "waker", "_[w]", { 0xace1f9, 0x8ac3ef }, { 0x366478, 0x2c4b63 } },
	[KIND_LABEL] = { "label", "", { 0xccd6e0, 0xb1b9c9 }, { 0x555d65, 0x42474f } },
	[KIND_MARK] = { "mark or unnamed", "", { 0xd3d1cc, 0xb7b6b0 }, { 0x5c5b57, 0x464542 } },
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
		for (unsigned kind = 0; kind < KIND_COUNT; kind++)
			if (*kinds[kind].suffix && ends(name, length, kinds[kind].suffix)) {
				*shown -= strlen(kinds[kind].suffix);
				return kind;
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

const char *
frame_kind_suffix(enum frame_kind kind)
{
	return kinds[kind].suffix;
}

/* FNV-1a, the same on every machine and in every run, unlike the seeded hash of tables; then mixed once
 * more, since names that differ in the last letter only would be of one shade. */
static uint32_t
stable_hash(const char *name, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15;
	return (uint32_t)(hash >> 32);
}

unsigned
colour_shade(const char *name, size_t length)
{
	return (unsigned)((uint64_t)stable_hash(name, length) * SHADES >> 32);
}

unsigned
colour_hue(const char *text, size_t length)
{
	return (unsigned)((uint64_t)stable_hash(text, length) * KIND_HUES >> 32);
}

unsigned
colour_of(enum frame_kind kind, const char *name, size_t length)
{
	return (unsigned)kind * SHADES + colour_shade(name, length);
}

/* From those of Okabe and Ito, lighter or darker so that text can be read on them. */
static const struct range {
	uint32_t light[2], dark[2];
} safe[COLOUR_SAFE_GROUPS] = {
	{ { 0xf6d08a, 0xe9b44c }, { 0x7a5a12, 0x664a0c } }, /* orange */
	{ { 0xf7ef9c, 0xefe26a }, { 0x6b6520, 0x575216 } }, /* yellow */
	{ { 0xf0a478, 0xe58a57 }, { 0x8a3f12, 0x74340e } }, /* vermillion */
	{ { 0xb5def5, 0x8dc9ee }, { 0x2b607f, 0x234f69 } }, /* sky blue */
	{ { 0x8fd4bd, 0x5fbf9f }, { 0x0f5f48, 0x0b4d3a } }, /* bluish green */
	{ { 0x8fbbe3, 0x6ba5d8 }, { 0x134f80, 0x0f4069 } }, /* blue */
	{ { 0xe6bcd3, 0xd99fc0 }, { 0x7a4464, 0x653752 } }, /* reddish purple */
	{ { 0xd8c6a8, 0xc5ad86 }, { 0x5c4c31, 0x4a3d27 } }, /* brown */
};

static const uint8_t safe_group[KIND_HUES] = {
	[KIND_NATIVE] = 0, [KIND_CPP] = 1, [KIND_KERNEL] = 2, [KIND_INLINED] = 3, [KIND_JAVA_C2] = 4, [KIND_JAVA_C1] = 4,
	[KIND_INTERPRETED] = 4, [KIND_JAVASCRIPT] = 5, [KIND_PYTHON] = 6, [KIND_RUBY] = 7, [KIND_PHP] = 7, [KIND_NET] = 5,
	[KIND_WAKER] = 3,
};

static const struct range self_range = { { 0xf1ece2, 0xee8a45 }, { 0x3f3e3c, 0x95470f } };

/* Blue to orange, which every eye tells apart. */
static const uint32_t change_light[COLOUR_CHANGES] = { 0x5698de, 0x7bb0e6, 0xa5c8ee, 0xcfe0f5, 0xe3e2df, 0xfbdcb8,
	0xf9c080, 0xf5a44b, 0xec8a1f };
static const uint32_t change_dark[COLOUR_CHANGES] = { 0x1a5fae, 0x235894, 0x2c5079, 0x34495f, 0x3f4248, 0x5b452f,
	0x744c22, 0x8d5214, 0x9f5606 };

unsigned
colour_safe_first(enum frame_kind kind)
{
	return kind >= KIND_HUES ? (unsigned)kind * SHADES : COLOUR_SAFE + (unsigned)safe_group[kind] * SHADES;
}

unsigned
colour_safe(enum frame_kind kind, const char *name, size_t length)
{
	return colour_safe_first(kind) + colour_shade(name, length);
}

static const struct {
	enum frame_kind colour;
	const char *title;
} runtimes[KIND_COUNT] = {
	[KIND_NATIVE] = { KIND_NATIVE, "native" },	[KIND_CPP] = { KIND_NATIVE, "native" },
	[KIND_KERNEL] = { KIND_KERNEL, "kernel" },	[KIND_INLINED] = { KIND_INLINED, "inlined" },
	[KIND_JAVA_C2] = { KIND_JAVA_C2, "JVM, JIT" },	[KIND_JAVA_C1] = { KIND_JAVA_C2, "JVM, JIT" },
	[KIND_INTERPRETED] = { KIND_JAVA_C2, "JVM, JIT" }, [KIND_JAVASCRIPT] = { KIND_JAVASCRIPT, "JavaScript" },
	[KIND_PYTHON] = { KIND_PYTHON, "Python" },	[KIND_RUBY] = { KIND_RUBY, "Ruby" },
	[KIND_PHP] = { KIND_PHP, "PHP" },		[KIND_NET] = { KIND_NET, ".NET" },
	[KIND_WAKER] = { KIND_WAKER, "waker" },		[KIND_LABEL] = { KIND_LABEL, "label" },
	[KIND_MARK] = { KIND_MARK, "mark or unnamed" },
};

enum frame_kind
colour_runtime(enum frame_kind kind, const char **title)
{
	*title = runtimes[kind].title;
	return runtimes[kind].colour;
}

uint32_t
colour_rgb(unsigned colour, bool dark)
{
	const uint32_t *range;
	uint32_t shade = colour % SHADES, rgb = 0;

	if (colour >= COLOUR_SAFE) {
		const struct range *group = &safe[(colour - COLOUR_SAFE) / SHADES];

		shade = (colour - COLOUR_SAFE) % SHADES;
		range = dark ? group->dark : group->light;
	} else if (colour >= COLOUR_CHANGE) {
		return (dark ? change_dark : change_light)[colour - COLOUR_CHANGE];
	} else if (colour >= COLOUR_SELF) {
		range = dark ? self_range.dark : self_range.light;
	} else {
		range = dark ? kinds[colour / SHADES].dark : kinds[colour / SHADES].light;
	}
	for (int shift = 16; shift >= 0; shift -= 8) {
		uint32_t first = range[0] >> shift & 255, last = range[1] >> shift & 255;

		rgb = rgb << 8 | (first * (SHADES - 1 - shade) + last * shade + (SHADES - 1) / 2) / (SHADES - 1);
	}
	return rgb;
}

/* Relative luminance as WCAG 2 has it. */
static double
luminance(uint32_t rgb)
{
	static const double weight[3] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 255) / 255.0;

		sum += weight[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

uint32_t
colour_text_on(uint32_t rgb)
{
	/* Where both contrasts are equal: the root of 1.05 * 0.05, less 0.05. */
	return luminance(rgb) > 0.1791 ? 0x000000 : 0xffffff;
}
