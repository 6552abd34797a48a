#include <stdlib.h>

#include "base/mem.h"
#include "base/warn.h"
#include "render/amount.h"
#include "render/limit.h"

/* Widths are counted one by one up to EXACT, a power of two, then in as many classes for each power of two as tell
 * them apart by a thousandth. */
#define EXACT_BITS 12
#define EXACT (1u << EXACT_BITS)
#define CLASS_BITS 10
#define CLASSES (EXACT + ((64 - EXACT_BITS) << CLASS_BITS))

/* A frame whose last row is not known yet. */
struct open_frame {
	uint64_t width;
	uint32_t row; /* where it began */
};

struct limit {
	const struct tree *tree;
	uint64_t *counts; /* of frames by class */
	unsigned least;	  /* wider classes stay; of this one, as many as there is room for */
	uint64_t room;
	/* By row, of the frames that begin there: the depth to which they are of a wider class, and of least too. */
	uint32_t *wider, *equal;
	uint64_t frames; /* that go, and the value that is in them only */
	uint64_t value;
};

typedef void see_frame(struct limit *limit, uint64_t width, uint32_t row, uint32_t depth);

static unsigned
class_of(uint64_t width)
{
	unsigned bits;

	if (width < EXACT)
		return (unsigned)width;
	bits = 63 - (unsigned)__builtin_clzll(width);
	return EXACT + ((bits - EXACT_BITS) << CLASS_BITS) +
	    (unsigned)(width >> (bits - CLASS_BITS) & ((1u << CLASS_BITS) - 1));
}

/* Calls see for every frame once its width is known. */
static void
see_frames(struct limit *limit, see_frame *see)
{
	const struct tree *tree = limit->tree;
	struct open_frame *open = NULL;
	size_t depth = 0, room = 0;

	for (size_t i = 0; i <= tree->count; i++) {
		uint32_t shared = i < tree->count ? tree->shared[i] : 0;

		while (open && depth > shared) {
			depth--;
			see(limit, open[depth].width, open[depth].row, (uint32_t)depth);
			if (depth)
				open[depth - 1].width += open[depth].width;
		}
		for (; i < tree->count && depth < tree->rows[i]->count; depth++) {
			mem_grow(&open, depth, &room);
			open[depth] = (struct open_frame){ 0, (uint32_t)i };
		}
		if (i < tree->count && depth)
			open[depth - 1].width += tree_width(tree, i);
	}
	free(open);
}

static void
count_frame(struct limit *limit, uint64_t width, uint32_t row, uint32_t depth)
{
	(void)row;
	(void)depth;
	limit->counts[class_of(width)]++;
}

static void
choose_frame(struct limit *limit, uint64_t width, uint32_t row, uint32_t depth)
{
	unsigned class = class_of(width);

	if (class > limit->least && limit->wider[row] <= depth)
		limit->wider[row] = depth + 1;
	if (class >= limit->least && limit->equal[row] <= depth)
		limit->equal[row] = depth + 1;
}

static void
choose(struct limit *limit, uint64_t most)
{
	uint64_t kept = 0;

	limit->least = CLASSES - 1;
	while (limit->least && kept + limit->counts[limit->least] <= most)
		kept += limit->counts[limit->least--];
	limit->room = most - kept;
	see_frames(limit, choose_frame);
}

static uint32_t
label_count(const struct fold *fold, const struct stack *row)
{
	uint32_t i = 0;

	while (i < row->count &&
	    fold_is_label(fold, intern_name(&fold->names, row->frames[i]), intern_length(&fold->names, row->frames[i])))
		i++;
	return i;
}

/* How many frames of row i stay, when so many of the row before did. */
static uint32_t
kept_of(struct limit *limit, size_t i, uint32_t before)
{
	const struct stack *row = limit->tree->rows[i];
	uint32_t shared = limit->tree->shared[i], kept = before < shared ? before : shared, labels;

	if (kept < shared) {
		limit->frames += row->count - shared;
		return kept;
	}
	kept = limit->wider[i] > kept ? limit->wider[i] : kept;
	for (; kept < limit->equal[i] && limit->room; kept++)
		limit->room--;
	labels = label_count(limit->tree->fold, row);
	kept = labels > kept ? labels : kept;
	limit->frames += row->count - kept;
	return kept;
}

/* The rows as they are to be; those that became equal are one, but where each is kept. */
static struct stacks
cut_rows(struct limit *limit, uint32_t small)
{
	const struct tree *tree = limit->tree;
	struct stacks cut = { .each = tree->fold->stacks.each };
	uint32_t *frames = NULL, kept = 0;
	size_t room = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const struct stack *row = tree->rows[i];
		size_t count = 0;

		kept = kept_of(limit, i, kept);
		for (; count < kept; count++) {
			mem_grow(&frames, count, &room);
			frames[count] = row->frames[count];
		}
		if (kept < row->count) {
			mem_grow(&frames, count, &room);
			frames[count++] = small;
			limit->value += tree_width(tree, i);
		}
		if (tree->pairs)
			stacks_add_pair(&cut, frames, count, tree->pairs[i].base, tree->pairs[i].new);
		else
			stacks_add(&cut, frames, count, row->value);
	}
	free(frames);
	return cut;
}

static void
tell_limit(const struct limit *limit, struct fold *fold, uint64_t most)
{
	struct amounts amounts = amounts_of(&fold->header, limit->tree->total);
	struct buf words = { 0 };

	buf_text(&words, "the ");
	amount_group(limit->frames, &words);
	buf_print(&words, " smallest frame%s, ", limit->frames == 1 ? "" : "s");
	amount_share(&amounts, limit->value, &words);
	buf_print(&words, " of the whole, %s " LIMIT_SMALL ", so that no more than ", limit->frames == 1 ? "is" : "are");
	amount_group(most, &words);
	buf_text(&words, " are left");
	tell("%s", words.data);
	header_add_to_list(&fold->header, "notes", words.data);
	buf_release(&words);
}

int
tree_limit(struct tree *tree, struct fold *fold, uint64_t most)
{
	struct limit limit = { .tree = tree };
	enum tree_order order = tree->order;
	enum tree_layout layout = tree->layout;
	struct stacks cut;

	if (tree->frames <= most)
		return 0;
	limit.counts = mem_alloc(CLASSES * sizeof *limit.counts);
	limit.wider = mem_alloc(tree->count * sizeof *limit.wider);
	limit.equal = mem_alloc(tree->count * sizeof *limit.equal);
	see_frames(&limit, count_frame);
	choose(&limit, most);
	free(limit.counts);
	cut = cut_rows(&limit, intern_text(&fold->names, LIMIT_SMALL));
	free(limit.wider);
	free(limit.equal);
	tell_limit(&limit, fold, most);
	tree_close(tree);
	stacks_release(&fold->stacks);
	fold->stacks = cut;
	return tree_open(tree, fold, order, layout);
}
