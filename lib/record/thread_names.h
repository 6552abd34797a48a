/* The names that threads have, as records told or /proc shows them. A number may be one thread's after another's: what
 * is said of the first after its end does not touch the second. */
#ifndef RECORD_THREAD_NAMES_H
#define RECORD_THREAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct thread_names {
	struct map by_tid; /* → struct thread_name * */
};

void thread_names_release(struct thread_names *names);

/* NULL: not known. Valid until the next change. */
const char *thread_names_get(const struct thread_names *names, uint32_t tid);

/* name may be one that thread_names_get() gave. */
void thread_names_set(struct thread_names *names, uint32_t tid, const char *name);

/* The number begins anew, at a record's time, with no name. */
void thread_names_begin(struct thread_names *names, uint32_t tid, uint64_t time);

/* Whoever had the number has ended, at this time of a record: forgets its name, unless the number has begun anew. */
void thread_names_end(struct thread_names *names, uint32_t tid, uint64_t time);

/* Calls what for each number that has a name; it must not change them. */
void thread_names_each(const struct thread_names *names, void (*what)(void *context, uint32_t tid), void *context);

#endif
