#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fold/edit.h"
#include "fold/label.h"
#include "view/steps.h"

/* Keys of labels that choose or group: beyond it they have no place in a picture. */
#define KEYS_MAX 32

void
steps_add(struct steps *steps, enum step_kind kind, const char *text)
{
	mem_grow(&steps->list, steps->count, &steps->room);
	steps->list[steps->count++] = (struct step){ kind, mem_copy(text, strlen(text)) };
}

void
steps_remove(struct steps *steps, size_t i)
{
	free(steps->list[i].text);
	steps->count--;
	memmove(&steps->list[i], &steps->list[i + 1], (steps->count - i) * sizeof *steps->list);
}

size_t
steps_find(const struct steps *steps, enum step_kind kind, const char *text)
{
	for (size_t i = 0; i < steps->count; i++)
		if (steps->list[i].kind == kind && (!text || strcmp(steps->list[i].text, text) == 0))
			return i;
	return SIZE_MAX;
}

void
steps_release(struct steps *steps)
{
	while (steps->count)
		steps_remove(steps, steps->count - 1);
	free(steps->list);
	*steps = (struct steps){ 0 };
}

void
step_print(const struct step *step, struct buf *to)
{
	static const char *const words[] = { "only stacks with ", "no stacks with ", "stacks from ", "hide ",
		"collapse ", "recursion merged", "callers above callees", "only ", "grouped by " };

	buf_text(to, words[step->kind]);
	for (const char *p = step->text; *p; p++)
		if (*p == ';' && step->kind == STEP_LABELS)
			buf_text(to, ", ");
		else
			buf_char(to, *p);
}

void
step_quote(const char *name, size_t length, struct buf *to)
{
	buf_char(to, '^');
	for (size_t i = 0; i < length; i++) {
		if (strchr("\\^$.[]|()?*+{}", name[i]))
			buf_char(to, '\\');
		buf_char(to, name[i]);
	}
	buf_char(to, '$');
}

bool *
shown_label_names(const struct fold *fold)
{
	const struct intern *names = &fold->names;
	bool *is_label = mem_alloc(names->count + 1);

	for (uint32_t i = 0; i < names->count; i++)
		is_label[i] = fold_is_label(fold, intern_name(names, i), intern_length(names, i));
	return is_label;
}

uint32_t
shown_labels(const struct stack *stack, const bool *is_label)
{
	uint32_t count = 0;

	while (count < stack->count && is_label[stack->frames[count]])
		count++;
	return count;
}

/* What labels do to stacks, by number of name. */
struct chooser {
	const struct fold *fold;
	bool *is_label;
	uint32_t *chosen;     /* a bit for each step that the label is chosen by */
	uint32_t wanted;      /* the bits that a stack must have */
	uint32_t *group;      /* the place among the groups + 1 */
	uint32_t group_count;
	uint32_t *row;
	size_t count, room;
};

struct chosen_key {
	const char *text;
	size_t length;
	uint32_t bit;
};

static void
choose(struct chooser *chooser, const struct step *step)
{
	const struct intern *names = &chooser->fold->names;
	struct chosen_key keys[KEYS_MAX];
	size_t key_count = 0;

	for (const char *p = step->text, *end; *p; p = *end ? end + 1 : end) {
		struct intern_text frame = { p, strcspn(p, ";") };
		size_t length = strcspn(p, "="), k = 0;
		uint32_t name;

		end = p + frame.length;
		while (k < key_count && (keys[k].length != length || memcmp(keys[k].text, p, length) != 0))
			k++;
		if (k == key_count && (k == KEYS_MAX || chooser->wanted == UINT32_MAX))
			continue;
		if (k == key_count) {
			uint32_t bit = ~chooser->wanted & -~chooser->wanted; /* the lowest that is free */

			keys[key_count++] = (struct chosen_key){ p, length, bit };
			chooser->wanted |= bit;
		}
		intern_find(names, &frame, 1, &name);
		if (name != INTERN_NONE)
			chooser->chosen[name] |= keys[k].bit;
	}
}

static void
group(struct chooser *chooser, const char *key)
{
	const struct intern *names = &chooser->fold->names;
	size_t length = strlen(key);

	if (chooser->group_count == KEYS_MAX)
		return;
	chooser->group_count++;
	for (uint32_t i = 0; i < names->count; i++)
		if (chooser->is_label[i] && intern_length(names, i) > length && intern_name(names, i)[length] == '=' &&
		    memcmp(intern_name(names, i), key, length) == 0)
			chooser->group[i] = chooser->group_count;
}

static void
push(struct chooser *chooser, uint32_t name)
{
	mem_grow(&chooser->row, chooser->count, &chooser->room);
	chooser->row[chooser->count++] = name;
}

/* The stack with the labels that it is grouped by. False: it was not chosen. */
static bool
take(struct chooser *chooser, const struct stack *stack)
{
	uint32_t labels = shown_labels(stack, chooser->is_label), has = 0;

	for (uint32_t i = 0; i < labels; i++)
		has |= chooser->chosen[stack->frames[i]];
	if ((has & chooser->wanted) != chooser->wanted)
		return false;
	chooser->count = 0;
	for (uint32_t g = 1; g <= chooser->group_count; g++)
		for (uint32_t i = 0; i < labels; i++)
			if (chooser->group[stack->frames[i]] == g)
				push(chooser, stack->frames[i]);
	for (uint32_t i = labels; i < stack->count; i++)
		push(chooser, stack->frames[i]);
	return true;
}

static void
copy_chosen(struct fold *to, const struct fold *source, const struct steps *steps)
{
	size_t names = source->names.count + 1;
	struct chooser chooser = { .fold = source, .is_label = shown_label_names(source) };

	chooser.chosen = mem_alloc(names * sizeof *chooser.chosen);
	chooser.group = mem_alloc(names * sizeof *chooser.group);
	for (size_t i = 0; i < steps->count; i++)
		if (steps->list[i].kind == STEP_LABELS)
			choose(&chooser, &steps->list[i]);
		else if (steps->list[i].kind == STEP_GROUP)
			group(&chooser, steps->list[i].text);
	for (size_t i = 0; i < source->stacks.count; i++) {
		const struct stack *stack = &source->stacks.list[i];

		if (!take(&chooser, stack))
			continue;
		if (source->stacks.base)
			stacks_add_pair(&to->stacks, chooser.row, chooser.count, source->stacks.base[i], stack->value);
		else
			stacks_add(&to->stacks, chooser.row, chooser.count, stack->value);
	}
	free(chooser.row);
	free(chooser.chosen);
	free(chooser.group);
	free(chooser.is_label);
}

/* Texts of the steps of one kind. */
static struct edit_list
texts_of(const struct steps *steps, enum step_kind kind)
{
	const char **texts = mem_alloc((steps->count + 1) * sizeof *texts);
	size_t count = 0;

	for (size_t i = 0; i < steps->count; i++)
		if (steps->list[i].kind == kind)
			texts[count++] = steps->list[i].text;
	return (struct edit_list){ texts, count };
}

static int
edit(struct fold *fold, const struct steps *steps)
{
	struct edit_list lists[STEP_COLLAPSE + 1];
	struct edit wanted;
	int result;

	for (unsigned kind = 0; kind <= STEP_COLLAPSE; kind++)
		lists[kind] = texts_of(steps, kind);
	wanted = (struct edit){
		.focus = lists[STEP_FOCUS],
		.ignore = lists[STEP_IGNORE],
		.show_from = lists[STEP_SHOW_FROM],
		.hide = lists[STEP_HIDE],
		.collapse = lists[STEP_COLLAPSE],
		.merge_recursion = steps_find(steps, STEP_MERGE_RECURSION, NULL) != SIZE_MAX,
		.reverse = steps_find(steps, STEP_REVERSE, NULL) != SIZE_MAX,
	};
	result = edit_apply(&wanted, fold);
	for (unsigned kind = 0; kind <= STEP_COLLAPSE; kind++)
		free((void *)(uintptr_t)lists[kind].text);
	return result;
}

int
shown_open(struct shown *shown, const struct fold *source, const struct steps *steps, enum tree_order order)
{
	enum tree_layout layout = tree_layout_of(&source->header);

	*shown = (struct shown){ .source = source, .fold = { .header = source->header, .names = source->names } };
	copy_chosen(&shown->fold, source, steps);
	if (source->stacks.base && !shown->fold.stacks.base) /* nothing is left */
		shown->fold.stacks.base = mem_alloc(sizeof *shown->fold.stacks.base);
	if (edit(&shown->fold, steps) < 0 || tree_open(&shown->tree, &shown->fold, order, layout) < 0) {
		stacks_release(&shown->fold.stacks);
		*shown = (struct shown){ 0 };
		return -1;
	}
	return 0;
}

void
shown_close(struct shown *shown)
{
	if (!shown->source)
		return;
	tree_close(&shown->tree);
	stacks_release(&shown->fold.stacks);
	*shown = (struct shown){ 0 };
}
