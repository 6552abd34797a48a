/* What a tree's rows say of functions, whatever their places: self and total, who calls whom. Recursion counts once.
 * It must not know how it is listed. */
#ifndef RENDER_FUNCTIONS_H
#define RENDER_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/tree.h"

/* Stands for no function: a caller of roots. */
#define FUNCTION_NONE UINT32_MAX

struct function {
	uint32_t name; /* number in the tree's names, or FUNCTION_NONE */
	uint64_t total, self;
	struct pair totals, selves; /* of two columns */
};

struct functions {
	struct function *list;
	size_t count;
};

enum functions_order { BY_SELF, BY_TOTAL, BY_NAME, BY_CHANGE };

/* All of the rows [from, to). */
struct functions functions_of(const struct tree *tree, size_t from, size_t to);
/* Who calls name, and whom it calls, by its total in that; name itself is in neither. *own: name's numbers. */
void functions_around(const struct tree *tree, size_t from, size_t to, uint32_t name, struct functions *callers,
    struct functions *callees, struct function *own);
void functions_sort(struct functions *functions, const struct intern *names, enum functions_order order);
void functions_release(struct functions *functions);

#endif
