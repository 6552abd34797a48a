/* A thread that is not the leader becomes another program: exec_thread [seconds]. The first half burns
 * here, the second in shares, which is then the name of the process. */
#include <pthread.h>
#include <unistd.h>

#include "work.h"

static char *path, half[32];

WORK_FUNCTION double
burn_before(double seconds)
{
	return work_burn(seconds);
}

static void *
become(void *argument)
{
	pthread_setname_np(pthread_self(), "becoming");
	burn_before(*(double *)argument / 2);
	printf("share\tburn_before\t50\nshare\tburn_a\t35\n");
	printf("process\texec_thread\t50\nprocess\tshares\t50\n");
	fflush(stdout);
	execl(path, path, half, "quiet", NULL);
	_exit(127);
}

int
main(int argc, char *argv[])
{
	static double seconds;
	pthread_t thread;
	char *slash = strrchr(argv[0], '/');

	seconds = work_argument(argc, argv, 1, 1);
	if (!slash || (path = malloc(strlen(argv[0]) + 16)) == NULL)
		return 2;
	sprintf(path, "%.*s/shares", (int)(slash - argv[0]), argv[0]);
	snprintf(half, sizeof half, "%.6f", seconds / 2);
	if (pthread_create(&thread, NULL, become, &seconds) != 0)
		return 1;
	for (;;)
		pause();
}
