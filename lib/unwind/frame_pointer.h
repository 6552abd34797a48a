/* One step up by the frame pointer, for code that nothing else describes. Every step is a guess that has
 * to look right: the frame lies above, the return address is code and, where its file can be read,
 * stands behind a call. */
#ifndef UNWIND_FRAME_POINTER_H
#define UNWIND_FRAME_POINTER_H

#include "unwind/stack.h"

enum frame_pointer_step {
	FRAME_POINTER_STEPPED,
	FRAME_POINTER_ROOT,	 /* a clone child before it has a frame */
	FRAME_POINTER_TRUNCATED, /* it may well be right, but it points beyond the copy */
	FRAME_POINTER_NONE,
};

enum frame_pointer_step frame_pointer_step(struct stack *stack);

#endif
