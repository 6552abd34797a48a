/* What two columns say of a box: how much it changed or what its ratio is, as a step of colour and in words.
 * It must not know pixels. */
#ifndef RENDER_CHANGE_H
#define RENDER_CHANGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "render/amount.h"
#include "render/tree.h"

enum change_by {
	CHANGE_TOTAL,  /* the relative change of the box */
	CHANGE_SELF,   /* of what it does itself */
	CHANGE_POINTS, /* of its share of the whole, in percentage points */
};

/* Steps go from -CHANGE_STEPS, less, to CHANGE_STEPS. */
#define CHANGE_STEPS 4

struct changes {
	bool is_ratio; /* second column over the first */
	const char *names[2];
	struct pair whole;
	double sample; /* value of one sample */
	enum change_by by;
	bool negate;
	struct amounts amounts;
	uint64_t largest; /* change of a single stack: what the references' colours are scaled by */
};

enum change_mark { MARK_NONE, MARK_NEW, MARK_GONE };

struct changes changes_of(const struct tree *tree, const struct amounts *amounts, enum change_by by, bool negate);

/* 0 where there is no change, or none that chance could not have made. */
int change_step(const struct changes *changes, const struct box *box);
/* Is a frame only on one side. */
enum change_mark change_mark(const struct changes *changes, const struct box *box);
/* What the references colour by: the change of what the box does itself. */
double change_self(const struct changes *changes, const struct box *box);

/* Lines for a tooltip, each begun by a newline. */
void change_words(const struct changes *changes, const struct box *box, struct buf *to);
/* "×2.0", "new", "removed", "unchanged"; of a ratio "0.83", or "no ratio" where there are too few samples. */
void change_brief(const struct changes *changes, const struct pair *pair, struct buf *to);

#endif
