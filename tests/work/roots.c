/* Deep stacks under two roots that alternate every 50 µs: roots [seconds [thread [frames]]]. A stack that ends in
 * leaf_left and is not left's, or the other way round, was put together from two moments. Frames have 512
 * bytes. thread: on a thread of its own. */
#include <pthread.h>

#include "work.h"

/* Three words and the return address besides. */
#define FRAME 512
static double seconds;
static long frames, turns;

static void
burn(void)
{
	work_rounds(turns);
}

WORK_FUNCTION void
leaf_left(void)
{
	burn();
	WORK_STAY();
}

WORK_FUNCTION void
leaf_right(void)
{
	burn();
	WORK_STAY();
}

WORK_FUNCTION void
down(long n, void (*leaf)(void))
{
	char room[FRAME - 32];

	__asm__ volatile("" ::"r"(room) : "memory");
	if (n)
		down(n - 1, leaf);
	else
		leaf();
	__asm__ volatile("" ::"r"(room) : "memory");
}

WORK_FUNCTION void
left(void)
{
	down(frames, leaf_left);
	WORK_STAY();
}

WORK_FUNCTION void
right(void)
{
	down(frames, leaf_right);
	WORK_STAY();
}

static void *
run(void *unused)
{
	while (work_thread_cpu() < seconds) {
		left();
		right();
	}
	return unused;
}

int
main(int argc, char *argv[])
{
	double begin = work_thread_cpu(), each;
	pthread_t thread;

	seconds = work_argument(argc, argv, 1, 1);
	frames = (long)work_argument(argc, argv, 3, 2000);
	turns = 1000000;
	burn();
	each = (work_thread_cpu() - begin) / 1e6;
	turns = (long)(50e-6 / each);
	if (work_argument(argc, argv, 2, 0) > 0) {
		if (pthread_create(&thread, NULL, run, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
	} else {
		run(NULL);
	}
	return 0;
}
