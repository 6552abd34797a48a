#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"
#include "render/limit.h"
#include "render/trees.h"

static void
print_stack(const struct fold *fold, const struct stack *stack, struct buf *to)
{
	buf_clear(to);
	for (uint32_t i = 0; i < stack->count; i++) {
		if (i)
			buf_char(to, ';');
		buf_add(to, intern_name(&fold->names, stack->frames[i]), intern_length(&fold->names, stack->frames[i]));
	}
}

/* -1, said: a stack whose text is less than that of the one before, as bytes. */
static int
check_sorted(const struct fold *fold)
{
	struct buf lines[2] = { { 0 }, { 0 } };
	int result = 0;

	for (size_t i = 0; i < fold->stacks.count && result == 0; i++) {
		struct buf *line = &lines[i & 1], *before = &lines[~i & 1];
		size_t shorter;
		int order;

		print_stack(fold, &fold->stacks.list[i], line);
		shorter = line->length < before->length ? line->length : before->length;
		order = shorter ? memcmp(before->data, line->data, shorter) : 0;
		if (order > 0 || (order == 0 && before->length > line->length))
			result = warn("stack %zu is less than the one before it: the input is not sorted", i + 1);
	}
	buf_release(&lines[0]);
	buf_release(&lines[1]);
	return result;
}

/* More than there is makes what is drawn narrower; less makes no sense, and is said where it is not rounding. */
static void
set_total(struct tree *tree, double total)
{
	double value = total * (double)header_number(&tree->fold->header, "scale", 1);

	if (value >= (double)tree->total && value < 0x1p63)
		tree->total = (uint64_t)value;
	else if (value < 0.98 * (double)tree->total)
		tell("--total %.15g is less than what there is, left out", total);
}

static int
open_one(struct fold *fold, struct tree *tree, const struct trees_options *options, char *const operands[], int count)
{
	if (folded_read(fold, operands, count, &options->reading) < 0 || (options->is_sorted && check_sorted(fold) < 0))
		return -1;
	if (options->period_count)
		period_keep(fold, options->periods, options->period_count);
	if (edit_apply(&options->edit, fold) < 0 ||
	    tree_open(tree, fold, options->order, options->has_layout ? options->layout : tree_layout_of(&fold->header)) < 0 ||
	    tree_limit(tree, fold, options->frames_max) < 0)
		return -1;
	if (options->total > 0)
		set_total(tree, options->total);
	return 0;
}

static char *
title_of(const char *operand)
{
	const char *slash = strrchr(operand, '/'), *name = slash && slash[1] ? slash + 1 : operand;
	size_t length = strcspn(name, ".");

	return mem_print("%.*s", (int)(length ? length : strlen(name)), name);
}

int
trees_open(struct trees *trees, const struct trees_options *options, char *const operands[], int count)
{
	bool apart = options->separate && count > 1;
	size_t wanted = apart ? (size_t)count : 1;
	int result = 0;

	*trees = (struct trees){ mem_alloc(wanted * sizeof *trees->folds), mem_alloc(wanted * sizeof *trees->list),
		mem_alloc(wanted * sizeof *trees->titles), 0 };
	for (size_t i = 0; i < wanted && result == 0; i++) {
		fold_init(&trees->folds[i]);
		trees->titles[i] = apart ? title_of(operands[i]) : mem_print("%s", "");
		trees->count++;
		result = open_one(&trees->folds[i], &trees->list[i], options, operands + (apart ? i : 0),
		    apart ? 1 : count);
	}
	return result;
}

struct trees *
trees_empty(struct trees *trees)
{
	trees_close(trees);
	*trees = (struct trees){ mem_alloc(sizeof *trees->folds), mem_alloc(sizeof *trees->list),
		mem_alloc(sizeof *trees->titles), 1 };
	fold_init(trees->folds);
	*trees->titles = mem_print("%s", "");
	/* Nothing adds up to nothing: it cannot fail. */
	tree_open(trees->list, trees->folds, ORDER_NAME, LAYOUT_UNION);
	return trees;
}

bool
trees_are_empty(const struct trees *trees)
{
	for (size_t i = 0; i < trees->count; i++)
		if (trees->list[i].total)
			return false;
	return true;
}

void
trees_close(struct trees *trees)
{
	for (size_t i = 0; i < trees->count; i++) {
		tree_close(&trees->list[i]);
		fold_release(&trees->folds[i]);
		free(trees->titles[i]);
	}
	free(trees->folds);
	free(trees->list);
	free(trees->titles);
	*trees = (struct trees){ 0 };
}
