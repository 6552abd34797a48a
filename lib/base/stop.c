#include <sys/eventfd.h>
#include <sys/stat.h>

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "base/stop.h"

static volatile sig_atomic_t asked;
static int wake = -1;
static volatile pid_t heir;
static volatile sig_atomic_t undelivered; /* came before there was an heir */

static void
on_stop(int signal_number, siginfo_t *info, void *context)
{
	int saved = errno;
	uint64_t one = 1;
	pid_t child = heir;

	(void)context;
	if (asked && signal_number == SIGINT)
		_exit(128 + SIGINT);
	asked = 1;
	if (info->si_code == SI_USER) {
		heir = 0;
		if (child)
			kill(child, signal_number);
		else
			undelivered = signal_number;
	}
	if (write(wake, &one, sizeof one) < 0) {
		/* nothing to be done in a handler; stop_asked() tells as well */
	}
	errno = saved;
}

int
stop_on_signals(void)
{
	struct sigaction action = { .sa_sigaction = on_stop, .sa_flags = SA_SIGINFO | SA_RESTART };
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction before;

	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		/* nohup and a shell's background job ignore some: so do we. */
		sigaction(signals[i], NULL, &before);
		if (before.sa_handler != SIG_IGN || signals[i] == SIGTERM)
			sigaction(signals[i], &action, NULL);
	}
	return wake;
}

bool
stop_asked(void)
{
	return asked;
}

void
stop_pass_on_to(pid_t child)
{
	heir = child;
	if (child && undelivered) {
		heir = 0;
		kill(child, undelivered);
	}
}

static void
let_pass(int signal_number)
{
	(void)signal_number;
}

void
stop_with_input(void)
{
	/* One shot: the second signal finds the default again. */
	struct sigaction action = { 0 };
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0 || !S_ISFIFO(st.st_mode))
		return;
	action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
	action.sa_handler = let_pass;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}
