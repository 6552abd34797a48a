#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/child.h"
#include "base/warn.h"

static _Noreturn void
become(char *argv[], const int go[2], int trouble, bool stdout_to_stderr)
{
	int reason;
	char byte;

	close(go[1]); /* or the read below would wait for ourselves when the recorder dies */
	signal(SIGPIPE, SIG_DFL); /* out_open() ignores it; the command must not inherit that */
	if (stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (read(go[0], &byte, 1) != 1)
		_exit(1);
	execvp(argv[0], argv);
	reason = errno;
	if (write(trouble, &reason, sizeof reason) < 0)
		_exit(126);
	_exit(127);
}

int
child_prepare(struct child *child, char *argv[], bool stdout_to_stderr)
{
	int go[2], trouble[2];

	*child = (struct child){ .go = -1, .trouble = -1, .pidfd = -1 };
	if (pipe2(go, O_CLOEXEC) < 0)
		return warn("pipe:");
	if (pipe2(trouble, O_CLOEXEC) < 0) {
		warn("pipe:");
		goto fail;
	}
	signal(SIGCHLD, SIG_DFL); /* ignored, as a parent may leave it to us, there is no status to wait for */
	child->pid = fork();
	if (child->pid == 0)
		become(argv, go, trouble[1], stdout_to_stderr);
	close(trouble[1]);
	if (child->pid < 0) {
		child->pid = 0;
		warn("fork:");
		close(trouble[0]);
		goto fail;
	}
	close(go[0]);
	child->go = go[1];
	child->trouble = trouble[0];
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	return 0;
fail:
	close(go[0]);
	close(go[1]);
	return -1;
}

int
child_run(struct child *child, const char *name, int *status)
{
	int reason;
	ssize_t got;

	if (write(child->go, "", 1) != 1)
		return warn("start %s:", name);
	close(child->go);
	child->go = -1;
	do
		got = read(child->trouble, &reason, sizeof reason);
	while (got < 0 && errno == EINTR);
	close(child->trouble);
	child->trouble = -1;
	if (got != (ssize_t)sizeof reason)
		return 0;
	child_wait(child);
	*status = reason == ENOENT ? 127 : 126;
	errno = reason;
	return warn("run %s:", name);
}

static bool
reap(struct child *child, int flags)
{
	pid_t got;

	if (!child->pid || child->ended)
		return true;
	do
		got = wait4(child->pid, &child->status, flags, &child->usage);
	while (got < 0 && errno == EINTR);
	if (got != 0)
		child->ended = true;
	return child->ended;
}

bool
child_ended(struct child *child)
{
	return reap(child, WNOHANG);
}

void
child_wait(struct child *child)
{
	if (child->go >= 0) { /* never run: let it go */
		close(child->go);
		child->go = -1;
	}
	reap(child, 0);
}

int
child_exit_status(const struct child *child)
{
	return WIFSIGNALED(child->status) ? 128 + WTERMSIG(child->status) : WEXITSTATUS(child->status);
}

static uint64_t
timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

uint64_t
child_cpu_ns(const struct child *child)
{
	return timeval_ns(child->usage.ru_utime) + timeval_ns(child->usage.ru_stime);
}
