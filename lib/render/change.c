#include <math.h>
#include <string.h>

#include "render/change.h"

/* Below this many samples on either side a ratio says nothing. */
#define RATIO_SAMPLES_MIN 20
/* Of the normal distribution: 95 % of it lie within. */
#define Z95 1.96

/* The value that one sample stands for. */
static double
sample_value(const struct header *header, const struct amounts *amounts)
{
	double scale = (double)amounts->scale, period;

	if (strcmp(amounts->unit, "samples") == 0)
		return scale;
	period = (double)header_number(header, "period_ns", 0);
	if (strcmp(amounts->unit, "ns") == 0 && period > 0)
		return period * scale;
	if (strcmp(amounts->unit, "us") == 0 && period > 0)
		return period / 1000 * scale;
	period = (double)header_number(header, "period", 0);
	return period > 0 ? period * scale : scale;
}

struct changes
changes_of(const struct tree *tree, const struct amounts *amounts, enum change_by by, bool negate)
{
	const struct header *header = &tree->fold->header;
	const char *kind = header_text(header, "kind"), *base = header_list_at(header, "names", 0);
	const char *new = header_list_at(header, "names", 1);
	struct changes changes = {
		.is_ratio = kind && strcmp(kind, "ratio") == 0,
		.names = { base ? base : "base", new ? new : "new" },
		.sample = sample_value(header, amounts),
		.by = by,
		.negate = negate,
		.amounts = *amounts,
		.largest = 1,
	};

	for (size_t i = 0; tree->pairs && i < tree->count; i++) {
		uint64_t b = tree->pairs[i].base, n = tree->pairs[i].new, change = b > n ? b - n : n - b;

		changes.whole.base += b;
		changes.whole.new += n;
		changes.largest = change > changes.largest ? change : changes.largest;
	}
	return changes;
}

static double
share(uint64_t value, uint64_t whole)
{
	return whole ? (double)value / (double)whole : 0;
}

/* Counts of samples are Poisson's: could both be draws of one. */
static bool
is_chance(const struct changes *changes, const struct pair *pair)
{
	double base = (double)pair->base / changes->sample, new = (double)pair->new / changes->sample;

	return fabs(new - base) <= Z95 * sqrt(new + base);
}

/* Steps begin at what is hardly other, at root two, at two, and at four times, as the legend says. */
static int
step_of_log(double log)
{
	double size = fabs(log);
	int step = size < 0.5 ? 1 : size < 1 ? 2 : size < 2 ? 3 : 4;

	return log == 0 ? 0 : log < 0 ? -step : step;
}

static int
step_of_points(double points)
{
	double size = fabs(points) + 1e-9; /* a point that rounding made less is one */
	int step = size < 0.25 ? 1 : size < 1 ? 2 : size < 3 ? 3 : 4;

	return points == 0 ? 0 : points < 0 ? -step : step;
}

static bool
is_few(const struct changes *changes, const struct pair *pair)
{
	return (double)pair->base / changes->sample < RATIO_SAMPLES_MIN ||
	    (double)pair->new / changes->sample < RATIO_SAMPLES_MIN;
}

static double
ratio(const struct pair *pair)
{
	return (double)pair->new / (double)pair->base;
}

int
change_step(const struct changes *changes, const struct box *box)
{
	const struct pair *pair = changes->by == CHANGE_SELF ? &box->selves : &box->totals;
	int step;

	if (changes->is_ratio)
		step = is_few(changes, pair) ? 0 : step_of_log(log2(ratio(pair) / ratio(&changes->whole)));
	else if (pair->base == pair->new || is_chance(changes, pair))
		step = 0;
	else if (changes->by == CHANGE_POINTS)
		step = step_of_points(100 * (share(pair->new, changes->whole.new) - share(pair->base, changes->whole.base)));
	else if (!pair->base || !pair->new)
		step = pair->base ? -CHANGE_STEPS : CHANGE_STEPS;
	else
		step = step_of_log(log2(ratio(pair)));
	return changes->negate ? -step : step;
}

enum change_mark
change_mark(const struct changes *changes, const struct box *box)
{
	if (changes->is_ratio || !changes->whole.base || !changes->whole.new)
		return MARK_NONE;
	return !box->totals.base ? MARK_NEW : !box->totals.new ? MARK_GONE : MARK_NONE;
}

double
change_self(const struct changes *changes, const struct box *box)
{
	double change = ((double)box->selves.new - (double)box->selves.base) / (double)changes->largest;

	return changes->negate ? -change : change;
}

void
change_brief(const struct changes *changes, const struct pair *pair, struct buf *to)
{
	double times = pair->base ? ratio(pair) : 0;

	if (changes->is_ratio && is_few(changes, pair))
		buf_text(to, "no ratio");
	else if (changes->is_ratio)
		buf_print(to, "%.3g", times);
	else if (pair->base == pair->new)
		buf_text(to, "unchanged");
	else if (!pair->base)
		buf_text(to, "new");
	else if (!pair->new)
		buf_text(to, "removed");
	else
		buf_print(to, "×%.*f", times < 0.095 ? 3 : times < 1.995 ? 2 : 1, times);
}

static void
side(const struct changes *changes, int which, uint64_t value, struct buf *to)
{
	struct amounts amounts = changes->amounts;

	amounts.total = which ? changes->whole.new : changes->whole.base;
	buf_print(to, "%s ", changes->names[which]);
	amount_print(&amounts, value, to);
	buf_text(to, ", ");
	amount_share(&amounts, value, to);
}

static void
difference(const struct changes *changes, const struct pair *pair, struct buf *to)
{
	uint64_t size = pair->new > pair->base ? pair->new - pair->base : pair->base - pair->new;

	buf_text(to, pair->new > pair->base ? "+" : pair->new < pair->base ? "\xe2\x88\x92" : "±");
	amount_print(&changes->amounts, size, to);
	buf_print(to, ", %+.2f points, ",
	    100 * (share(pair->new, changes->whole.new) - share(pair->base, changes->whole.base)));
	change_brief(changes, pair, to);
	if (!changes->is_ratio && pair->base != pair->new && is_chance(changes, pair))
		buf_text(to, ", may be chance");
}

static void
ratio_words(const struct changes *changes, const struct pair *pair, struct buf *to)
{
	double base = (double)pair->base / changes->sample, new = (double)pair->new / changes->sample;
	double width = exp(Z95 * sqrt(1 / base + 1 / new));

	if (is_few(changes, pair)) {
		buf_print(to, "fewer than %d samples on a side: no ratio", RATIO_SAMPLES_MIN);
		return;
	}
	buf_print(to, "%s per %s %.3g, with 95 %% between %.3g and %.3g; of the whole %.3g", changes->names[1],
	    changes->names[0], ratio(pair), ratio(pair) / width, ratio(pair) * width, ratio(&changes->whole));
}

static void
words(const struct changes *changes, const char *what, const struct pair *pair, struct buf *to)
{
	buf_print(to, "\n%s", what);
	side(changes, 0, pair->base, to);
	buf_text(to, "; ");
	side(changes, 1, pair->new, to);
	buf_print(to, "\n%s", what);
	if (changes->is_ratio)
		ratio_words(changes, pair, to);
	else
		difference(changes, pair, to);
}

void
change_words(const struct changes *changes, const struct box *box, struct buf *to)
{
	words(changes, "", &box->totals, to);
	if (box->kind != BOX_SMALL && memcmp(&box->totals, &box->selves, sizeof box->totals) != 0)
		words(changes, "self ", &box->selves, to);
}
