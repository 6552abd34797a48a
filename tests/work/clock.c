/* Mostly in the vdso: clock [seconds]. */
#include "work.h"

WORK_FUNCTION double
ask_time(double seconds)
{
	double begin = work_thread_cpu(), now;
	struct timespec ts;

	do {
		for (int i = 0; i < 2000; i++)
			clock_gettime(CLOCK_MONOTONIC, &ts);
		now = work_thread_cpu();
	} while (now - begin < seconds);
	return now - begin;
}

int
main(int argc, char *argv[])
{
	double got = ask_time(work_argument(argc, argv, 1, 1));

	work_share("ask_time", got, got);
	work_cpu();
	return 0;
}
