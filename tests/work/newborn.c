/* Threads without end, each gone at once and each on a stack of its own that nobody has touched: newborn
 * [seconds]. Many samples land in their first steps, before there is a page of stack. */
#include <pthread.h>

#include "work.h"

#define AT_ONCE 64
#define STACK ((size_t)8 << 20) /* so large that the C library keeps few for the next */

static void *
live(void *unused)
{
	return unused;
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1);
	pthread_t threads[AT_ONCE];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	while (work_clock(CLOCK_PROCESS_CPUTIME_ID) < seconds) {
		int n = 0;

		while (n < AT_ONCE && pthread_create(&threads[n], &attr, live, NULL) == 0)
			n++;
		while (n > 0)
			pthread_join(threads[--n], NULL);
	}
	printf("process\tnewborn\t100\n");
	return 0;
}
