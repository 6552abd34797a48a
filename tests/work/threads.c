/* Threads busy in known shares, and named: threads [seconds [how many [seconds of sleep of the leader]]].
 * The first has 30 %, the second 20 %, the others share the rest. */
#include <pthread.h>

#include "work.h"

struct worker {
	pthread_t thread;
	int number;
	double seconds, got;
};

WORK_FUNCTION void
toil(struct worker *worker)
{
	worker->got = work_burn(worker->seconds);
}

WORK_FUNCTION void *
work(void *argument)
{
	struct worker *worker = argument;
	char name[16];

	snprintf(name, sizeof name, "worker-%03d", worker->number);
	pthread_setname_np(pthread_self(), name);
	toil(worker);
	return NULL;
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), whole = 0;
	int count = (int)work_argument(argc, argv, 2, 20);
	struct worker *workers = calloc((size_t)count, sizeof *workers);

	for (int i = 0; i < count; i++) {
		workers[i].number = i;
		workers[i].seconds = seconds * (i == 0 ? 0.3 : i == 1 ? 0.2 : 0.5 / (count - 2));
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return 1;
	}
	for (int i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		whole += workers[i].got;
	}
	for (int i = 0; i < count; i++) {
		if (i < 3)
			printf("thread\tworker-%03d\t%.2f\n", i, 100 * workers[i].got / whole);
	}
	printf("thread\tworker-%03d\t%.2f\n", count - 1, 100 * workers[count - 1].got / whole);
	printf("threads\tworker-\t%d\n", count);
	printf("chain\twork;toil\t100\n");
	printf("process\tthreads\t100\n");
	work_cpu();
	return 0;
}
