#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/functions.h"

/* Functions counted row by row: a place for every name, and one for none. */
struct counter {
	const struct tree *tree;
	struct function *by_name;
	uint32_t *seen; /* in which row, + 1 */
	size_t count;
};

static void
counter_open(struct counter *counter, const struct tree *tree)
{
	counter->tree = tree;
	counter->count = tree->fold->names.count + 1;
	counter->by_name = mem_alloc(counter->count * sizeof *counter->by_name);
	counter->seen = mem_alloc(counter->count * sizeof *counter->seen);
}

static struct function *
place_of(const struct counter *counter, uint32_t name)
{
	return &counter->by_name[name == FUNCTION_NONE ? counter->count - 1 : name];
}

static void
add(const struct tree *tree, size_t row, uint64_t *value, struct pair *pair)
{
	*value += tree_width(tree, row);
	if (tree->pairs) {
		pair->base += tree->pairs[row].base;
		pair->new += tree->pairs[row].new;
	}
}

/* Once a row. */
static void
add_total(struct counter *counter, size_t row, uint32_t name)
{
	struct function *function = place_of(counter, name);
	uint32_t *seen = &counter->seen[function - counter->by_name];

	if (*seen == (uint32_t)row + 1)
		return;
	*seen = (uint32_t)row + 1;
	add(counter->tree, row, &function->total, &function->totals);
}

/* Those with a number. */
static struct functions
counter_close(struct counter *counter)
{
	struct functions functions = { .list = counter->by_name };

	for (size_t i = 0; i < counter->count; i++) {
		struct function *function = &counter->by_name[i];

		if (!function->total && !function->totals.base && !function->totals.new)
			continue;
		function->name = i == counter->count - 1 ? FUNCTION_NONE : (uint32_t)i;
		functions.list[functions.count++] = *function;
	}
	free(counter->seen);
	return functions;
}

struct functions
functions_of(const struct tree *tree, size_t from, size_t to)
{
	struct counter counter;

	counter_open(&counter, tree);
	for (size_t i = from; i < to; i++) {
		const struct stack *row = tree->rows[i];

		for (uint32_t f = 0; f < row->count; f++)
			add_total(&counter, i, row->frames[f]);
		if (row->count) {
			struct function *leaf = place_of(&counter, row->frames[row->count - 1]);

			add(tree, i, &leaf->self, &leaf->selves);
		}
	}
	return counter_close(&counter);
}

void
functions_around(const struct tree *tree, size_t from, size_t to, uint32_t name, struct functions *callers,
    struct functions *callees, struct function *own)
{
	struct counter above, below;

	counter_open(&above, tree);
	counter_open(&below, tree);
	*own = (struct function){ .name = name };
	for (size_t i = from; i < to; i++) {
		const struct stack *row = tree->rows[i];
		bool there = false;

		for (uint32_t f = 0; f < row->count; f++) {
			if (row->frames[f] != name)
				continue;
			there = true;
			if (f == 0 || row->frames[f - 1] != name)
				add_total(&above, i, f ? row->frames[f - 1] : FUNCTION_NONE);
			if (f + 1 < row->count && row->frames[f + 1] != name)
				add_total(&below, i, row->frames[f + 1]);
		}
		if (there)
			add(tree, i, &own->total, &own->totals);
		if (there && row->frames[row->count - 1] == name)
			add(tree, i, &own->self, &own->selves);
	}
	*callers = counter_close(&above);
	*callees = counter_close(&below);
	functions_sort(callers, &tree->fold->names, BY_TOTAL);
	functions_sort(callees, &tree->fold->names, BY_TOTAL);
}

struct sorting {
	const struct intern *names;
	enum functions_order order;
};

static int
compare_names(const struct intern *names, uint32_t a, uint32_t b)
{
	size_t x, y;
	int order;

	if (a == FUNCTION_NONE || b == FUNCTION_NONE)
		return a == b ? 0 : a == FUNCTION_NONE ? -1 : 1;
	x = intern_length(names, a);
	y = intern_length(names, b);
	order = memcmp(intern_name(names, a), intern_name(names, b), x < y ? x : y);
	return order ? order : x < y ? -1 : x > y;
}

static uint64_t
change_of(const struct function *function)
{
	const struct pair *pair = &function->totals;

	return pair->new > pair->base ? pair->new - pair->base : pair->base - pair->new;
}

/* Largest first; what is equal by its name. */
static int
compare(const void *a, const void *b, void *context)
{
	const struct function *x = a, *y = b;
	const struct sorting *sorting = context;
	uint64_t one = 0, other = 0;

	switch (sorting->order) {
	case BY_SELF:
		one = x->self;
		other = y->self;
		break;
	case BY_TOTAL:
		one = x->total;
		other = y->total;
		break;
	case BY_CHANGE:
		one = change_of(x);
		other = change_of(y);
		break;
	case BY_NAME:
		break;
	}
	if (one != other)
		return one > other ? -1 : 1;
	if (sorting->order == BY_SELF && x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return compare_names(sorting->names, x->name, y->name);
}

void
functions_sort(struct functions *functions, const struct intern *names, enum functions_order order)
{
	struct sorting sorting = { names, order };

	if (functions->count)
		qsort_r(functions->list, functions->count, sizeof *functions->list, compare, &sorting);
}

void
functions_release(struct functions *functions)
{
	free(functions->list);
	*functions = (struct functions){ 0 };
}
