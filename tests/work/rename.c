/* Renames itself and a thread on the way: rename [seconds]. Each part's samples bear the name of then;
 * a renamed thread does not rename its process. */
#include <sys/prctl.h>
#include <pthread.h>

#include "work.h"

WORK_FUNCTION double
burn_first(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION double
burn_second(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION double
burn_thread(double seconds)
{
	return work_burn(seconds);
}

static void *
run(void *argument)
{
	static double got;

	prctl(PR_SET_NAME, "only a thread");
	got = burn_thread(*(double *)argument);
	return &got;
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), part = 0.3 * seconds, a, b, c;
	pthread_t thread;
	void *result;

	a = burn_first(0.3 * seconds);
	prctl(PR_SET_NAME, "second name");
	b = burn_second(0.4 * seconds);
	if (pthread_create(&thread, NULL, run, &part) != 0 || pthread_join(thread, &result) != 0)
		return 1;
	c = *(double *)result;
	work_share("burn_first", a, a + b + c);
	work_share("burn_second", b, a + b + c);
	work_share("burn_thread", c, a + b + c);
	printf("process\trename\t%.2f\n", 100 * a / (a + b + c));
	printf("process\tsecond name\t%.2f\n", 100 * (b + c) / (a + b + c));
	printf("thread\tonly a thread\t%.2f\n", 100 * c / (a + b + c));
	work_cpu();
	return 0;
}
