/* Threads and processes that end while they are looked at: dying MODE [seconds].
 *
 *	brief		threads of half a millisecond, thousands of them, of which each second ends deep in its stack
 *	killed		processes of a few busy threads, killed in the midst of it
 *	leaving		the same, but one of their threads ends them all
 *	leaderless	threads that follow each other for long after the leader has exited, and load a library that is in
 *			no folder (plugin_a.so) */
#include <sys/mman.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

#define LIFE 0.0005 /* on average: of lives all alike, with what lies between, the sampling might see one part only */
#define AT_ONCE 16
#define DEPTH 30

static char *program;
static double seconds, burnt;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long ended;

WORK_FUNCTION void
last_words(double got)
{
	pthread_mutex_lock(&lock);
	burnt += got;
	ended++;
	pthread_mutex_unlock(&lock);
}

WORK_FUNCTION void
burn_leaf(void)
{
	static unsigned lives;

	last_words(work_burn(LIFE * (0.5 + __atomic_fetch_add(&lives, 1, __ATOMIC_RELAXED) % 17 / 16.0)));
	WORK_STAY();
}

WORK_FUNCTION void
burn_deep(int n, int ends)
{
	if (n) {
		burn_deep(n - 1, ends);
	} else {
		burn_leaf();
		if (ends)
			pthread_exit(NULL);
	}
	WORK_STAY();
}

WORK_FUNCTION void *
live_briefly(void *ends)
{
	pthread_setname_np(pthread_self(), ends ? "thrown" : "returning");
	burn_deep(DEPTH, ends != NULL);
	WORK_STAY();
	return NULL;
}

/* How many, so that the test knows that it was thousands; on stderr, which is no fact. */
static void
brief(void)
{
	pthread_t threads[AT_ONCE];
	struct rusage all;

	while (burnt < seconds) {
		for (int i = 0; i < AT_ONCE; i++)
			if (pthread_create(&threads[i], NULL, live_briefly, i & 1 ? &lock : NULL) != 0)
				exit(1);
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
	}
	getrusage(RUSAGE_SELF, &all);
	work_share("burn_leaf", burnt, WORK_SECONDS(all.ru_utime) + WORK_SECONDS(all.ru_stime));
	printf("depth\tburn_leaf\tburn_deep\t%d\nprocess\tdying\t100\n", DEPTH + 1);
	fprintf(stderr, "threads %ld\n", ended);
}

WORK_FUNCTION void
burn_on(void)
{
	work_burn(100);
	WORK_STAY();
}

WORK_FUNCTION void *
live_on(void *leaves)
{
	pthread_setname_np(pthread_self(), "busy");
	if (leaves) {
		work_burn(0.008);
		_exit(9);
	}
	burn_on();
	WORK_STAY();
	return NULL;
}

static void
die_young(int by_thread)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			pthread_create(&thread, NULL, live_on, by_thread && i == 2 ? &lock : NULL);
		burn_on();
		_exit(1);
	}
	if (!by_thread) {
		usleep(10000);
		kill(pid, SIGKILL);
	}
	waitpid(pid, NULL, 0);
	ended++;
}

static void
many_die(int by_thread)
{
	struct rusage all = { 0 };

	while (WORK_SECONDS(all.ru_utime) < seconds) {
		die_young(by_thread);
		getrusage(RUSAGE_CHILDREN, &all);
	}
	printf("process\tdying\t100\n");
}

/* The library from memory: when it is looked at there is no path to it, and /proc/self, which is the leader, shows
 * nothing. */
static void
load_and_burn(void)
{
	static char bytes[1 << 20];
	char name[4096];
	int from, to = memfd_create("plugin", 0);
	ssize_t n;
	void *library;
	void (*burn)(double);

	snprintf(name, sizeof name, "%.*s/plugin_a.so", (int)(strrchr(program, '/') - program), program);
	from = open(name, O_RDONLY);
	n = read(from, bytes, sizeof bytes);
	if (n <= 0 || write(to, bytes, (size_t)n) != n)
		exit(2);
	snprintf(name, sizeof name, "/proc/thread-self/fd/%d", to);
	library = dlopen(name, RTLD_NOW);
	*(void **)&burn = library ? dlsym(library, "plugin_burn_a") : NULL;
	if (!burn)
		exit(3);
	burn(seconds / 3);
}

WORK_FUNCTION void *
succeed(void *last)
{
	pthread_t next;

	pthread_detach(pthread_self());
	pthread_setname_np(pthread_self(), "heir");
	burn_deep(DEPTH, 0);
	if (last) {
		load_and_burn();
		work_share("plugin_burn_a", seconds / 3, work_clock(CLOCK_PROCESS_CPUTIME_ID));
		work_share("burn_leaf", burnt, work_clock(CLOCK_PROCESS_CPUTIME_ID));
		printf("process\tdying\t100\n");
		fflush(stdout);
		_exit(0);
	}
	if (pthread_create(&next, NULL, succeed, burnt > seconds * 2 / 3 ? &lock : NULL) != 0)
		_exit(1);
	return NULL;
}

int
main(int argc, char *argv[])
{
	const char *mode = argc > 1 ? argv[1] : "brief";
	pthread_t thread;

	program = argv[0];
	seconds = work_argument(argc, argv, 2, 1);
	if (strcmp(mode, "leaderless") == 0) {
		if (pthread_create(&thread, NULL, succeed, NULL) != 0)
			return 1;
		pthread_exit(NULL);
	}
	if (strcmp(mode, "brief") == 0)
		brief();
	else
		many_die(strcmp(mode, "leaving") == 0);
	return 0;
}
