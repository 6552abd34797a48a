/* One thread number, two processes: retid [seconds]. A thread works and ends; then a thread of another process, which is
 * called "second", has its number (ns_last_pid), works and ends. Says the number on stderr. Status 3: it cannot be had. */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "work.h"

static double seconds;
static long number;

WORK_FUNCTION static void
burn_first(void)
{
	work_burn(seconds);
	WORK_STAY();
}

WORK_FUNCTION static void
burn_second(void)
{
	work_burn(seconds);
	WORK_STAY();
}

static void *
first(void *unused)
{
	number = syscall(SYS_gettid);
	prctl(PR_SET_NAME, "first worker");
	burn_first();
	return unused;
}

static void *
second(void *had_it)
{
	if (syscall(SYS_gettid) != number)
		return NULL;
	prctl(PR_SET_NAME, "second worker");
	burn_second();
	return had_it;
}

/* The next number is given to whoever comes first. */
static int
ask_for(long next)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	int failed = fd < 0 || dprintf(fd, "%ld", next - 1) < 0;

	close(fd);
	return failed;
}

static int
be_second(void)
{
	pthread_t thread;
	void *had_it = NULL;

	prctl(PR_SET_NAME, "second");
	for (int tries = 0; tries < 500 && !had_it; tries++)
		if (ask_for(number) || pthread_create(&thread, NULL, second, &number) || pthread_join(thread, &had_it))
			return 3;
	return had_it ? 0 : 3;
}

int
main(int argc, char *argv[])
{
	pthread_t thread;
	int status;
	pid_t child;

	seconds = work_argument(argc, argv, 1, 0.4);
	if (pthread_create(&thread, NULL, first, NULL) || pthread_join(thread, NULL))
		return 1;
	child = fork();
	if (child == 0)
		_exit(be_second());
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	fprintf(stderr, "number %ld\n", number);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
