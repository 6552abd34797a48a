/* Short lives: children [how many [CPU ms each [exec]]]; with exec each child becomes shares. */
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

WORK_FUNCTION void
burn_child(double seconds)
{
	work_burn(seconds);
}

WORK_FUNCTION pid_t
start_by_vfork(char *argv[])
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

int
main(int argc, char *argv[])
{
	int count = (int)work_argument(argc, argv, 1, 300), status, failed = 0;
	double ms = work_argument(argc, argv, 2, 5), theirs, all;
	char path[4096], seconds[32], *slash;
	struct rusage self, children;

	snprintf(path, sizeof path, "%s", argv[0]);
	slash = strrchr(path, '/');
	if (!slash)
		return 2;
	strcpy(slash + 1, "shares");
	snprintf(seconds, sizeof seconds, "%.6f", ms / 1000);
	for (int i = 0; i < count; i++) {
		pid_t pid;

		if (argc > 3) {
			pid = start_by_vfork((char *[]){ path, seconds, "quiet", NULL });
		} else if ((pid = fork()) == 0) {
			burn_child(ms / 1000);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			failed++;
	}
	if (failed) {
		fprintf(stderr, "children: %d failed\n", failed);
		return 1;
	}
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	theirs = WORK_SECONDS(children.ru_utime) + WORK_SECONDS(children.ru_stime);
	all = theirs + WORK_SECONDS(self.ru_utime) + WORK_SECONDS(self.ru_stime);
	if (argc > 3)
		printf("process\tshares\t%.2f\n", 100 * theirs / all);
	else
		work_share("burn_child", count * ms / 1000, all);
	work_cpu();
	return 0;
}
