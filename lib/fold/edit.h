/* A profile with fewer stacks and frames: what a person wants to see of it. Regular expressions are PCRE2's,
 * looked for anywhere in a frame as it is written. Label frames are no functions: --focus and --ignore see them,
 * nothing else touches them. */
#ifndef FOLD_EDIT_H
#define FOLD_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold/fold.h"

struct edit_list {
	const char *const *text;
	size_t count;
};

/* In the order in which they are done; a frame matches a list if it matches any of it. */
struct edit {
	struct edit_list focus;	    /* stacks without such a frame go */
	struct edit_list ignore;    /* stacks with such a frame go */
	struct edit_list show_from; /* frames above the first such frame go, stacks without one too */
	bool show_from_last;	    /* frames above the last such frame */
	struct edit_list hide;	    /* such frames go, their value stays */
	struct edit_list collapse;  /* such frames one below the other become the first of them */
	bool merge_recursion;	    /* equal frames one below the other become one */
	uint64_t depth;		    /* frames kept, from the root; 0: all */
	bool reverse;		    /* leaves become roots */
	bool chain;		    /* frames behind the first one named "--" get "_[w]": flamegraph.pl's chain graphs */
};

/* Nothing is left of it that is not asked for; values of stacks that became equal are added. -1, said: a regular
 * expression is wrong. */
int edit_apply(const struct edit *edit, struct fold *fold);

#endif
