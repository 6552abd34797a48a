#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/input.h"
#include "base/warn.h"
#include "fold/reader.h"

/* A header is metadata, not data. */
#define HEADER_MAX ((size_t)1 << 20)

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int
reader_skip(struct reader *reader, unsigned long number, const char *why)
{
	if (reader->options->strict)
		return warn("%s: line %lu: %s", reader->file, number, why);
	if (!reader->skipped++ || number < reader->first) {
		reader->first = number;
		reader->why = why;
	}
	return 0;
}

void
reader_say_skipped(struct reader *reader)
{
	if (reader->skipped)
		warn("%s: %lu line%s skipped, first at line %lu: %s", reader->file, reader->skipped,
		    reader->skipped == 1 ? "" : "s", reader->first, reader->why);
	reader->skipped = 0;
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
add_single(struct reader *reader, const char *text, size_t length, const struct value *value, unsigned long number)
{
	unsigned __int128 amount;
	uint64_t hash;
	size_t index;

	if (exact_value(reader, value, number, &amount) < 0)
		return -1;
	if (split_stack(&reader->split, text, length) < 0)
		return reader_skip(reader, number, "too many frames");
	index = stacks_add(profile_stacks(reader), reader->split.row, reader->split.count, amount);
	hash = seen_hash(text, length);
	if (seen_find(&reader->seen, hash, text, length) == UINT32_MAX)
		seen_note(&reader->seen, hash, text, length, (uint32_t)index);
	if (!reader->single_lines++)
		reader->first_single = number;
	return 0;
}

/* rest is what stands between the stack and the value: blanks and the base. */
static int
add_pair(struct reader *reader, const char *text, size_t length, size_t rest, const struct value *base,
    const struct value *value, unsigned long number)
{
	struct split *split = &reader->split;
	unsigned __int128 amount, base_amount;
	bool staged = !reader->header.json;
	int result;

	/* The base once more: its value may have made the units finer. */
	if (exact_value(reader, base, number, &base_amount) < 0 || exact_value(reader, value, number, &amount) < 0 ||
	    exact_value(reader, base, number, &base_amount) < 0)
		return -1;
	split_reset(split);
	split->leaf_as_frame = staged;
	result = split_stack(split, text, length);
	split->leaf_as_frame = false;
	if (result < 0)
		return reader_skip(reader, number, "too many frames");
	if (staged) {
		split_add(split, FOLD_FRAME, text + length, rest);
		reader->pair_lines++;
	}
	stacks_add_pair(staged ? &reader->pairs : profile_stacks(reader), split->row, split->count, base_amount, amount);
	split_reset(split);
	return 0;
}

/* Does the text end in what could be the first of two values. As gp-folded(5) has it, so that a leaf
 * written by its rules never looks so. */
static bool
ends_in_base(const char *text, size_t length)
{
	size_t from = length;

	while (from && ((text[from - 1] >= '0' && text[from - 1] <= '9') || text[from - 1] == '.'))
		from--;
	return from < length && from && is_blank(text[from - 1]) && text[from] != '.';
}

static int
add_line(struct reader *reader, const char *text, size_t length, unsigned long number)
{
	bool staged = !reader->header.json, two = reader->columns == 2 && !staged;
	struct value value, base;
	const char *why = take_value(text, &length, &value);
	size_t stack = length;

	if (why)
		return reader_skip(reader, number, why);
	if ((two || (staged && ends_in_base(text, length))) && !take_value(text, &stack, &base))
		return add_pair(reader, text, stack, length - stack, &base, &value, number);
	if (two)
		return reader_skip(reader, number, "no second value");
	return add_single(reader, text, length, &value, number);
}

/* The most frequent line by far, "stack 42" with a stack that came before: two looks at its bytes. */
static bool
add_again(struct reader *reader, const char *text, size_t length)
{
	size_t from = length, end;
	uint64_t value = 0;
	uint32_t index;

	while (from && text[from - 1] >= '0' && text[from - 1] <= '9')
		from--;
	/* 18 digits cannot overflow. */
	if (from == length || length - from > 18 || from < 2 || text[from - 1] != ' ' ||
	    reader->decimals != reader->own_decimals || reader->options->each_line)
		return false;
	end = from - 1;
	index = seen_find(&reader->seen, seen_hash(text, end), text, end);
	if (index == UINT32_MAX)
		return false;
	while (from < length)
		value = value * 10 + (uint64_t)(text[from++] - '0');
	profile_stacks(reader)->list[index].value += value;
	reader->single_lines++;
	return true;
}

/* A header begins a profile; so does one in the middle, which is ours or follows an end. */
static int
take_comment(struct reader *reader, const char *text, size_t length, unsigned long number)
{
	struct header header = { 0 };

	if (!length) {
		reader->ended = true;
		return 0;
	}
	if (is_blank(*text)) {
		text++;
		length--;
	}
	if (!length || *text != '{' || (reader->open && !reader->ended && !memmem(text, length, "\"gp\"", 4)))
		return 0;
	if (length > HEADER_MAX || header_parse(&header, text, length) < 0) {
		tell("%s: line %lu: the header is not JSON, left out", reader->file, number);
		return 0;
	}
	if (reader->open && !reader->ended && !header_has(&header, "gp")) {
		header_release(&header);
		return 0;
	}
	if (reader->open && profile_close(reader) < 0) {
		header_release(&header);
		return -1;
	}
	return profile_open(reader, &header);
}

int
reader_line(struct reader *reader, const char *text, size_t length, unsigned long number)
{
	if (length && text[length - 1] == '\r')
		length--;
	if (add_again(reader, text, length))
		return 0;
	while (length && (is_blank(text[length - 1]) || text[length - 1] == '\r'))
		length--;
	while (length && is_blank(*text)) {
		text++;
		length--;
	}
	if (!length)
		return 0;
	if (*text == '#' && (length == 1 || is_blank(text[1]) || text[1] == '{'))
		return take_comment(reader, text + 1, length - 1, number);
	if (!reader->open && profile_open(reader, NULL) < 0)
		return -1;
	return add_line(reader, text, length, number);
}

static void
add_label(struct reader *reader, const char *text)
{
	mem_grow(&reader->labels, reader->label_count, &reader->label_room);
	reader->labels[reader->label_count++] = fold_name(reader->fold, FOLD_LABEL, text, strlen(text));
}

static void
set_labels(struct reader *reader, bool standard_input)
{
	char *text;

	reader->label_count = 0;
	for (size_t i = 0; i < reader->options->label_count; i++)
		add_label(reader, reader->options->labels[i]);
	if (reader->options->by_file) {
		text = mem_print("file=%s", standard_input ? "-" : reader->file);
		add_label(reader, text);
		free(text);
	}
	reader->split.labels = reader->labels;
	reader->split.label_count = reader->label_count;
}

static bool
begins(const char *head, ssize_t size, const char *with)
{
	return size >= (ssize_t)strlen(with) && strncasecmp(head, with, strlen(with)) == 0;
}

/* What people give by mistake, and what can be done with it. Read as text it would be a few odd stacks. */
int
reader_refuse(struct input *input)
{
	char head[INPUT_PEEK_MAX];
	ssize_t size = input_peek(input, head, sizeof head);

	if (size < 0)
		return -1;
	if (begins(head, size, "PERFILE2"))
		return warn("%s is a perf.data: gp-fold makes a profile of it", input_name(input));
	if (begins(head, size, "<!doctype"))
		return warn("%s is a page: gp-fold gives back the profile that it was drawn from", input_name(input));
	if (begins(head, size, "<?xml") || begins(head, size, "<svg"))
		return warn("%s is a picture: the profile that it was drawn from is wanted", input_name(input));
	if (begins(head, size, "\177ELF"))
		return warn("%s is a program, no profile", input_name(input));
	return 0;
}

static int
read_member(struct reader *reader, struct input *input, bool standard_input)
{
	struct lines lines;
	char *line;
	size_t length;
	int result = reader_refuse(input);

	if (result < 0)
		return -1;
	reader->file = input_name(input);
	reader->skipped = 0;
	set_labels(reader, standard_input);
	lines_open(&lines, input);
	while (result == 0 && lines_next(&lines, &line, &length))
		result = reader_line(reader, line, length, lines.number);
	if (lines.failed)
		result = -1;
	if (result == 0 && lines.too_long) {
		result = reader_skip(reader, lines.first_too_long, "line of more than 256 MiB");
		reader->skipped += lines.too_long - 1;
	}
	if (result == 0 && lines.number == 0)
		detail("%s is empty", reader->file);
	if (result == 0 && reader->open)
		result = profile_close(reader);
	if (result == 0 && reader->skipped && reader->skipped == lines.number && !reader->options->any_text)
		result = warn("%s: no line of it is a stack; line %lu: %s", reader->file, reader->first, reader->why);
	else if (result == 0)
		reader_say_skipped(reader);
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
		if (read_member(reader, input, strcmp(name, "-") == 0) < 0) {
			more = -1;
			break;
		}
	input_close(input);
	return more;
}

void
reader_open(struct reader *reader, struct fold *fold, const struct folded_options *options)
{
	static const struct folded_options none;
	uint64_t scale = header_number(&fold->header, "scale", 1);

	*reader = (struct reader){ .fold = fold, .options = options ? options : &none };
	reader->split = (struct split){ .fold = fold, .header = &reader->header };
	if (!fold->header.json && !fold->stacks.count)
		return;
	reader->profiles = 1;
	reader->bare = !fold->header.json;
	reader->sources = header_number(&fold->header, "sources", 1);
	reader->columns = fold->stacks.base ? 2 : 1;
	for (; scale >= 10; scale /= 10)
		reader->decimals++;
}

/* What the header says of the whole. */
static void
finish(struct reader *reader)
{
	struct header *header = &reader->fold->header;
	uint64_t scale = (uint64_t)value_power(reader->decimals);

	if (reader->profiles > 1)
		header_set_number(header, "sources", reader->sources);
	if (reader->decimals && header_number(header, "scale", 1) != scale) {
		header_set_number(header, "gp", 1);
		header_set_number(header, "scale", scale);
	}
	if (reader->bare && reader->bare < reader->profiles && (header_has(header, "unit") || header_has(header, "period_ns"))) {
		tell("profiles without a header: %" PRIu64 " of %" PRIu64 ", what they count is not known", reader->bare,
		    reader->profiles);
		header_add_to_list(header, "notes", "profiles without a header were added");
	}
}

int
reader_close(struct reader *reader, int result)
{
	if (result == 0)
		result = exact_check(reader->fold, &reader->fold->stacks);
	if (result == 0)
		finish(reader);
	header_release(&reader->header);
	stacks_release(&reader->staged);
	stacks_release(&reader->pairs);
	split_release(&reader->split);
	seen_release(&reader->seen);
	free(reader->labels);
	return result;
}

int
folded_read(struct fold *fold, char *const operands[], int count, const struct folded_options *options)
{
	struct reader reader;
	int result = 0;

	reader_open(&reader, fold, options);
	if (count == 0)
		result = read_operand(&reader, "-");
	for (int i = 0; i < count && result == 0; i++)
		result = read_operand(&reader, operands[i]);
	return reader_close(&reader, result);
}

int
folded_read_member(struct fold *fold, struct input *input, const struct folded_options *options)
{
	struct reader reader;

	reader_open(&reader, fold, options);
	return reader_close(&reader, read_member(&reader, input, false));
}
