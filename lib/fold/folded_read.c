#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "fold/label.h"
#include "fold/value.h"

/* More than any stack and any line of tens of megabytes has; what a hostile line may cost is bounded by it. */
#define FRAMES_MAX ((size_t)16 << 20)
/* A header is metadata, not data. */
#define HEADER_MAX ((size_t)1 << 20)
/* Where a file has fractions and nothing says how fine they are: three decimals at least. */
#define DECIMALS_MIN 3

struct reader {
	struct fold *fold;
	const struct folded_options *options;
	unsigned decimals; /* values in fold are times 10^decimals */
	uint64_t profiles, sources; /* added so far */
	unsigned columns; /* of all of them, 0: not known yet */
	bool some_unknown, some_known; /* without and with a header */

	/* The file. */
	const char *file;
	unsigned long skipped, first;
	const char *why;
	uint32_t *labels;
	size_t label_count;

	/* The profile. */
	bool open;		/* something of it was read */
	struct header header;	/* json NULL: it has none, and it is staged */
	struct stacks staged;	/* lines as of one column, a base behind the leaf's name: see settle() */
	uint64_t singles, pairs; /* staged lines that end in one, in two numbers */
	unsigned long first_single;
	unsigned own_decimals;	/* the header's scale */

	uint32_t *row;
	size_t row_room;
};

/* The frames of a line, and what stands behind them. */
struct line {
	const char *text;
	size_t length;
	struct value value, base;
	bool has_base;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Why is static text. -1 if that is the end of it. */
static int
skip(struct reader *reader, unsigned long number, const char *why)
{
	if (reader->options->strict)
		return warn("%s: line %lu: %s", reader->file, number, why);
	if (!reader->skipped++ || number < reader->first) {
		reader->first = number;
		reader->why = why;
	}
	return 0;
}

static int
too_large(const struct reader *reader, const struct stack *stack)
{
	const struct intern *names = &reader->fold->names;
	struct buf text = { 0 };

	for (uint32_t i = 0; i < stack->count && text.length < 200; i++)
		buf_print(&text, "%s%.*s", i ? ";" : "", (int)(intern_length(names, stack->frames[i]) & 0xff),
		    intern_name(names, stack->frames[i]));
	warn("%s: the sum does not fit into 64 bits%s: %.200s", reader->file,
	    reader->decimals ? " with its decimals" : "", text.length ? text.data : "(no frames)");
	buf_release(&text);
	return -1;
}

static int
check_sums(const struct reader *reader, const struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->list[i].value > UINT64_MAX || stacks_base(stacks, &stacks->list[i]) > UINT64_MAX)
			return too_large(reader, &stacks->list[i]);
	return 0;
}

/* Values so far are multiplied, so that one with more decimals can be added. */
static int
refine(struct reader *reader, unsigned decimals)
{
	struct stacks *all[] = { &reader->fold->stacks, &reader->staged };
	unsigned __int128 factor = value_power(decimals - reader->decimals);

	reader->decimals = decimals;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		/* What is beyond 64 bits now would be so at the end: so nothing overflows here. */
		if (check_sums(reader, all[k]) < 0)
			return -1;
		for (size_t i = 0; i < all[k]->count; i++) {
			all[k]->list[i].value *= factor;
			if (all[k]->base)
				all[k]->base[i] *= factor;
		}
	}
	return 0;
}

/* The value in units of fold's. */
static int
scaled(struct reader *reader, const struct value *value, unsigned long number, unsigned __int128 *result)
{
	unsigned decimals = reader->own_decimals + value->decimals;

	if (value->decimals && decimals < DECIMALS_MIN)
		decimals = DECIMALS_MIN;
	if (decimals > VALUE_DECIMALS_MAX)
		return warn("%s: line %lu: more than %d decimals", reader->file, number, VALUE_DECIMALS_MAX);
	if (value->digits && decimals > reader->decimals && refine(reader, decimals) < 0)
		return -1;
	*result = value->digits * value_power(reader->decimals - reader->own_decimals - value->decimals);
	if (*result > UINT64_MAX)
		return warn("%s: line %lu: the value with %u decimals does not fit into 64 bits", reader->file, number,
		    reader->decimals);
	return 0;
}

static void
row_add(struct reader *reader, size_t *count, uint32_t name)
{
	mem_grow(&reader->row, *count, &reader->row_room);
	reader->row[(*count)++] = name;
}

static size_t
frame_end(const char *text, size_t from, size_t length)
{
	const char *end = memchr(text + from, ';', length - from);

	return end ? (size_t)(end - text) : length;
}

/* Frames to numbers in reader->row: labels, ours among them, the process, the rest. False: too many. */
static bool
split(struct reader *reader, const char *text, size_t length, size_t *count)
{
	size_t from = 0, to, own = 0;
	bool more = true, labels = true;

	*count = 0;
	for (; more; from = to + 1) {
		enum fold_position position = FOLD_FRAME;

		to = frame_end(text, from, length);
		more = to < length;
		if (labels && label_key(&reader->header, text + from, to - from)) {
			position = FOLD_LABEL;
		} else if (labels) {
			position = FOLD_PROCESS;
			labels = false;
		}
		if (from == 0 && !(position == FOLD_LABEL && to >= 5 && memcmp(text, "time=", 5) == 0))
			for (; own < reader->label_count; own++)
				row_add(reader, count, reader->labels[own]);
		row_add(reader, count,
		    fold_name(reader->fold, more ? position : position | FOLD_LEAF, text + from, to - from));
		for (; own < reader->label_count; own++)
			row_add(reader, count, reader->labels[own]);
		if (*count > FRAMES_MAX)
			return false;
	}
	return true;
}

/* Takes the last number off the text and the blanks before it. */
static const char *
take_value(const char *text, size_t *length, struct value *value)
{
	size_t from = *length;
	const char *why;

	while (from && !is_blank(text[from - 1]))
		from--;
	why = value_read(text + from, *length - from, value);
	if (why)
		return why;
	while (from && is_blank(text[from - 1]))
		from--;
	*length = from;
	return from ? NULL : "no stack";
}

static int
add_line(struct reader *reader, const char *text, size_t length, unsigned long number)
{
	bool two = header_number(&reader->header, "columns", 1) == 2;
	struct stacks *to = reader->header.json ? &reader->fold->stacks : &reader->staged;
	unsigned __int128 amount, base_amount = 0;
	struct value value, base = { 0 };
	size_t count, shorter;
	const char *why = take_value(text, &length, &value);

	if (why)
		return skip(reader, number, why);
	if (two) {
		why = take_value(text, &length, &base);
		if (why)
			return skip(reader, number, "no second value");
	} else if (!reader->header.json) {
		shorter = length;
		if (take_value(text, &shorter, &base)) {
			base.digits = 0;
			if (!reader->singles++)
				reader->first_single = number;
		} else {
			reader->pairs++;
		}
	}
	if (scaled(reader, &value, number, &amount) < 0 || scaled(reader, &base, number, &base_amount) < 0)
		return -1;
	if (!split(reader, text, length, &count))
		return skip(reader, number, "too many frames");
	if (!two && reader->header.json)
		stacks_add(to, reader->row, count, amount);
	else
		stacks_add_pair(to, reader->row, count, base_amount, amount);
	return 0;
}

static int
set_columns(struct reader *reader, unsigned columns)
{
	if (reader->columns && reader->columns != columns)
		return warn("%s has %s, what comes before it has %s: they cannot be added", reader->file,
		    columns == 2 ? "two columns" : "one column", columns == 2 ? "one" : "two");
	reader->columns = columns;
	return 0;
}

/* Two headers may be added up: units, periods, and what columns mean. */
static int
check_header(const struct reader *reader, const struct header *header)
{
	static const char *const keys[] = { "unit", "period_ns", "period", "kind", "names" };
	const struct header *sum = &reader->fold->header;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *key = keys[i], *one = header_text(sum, key), *other = header_text(header, key);

		if (!header_has(sum, key) || !header_has(header, key) || header_same(sum, header, key))
			continue;
		if (reader->options->force) {
			tell("%s: %s differs from what comes before it", reader->file, key);
			continue;
		}
		if (one && other)
			return warn("%s: %s is %s, before it %s (--force adds them all the same)", reader->file, key,
			    other, one);
		return warn("%s: %s is %" PRIu64 ", before it %" PRIu64 " (--force adds them all the same)", reader->file,
		    key, header_number(header, key, 0), header_number(sum, key, 0));
	}
	return 0;
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
	if (set_columns(reader, (unsigned)columns) < 0 || check_header(reader, &reader->header) < 0)
		return -1;
	if (reader->own_decimals > reader->decimals && refine(reader, reader->own_decimals) < 0)
		return -1;
	if (reader->profiles++ == 0)
		header_copy(sum, &reader->header);
	else
		header_merge(sum, &reader->header);
	reader->sources += header_number(&reader->header, "sources", 1);
	return 0;
}

/* A header begins a profile. */
static int
open_profile(struct reader *reader)
{
	reader->open = true;
	reader->own_decimals = 0;
	return reader->header.json ? add_header(reader) : 0;
}

/* The leaf's name without the base behind it. */
static uint32_t
strip_base(struct reader *reader, const struct stack *stack)
{
	uint32_t leaf = stack->frames[stack->count - 1];
	const char *text = intern_name(&reader->fold->names, leaf);
	size_t length = intern_length(&reader->fold->names, leaf);

	while (length && text[length - 1] != ' ')
		length--;
	while (length && is_blank(text[length - 1]))
		length--;
	return fold_name(reader->fold, FOLD_LEAF, text, length);
}

static int
close_profile(struct reader *reader)
{
	(void)strip_base;
	for (size_t i = 0; i < reader->staged.count; i++)
		stacks_add(&reader->fold->stacks, reader->staged.list[i].frames, reader->staged.list[i].count,
		    reader->staged.list[i].value);
	stacks_release(&reader->staged);
	header_release(&reader->header);
	reader->open = false;
	return 0;
}

static int
take_comment(struct reader *reader, const char *text, size_t length)
{
	struct header header = { 0 };

	if (length && is_blank(*text)) {
		text++;
		length--;
	}
	if (!length || *text != '{' || length > HEADER_MAX || header_parse(&header, text, length) < 0)
		return 0;
	if (reader->open && close_profile(reader) < 0)
		return -1;
	reader->header = header;
	return open_profile(reader);
}

static int
take_line(struct reader *reader, const char *text, size_t length, unsigned long number)
{
	while (length && (is_blank(text[length - 1]) || text[length - 1] == '\r'))
		length--;
	while (length && is_blank(*text)) {
		text++;
		length--;
	}
	if (!length)
		return 0;
	if (*text == '#' && (length == 1 || is_blank(text[1]) || text[1] == '{'))
		return take_comment(reader, text + 1, length - 1);
	if (!reader->open && open_profile(reader) < 0)
		return -1;
	return add_line(reader, text, length, number);
}

static int
read_member(struct reader *reader, struct input *input)
{
	struct lines lines;
	char *line;
	size_t length;
	int result = 0;

	reader->file = input_name(input);
	reader->skipped = 0;
	lines_open(&lines, input);
	while (result == 0 && lines_next(&lines, &line, &length))
		result = take_line(reader, line, length, lines.number);
	if (lines.failed)
		result = -1;
	if (result == 0 && reader->open)
		result = close_profile(reader);
	if (result == 0 && reader->skipped)
		warn("%s: %lu line%s skipped, first at line %lu: %s", reader->file, reader->skipped,
		    reader->skipped == 1 ? "" : "s", reader->first, reader->why);
	lines_close(&lines);
	return result;
}

static int
read_operand(struct reader *reader, const char *name)
{
	struct input *input = input_open(name);
	int more;

	if (!input)
		return -1;
	while ((more = input_next_member(input)) > 0)
		if (read_member(reader, input) < 0) {
			more = -1;
			break;
		}
	input_close(input);
	return more;
}

int
folded_read(struct fold *fold, char *const operands[], int count, const struct folded_options *options)
{
	static const struct folded_options none;
	struct reader reader = { .fold = fold, .options = options ? options : &none };
	int result = 0;

	if (count == 0)
		result = read_operand(&reader, "-");
	for (int i = 0; i < count && result == 0; i++)
		result = read_operand(&reader, operands[i]);
	if (result == 0)
		result = check_sums(&reader, &fold->stacks);
	header_release(&reader.header);
	stacks_release(&reader.staged);
	free(reader.row);
	free(reader.labels);
	return result;
}
