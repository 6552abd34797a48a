/* One step up for code without CFI: by its instructions, if they tell where the return address is, else by the frame
 * pointer. That is a guess, which has to look right: the frame lies above, the return address is code and, where its
 * file can be read, stands behind a call. Code that has not made a frame yet, or never does, skips a caller so. */
#ifndef UNWIND_FRAME_POINTER_H
#define UNWIND_FRAME_POINTER_H

#include "unwind/stack.h"

enum frame_pointer_step {
	FRAME_POINTER_STEPPED,
	FRAME_POINTER_TOLD,	 /* stepped, and the code says that it is right */
	FRAME_POINTER_ROOT,	 /* a clone child before it has a frame */
	FRAME_POINTER_TRUNCATED, /* it may well be right, but it points beyond the copy */
	FRAME_POINTER_NONE,
};

enum frame_pointer_step frame_pointer_step(struct stack *stack);

#endif
