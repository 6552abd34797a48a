/* A process whose leader exits at once while a thread goes on: leader [seconds]. Its name stays "leader". */
#include <pthread.h>
#include <unistd.h>

#include "work.h"

WORK_FUNCTION double
burn_alone(double seconds)
{
	return work_burn(seconds);
}

static void *
go_on(void *argument)
{
	double seconds = *(double *)argument, got;

	pthread_setname_np(pthread_self(), "orphan");
	usleep(20000); /* the leader is a zombie now */
	got = burn_alone(seconds);
	work_share("burn_alone", got, got);
	printf("process\tleader\t100\nthread\torphan\t100\n");
	work_cpu();
	fflush(stdout);
	exit(0);
}

int
main(int argc, char *argv[])
{
	static double seconds;
	pthread_t thread;

	seconds = work_argument(argc, argv, 1, 1);
	if (pthread_create(&thread, NULL, go_on, &seconds) != 0)
		return 1;
	pthread_exit(NULL);
}
