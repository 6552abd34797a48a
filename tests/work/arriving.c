/* Threads that arrive while somebody attaches: 200 that sleep, which take a while to attach to; told to, it starts
 * one a millisecond that is busy, sixty in all, for three seconds. What each of these used is told:
 *	used TID SECONDS */
#include <sys/syscall.h>

#include <pthread.h>
#include <unistd.h>

#include "work.h"

#define SLEEPERS 200
#define WORKERS 60

static double end;

static void *
rest(void *unused)
{
	sleep(60);
	return unused;
}

WORK_FUNCTION void *
toil(void *unused)
{
	while (work_clock(CLOCK_MONOTONIC) < end)
		work_turn();
	printf("used\t%ld\t%.4f\n", syscall(SYS_gettid), work_thread_cpu());
	return unused;
}

int
main(void)
{
	pthread_t sleepers[SLEEPERS], workers[WORKERS];

	for (int i = 0; i < SLEEPERS; i++)
		if (pthread_create(&sleepers[i], NULL, rest, NULL) != 0)
			return 1;
	if (getchar() == EOF) /* now */
		return 1;
	end = work_clock(CLOCK_MONOTONIC) + 3;
	for (int i = 0; i < WORKERS; i++) {
		if (pthread_create(&workers[i], NULL, toil, NULL) != 0)
			return 1;
		usleep(1000);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	fflush(stdout);
	_exit(0);
}
