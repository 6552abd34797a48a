/* Profiles as they come on stdin, read by a thread of its own: however long a profile takes, keys do not wait for it.
 * It must not know what is done with them. */
#ifndef VIEW_FEED_H
#define VIEW_FEED_H

#include <pthread.h>
#include <stdbool.h>

#include "fold/folded.h"

struct feed {
	const struct folded_options *options;
	int fd; /* readable when there is something new */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t taken;
	struct fold *next; /* whole, not taken yet: the thread waits until it is */
	bool has_ended, has_failed;
};

/* feed and options live as long as the program. -1, said. */
int feed_open(struct feed *feed, const struct folded_options *options);

/* The next profile, which the caller owns; NULL: none is whole yet. */
struct fold *feed_take(struct feed *feed);
/* Nothing will come any more, and all was taken. *failed: because it could not be read (said). */
bool feed_ended(struct feed *feed, bool *failed);

/* Of one that feed_take() gave. */
void feed_release(struct fold *fold);

#endif
