/* What is to be drawn: operands added to one profile or each kept as its own, of it what a person wants to see, as
 * trees. It must not know how they are drawn. */
#ifndef RENDER_TREES_H
#define RENDER_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold/edit.h"
#include "fold/folded.h"
#include "fold/period.h"
#include "render/tree.h"

struct trees_options {
	struct folded_options reading;
	const struct period *periods; /* only what is in one of them; none: all */
	size_t period_count;
	struct edit edit;
	enum tree_order order;
	enum tree_layout layout;
	bool has_layout;     /* else a ratio is as wide as its denominator */
	bool is_sorted;	     /* stacks that are not in the order of their text are refused */
	bool separate;	     /* a profile for each operand */
	uint64_t frames_max; /* of a profile: tree_limit() */
	double total;	     /* what the whole is worth, in the profile's unit; 0: what there is */
};

struct trees {
	struct fold *folds;
	struct tree *list;
	char **titles; /* of operands kept apart: the file, without folders and endings; else "" */
	size_t count;
};

/* -1, said: one of them cannot be read or seen so. Then, too, trees_close() it. */
int trees_open(struct trees *trees, const struct trees_options *options, char *const operands[], int count);
/* Instead of them one in which nothing is; trees. */
struct trees *trees_empty(struct trees *trees);
/* Is there no value in any of them. */
bool trees_are_empty(const struct trees *trees);
void trees_close(struct trees *trees);

#endif
