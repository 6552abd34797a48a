#include <stdlib.h>
#include <string.h>

#include "fold/label.h"
#include "fold/split.h"

void
split_push(struct split *split, uint32_t name)
{
	mem_grow(&split->row, split->count, &split->room);
	split->row[split->count++] = name;
}

void
split_add(struct split *split, enum fold_position position, const char *text, size_t length)
{
	split_push(split, fold_name(split->fold, position, text, length));
}

void
split_add_label(struct split *split, enum fold_position position, const char *text, size_t length)
{
	char later[64];
	size_t n = split->later_ns ? label_later(text, length, split->later_ns, later) : 0;

	split_add(split, position, n ? later : text, n ? n : length);
}

/* Stacks that follow each other often begin alike: how many frames of the last row, none of them a leaf
 * here, the text begins with; *from is behind them. */
static size_t
common(const struct split *split, const char *text, size_t length, size_t *from)
{
	size_t n = 0;

	for (*from = 0; n < split->count; n++) {
		uint32_t number = split->row[n];
		size_t name_length = intern_length(&split->fold->names, number);

		if (length - *from <= name_length || text[*from + name_length] != ';' ||
		    memcmp(text + *from, intern_name(&split->fold->names, number), name_length) != 0)
			break;
		*from += name_length + 1;
	}
	return n;
}

static void
add_labels(struct split *split)
{
	for (size_t i = 0; i < split->label_count; i++)
		split_push(split, split->labels[i]);
}

/* Labels and process; returns where the rest begins, length + 1 if there is none. */
static size_t
split_head(struct split *split, const char *text, size_t length)
{
	unsigned leaf = split->leaf_as_frame ? FOLD_FRAME : FOLD_LEAF;
	bool label = true, ours = false;
	size_t from = 0;

	while (label && from <= length) {
		const char *end = memchr(text + from, ';', length - from);
		size_t n = end ? (size_t)(end - text) - from : length - from, key = label_key(split->header, text + from, n);
		enum fold_position position = (key ? FOLD_LABEL : FOLD_PROCESS) | (end ? 0 : leaf);

		label = key;
		if (from == 0 && key == 4 && memcmp(text, "time", 4) == 0) {
			split_add_label(split, position, text, n);
		} else {
			if (!ours)
				add_labels(split);
			ours = true;
			split_add(split, position, text + from, n);
		}
		from += n + 1;
	}
	if (!ours)
		add_labels(split);
	split->head = split->count + label; /* a stack of labels alone has no whole head */
	return from;
}

void
split_reset(struct split *split)
{
	split->count = split->head = 0;
}

/* Frames up to the leaf, which is left. What is known as a name is written as it is. */
static int
split_frames(struct split *split, const char *text, size_t length, size_t *from)
{
	struct intern_text frames[INTERN_BATCH];
	uint32_t numbers[INTERN_BATCH];
	const char *end = text + *from;
	size_t n;

	while (end) {
		for (n = 0; n < INTERN_BATCH && (end = memchr(text + *from, ';', length - *from)); n++) {
			frames[n] = (struct intern_text){ text + *from, (size_t)(end - text) - *from };
			*from += frames[n].length + 1;
		}
		intern_find(&split->fold->names, frames, n, numbers);
		for (size_t i = 0; i < n; i++)
			if (numbers[i] != INTERN_NONE)
				split_push(split, numbers[i]);
			else
				split_add(split, FOLD_FRAME, frames[i].text, frames[i].length);
		if (split->count >= SPLIT_FRAMES_MAX)
			return -1;
	}
	return 0;
}

static void
split_leaf(struct split *split, const char *text, size_t length)
{
	char last = length ? text[length - 1] : ' ';
	uint32_t number = INTERN_NONE;

	/* Only what ends like a number or in a blank may be written otherwise than a frame that is known. */
	if (last != '.' && last != ' ' && (last < '0' || last > '9'))
		intern_find(&split->fold->names, &(struct intern_text){ text, length }, 1, &number);
	if (number != INTERN_NONE)
		split_push(split, number);
	else
		split_add(split, split->leaf_as_frame ? FOLD_FRAME : FOLD_LEAF, text, length);
}

int
split_stack(struct split *split, const char *text, size_t length)
{
	size_t from = 0;

	/* With labels of ours, or later times, the row is not the text. */
	split->count = split->label_count || split->later_ns ? 0 : common(split, text, length, &from);
	if (split->count < split->head || !split->count) {
		split->count = 0;
		from = split_head(split, text, length);
	}
	if (from > length)
		return 0;
	if (split_frames(split, text, length, &from) < 0) {
		split_reset(split);
		return -1;
	}
	split_leaf(split, text + from, length - from);
	return 0;
}

void
split_release(struct split *split)
{
	free(split->row);
	*split = (struct split){ 0 };
}
