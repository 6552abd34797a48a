/* usage FILE command ...: runs it and adds "CPU seconds, wall seconds, peak KiB" to FILE; its status. */
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

int
main(int argc, char *argv[])
{
	struct rusage usage;
	double begin = work_clock(CLOCK_MONOTONIC);
	int status;
	pid_t pid;
	FILE *to;

	if (argc < 3)
		return 2;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 125;
	to = fopen(argv[1], "a");
	if (!to)
		return 125;
	fprintf(to, "%.4f %.4f %ld\n", WORK_SECONDS(usage.ru_utime) + WORK_SECONDS(usage.ru_stime),
	    work_clock(CLOCK_MONOTONIC) - begin, usage.ru_maxrss);
	fclose(to);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
