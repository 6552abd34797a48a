#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/warn.h"
#include "view/terminal.h"

/* ECMA-48 and the private modes that every terminal of today shares with xterm: the other screen, no cursor, and no
 * new line after the last column. */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[0m\033[2J"
#define LEAVE "\033[0m\033[?7h\033[?25h\033[?1049l"

/* Of a program there is one terminal, and handlers must find it. */
static int tty = -1, wake = -1;
static struct termios before;
static volatile sig_atomic_t is_ours; /* its modes are changed */
static volatile sig_atomic_t is_resized, is_stopped, is_continued, ended_by;
static volatile sig_atomic_t spares, was_spared;

static const int enders[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };

int
terminal_write(const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(tty, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

/* For handlers too: nothing but system calls. */
static void
leave(void)
{
	if (!is_ours)
		return;
	is_ours = 0;
	terminal_write(LEAVE, sizeof LEAVE - 1);
	tcsetattr(tty, TCSANOW, &before);
}

/* Ctrl-C, Ctrl-Z and Ctrl-\ stay signals: they are meant for the whole pipeline. */
static int
enter(void)
{
	struct termios raw;

	if (tcgetattr(tty, &before) < 0)
		return -1;
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	is_ours = 1;
	if (tcsetattr(tty, TCSANOW, &raw) < 0 || terminal_write(ENTER, sizeof ENTER - 1) < 0) {
		leave();
		return -1;
	}
	return 0;
}

static void
on_signal(int number)
{
	int saved = errno;
	uint64_t one = 1;

	if (number == SIGWINCH)
		is_resized = 1;
	else if (number == SIGTSTP)
		is_stopped = 1;
	else if (number == SIGCONT)
		is_continued = 1;
	else if (number == SIGINT && spares) {
		spares = 0;
		was_spared = 1;
	} else if (ended_by) { /* it was asked already, and we have not come to it */
		leave();
		signal(number, SIG_DFL);
		raise(number);
	} else {
		ended_by = number;
	}
	if (write(wake, &one, sizeof one) < 0) {
		/* nothing to be done in a handler; poll() is interrupted as well */
	}
	errno = saved;
}

/* SA_RESETHAND: raised again it does what it would have done. */
static void
on_crash(int number)
{
	leave();
	raise(number);
}

static void
handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	struct sigaction was;

	sigemptyset(&action.sa_mask);
	sigaction(number, NULL, &was);
	/* nohup ignores some, a shell without job control Ctrl-Z: so do we. A sanitizer has ways of its own. */
	if (was.sa_handler == SIG_DFL || was.sa_handler == on_signal)
		sigaction(number, &action, NULL);
}

static void
handle_all(void)
{
	handle(SIGWINCH, on_signal, SA_RESTART);
	handle(SIGTSTP, on_signal, SA_RESTART);
	handle(SIGCONT, on_signal, SA_RESTART);
	for (size_t i = 0; i < sizeof enders / sizeof *enders; i++)
		handle(enders[i], on_signal, SA_RESTART);
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		handle(crashes[i], on_crash, (int)SA_RESETHAND | SA_NODEFER);
}

int
terminal_open(void)
{
	const char *name = getenv("TERM");

	if (name && strcmp(name, "dumb") == 0)
		return warn("a terminal is needed that can place its cursor, TERM is dumb; gp-flame --text prints");
	tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (tty < 0)
		return warn("no terminal to read keys from; gp-flame --text prints without one: /dev/tty:");
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake < 0)
		return warn("eventfd:");
	handle_all();
	atexit(terminal_close);
	if (enter() < 0)
		return warn("the terminal:");
	return 0;
}

void
terminal_close(void)
{
	leave();
}

enum colour_depth
terminal_depth(void)
{
	const char *no = getenv("NO_COLOR"), *name = getenv("TERM"), *depth = getenv("COLORTERM");

	if ((no && *no) || !name || strncmp(name, "vt1", 3) == 0 || strncmp(name, "vt2", 3) == 0)
		return DEPTH_NONE;
	if (depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0))
		return DEPTH_ALL;
	return strstr(name, "256color") || strstr(name, "direct") ? DEPTH_256 : DEPTH_16;
}

void
terminal_size(size_t *rows, size_t *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (ioctl(tty, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
}

/* Until fg. */
static void
stop(void)
{
	sigset_t set;

	is_stopped = 0;
	leave();
	signal(SIGTSTP, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGTSTP);
	handle(SIGTSTP, on_signal, SA_RESTART);
	is_continued = 1;
}

/* What the handlers noted. True: *event is to be told. */
static bool
take_signals(enum terminal_event *event)
{
	uint64_t count;

	if (read(wake, &count, sizeof count) < 0) {
		/* nothing noted */
	}
	if (is_stopped)
		stop();
	if (ended_by) {
		*event = TERMINAL_ENDED;
		return true;
	}
	if (was_spared) {
		was_spared = 0;
		*event = TERMINAL_SPARED;
		return true;
	}
	if (is_continued) {
		/* Who stopped us may have set modes of his own; after Ctrl-Z those of now are what to go back to. */
		is_continued = 0;
		is_resized = 0;
		leave();
		*event = enter() < 0 ? TERMINAL_ENDED : TERMINAL_CHANGED;
		return true;
	}
	if (is_resized) {
		is_resized = 0;
		*event = TERMINAL_CHANGED;
		return true;
	}
	return false;
}

enum terminal_event
terminal_wait(int fd, int milliseconds, char *keys, size_t *length)
{
	struct pollfd polled[3] = { { tty, POLLIN, 0 }, { wake, POLLIN, 0 }, { fd, POLLIN, 0 } };
	enum terminal_event event;
	ssize_t got;
	int ready;

	for (;;) {
		if (take_signals(&event))
			return event;
		ready = poll(polled, 3, milliseconds);
		if (ready < 0 && errno != EINTR)
			return TERMINAL_ENDED;
		if (ready < 0 || polled[1].revents)
			continue;
		if (ready == 0)
			return TERMINAL_QUIET;
		if (polled[0].revents) {
			got = read(tty, keys, *length);
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				return TERMINAL_ENDED;
			*length = (size_t)got;
			return TERMINAL_KEYS;
		}
		return TERMINAL_OTHER;
	}
}

void
terminal_spare(bool spare)
{
	spares = spare;
}

int
terminal_signal(void)
{
	return ended_by;
}
