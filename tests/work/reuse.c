/* One process number, two programs: reuse program argument ... -- program argument ... Runs the first, waits for its
 * end, and runs the second under the number that the first had (clone3's set_tid), which it says on stderr. Status 3:
 * it cannot be had. */
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/sched.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

static int
run(char *argv[], pid_t number)
{
	struct clone_args args = { .exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number, .set_tid_size = 1 };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
	int status;

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	return pid == number && waitpid(pid, &status, 0) == pid && status == 0;
}

int
main(int argc, char *argv[])
{
	int second = 1;
	pid_t number;

	while (second < argc && strcmp(argv[second], "--") != 0)
		second++;
	if (second + 1 >= argc)
		return 2;
	argv[second] = NULL;
	number = getpid() > 16000 ? getpid() - 9000 : getpid() + 9000;
	for (int tries = 0; tries < 100; tries++, number++) /* nobody else's */
		if (run(argv + 1, number))
			return fprintf(stderr, "number %d\n", (int)number) < 0 || !run(argv + second + 1, number) ? 3 : 0;
	return 3;
}
