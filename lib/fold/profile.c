#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/warn.h"
#include "fold/label.h"
#include "fold/reader.h"

static int
set_columns(struct reader *reader, unsigned columns)
{
	if (reader->columns && reader->columns != columns)
		return warn("%s has %s, what comes before it has %s: they cannot be added", reader->file,
		    columns == 2 ? "two columns" : "one column", columns == 2 ? "one" : "two");
	reader->columns = columns;
	return 0;
}

static int
differs(const struct reader *reader, const char *key)
{
	const struct header *own = &reader->header, *sum = &reader->fold->header;
	const char *text = header_text(own, key), *before = header_text(sum, key);

	if (text && before)
		return warn("%s: %s is %s, of what comes before it %s: --force adds them all the same", reader->file, key,
		    text, before);
	if (header_number(own, key, 0) && header_number(sum, key, 0))
		return warn("%s: %s is %" PRIu64 ", of what comes before it %" PRIu64 ": --force adds them all the same",
		    reader->file, key, header_number(own, key, 0), header_number(sum, key, 0));
	return warn("%s: %s are not those of what comes before it: --force adds them all the same", reader->file, key);
}

/* Values of two profiles may be added: they count the same, a sample stands for as much, columns mean the same. */
static int
check_meaning(const struct reader *reader)
{
	static const char *const keys[] = { "unit", "period_ns", "period", "kind", "names" };
	const struct header *own = &reader->header, *sum = &reader->fold->header;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!header_has(sum, keys[i]) || !header_has(own, keys[i]) || header_same(sum, own, keys[i]))
			continue;
		/* A period in nanoseconds is how often was looked, where nanoseconds themselves are counted. */
		if (strncmp(keys[i], "period", 6) == 0 && strcmp(header_text(own, "unit") ? header_text(own, "unit") :
		    "samples", "samples") != 0)
			continue;
		if (!reader->options->force)
			return differs(reader, keys[i]);
		tell("%s: %s differs from what comes before it", reader->file, keys[i]);
	}
	return 0;
}

/* The keys of our own labels are known to the sum before a process name could be taken for one. */
static void
add_label_keys(struct reader *reader)
{
	for (size_t i = 0; i < reader->label_count; i++) {
		const char *label = intern_name(&reader->fold->names, reader->labels[i]);
		char *key = mem_copy(label, strcspn(label, "="));

		header_add_to_list(&reader->fold->header, "labels", key);
		free(key);
	}
}

/* A stack of the sum so far, its head as the new header wants it: see rewrite_heads(). */
static void
rewrite_head(struct reader *reader, const struct stack *stack, const struct header *before)
{
	const struct intern *names = &reader->fold->names;
	struct split *split = &reader->split;
	bool label = true;

	split_reset(split);
	for (uint32_t i = 0; i < stack->count; i++) {
		const char *name = intern_name(names, stack->frames[i]);
		size_t length = intern_length(names, stack->frames[i]);

		if (!label) {
			split_push(split, stack->frames[i]);
			continue;
		}
		label = label_key(before, name, length);
		if (label)
			split_add_label(split, FOLD_LABEL, name, length);
		else
			split_add(split, FOLD_PROCESS, name, length);
	}
}

/* The stacks so far, where a header that was added changes what they say: the label time counts from an
 * earlier start, and a process name that now looks like a label is escaped after all. */
static void
rewrite_heads(struct reader *reader, const struct header *before, uint64_t later_ns)
{
	struct stacks *stacks = &reader->fold->stacks, old = *stacks;
	uint64_t saved = reader->split.later_ns;

	*stacks = (struct stacks){ .each = old.each };
	reader->split.later_ns = later_ns;
	for (size_t i = 0; i < old.count; i++) {
		rewrite_head(reader, &old.list[i], before);
		if (old.base)
			stacks_add_pair(stacks, reader->split.row, reader->split.count, old.base[i], old.list[i].value);
		else
			stacks_add(stacks, reader->split.row, reader->split.count, old.list[i].value);
	}
	split_reset(&reader->split);
	reader->split.later_ns = saved;
	stacks_release(&old);
}

/* How much later than the sum, as it is now, a profile began. */
static uint64_t
later_than(const struct header *sum, const struct header *header)
{
	const char *first = header_text(sum, "start"), *start = header_text(header, "start");
	uint64_t from, to;

	if (!first || !start || clock_read(first, &from) < 0 || clock_read(start, &to) < 0)
		return 0;
	return to > from ? to - from : 0;
}

static void
merge_header(struct reader *reader)
{
	struct header *sum = &reader->fold->header, before = { 0 };
	uint64_t later;

	header_copy(&before, sum);
	header_merge(sum, &reader->header);
	reader->split.later_ns = later_than(sum, &reader->header);
	later = later_than(sum, &before);
	if (later || header_list_count(sum, "labels") > header_list_count(&before, "labels"))
		rewrite_heads(reader, &before, later);
	header_release(&before);
}

static int
add_header(struct reader *reader)
{
	uint64_t scale = header_number(&reader->header, "scale", 1), columns = header_number(&reader->header, "columns", 1);
	struct header *sum = &reader->fold->header;

	if (columns != 1 && columns != 2)
		return warn("%s: %" PRIu64 " columns: not known here", reader->file, columns);
	for (reader->own_decimals = 0; scale > 1 && scale % 10 == 0; scale /= 10)
		reader->own_decimals++;
	if (scale != 1 || reader->own_decimals > VALUE_DECIMALS_MAX)
		return warn("%s: the header's scale is not a power of ten", reader->file);
	if (set_columns(reader, (unsigned)columns) < 0 || check_meaning(reader) < 0)
		return -1;
	if (reader->own_decimals > reader->decimals && exact_refine(reader, reader->own_decimals) < 0)
		return -1;
	if (reader->profiles++ == 0)
		header_copy(sum, &reader->header);
	else
		merge_header(reader);
	reader->bare += !reader->header.json;
	reader->sources += header_number(&reader->header, "sources", 1);
	add_label_keys(reader);
	return 0;
}

int
profile_open(struct reader *reader, struct header *header)
{
	reader->header = header ? *header : (struct header){ 0 };
	reader->open = true;
	reader->ended = false;
	reader->own_decimals = 0;
	reader->single_lines = reader->pair_lines = 0;
	split_reset(&reader->split);
	reader->split.later_ns = 0;
	reader->fold->stacks.each = reader->staged.each = reader->pairs.each = reader->options->each_line;
	add_label_keys(reader);
	return reader->header.json ? add_header(reader) : 0;
}

/* The row of a staged pair: with the base it is a stack of one column, without it of two. */
static void
settle_row(struct reader *reader, const struct stack *pair, bool with_base)
{
	const struct intern *names = &reader->fold->names;
	uint32_t leaf = pair->frames[pair->count - 2], rest = pair->frames[pair->count - 1];
	struct split *split = &reader->split;
	struct buf text = { 0 };

	split_reset(split);
	for (uint32_t i = 0; i + 2 < pair->count; i++)
		split_push(split, pair->frames[i]);
	buf_add(&text, intern_name(names, leaf), intern_length(names, leaf));
	if (with_base)
		buf_add(&text, intern_name(names, rest), intern_length(names, rest));
	split_add(split, FOLD_LEAF, text.data, text.length);
	buf_release(&text);
}

/* A profile without a header is of two columns if most of its lines are. */
static int
settle(struct reader *reader)
{
	bool two = reader->pair_lines > reader->single_lines;
	static const char two_columns[] = "{\"columns\":2,\"kind\":\"diff\",\"names\":[\"base\",\"new\"]}";
	struct stacks *to = &reader->fold->stacks;

	if (two) {
		tell("%s: most lines end in two numbers, taken for a diff's: base and new", reader->file);
		if (reader->single_lines && reader_skip(reader, reader->first_single, "no second value") < 0)
			return -1;
		reader->skipped += reader->single_lines ? reader->single_lines - 1 : 0;
		header_parse(&reader->header, two_columns, sizeof two_columns - 1);
	} else if (reader->pair_lines) {
		tell("%s: lines that end in two numbers: %" PRIu64 ", the first one taken for part of a name", reader->file,
		    reader->pair_lines);
	}
	if (add_header(reader) < 0)
		return -1;
	reader->bare += two;
	if (!two && to->count == 0 && !to->base) {
		*to = reader->staged;
		reader->staged = (struct stacks){ 0 };
	}
	for (size_t i = 0; !two && i < reader->staged.count; i++)
		stacks_add(to, reader->staged.list[i].frames, reader->staged.list[i].count, reader->staged.list[i].value);
	for (size_t i = 0; i < reader->pairs.count; i++) {
		const struct stack *pair = &reader->pairs.list[i];

		settle_row(reader, pair, !two);
		if (two)
			stacks_add_pair(to, reader->split.row, reader->split.count, reader->pairs.base[i], pair->value);
		else
			stacks_add(to, reader->split.row, reader->split.count, pair->value);
	}
	return 0;
}

int
profile_close(struct reader *reader)
{
	int result = reader->header.json ? 0 : settle(reader);

	stacks_release(&reader->staged);
	stacks_release(&reader->pairs);
	header_release(&reader->header);
	seen_clear(&reader->seen);
	reader->open = false;
	return result;
}
