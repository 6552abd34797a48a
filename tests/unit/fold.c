/* Names, their order, stacks and their values, each against something simpler. */
#include "base/intern.h"
#include "fold/fold.h"
#include "fold/seen.h"
#include "fold/value.h"
#include "tap.h"

static uint64_t state = 88172645463325252u;

static uint32_t
draw(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) * below >> 32);
}

/* Bytes of few kinds, so that names begin alike, end early, and hold NULs. */
static size_t
make_name(char *name, size_t most)
{
	static const char bytes[] = { 'a', 'a', 'a', 'b', '\0', '\377' };
	size_t length = draw((uint32_t)most + 1);

	for (size_t i = 0; i < length; i++)
		name[i] = bytes[draw(sizeof bytes)];
	return length;
}

static int
compare(const struct intern *names, uint32_t one, uint32_t other)
{
	size_t a = intern_length(names, one), b = intern_length(names, other);
	int order = memcmp(intern_name(names, one), intern_name(names, other), a < b ? a : b);

	return order ? order : (a > b) - (a < b);
}

static void
test_names(void)
{
	struct intern names = { 0 };
	struct intern_text texts[100];
	char bytes[100][40];
	uint32_t numbers[100], *rank;
	bool same = true, found = true, ordered = true;

	for (size_t round = 0; round < 100; round++) {
		for (size_t i = 0; i < 100; i++)
			texts[i] = (struct intern_text){ bytes[i], make_name(bytes[i], i % 40) };
		intern_find(&names, texts, 100, numbers);
		for (size_t i = 0; i < 100; i++) {
			size_t before = names.count;
			uint32_t number = intern_add(&names, texts[i].text, texts[i].length);

			same &= intern_length(&names, number) == texts[i].length &&
			    memcmp(intern_name(&names, number), texts[i].text, texts[i].length) == 0;
			/* What was not found may have come since, from a text before it. */
			found &= numbers[i] == number || (numbers[i] == INTERN_NONE && number + 100 >= before);
		}
		intern_find(&names, texts, 100, numbers);
		for (size_t i = 0; i < 100; i++)
			found &= numbers[i] == intern_add(&names, texts[i].text, texts[i].length);
	}
	ok(same, "a number's name is the one it was given for (%zu names)", names.count);
	ok(found, "names are found, and those that are not there are not");
	rank = intern_ranks(&names);
	for (size_t i = 0; i < 200000; i++) {
		uint32_t one = draw((uint32_t)names.count), other = draw((uint32_t)names.count);

		ordered &= (rank[one] < rank[other]) == (compare(&names, one, other) < 0);
	}
	ok(ordered, "ranks are in order of bytes");
	free(rank);
	intern_release(&names);
}

static bool
comes_before(const struct fold *fold, const struct stack *one, const struct stack *other)
{
	for (uint32_t i = 0; i < one->count && i < other->count; i++) {
		int order = compare(&fold->names, one->frames[i], other->frames[i]);

		if (order)
			return order < 0;
	}
	return one->count < other->count;
}

static void
test_stacks(void)
{
	struct fold fold;
	const struct stack **sorted;
	unsigned __int128 total = 0, sum = 0;
	uint32_t row[40];
	char name[8];
	size_t count;
	bool ordered = true;

	fold_init(&fold);
	for (size_t i = 0; i < 20000; i++) {
		/* Some share a long beginning. */
		size_t length = 0, shared = i % 3 ? 0 : 30, most = shared + 1 + draw(5);

		while (length < most)
			row[length] = length < shared ? intern_text(&fold.names, "x") :
							intern_add(&fold.names, name, make_name(name, 4)), length++;
		stacks_add(&fold.stacks, row, length, i % 7);
		total += i % 7;
	}
	sorted = fold_sorted(&fold, &count);
	for (size_t i = 0; i < count; i++) {
		sum += sorted[i]->value;
		ordered &= !i || comes_before(&fold, sorted[i - 1], sorted[i]);
	}
	ok(ordered && count > 1000, "stacks are sorted frame by frame, each once (%zu)", count);
	ok(sum == total && fold_total(&fold) == total, "their values are all there");
	free(sorted);
	fold_release(&fold);
}

static void
test_pairs(void)
{
	struct stacks stacks = { 0 };
	uint32_t row[1];
	bool right = true;

	for (uint32_t i = 0; i < 5000; i++) {
		row[0] = i % 1000;
		stacks_add_pair(&stacks, row, 1, i, 1);
	}
	for (uint32_t i = 0; i < 1000; i++)
		right &= stacks_base(&stacks, &stacks.list[i]) == 5 * i + 10000 && stacks.list[i].value == 5;
	ok(right && stacks.count == 1000, "two columns are added side by side");
	stacks_release(&stacks);
}

static void
test_value(const char *text, const char *why, uint64_t digits, unsigned decimals)
{
	struct value value = { 0 };
	const char *said = value_read(text, strlen(text), &value);
	bool good = why ? said && strstr(said, why) : !said && (uint64_t)value.digits == digits && value.decimals == decimals;

	if (!ok(good, "the value '%.60s'", text))
		note("said %s, %llu / 10^%u", said ? said : "nothing", (unsigned long long)value.digits, value.decimals);
}

static void
test_values(void)
{
	test_value("0", NULL, 0, 0);
	test_value("000000000000000000000000000000000000000000000000000042", NULL, 42, 0);
	test_value("18446744073709551615", NULL, UINT64_MAX, 0);
	test_value("18446744073709551615.0000000000000000000000000000000", NULL, UINT64_MAX, 0);
	test_value("18446744073709551616", "2^64", 0, 0);
	test_value("18446744073709551615.000000000000000001", NULL, 17446744073709551617u, 18); /* the lower 64 bits */
	test_value("1.50", NULL, 15, 1);
	test_value("5.", NULL, 5, 0);
	test_value(".5", NULL, 5, 1);
	test_value("0.000000000000000001", NULL, 1, 18);
	test_value("0.0000000000000000001", "decimals", 0, 0);
	test_value("1e3", NULL, 1000, 0);
	test_value("1.25E1", NULL, 125, 1);
	test_value("1000e-3", NULL, 1, 0);
	test_value("1234e-2", NULL, 1234, 2);
	test_value("18446744073709551615000e-3", NULL, UINT64_MAX, 0);
	test_value("0.00018446744073709551615e23", NULL, UINT64_MAX, 0);
	test_value("0e99999999999999999999", NULL, 0, 0);
	test_value("1e99999999999999999999", "2^64", 0, 0);
	test_value("1e-99999999999999999999", "decimals", 0, 0);
	test_value("-5", "negative", 0, 0);
	test_value("-.5", "negative", 0, 0);
	test_value("+5", "sign", 0, 0);
	test_value("", "no value", 0, 0);
	test_value(".", "no value", 0, 0);
	test_value("-", "no value", 0, 0);
	test_value("1.2.3", "no value", 0, 0);
	test_value("1e", "no value", 0, 0);
	test_value("e3", "no value", 0, 0);
	test_value("0x10", "no value", 0, 0);
	test_value("nan", "no value", 0, 0);
}

/* The memory of lines may forget, but never takes one for another. */
static void
test_seen(void)
{
	struct seen seen = { 0 };
	static char text[2048];
	size_t found = 0;
	bool right = true;

	for (uint32_t i = 0; i < 400000; i++) {
		uint32_t which = draw(i < 200000 ? 5000 : 50000), index;
		/* Long ones differ in one byte only, in its middle. */
		size_t length = which % 2 ? 1500 : 20;
		uint64_t hash;

		memset(text, 'x', length);
		memcpy(text + length / 2, &which, sizeof which);
		hash = seen_hash(text, length);
		index = seen_find(&seen, hash, text, length);
		if (index == UINT32_MAX)
			seen_note(&seen, hash, text, length, which);
		else
			right &= index == which, found++;
	}
	ok(right, "a line seen is the one it was");
	ok(found > 100000, "lines that repeat are remembered (%zu of 400000)", found);
	seen_clear(&seen);
	ok(seen_find(&seen, seen_hash(text, 20), text, 20) == UINT32_MAX, "and forgotten");
	seen_release(&seen);
}

static void
test_name(enum fold_position position, const char *name, const char *wanted)
{
	struct fold fold;
	char shown[64];

	fold_init(&fold);
	header_add_to_list(&fold.header, "labels", "mine");
	snprintf(shown, sizeof shown, "'%s' is written", name);
	is_text(intern_name(&fold.names, fold_name(&fold, position, name, strlen(name))), wanted, shown);
	fold_release(&fold);
}

int
main(void)
{
	test_names();
	test_stacks();
	test_pairs();
	test_values();
	test_seen();
	test_name(FOLD_FRAME, "a;b\tc\x7f", "a:b?c?");
	test_name(FOLD_FRAME, " foo 12", " foo 12");
	test_name(FOLD_LEAF, "foo 12", "foo_12");
	test_name(FOLD_LEAF, "foo 1 2", "foo 1_2");
	test_name(FOLD_LEAF, "foo 1.5", "foo_1.5");
	test_name(FOLD_LEAF, "foo 1.5.2", "foo 1.5.2");
	test_name(FOLD_LEAF, "foo 12  ", "foo_12");
	test_name(FOLD_LEAF, "12", "12");
	test_name(FOLD_LEAF, " 12", "_12");
	test_name(FOLD_LEAF, "", "");
	test_name(FOLD_PROCESS, "#x", "\\#x");
	test_name(FOLD_PROCESS, "  x", "x");
	test_name(FOLD_PROCESS, "", "[unnamed]");
	test_name(FOLD_PROCESS, "host=1", "host\\=1");
	test_name(FOLD_PROCESS, "mine=1", "mine\\=1");
	test_name(FOLD_PROCESS, "other=1", "other=1");
	test_name(FOLD_PROCESS, "foo 12", "foo 12");
	test_name(FOLD_PROCESS | FOLD_LEAF, "#foo 12", "\\#foo_12");
	test_name(FOLD_LABEL, "host=a;b\tc", "host=a:b?c");
	return done_testing();
}
