#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "render/palette.h"

enum base { HOT, MEM, IO, RED, GREEN, BLUE, YELLOW, PURPLE, AQUA, ORANGE, BASES };

/* Each of r, g, b is from + span * v[which], truncated. */
static const struct formula {
	struct {
		uint8_t from, span, which;
	} part[3];
} formulas[BASES] = {
	[HOT] = { { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } } },
	[MEM] = { { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } } },
	[IO] = { { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } } },
	[RED] = { { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } } },
	[GREEN] = { { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } } },
	[BLUE] = { { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } } },
	[YELLOW] = { { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } } },
	[PURPLE] = { { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } } },
	[AQUA] = { { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } } },
	[ORANGE] = { { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } } },
};

/* What a rule found: a palette and, where the choice means something, what. */
struct choice {
	enum base base;
	const char *means;
};

/* Names come with a NUL behind them: searching them as text stops at the first NUL, which says enough. */
typedef struct choice rule(const char *name, size_t length);

static bool
ends(const char *name, size_t length, const char *suffix)
{
	size_t n = strlen(suffix);

	return length >= n && memcmp(name + length - n, suffix, n) == 0;
}

static bool
begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static struct choice
java_perl(const char *name, size_t length)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/", "org/", "com/", "io/", "sun/" };
	const char *path = name + (*name == 'L');

	if (ends(name, length, "_[j]"))
		return (struct choice){ GREEN, "Java" };
	if (ends(name, length, "_[i]"))
		return (struct choice){ AQUA, "inlined" };
	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
		if (begins(path, packages[i]))
			return (struct choice){ GREEN, "Java" };
	if (strstr(name, ":::"))
		return (struct choice){ GREEN, "Java" };
	if (strstr(name, "::"))
		return (struct choice){ YELLOW, "C++" };
	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	return (struct choice){ RED, "native" };
}

static struct choice
java_inferno(const char *name, size_t length)
{
	const char *path = name + (*name == 'L');

	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	if (ends(name, length, "_[i]"))
		return (struct choice){ AQUA, "inlined" };
	if (ends(name, length, "_[j]"))
		return (struct choice){ GREEN, "Java" };
	if (strstr(name, "::") || begins(name, "-[") || begins(name, "+["))
		return (struct choice){ YELLOW, "C++, Objective-C" };
	if (strchr(path, '/') || (strchr(path, '.') && *path != '[') || (*path >= 'A' && *path <= 'Z'))
		return (struct choice){ GREEN, "Java" };
	return (struct choice){ RED, "native" };
}

static struct choice
js_perl(const char *name, size_t length)
{
	const char *slash = strchr(name, '/');

	if (ends(name, length, "_[j]"))
		return slash ? (struct choice){ GREEN, "JavaScript" } : (struct choice){ AQUA, "built in" };
	if (strstr(name, "::"))
		return (struct choice){ YELLOW, "C++" };
	if (slash && strstr(slash, ".js"))
		return (struct choice){ GREEN, "JavaScript" };
	if (strchr(name, ':'))
		return (struct choice){ AQUA, "built in" };
	if (strcmp(name, " ") == 0)
		return (struct choice){ GREEN, "JavaScript" };
	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	return (struct choice){ RED, "native" };
}

static struct choice
js_inferno(const char *name, size_t length)
{
	const char *slash = strchr(name, '/');

	if (length && strspn(name, " \t") == length)
		return (struct choice){ GREEN, "JavaScript" };
	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	if (ends(name, length, "_[j]"))
		return slash ? (struct choice){ GREEN, "JavaScript" } : (struct choice){ AQUA, "built in" };
	if (strstr(name, "::"))
		return (struct choice){ YELLOW, "C++" };
	if (strchr(name, ':'))
		return (struct choice){ AQUA, "built in" };
	if (slash && strstr(slash, "node_modules/"))
		return (struct choice){ PURPLE, "node_modules" };
	if (slash && strstr(slash, ".js"))
		return (struct choice){ GREEN, "JavaScript" };
	return (struct choice){ RED, "native" };
}

static struct choice
perl_perl(const char *name, size_t length)
{
	if (strstr(name, "::"))
		return (struct choice){ YELLOW, "C++" };
	if (strstr(name, "Perl") || strstr(name, ".pl"))
		return (struct choice){ GREEN, "Perl" };
	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	return (struct choice){ RED, "native" };
}

static struct choice
perl_inferno(const char *name, size_t length)
{
	if (ends(name, length, "_[k]"))
		return (struct choice){ ORANGE, "kernel" };
	if (strstr(name, "Perl") || strstr(name, ".pl"))
		return (struct choice){ GREEN, "Perl" };
	if (strstr(name, "::"))
		return (struct choice){ YELLOW, "C++" };
	return (struct choice){ RED, "native" };
}

/* "python3.11", a part of a path. */
static bool
is_python(const char *part, size_t length)
{
	if (length < 6 || (memcmp(part, "python", 6) != 0 && memcmp(part, "Python", 6) != 0))
		return false;
	return strspn(part + 6, "0123456789.") >= length - 6;
}

static struct choice
python(const char *name, size_t length)
{
	bool standard = begins(name, "<built-in") || begins(name, "<method") || begins(name, "<frozen");

	(void)length;
	for (const char *part = name;;) {
		size_t n = strcspn(part, "/\\");

		if (n == 13 && memcmp(part, "site-packages", 13) == 0)
			return (struct choice){ AQUA, "site-packages" };
		standard |= is_python(part, n);
		if (!part[n])
			break;
		part += n + 1;
	}
	return standard ? (struct choice){ YELLOW, "Python's own" } : (struct choice){ RED, "user code" };
}

static struct choice
rust(const char *name, size_t length)
{
	const char *module = strchr(name, '`');

	(void)length;
	if (module)
		name = module + 1;
	if (begins(name, "core::") || begins(name, "std::") || begins(name, "alloc::") || begins(name, "<std::") ||
	    begins(name, "<alloc::") ||
	    (begins(name, "<core::") && !begins(name, "<core::future::from_generator::GenFuture<T>")))
		return (struct choice){ ORANGE, "Rust's own" };
	if (strstr(name, "::"))
		return (struct choice){ AQUA, "Rust" };
	return (struct choice){ YELLOW, "other" };
}

static struct choice
chain(const char *name, size_t length)
{
	(void)length;
	return strstr(name, "_[w]") ? (struct choice){ AQUA, "waker" } : (struct choice){ BLUE, "off-CPU" };
}

enum gradient { BACK_YELLOW, BACK_BLUE, BACK_GREEN, BACK_GREY };

static const struct {
	const char *name;
	uint32_t rgb[2];
} gradients[] = {
	[BACK_YELLOW] = { "yellow", { 0xeeeeee, 0xeeeeb0 } },
	[BACK_BLUE] = { "blue", { 0xeeeeee, 0xe0e0ff } },
	[BACK_GREEN] = { "green", { 0xeef2ee, 0xe0ffe0 } },
	[BACK_GREY] = { "grey", { 0xf8f8f8, 0xe8e8e8 } },
};

static const struct palette_name {
	const char *name;
	enum base base;
	rule *perl, *inferno; /* NULL: every name has the base */
	enum gradient background;
} names[] = {
	{ "hot", HOT, NULL, NULL, BACK_YELLOW },
	{ "mem", MEM, NULL, NULL, BACK_GREEN },
	{ "io", IO, NULL, NULL, BACK_BLUE },
	{ "wakeup", AQUA, NULL, NULL, BACK_BLUE },
	{ "chain", BLUE, chain, chain, BACK_BLUE },
	{ "java", RED, java_perl, java_inferno, BACK_YELLOW },
	{ "js", RED, js_perl, js_inferno, BACK_YELLOW },
	{ "perl", RED, perl_perl, perl_inferno, BACK_YELLOW },
	{ "python", RED, python, python, BACK_YELLOW },
	{ "rust", RED, rust, rust, BACK_YELLOW },
	{ "red", RED, NULL, NULL, BACK_GREY },
	{ "green", GREEN, NULL, NULL, BACK_GREY },
	{ "blue", BLUE, NULL, NULL, BACK_GREY },
	{ "yellow", YELLOW, NULL, NULL, BACK_GREY },
	{ "purple", PURPLE, NULL, NULL, BACK_GREY },
	{ "aqua", AQUA, NULL, NULL, BACK_GREY },
	{ "orange", ORANGE, NULL, NULL, BACK_GREY },
};

/* inferno has no palette for chains. */
static bool
is_known(const struct palette *palette, const struct palette_name *name)
{
	return !palette->is_inferno || name->inferno != chain;
}

int
palette_choose(struct palette *palette, const char *name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, name) == 0 && is_known(palette, &names[i])) {
			palette->name = &names[i];
			return 0;
		}
	return -1;
}

const char *
palette_name(const struct palette *palette)
{
	return palette->name ? palette->name->name : "";
}

void
palette_names(const struct palette *palette, struct buf *to)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_known(palette, &names[i]))
			buf_print(to, "%s%s", i ? ", " : "", names[i].name);
}

int
palette_hex(const char *text, uint32_t *rgb)
{
	if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return -1;
	*rgb = (uint32_t)strtoul(text + 1, NULL, 16);
	return 0;
}

int
palette_background(const struct palette *palette, const char *name, uint32_t gradient[2])
{
	enum gradient own = palette->name ? palette->name->background : BACK_YELLOW;

	if (name && palette_hex(name, &gradient[0]) == 0) {
		gradient[1] = gradient[0];
		return 0;
	}
	for (unsigned i = 0; i < sizeof gradients / sizeof *gradients; i++)
		if (name ? strcmp(gradients[i].name, name) == 0 : i == own) {
			memcpy(gradient, gradients[i].rgb, sizeof gradients[i].rgb);
			return 0;
		}
	return -1;
}

/* Where the name begins that --hash looks at: behind the first backquote that is not its first character. */
static size_t
hash_start(const char *name, size_t length, bool reversed)
{
	for (size_t i = 1; i < length; i++)
		if (name[reversed ? length - 1 - i : i] == '`')
			return i + 1;
	return 0;
}

/* The third character weighs half the first one, the others nothing. inferno counts in single precision, and
 * two decimals later a colour is another one. */
static double
hash_value(const char *name, size_t length, bool reversed, bool single)
{
	double vector = 0, weight = 1, max = 1;
	float vector_f = 0, weight_f = 1, max_f = 1;
	size_t from = hash_start(name, length, reversed);

	for (unsigned mod = 10; mod <= 12 && from < length; mod++, from++) {
		unsigned c = (unsigned char)name[reversed ? length - 1 - from : from] % mod;

		vector += (double)c / (mod - 1) * weight;
		max += weight;
		weight *= 0.70;
		vector_f += (float)c / (float)(mod - 1) * weight_f;
		max_f += weight_f;
		weight_f *= 0.70f;
	}
	return single ? (double)(1 - vector_f / max_f) : 1 - vector / max;
}

/* drand48(), as Perl has it on every machine. */
static double
perl_random(uint64_t *state)
{
	*state = (*state * 0x5deece66d + 0xb) & 0xffffffffffff;
	return (double)*state / 0x1p48;
}

static void
perl_seed(uint64_t *state, uint32_t seed)
{
	*state = ((uint64_t)seed << 16) + 0x330e;
}

static double
xorshift(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(float)((double)(*state >> 11) / 0x1p53);
}

static void
fnv_values(const char *name, size_t length, double v[3])
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
	for (int i = 0; i < 3; i++, hash *= 0x100000001b3)
		v[i] = (double)(float)((double)hash / (double)UINT64_MAX);
}

static void
random_values(struct palette *palette, double v[3])
{
	uint32_t seed;

	if (!palette->state) {
		if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
			seed = (uint32_t)getpid();
		perl_seed(&palette->state, seed);
	}
	for (int i = 0; i < 3; i++)
		v[i] = perl_random(&palette->state);
}

static void
values(struct palette *palette, const char *name, size_t length, double v[3])
{
	uint64_t seeded;
	uint32_t sum = 0;

	switch (palette->values) {
	case VALUES_SUM:
		for (size_t i = 0; i < length; i++)
			sum += (unsigned char)name[i];
		perl_seed(&seeded, sum);
		v[0] = v[1] = v[2] = perl_random(&seeded);
		break;
	case VALUES_HASH:
		v[0] = hash_value(name, length, false, palette->is_inferno);
		v[1] = v[2] = hash_value(name, length, true, palette->is_inferno);
		break;
	case VALUES_FNV:
		fnv_values(name, length, v);
		break;
	case VALUES_RANDOM:
		random_values(palette, v);
		break;
	case VALUES_SEQUENCE:
		if (!palette->state)
			palette->state = 1234;
		for (int i = 0; i < 3; i++)
			v[i] = xorshift(&palette->state);
		break;
	}
}

static uint32_t
mix(enum base base, const double v[3], bool single)
{
	uint32_t rgb = 0;

	for (int i = 0; i < 3; i++) {
		double part = v[formulas[base].part[i].which], span = formulas[base].part[i].span;

		part = single ? (double)((float)span * (float)part) : span * part;
		rgb = rgb << 8 | ((unsigned)formulas[base].part[i].from + (unsigned)part);
	}
	return rgb;
}

static uint32_t
fresh_rgb(struct palette *palette, const char *name, size_t length, const char **means)
{
	const struct palette_name *named = palette->name;
	rule *resolve = palette->is_inferno ? named->inferno : named->perl;
	struct choice choice = resolve ? resolve(name, length) : (struct choice){ named->base, NULL };
	double v[3];

	*means = choice.means;
	values(palette, name, length, v);
	return mix(choice.base, v, palette->is_inferno);
}

/* flamegraph.pl has brackets for '<' and '>' before it looks at a name. */
static uint32_t
perl_rgb(struct palette *palette, const char *name, size_t length, const char **means)
{
	char *changed = mem_copy(name, length);
	uint32_t rgb;

	for (size_t i = 0; i < length; i++)
		changed[i] = changed[i] == '<' ? '(' : changed[i] == '>' ? ')' : changed[i];
	rgb = fresh_rgb(palette, changed, length, means);
	free(changed);
	return rgb;
}

uint32_t
palette_rgb(struct palette *palette, const char *name, size_t length, const char **means)
{
	struct intern_text text = { name, length };
	uint32_t number, rgb;

	*means = NULL;
	/* Between the stacks of a chain of wakers. */
	if (length == 2 && memcmp(name, "--", 2) == 0)
		return 0xa0a0a0;
	if (length == 1 && *name == '-')
		return 0xc8c8c8;
	if (palette->keeps) {
		intern_find(&palette->kept, &text, 1, &number);
		if (number != INTERN_NONE)
			return palette->kept_rgb[number];
	}
	if (!palette->is_inferno && (memchr(name, '<', length) || memchr(name, '>', length)))
		rgb = perl_rgb(palette, name, length, means);
	else
		rgb = fresh_rgb(palette, name, length, means);
	if (palette->keeps) {
		mem_grow(&palette->kept_rgb, palette->kept.count, &palette->kept_room);
		palette->kept_rgb[intern_add(&palette->kept, name, length)] = rgb;
	}
	return rgb;
}

void
palette_release(struct palette *palette)
{
	intern_release(&palette->kept);
	free(palette->kept_rgb);
}
