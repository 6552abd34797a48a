/* What was asked to be left out of a profile, one thing after another, each of which can be taken back; and the
 * profile without it. The steps are those of gp-flame's options; labels are no frames here but choose stacks, or stand
 * before them when stacks are grouped by them. */
#ifndef VIEW_STEPS_H
#define VIEW_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "render/tree.h"

enum step_kind {
	STEP_FOCUS,
	STEP_IGNORE,
	STEP_SHOW_FROM,
	STEP_HIDE,
	STEP_COLLAPSE,
	STEP_MERGE_RECURSION,
	STEP_REVERSE,
	STEP_LABELS, /* text: frames "key=value" with ';' between; of one key any, of each key one */
	STEP_GROUP,  /* text: a key */
};

struct step {
	enum step_kind kind;
	char *text; /* a regular expression, or as said above; "" for none */
};

struct steps {
	struct step *list;
	size_t count, room;
};

void steps_add(struct steps *steps, enum step_kind kind, const char *text);
void steps_remove(struct steps *steps, size_t i);
/* SIZE_MAX: there is none. text NULL: any. */
size_t steps_find(const struct steps *steps, enum step_kind kind, const char *text);
void steps_release(struct steps *steps);
/* "hide ^std::", "only host=web1, host=web2", "grouped by host" */
void step_print(const struct step *step, struct buf *to);

/* A name as an expression that finds it and nothing else. */
void step_quote(const char *name, size_t length, struct buf *to);

/* A profile with the steps done. */
struct shown {
	const struct fold *source;
	struct fold fold; /* names and header are the source's, lent: the steps add none */
	struct tree tree;
};

/* source must outlive it. -1, said: an expression is wrong, or there is too much to add up. */
int shown_open(struct shown *shown, const struct fold *source, const struct steps *steps, enum tree_order order);
void shown_close(struct shown *shown);

/* How many leading frames of the stack are labels. */
uint32_t shown_labels(const struct stack *stack, const bool *is_label);
/* By number of name: is it a label's; free() it. */
bool *shown_label_names(const struct fold *fold);

#endif
