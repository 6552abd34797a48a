/* What the library says while the terminal shows something else: kept, the last of it on the screen. What a person at
 * the keys has not read there, and what other threads said, goes to stderr in the end. */
#ifndef VIEW_MESSAGES_H
#define VIEW_MESSAGES_H

#include <stdbool.h>

#include "base/buf.h"

/* From now on, until messages_say(). The calling thread is the one that shows them. */
void messages_keep(void);
/* Says what was kept, no more than a screen of it. */
void messages_say(void);
/* The last line that was not asked for yet, without the program's name. False: there is none. */
bool messages_take(struct buf *to);
/* What this thread says is of no interest, until it is again. */
void messages_drop(bool drop);

#endif
