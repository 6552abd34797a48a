/* What a stack's copy lacks, read from the target's memory after the sample: by then it may be another stack.
 * Only for those who ask for it. */
#ifndef RECORD_REST_H
#define RECORD_REST_H

#include <stdbool.h>

#include "sample/sample.h"
#include "unwind/walk.h"

/* Parts of memory: a walk may leave a stack for another one. */
#define REST_PARTS 4

struct rest {
	unsigned char *bytes; /* NULL until the first is read */
	struct stack_piece parts[REST_PARTS];
	size_t count;
};

/* Goes on with a walk that ended WALK_TRUNCATED. True: it has come to its end now. */
bool rest_walk(struct rest *rest, struct walker *walker, struct maps *maps, const struct sample *sample,
    struct walk *walk);

void rest_release(struct rest *rest);

#endif
