/* The order of siblings that is not their names': by weight, or as they came. */
#include <stdlib.h>

#include "base/mem.h"
#include "render/tree.h"

#define NO_ROW UINT32_MAX

struct node {
	uint32_t parent; /* created before its children */
	uint32_t row;	 /* that ends here, or NO_ROW */
	uint64_t key;	 /* the least goes first */
};

struct nodes {
	struct node *list;
	size_t count, room;
};

static uint32_t
node_add(struct nodes *nodes, uint32_t parent)
{
	mem_grow(&nodes->list, nodes->count, &nodes->room);
	nodes->list[nodes->count] = (struct node){ parent, NO_ROW, 0 };
	return (uint32_t)nodes->count++;
}

/* The frames of the sorted rows, a node each; the root is node 0. */
static void
nodes_open(struct nodes *nodes, const struct tree *tree)
{
	uint32_t *path = NULL;
	size_t room = 0;

	node_add(nodes, 0);
	for (size_t i = 0; i < tree->count; i++) {
		const struct stack *row = tree->rows[i];
		uint32_t at = 0;

		for (uint32_t d = 0; d < row->count; d++) {
			mem_grow(&path, d, &room);
			if (d >= tree->shared[i])
				path[d] = node_add(nodes, at);
			at = path[d];
		}
		nodes->list[at].row = (uint32_t)i;
	}
	free(path);
}

/* Keys that grow with what goes later: the place of the first line, or what is missing to the whole. */
static void
set_keys(struct nodes *nodes, const struct tree *tree, enum tree_order order)
{
	for (size_t i = 0; i < nodes->count; i++) {
		struct node *node = &nodes->list[i];

		if (order == ORDER_INPUT)
			node->key = node->row == NO_ROW ? UINT64_MAX :
			    (uint64_t)(tree->rows[node->row] - tree->fold->stacks.list);
		else
			node->key = node->row == NO_ROW ? 0 : tree_width(tree, node->row);
	}
	for (size_t i = nodes->count - 1; i > 0; i--) {
		const struct node *node = &nodes->list[i];
		struct node *parent = &nodes->list[node->parent];

		if (order == ORDER_WEIGHT)
			parent->key += node->key;
		else if (node->key < parent->key)
			parent->key = node->key;
	}
	for (size_t i = 0; order == ORDER_WEIGHT && i < nodes->count; i++)
		nodes->list[i].key = UINT64_MAX - nodes->list[i].key;
}

/* By parent, then key, then name, which is the order of creation. */
static int
compare(const void *a, const void *b, void *context)
{
	const struct node *list = context, *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x < y ? -1 : x > y;
}

uint32_t *
tree_siblings(const struct tree *tree, enum tree_order order)
{
	struct nodes nodes = { 0 };
	uint32_t *children, *first, *rows, *todo;
	size_t count = 0, left = 0;

	nodes_open(&nodes, tree);
	set_keys(&nodes, tree, order);
	children = mem_resize(NULL, nodes.count, sizeof *children);
	first = mem_alloc((nodes.count + 2) * sizeof *first);
	todo = mem_resize(NULL, nodes.count, sizeof *todo);
	rows = mem_resize(NULL, tree->count + 1, sizeof *rows);
	for (size_t i = 0; i < nodes.count; i++)
		children[i] = (uint32_t)i;
	/* Without the root, which is its own parent. */
	qsort_r(children + 1, nodes.count - 1, sizeof *children, compare, nodes.list);
	for (size_t i = 1; i < nodes.count; i++)
		first[nodes.list[i].parent + 1]++;
	first[0] = 1;
	for (size_t i = 1; i <= nodes.count; i++)
		first[i] += first[i - 1];
	todo[left++] = 0;
	while (left) {
		uint32_t at = todo[--left];

		if (nodes.list[at].row != NO_ROW)
			rows[count++] = nodes.list[at].row;
		for (uint32_t i = first[at + 1]; i-- > first[at];)
			todo[left++] = children[i];
	}
	free(nodes.list);
	free(children);
	free(first);
	free(todo);
	return rows;
}
