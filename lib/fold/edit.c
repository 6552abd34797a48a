#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"
#include "fold/edit.h"
#include "fold/match.h"

/* By number of name, a bit for every list that it matches, and what else is to be known of it. */
enum {
	FOCUS = 1 << 0,
	IGNORE = 1 << 1,
	SHOW_FROM = 1 << 2,
	HIDE = 1 << 3,
	COLLAPSE = 1 << 4,
	LABEL = 1 << 5,
};

struct editor {
	const struct edit *edit;
	struct fold *fold;
	uint8_t *marks;
	uint32_t *row; /* what a stack becomes */
	size_t count, room;
	bool is_cut;   /* it had more frames than asked */
};

static int
mark_list(struct editor *editor, const struct edit_list *list, uint8_t mark)
{
	for (size_t i = 0; i < list->count; i++)
		if (match_names(&editor->fold->names, list->text[i], false, editor->marks, mark) < 0)
			return -1;
	return 0;
}

static bool
has(const struct editor *editor, const struct stack *stack, uint8_t mark)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (editor->marks[stack->frames[i]] & mark)
			return true;
	return false;
}

static void
push(struct editor *editor, uint32_t name)
{
	mem_grow(&editor->row, editor->count, &editor->room);
	editor->row[editor->count++] = name;
}

/* How many leading frames of the stack are labels. */
static uint32_t
label_count(const struct editor *editor, const struct stack *stack)
{
	uint32_t i = 0;

	while (i < stack->count && editor->marks[stack->frames[i]] & LABEL)
		i++;
	return i;
}

/* Is the frame left out because of what came before it. */
static bool
repeats(const struct editor *editor, size_t labels, uint32_t name)
{
	uint32_t before;

	if (editor->count == labels)
		return false;
	before = editor->row[editor->count - 1];
	return (editor->edit->merge_recursion && before == name) ||
	    (editor->marks[before] & editor->marks[name] & COLLAPSE);
}

static void
reverse(uint32_t *row, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t frame = row[i];

		row[i] = row[count - 1 - i];
		row[count - 1 - i] = frame;
	}
}

/* Frame "f" behind a separator is "f_[w]". */
static uint32_t
waker(struct editor *editor, uint32_t name)
{
	const struct intern *names = &editor->fold->names;
	char *text = mem_print("%s_[w]", intern_name(names, name));
	uint32_t number = intern_text(&editor->fold->names, text);

	free(text);
	return number;
}

static void
mark_wakers(struct editor *editor, size_t labels)
{
	bool behind = false;

	for (size_t i = labels; i < editor->count; i++) {
		const char *name = intern_name(&editor->fold->names, editor->row[i]);

		if (strcmp(name, "--") == 0)
			behind = true;
		else if (behind)
			editor->row[i] = waker(editor, editor->row[i]);
	}
}

/* The frame that the stack is to begin at, at or behind *from. False: there is none. */
static bool
find_start(const struct editor *editor, const struct stack *stack, uint32_t *from)
{
	bool found = false;

	for (uint32_t i = *from; i < stack->count && (!found || editor->edit->show_from_last); i++)
		if (editor->marks[stack->frames[i]] & SHOW_FROM) {
			*from = i;
			found = true;
		}
	return found;
}

/* False: the stack goes. */
static bool
edit_stack(struct editor *editor, const struct stack *stack)
{
	const struct edit *edit = editor->edit;
	uint32_t labels = label_count(editor, stack), from = labels;

	if ((edit->focus.count && !has(editor, stack, FOCUS)) || (edit->ignore.count && has(editor, stack, IGNORE)))
		return false;
	if (edit->show_from.count && !find_start(editor, stack, &from))
		return false;
	editor->count = 0;
	for (uint32_t i = 0; i < labels; i++)
		push(editor, stack->frames[i]);
	for (uint32_t i = from; i < stack->count; i++)
		if (!(editor->marks[stack->frames[i]] & HIDE) && !repeats(editor, labels, stack->frames[i]))
			push(editor, stack->frames[i]);
	if (edit->chain)
		mark_wakers(editor, labels);
	if (edit->reverse)
		reverse(editor->row + labels, editor->count - labels);
	editor->is_cut = edit->depth && editor->count - labels > edit->depth;
	if (editor->is_cut)
		editor->count = labels + (size_t)edit->depth;
	return true;
}

static bool
is_nothing(const struct edit *edit)
{
	return !edit->focus.count && !edit->ignore.count && !edit->show_from.count && !edit->hide.count &&
	    !edit->collapse.count && !edit->merge_recursion && !edit->depth && !edit->reverse && !edit->chain;
}

static int
mark_names(struct editor *editor)
{
	const struct edit *edit = editor->edit;
	const struct fold *fold = editor->fold;

	for (uint32_t i = 0; i < fold->names.count; i++)
		if (fold_is_label(fold, intern_name(&fold->names, i), intern_length(&fold->names, i)))
			editor->marks[i] |= LABEL;
	return mark_list(editor, &edit->focus, FOCUS) < 0 || mark_list(editor, &edit->ignore, IGNORE) < 0 ||
		mark_list(editor, &edit->show_from, SHOW_FROM) < 0 || mark_list(editor, &edit->hide, HIDE) < 0 ||
		mark_list(editor, &edit->collapse, COLLAPSE) < 0 ?
	    -1 :
	    0;
}

int
edit_apply(const struct edit *edit, struct fold *fold)
{
	struct editor editor = { .edit = edit, .fold = fold };
	struct stacks old = fold->stacks;
	double all = 0, cut = 0;

	if (is_nothing(edit))
		return 0;
	editor.marks = mem_alloc(fold->names.count + 1);
	if (mark_names(&editor) < 0) {
		free(editor.marks);
		return -1;
	}
	fold->stacks = (struct stacks){ .each = old.each };
	for (size_t i = 0; i < old.count; i++) {
		double value = (double)old.list[i].value + (double)stacks_base(&old, &old.list[i]);

		if (!edit_stack(&editor, &old.list[i]))
			continue;
		all += value;
		cut += editor.is_cut ? value : 0;
		if (old.base)
			stacks_add_pair(&fold->stacks, editor.row, editor.count, old.base[i], old.list[i].value);
		else
			stacks_add(&fold->stacks, editor.row, editor.count, old.list[i].value);
	}
	if (cut > 0)
		tell("%.2f %% of the whole lies deeper than %llu frame%s and counts for the last of them",
		    100 * cut / all, (unsigned long long)edit->depth, edit->depth == 1 ? "" : "s");
	stacks_release(&old);
	free(editor.marks);
	free(editor.row);
	return 0;
}
