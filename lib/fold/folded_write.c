#include <stdlib.h>
#include <string.h>

#include "base/warn.h"
#include "fold/folded.h"

/* Text is handed on in pieces of this size. */
#define PIECE ((size_t)256 << 10)
/* Sorted rows and their names lie all over memory: they are fetched this many rows ahead. */
#define AHEAD 8
/* The longest row fetched whole. */
#define FETCH_MAX 128

struct writer {
	const struct fold *fold;
	uint64_t scale; /* to divide by: 1 where the header says it */
	struct buf text;
};

/* As many decimals as the scale has, those that are 0 at the end left out. */
static void
add_value(struct writer *writer, unsigned __int128 value)
{
	uint64_t scale = writer->scale, part;

	buf_char(&writer->text, ' ');
	if (scale == 1) {
		buf_number(&writer->text, (uint64_t)value);
		return;
	}
	buf_number(&writer->text, (uint64_t)(value / scale));
	part = (uint64_t)(value % scale);
	if (part)
		buf_char(&writer->text, '.');
	while (part) {
		scale /= 10;
		buf_char(&writer->text, (char)('0' + part / scale));
		part %= scale;
	}
}

static void
add_stack(struct writer *writer, const struct stack *stack)
{
	const struct intern_name *names = writer->fold->names.names;

	for (uint32_t i = 0; i < stack->count; i++) {
		const struct intern_name *name = &names[stack->frames[i]];
		char *to;

		buf_reserve(&writer->text, name->length + (size_t)1);
		to = writer->text.data + writer->text.length;
		memcpy(to, name->text, name->length);
		to[name->length] = ';';
		writer->text.length += name->length + (size_t)1;
	}
	writer->text.length -= stack->count > 0;
	if (writer->fold->stacks.base)
		add_value(writer, stacks_base(&writer->fold->stacks, stack));
	add_value(writer, stack->value);
	buf_char(&writer->text, '\n');
}

static void
fetch_names(const struct writer *writer, const struct stack *stack)
{
	for (uint32_t i = 0; i < stack->count && i < FETCH_MAX; i++)
		__builtin_prefetch(&writer->fold->names.names[stack->frames[i]]);
}

static void
fetch_text(const struct writer *writer, const struct stack *stack)
{
	for (uint32_t i = 0; i < stack->count && i < FETCH_MAX; i++) {
		const struct intern_name *name = &writer->fold->names.names[stack->frames[i]];

		__builtin_prefetch(name->text);
		__builtin_prefetch(name->text + name->length);
	}
}

static void
fetch(const struct writer *writer, const struct stack *const *sorted, size_t left)
{
	if (left > AHEAD)
		__builtin_prefetch(sorted[AHEAD]);
	if (left > AHEAD / 2)
		__builtin_prefetch(sorted[AHEAD / 2]->frames);
	if (left > 2)
		fetch_names(writer, sorted[2]);
	if (left > 1)
		fetch_text(writer, sorted[1]);
}

void
folded_write(const struct fold *fold, struct out *out, bool no_header)
{
	struct writer writer = { .fold = fold, .scale = no_header ? header_number(&fold->header, "scale", 1) : 1 };
	const struct stack **sorted;
	size_t count;

	if (fold->header.json && !no_header)
		header_print(&fold->header, &writer.text);
	sorted = fold_sorted(fold, &count);
	for (size_t i = 0; i < count; i++) {
		fetch(&writer, sorted + i, count - i);
		add_stack(&writer, sorted[i]);
		if (writer.text.length >= PIECE) {
			out_add(out, writer.text.data, writer.text.length);
			buf_clear(&writer.text);
		}
	}
	out_add(out, writer.text.data, writer.text.length);
	buf_release(&writer.text);
	free(sorted);
}

/* Other profilers draw, going by the name that is asked for. */
void
folded_expect(const char *path)
{
	static const char *const pictures[] = { ".svg", ".html", ".png", ".pdf" };
	const char *ending = path ? strrchr(path, '.') : NULL;

	for (size_t i = 0; ending && i < sizeof pictures / sizeof *pictures; i++)
		if (strcasecmp(ending, pictures[i]) == 0)
			tell("%s gets a profile, as folded text, and no picture: gp-flame draws one of it", path);
}
