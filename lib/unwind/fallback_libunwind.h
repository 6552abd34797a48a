/* libunwind over the same copy of the stack: for what rows cannot hold, and as the second opinion of the
 * tests. It always begins at the leaf, since rows do not keep every register that it may need. */
#ifndef UNWIND_FALLBACK_LIBUNWIND_H
#define UNWIND_FALLBACK_LIBUNWIND_H

#include "unwind/stack.h"

struct fallback;

struct fallback *fallback_open(void);
void fallback_close(struct fallback *fallback);

/* The leaf of a sample; missed as in struct stack. */
int fallback_begin(struct fallback *fallback, const struct sample *sample, struct maps *maps, uint64_t *missed);

enum fallback_step {
	FALLBACK_STEPPED,
	FALLBACK_ROOT,
	FALLBACK_TRUNCATED, /* it wanted memory that is not in the copy */
	FALLBACK_FAILED,
};

/* One frame up. */
enum fallback_step fallback_step(struct fallback *fallback);
/* How many steps were made, and the registers of the frame it stands at. */
size_t fallback_depth(const struct fallback *fallback);
void fallback_registers(struct fallback *fallback, struct stack *stack);

#endif
