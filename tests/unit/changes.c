/* What two columns say of a box: chance, steps, ratios, intervals. The numbers were computed apart from the code: by
 * |new - base| <= 1.96 sqrt(new + base), and ratio * exp(+-1.96 sqrt(1/base + 1/new)). */
#include <string.h>

#include "fold/fold.h"
#include "render/change.h"
#include "tap.h"

struct profile {
	struct fold fold;
	struct tree tree;
	struct amounts amounts;
};

/* The whole is the sum of the one stack with these columns. */
static void
open_profile(struct profile *profile, const char *header, uint64_t base, uint64_t new)
{
	uint32_t name;

	fold_init(&profile->fold);
	if (header_parse(&profile->fold.header, header, strlen(header)) < 0)
		abort();
	name = intern_text(&profile->fold.names, "main");
	stacks_add_pair(&profile->fold.stacks, &name, 1, base, new);
	if (tree_open(&profile->tree, &profile->fold, ORDER_NAME, LAYOUT_UNION) < 0)
		abort();
	profile->amounts = amounts_of(&profile->fold.header, profile->tree.total);
}

static void
close_profile(struct profile *profile)
{
	tree_close(&profile->tree);
	fold_release(&profile->fold);
}

static struct box
box_of(uint64_t base, uint64_t new, uint64_t self_base, uint64_t self_new)
{
	return (struct box){ .kind = BOX_FRAME, .totals = { base, new }, .selves = { self_base, self_new } };
}

#define DIFF "{\"gp\":1,\"columns\":2,\"kind\":\"diff\"}"

static void
test_chance(void)
{
	static const struct {
		uint64_t base, new;
		int step;
	} rows[] = {
		{ 100, 100, 0 }, { 100, 104, 0 }, { 100, 127, 0 }, { 104, 100, 0 }, { 0, 3, 0 }, { 3, 0, 0 },
		{ 100, 130, 1 }, { 1000, 1090, 1 }, { 1000, 2000, 3 }, { 2000, 1000, -3 }, { 1000, 1500, 2 },
		{ 1000, 3000, 3 }, { 3000, 1000, -3 }, { 1000, 3990, 3 }, { 1000, 4000, 4 }, { 1000, 9000, 4 },
		{ 0, 4, 4 }, { 4, 0, -4 }, { 1, 9, 4 },
	};
	struct profile profile;
	struct changes changes;

	open_profile(&profile, DIFF, 10000, 10000);
	changes = changes_of(&profile.tree, &profile.amounts, CHANGE_TOTAL, false);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct box box = box_of(rows[i].base, rows[i].new, 0, 0);

		ok(change_step(&changes, &box) == rows[i].step, "%d to %d samples is step %d, not %d", (int)rows[i].base,
		    (int)rows[i].new, rows[i].step, change_step(&changes, &box));
		changes.negate = true;
		ok(change_step(&changes, &box) == -rows[i].step, "and negated");
		changes.negate = false;
	}
	close_profile(&profile);
}

static void
test_by(void)
{
	struct profile profile;
	struct changes changes;
	struct box box = box_of(1000, 3000, 500, 250), same = box_of(1000, 3000, 500, 500);
	static const struct {
		uint64_t base, new;
		int step;
	} points[] = {
		{ 10, 24, 1 }, { 100, 130, 2 }, { 1000, 1095, 2 }, { 1000, 1100, 3 }, { 1000, 1301, 4 }, { 1400, 1090, -4 },
	};

	open_profile(&profile, DIFF, 10000, 10000);
	changes = changes_of(&profile.tree, &profile.amounts, CHANGE_SELF, false);
	ok(change_step(&changes, &box) == -3, "by self: half of it, though the total grew");
	ok(change_step(&changes, &same) == 0, "by self: what it does itself is the same");
	changes.by = CHANGE_POINTS;
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		box = box_of(points[i].base, points[i].new, 0, 0);
		ok(change_step(&changes, &box) == points[i].step, "by points: %d to %d of 10,000 is step %d, not %d",
		    (int)points[i].base, (int)points[i].new, points[i].step, change_step(&changes, &box));
	}
	close_profile(&profile);
}

/* Values are not samples: the header's period says how many they are. */
static void
test_periods(void)
{
	static const struct {
		const char *header;
		uint64_t one; /* what a sample is worth */
	} rows[] = {
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"samples\"}", 1 },
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"samples\",\"scale\":1000}", 1000 },
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"ns\",\"period_ns\":10000000}", 10000000 },
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"us\",\"period_ns\":10000000}", 10000 },
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"events\",\"period\":100000}", 100000 },
		{ "{\"gp\":1,\"columns\":2,\"unit\":\"bytes\",\"period\":524288}", 524288 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t one = rows[i].one;
		struct box chance = box_of(100 * one, 127 * one, 0, 0), more = box_of(100 * one, 130 * one, 0, 0);
		struct profile profile;
		struct changes changes;

		open_profile(&profile, rows[i].header, 10000 * one, 10000 * one);
		changes = changes_of(&profile.tree, &profile.amounts, CHANGE_TOTAL, false);
		ok(change_step(&changes, &chance) == 0 && change_step(&changes, &more) == 1, "in samples: %s", rows[i].header);
		close_profile(&profile);
	}
}

static void
test_ratio(void)
{
	static const char header[] = "{\"gp\":1,\"columns\":2,\"kind\":\"ratio\",\"names\":[\"cycles\",\"instructions\"],"
	    "\"unit\":\"events\",\"period\":100}";
	static const struct {
		uint64_t base, new; /* samples */
		const char *words;
		int step; /* around the whole's ratio of 2 */
	} rows[] = {
		{ 1000, 3000, "instructions per cycles 3, with 95 % between 2.79 and 3.22; of the whole 2", 2 },
		{ 1000, 2000, "instructions per cycles 2, with 95 % between 1.85 and 2.16; of the whole 2", 0 },
		{ 50, 25, "instructions per cycles 0.5, with 95 % between 0.309 and 0.808; of the whole 2", -4 },
		{ 20, 20, "instructions per cycles 1, with 95 % between 0.538 and 1.86; of the whole 2", -3 },
		{ 19, 2000, "fewer than 20 samples on a side: no ratio", 0 },
		{ 2000, 19, "fewer than 20 samples on a side: no ratio", 0 },
		{ 0, 2000, "fewer than 20 samples on a side: no ratio", 0 },
	};
	struct profile profile;
	struct changes changes;

	open_profile(&profile, header, 1000000, 2000000);
	changes = changes_of(&profile.tree, &profile.amounts, CHANGE_TOTAL, false);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct box box = box_of(rows[i].base * 100, rows[i].new * 100, rows[i].base * 100, rows[i].new * 100);
		struct buf words = { 0 };
		const char *line;

		change_words(&changes, &box, &words);
		line = strrchr(words.data, '\n');
		is_text(line ? line + 1 : words.data, rows[i].words, "a ratio, its interval");
		ok(change_step(&changes, &box) == rows[i].step, "and its step is %d, not %d", rows[i].step,
		    change_step(&changes, &box));
		ok(change_mark(&changes, &box) == MARK_NONE, "no ratio is new or gone");
		buf_release(&words);
	}
	close_profile(&profile);
}

static void
test_words(void)
{
	static const struct {
		uint64_t base, new;
		const char *words, *ratio;
	} rows[] = {
		{ 100, 300, "×3.0", "3" }, { 100, 200, "×2.0", "2" }, { 500, 200, "×0.40", "0.4" },
		{ 100, 104, "×1.04", "1.04" }, { 1000, 1, "×0.001", "no ratio" }, { 0, 5, "new", "no ratio" },
		{ 5, 0, "removed", "no ratio" }, { 50, 50, "unchanged", "1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct pair pair = { rows[i].base, rows[i].new };
		struct changes changes = { .sample = 1 };
		struct buf words = { 0 };

		change_brief(&changes, &pair, &words);
		is_text(words.data, rows[i].words, "the relative change in words");
		buf_clear(&words);
		changes.is_ratio = true;
		change_brief(&changes, &pair, &words);
		is_text(words.data, rows[i].ratio, "as a ratio");
		buf_release(&words);
	}
}

int
main(void)
{
	test_chance();
	test_by();
	test_periods();
	test_ratio();
	test_words();
	return done_testing();
}
