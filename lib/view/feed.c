#include <sys/eventfd.h>

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "view/feed.h"

static void
tell_reader(const struct feed *feed)
{
	uint64_t one = 1;

	if (write(feed->fd, &one, sizeof one) < 0) {
		/* it is readable already */
	}
}

static void
hand_over(struct feed *feed, struct fold *fold)
{
	pthread_mutex_lock(&feed->lock);
	while (feed->next)
		pthread_cond_wait(&feed->taken, &feed->lock);
	feed->next = fold;
	pthread_mutex_unlock(&feed->lock);
	tell_reader(feed);
}

void
feed_release(struct fold *fold)
{
	if (fold)
		fold_release(fold);
	free(fold);
}

/* 0 at the end, -1 said. */
static int
read_all(struct feed *feed, struct input *input)
{
	struct folded_stream stream;
	int more;

	folded_stream_open(&stream, input, feed->options);
	do {
		struct fold *fold = mem_alloc(sizeof *fold);

		fold_init(fold);
		more = folded_stream_next(&stream, fold);
		if (more > 0)
			hand_over(feed, fold);
		else
			feed_release(fold);
	} while (more > 0);
	folded_stream_close(&stream);
	return more;
}

static void *
run(void *context)
{
	struct feed *feed = context;
	struct input *input = input_open("-");
	int result = input ? read_all(feed, input) : -1;

	if (input)
		input_close(input);
	pthread_mutex_lock(&feed->lock);
	feed->has_ended = true;
	feed->has_failed = result < 0;
	pthread_mutex_unlock(&feed->lock);
	tell_reader(feed);
	return NULL;
}

int
feed_open(struct feed *feed, const struct folded_options *options)
{
	sigset_t all, before;
	int error;

	*feed = (struct feed){ .options = options };
	feed->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (feed->fd < 0)
		return warn("eventfd:");
	pthread_mutex_init(&feed->lock, NULL);
	pthread_cond_init(&feed->taken, NULL);
	/* Signals are for the thread that has the terminal; but a crash is everybody's own. */
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGABRT);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(&feed->thread, NULL, run, feed);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error ? warn("thread: %s", strerror(error)) : 0;
}

struct fold *
feed_take(struct feed *feed)
{
	struct fold *fold;
	uint64_t count;

	if (read(feed->fd, &count, sizeof count) < 0) {
		/* nothing new, perhaps */
	}
	pthread_mutex_lock(&feed->lock);
	fold = feed->next;
	feed->next = NULL;
	pthread_cond_signal(&feed->taken);
	pthread_mutex_unlock(&feed->lock);
	return fold;
}

bool
feed_ended(struct feed *feed, bool *failed)
{
	bool ended;

	pthread_mutex_lock(&feed->lock);
	ended = feed->has_ended && !feed->next;
	*failed = ended && feed->has_failed;
	pthread_mutex_unlock(&feed->lock);
	return ended;
}
