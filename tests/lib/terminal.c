/* terminal [-s ROWSxCOLUMNS] [-p] [-e] SCRIPT command [argument ...]
 *
 * A terminal with a person at it who follows a script, and a shell that starts the command as its foreground job.
 * What the command writes to its terminal is kept as a screen of cells, and what a terminal of today would not take
 * for text or for a command that a full-screen program needs is a failure: no name may speak to the terminal.
 *
 * -p: the command's stdin is a pipe that the script feeds; else stdin is as it is here. -e: stderr is the terminal.
 * The script is a file, a line a command (TEXT with \e \r \t \n \\ \xNN):
 *   type TEXT        press keys
 *   wait REGEX       until a line of the screen matches; gone REGEX: until none does
 *   screen, row N    print it (rows from 1); cells REGEX: how the first cell of the match looks
 *   resize ROWSxCOLUMNS
 *   feed FILE, eof   into the pipe; into TEXT
 *   signal NAME      to the command; signal group NAME: to all of its process group
 *   stopped, cont    wait until it is stopped; fg
 *   hangup           the terminal goes away
 *   ended STATUS     wait for the end: a number, or a signal's name
 *   restored         modes, screen and cursor are as they were before the command
 *   mode             print the flags that a full-screen program changes
 *   random SEED N    N keys, resizes among them
 *   used MS          it may have used so many milliseconds of CPU so far
 *   cost MS REGEX TEXT  press keys; until the screen shows it the command may use so many milliseconds of CPU, which a
 *                    busy machine does not change as it does the time
 * Ends with status 0 if all was as it should be; else it has said why and shown the screen, on stdout as "# ". */
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define SIDE 300
static long long patience_ms = 20000; /* of a busy machine; PATIENCE in the environment */

enum { BOLD = 1, DIM = 2, UNDERLINE = 4, REVERSE = 8, STRIKE = 16 };

struct cell {
	char text[32];
	int width; /* 0: right half of a wide one */
	int attributes;
	char colours[32];
};

static struct cell screens[2][SIDE][SIDE];
static int alternate, rows = 24, columns = 80, row, column, attributes;
static char colours[32];
static bool cursor_hidden, no_wrap;
static int strange; /* bytes that no program should send */
static char first_strange[64];

static int master, slave, orders, reports, into = -1;
static struct termios before;
static pid_t shell, job;
static bool ended, stopped;
static int end_status, line_number;
static long long random_state, resized_ms;

static long long
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
print_screen(const char *prefix)
{
	for (int r = 0; r < rows; r++) {
		char line[SIDE * 32];
		size_t n = 0, end = 0;

		for (int c = 0; c < columns; c++) {
			struct cell *cell = &screens[alternate][r][c];
			size_t length = strlen(cell->text);

			if (cell->width == 0 && c > 0 && screens[alternate][r][c - 1].width == 2)
				continue;
			if (!length) {
				line[n++] = ' ';
				continue;
			}
			memcpy(line + n, cell->text, length);
			n += length;
			if (strcmp(cell->text, " ") != 0)
				end = n;
		}
		printf("%s%.*s\n", prefix, (int)end, line);
	}
}

static _Noreturn void
fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# line %d of the script: ", line_number);
	vprintf(format, args);
	printf("\n");
	va_end(args);
	print_screen("# |");
	fflush(stdout);
	if (job > 0)
		kill(-job, SIGKILL);
	if (shell > 0)
		kill(shell, SIGKILL);
	exit(1);
}

static void
be_strange(const char *what, const char *bytes, int n)
{
	/* What is drawn for the size before a change may lie outside, as on every terminal. */
	if ((strstr(what, "outside") || strstr(what, "behind")) && now_ms() < resized_ms + 1000)
		return;
	if (!strange++) {
		int at = snprintf(first_strange, sizeof first_strange, "%s:", what);

		for (int i = 0; i < n && at < (int)sizeof first_strange - 4; i++)
			at += snprintf(
			    first_strange + at, sizeof first_strange - (size_t)at, " %02x", (unsigned char)bytes[i]);
	}
}

static void
blank(int which)
{
	for (int r = 0; r < SIDE; r++)
		for (int c = 0; c < SIDE; c++)
			screens[which][r][c] = (struct cell){ .text = " ", .width = 1 };
}

static void
set_graphics(const char *parameters)
{
	char copy[128], *p = copy, *part;

	snprintf(copy, sizeof copy, "%s", *parameters ? parameters : "0");
	while ((part = strsep(&p, ";"))) {
		int n = atoi(part);

		switch (n) {
		case 0: attributes = 0; colours[0] = '\0'; break;
		case 1: attributes |= BOLD; break;
		case 2: attributes |= DIM; break;
		case 4: attributes |= UNDERLINE; break;
		case 7: attributes |= REVERSE; break;
		case 9: attributes |= STRIKE; break;
		default:
			snprintf(colours + strlen(colours), sizeof colours - strlen(colours), "%s%d",
			    *colours ? ";" : "", n);
			/* 38;5;N and 48;2;R;G;B take the numbers that follow. */
			if (n == 38 || n == 48) {
				int more = p && *p == '5' ? 2 : 4;

				while (more-- && (part = strsep(&p, ";")))
					snprintf(
					    colours + strlen(colours), sizeof colours - strlen(colours), ";%s", part);
			}
			break;
		}
	}
}

/* ESC [ parameters final */
static void
control(const char *bytes, int n)
{
	char parameters[64] = "";
	int a = 1, b = 1;

	snprintf(parameters, sizeof parameters, "%.*s", n - 3, bytes + 2);
	switch (bytes[n - 1]) {
	case 'H':
		if (*parameters && sscanf(parameters, "%d;%d", &a, &b) != 2)
			be_strange("cursor", bytes, n);
		if (a < 1 || b < 1 || a > rows || b > columns)
			be_strange("cursor outside", bytes, n);
		row = a < 1 ? 0 : a > rows ? rows - 1 : a - 1;
		column = b < 1 ? 0 : b > columns ? columns - 1 : b - 1;
		return;
	case 'J':
		if (strcmp(parameters, "2") == 0)
			blank(alternate);
		else
			be_strange("erase", bytes, n);
		return;
	case 'm':
		set_graphics(parameters);
		return;
	case 'h':
	case 'l':
		if (strcmp(parameters, "?1049") == 0) {
			alternate = bytes[n - 1] == 'h';
			if (alternate)
				blank(1);
		} else if (strcmp(parameters, "?25") == 0) {
			cursor_hidden = bytes[n - 1] == 'l';
		} else if (strcmp(parameters, "?7") == 0) {
			no_wrap = bytes[n - 1] == 'l';
		} else {
			be_strange("mode", bytes, n);
		}
		return;
	default:
		be_strange("sequence", bytes, n);
	}
}

static void
put(const char *text, int n, int width)
{
	struct cell *cell = &screens[alternate][row][column < columns ? column : columns - 1];

	if (width == 0) {
		cell = &screens[alternate][row][column ? column - 1 : 0];
		if (cell->width == 0 && column > 1)
			cell--;
		if (strlen(cell->text) + (size_t)n < sizeof cell->text)
			strncat(cell->text, text, (size_t)n);
		return;
	}
	if (column + width > columns)
		be_strange("behind the last column", text, n);
	snprintf(cell->text, sizeof cell->text, "%.*s", n, text);
	cell->width = width;
	cell->attributes = attributes;
	snprintf(cell->colours, sizeof cell->colours, "%s", colours);
	if (width == 2 && column + 1 < columns)
		cell[1] = (struct cell){ .width = 0, .attributes = attributes };
	column += width;
	if (column > columns - 1 && !alternate)
		column = columns - 1;
}

static char held[64];
static int held_count;

/* One byte; what is not whole is held. */
static void
take(char byte)
{
	unsigned char c = (unsigned char)byte;

	held[held_count++] = byte;
	if (held[0] == '\033') {
		if (held_count == 2 && byte != '[') {
			be_strange("escape", held, held_count);
			held_count = 0;
		} else if (held_count > 2 && c >= 0x40 && c <= 0x7e) {
			control(held, held_count);
			held_count = 0;
		} else if (held_count == (int)sizeof held) {
			be_strange("long sequence", held, held_count);
			held_count = 0;
		}
		return;
	}
	if ((unsigned char)held[0] >= 0xc0) {
		unsigned char first = (unsigned char)held[0];
		int wanted = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
		wchar_t wide;

		if (held_count < wanted)
			return;
		if (mbtowc(&wide, held, (size_t)held_count) != held_count || (wide >= 0x80 && wide < 0xa0) ||
		    wide == 0x200e || wide == 0x200f || wide == 0x61c || (wide >= 0x2028 && wide <= 0x202e) ||
		    (wide >= 0x2066 && wide <= 0x2069))
			be_strange("character", held, held_count);
		else
			put(held, held_count, wcwidth(wide) < 0 ? 1 : wcwidth(wide));
		held_count = 0;
		return;
	}
	held_count = 0;
	if (c >= ' ' && c < 0x7f)
		put(&byte, 1, 1);
	else if (c == '\r' && !alternate)
		column = 0;
	else if (c == '\n' && !alternate)
		row += row < rows - 1;
	else
		be_strange("byte", &byte, 1);
}

/* Output and reports for so long, or until something came. */
static bool
listen_to(int milliseconds)
{
	struct pollfd polled[2] = { { master, POLLIN, 0 }, { reports, POLLIN, 0 } };
	char bytes[65536];
	int report[2];
	bool some = false;

	if (poll(polled, 2, milliseconds) <= 0)
		return false;
	if (master >= 0 && polled[0].revents & POLLIN) {
		ssize_t n = read(master, bytes, sizeof bytes);

		for (ssize_t i = 0; i < n; i++)
			take(bytes[i]);
		some = n > 0;
	}
	if (reports >= 0 && polled[1].revents & (POLLIN | POLLHUP) && !(some && polled[0].revents & POLLIN)) {
		if (read(reports, report, sizeof report) != sizeof report) {
			close(reports);
			reports = -1;
			ended = true;
			return some;
		}
		if (report[0] == 'J')
			job = report[1];
		stopped = report[0] == 'S';
		if (report[0] == 'E') {
			ended = true;
			end_status = report[1];
		}
		some = true;
	}
	return some;
}

static bool
line_matches(const regex_t *regex, int *at_row, int *at_column)
{
	for (int r = 0; r < rows; r++) {
		char line[SIDE * 32] = "";
		size_t n = 0;
		int cell_of[SIDE * 32];
		regmatch_t match;

		for (int c = 0; c < columns; c++) {
			const char *text = screens[alternate][r][c].text;

			if (screens[alternate][r][c].width == 0)
				continue;
			for (size_t i = 0; i < strlen(text); i++) {
				cell_of[n] = c;
				line[n++] = text[i];
			}
		}
		while (n && line[n - 1] == ' ')
			n--;
		line[n] = '\0';
		cell_of[n] = 0;
		if (regexec(regex, line, 1, &match, 0) == 0) {
			*at_row = r;
			*at_column = cell_of[match.rm_so];
			return true;
		}
	}
	return false;
}

static void
wait_for(const char *pattern, bool there, long long patience, int *at_row, int *at_column)
{
	long long until = now_ms() + patience;
	regex_t regex;

	if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
		fail("no regular expression: %s", pattern);
	while (line_matches(&regex, at_row, at_column) != there) {
		long long left = until - now_ms();

		if (left <= 0)
			fail("%s '%s' within %lld ms", there ? "no" : "still", pattern, patience);
		if (ended && !listen_to(0))
			fail("ended (status %x), and %s '%s'", end_status, there ? "no" : "still", pattern);
		listen_to((int)left);
	}
	regfree(&regex);
}

static size_t
unescape(const char *from, char *to)
{
	size_t n = 0;

	for (; *from; from++) {
		unsigned value;

		if (*from != '\\') {
			to[n++] = *from;
			continue;
		}
		switch (*++from) {
		case 'e': to[n++] = '\033'; break;
		case 'r': to[n++] = '\r'; break;
		case 't': to[n++] = '\t'; break;
		case 'n': to[n++] = '\n'; break;
		case 'x':
			if (sscanf(from + 1, "%2x", &value) == 1)
				to[n++] = (char)value;
			from += 2;
			break;
		default: to[n++] = *from; break;
		}
	}
	return n;
}

static void
write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		struct pollfd polled = { fd, POLLOUT, 0 };
		ssize_t written;

		listen_to(0);
		if (poll(&polled, 1, 100) <= 0)
			continue;
		written = write(fd, bytes, n < 4096 ? n : 4096);
		if (written < 0)
			fail("write: %s", strerror(errno));
		bytes += written;
		n -= (size_t)written;
	}
}

static int
signal_number(const char *name)
{
	static const struct { const char *name; int number;
	} names[] = { { "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP }, { "QUIT", SIGQUIT },
		{ "TSTP", SIGTSTP }, { "STOP", SIGSTOP }, { "CONT", SIGCONT }, { "KILL", SIGKILL }, { "SEGV", SIGSEGV },
		{ "ABRT", SIGABRT }, { "WINCH", SIGWINCH }, { "BUS", SIGBUS } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].number;
	return 0;
}

static void
set_size(const char *text)
{
	struct winsize size = { 0 };
	int r, c;

	if (sscanf(text, "%dx%d", &r, &c) != 2 || r < 1 || c < 1 || r > SIDE || c > SIDE)
		fail("no size: %s", text);
	/* What was written for the old size is gone through first. */
	while (listen_to(30))
		;
	rows = r;
	columns = c;
	resized_ms = now_ms();
	blank(alternate);
	size.ws_row = (unsigned short)r;
	size.ws_col = (unsigned short)c;
	ioctl(master, TIOCSWINSZ, &size);
}

static void
wait_end(const char *wanted)
{
	long long until = now_ms() + patience_ms;
	int number = signal_number(wanted);

	while (!ended && now_ms() < until)
		listen_to(100);
	while (master >= 0 && listen_to(50))
		;
	if (!ended)
		fail("it does not end");
	if (number ? !WIFSIGNALED(end_status) || WTERMSIG(end_status) != number :
		     !WIFEXITED(end_status) || WEXITSTATUS(end_status) != atoi(wanted))
		fail("it ended with %s %d, not %s", WIFSIGNALED(end_status) ? "signal" : "status",
		    WIFSIGNALED(end_status) ? WTERMSIG(end_status) : WEXITSTATUS(end_status), wanted);
}

static void
check_restored(void)
{
	struct termios now;

	while (listen_to(50))
		;
	tcgetattr(slave, &now);
	if (now.c_iflag != before.c_iflag || now.c_oflag != before.c_oflag || now.c_lflag != before.c_lflag ||
	    memcmp(now.c_cc, before.c_cc, sizeof now.c_cc) != 0)
		fail("the terminal's modes are others");
	if (alternate || cursor_hidden || no_wrap || attributes)
		fail("left on: %s%s%s%s", alternate ? "the other screen " : "", cursor_hidden ? "no cursor " : "",
		    no_wrap ? "no wrap " : "", attributes ? "attributes" : "");
}

static unsigned
chance(unsigned below)
{
	random_state = random_state * 6364136223846793005LL + 1442695040888963407LL;
	return (unsigned)((unsigned long long)random_state >> 33) % below;
}

/* No end among them: q, Ctrl-C, Ctrl-Z, Ctrl-\. */
static void
press_at_random(long count)
{
	static const char *const keys[] = { "\033[A", "\033[B", "\033[C", "\033[D", "\033[H", "\033[F", "\033[5~",
		"\033[6~", "\r", "\r", "\177", "-", "0", "1", "2", "3", "4", "5", "6", "?", "\t", "\033[Z", "/", "n",
		"N", "c", "h", "H", "f", "F", "x", "X", "r", "R", "C", "m", "i", "u", "u", "u", "U", "s", "t", "a", "d",
		" ", "p", "g", "*", "w", "[", "]", "\f", "\033", "j", "k", "(", "[a-z", "m.*n", "\303\251", "\344\270",
		"\033[<0;3;4M", "\033[200~", "\377", "\025", "y" };

	for (long i = 0; i < count; i++) {
		const char *key = keys[chance(sizeof keys / sizeof *keys)];
		char size[32];

		if (chance(20) == 0) {
			snprintf(size, sizeof size, "%ux%u", 1 + chance(60), 1 + chance(200));
			set_size(size);
		} else {
			write_all(master, key, strlen(key));
		}
		if (ended)
			fail("it ended at key %ld: %x", i, end_status);
	}
	set_size("24x80");
	write_all(master, "\033", 1);
	while (listen_to(200))
		;
	write_all(master, "\033", 1);
	while (listen_to(200))
		;
}

/* That the command has used so far. */
static long long
cpu_ms(void)
{
	struct timespec used = { 0 };
	clockid_t clock;

	while (!job)
		listen_to(100);
	if (clock_getcpuclockid(job, &clock) != 0 || clock_gettime(clock, &used) < 0)
		fail("its CPU time cannot be read");
	return (long long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void
print_cells(const char *pattern)
{
	static const char *const words[] = { "bold", "dim", "underline", "reverse", "strike" };
	int r, c;
	struct cell *cell;

	while (listen_to(150))
		;
	wait_for(pattern, true, patience_ms, &r, &c);
	cell = &screens[alternate][r][c];
	printf("row %d column %d", r + 1, c + 1);
	for (int i = 0; i < 5; i++)
		if (cell->attributes >> i & 1)
			printf(" %s", words[i]);
	printf(" [%s]\n", cell->colours);
}

static void
feed_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char bytes[4096];
	size_t n;

	if (!file)
		fail("open %s: %s", path, strerror(errno));
	while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
		write_all(into, bytes, n);
	fclose(file);
}

static void
obey(char *line)
{
	char *argument = strchr(line, ' '), bytes[65536];
	int r, c, size[2];
	long long begin;
	char order = 'C';

	if (argument)
		*argument++ = '\0';
	else
		argument = line + strlen(line);
	if (strcmp(line, "type") == 0) {
		write_all(master, bytes, unescape(argument, bytes));
	} else if (strcmp(line, "wait") == 0 || strcmp(line, "gone") == 0) {
		wait_for(argument, *line == 'w', patience_ms, &r, &c);
	} else if (strcmp(line, "screen") == 0) {
		while (listen_to(100))
			;
		print_screen("");
	} else if (strcmp(line, "row") == 0) {
		static struct cell first[SIDE];
		int wanted = atoi(argument) - 1, all = rows;

		while (listen_to(100))
			;
		if (wanted < 0 || wanted >= rows)
			fail("no such row");
		memcpy(first, screens[alternate][0], sizeof first);
		memcpy(screens[alternate][0], screens[alternate][wanted], sizeof first);
		rows = 1;
		print_screen("");
		rows = all;
		memcpy(screens[alternate][0], first, sizeof first);
	} else if (strcmp(line, "cells") == 0) {
		print_cells(argument);
	} else if (strcmp(line, "resize") == 0) {
		set_size(argument);
	} else if (strcmp(line, "feed") == 0) {
		feed_file(argument);
	} else if (strcmp(line, "into") == 0) {
		write_all(into, bytes, unescape(argument, bytes));
	} else if (strcmp(line, "eof") == 0) {
		close(into);
		into = -1;
	} else if (strcmp(line, "signal") == 0) {
		bool group = strncmp(argument, "group ", 6) == 0;

		while (!job)
			listen_to(100);
		kill(group ? -job : job, signal_number(group ? argument + 6 : argument));
	} else if (strcmp(line, "stopped") == 0) {
		begin = now_ms();
		while (!stopped && now_ms() < begin + patience_ms)
			listen_to(100);
		if (!stopped)
			fail("it does not stop");
	} else if (strcmp(line, "cont") == 0) {
		stopped = false;
		if (write(orders, &order, 1) != 1)
			fail("no shell");
	} else if (strcmp(line, "hangup") == 0) {
		close(master);
		master = -1;
	} else if (strcmp(line, "ended") == 0) {
		wait_end(argument);
	} else if (strcmp(line, "restored") == 0) {
		check_restored();
	} else if (strcmp(line, "random") == 0) {
		long count;

		if (sscanf(argument, "%lld %ld", &random_state, &count) != 2)
			fail("random SEED N");
		press_at_random(count);
	} else if (strcmp(line, "used") == 0) {
		begin = cpu_ms();
		printf("used: %lld ms\n", begin);
		if (begin > atoi(argument))
			fail("it has used %lld ms of CPU", begin);
	} else if (strcmp(line, "cost") == 0) {
		char pattern[256];

		if (sscanf(argument, "%d %255s %n", &size[0], pattern, &size[1]) != 2)
			fail("cost MS REGEX TEXT");
		while (listen_to(100))
			;
		begin = cpu_ms();
		write_all(master, bytes, unescape(argument + size[1], bytes));
		wait_for(pattern, true, patience_ms, &r, &c);
		begin = cpu_ms() - begin;
		if (begin > size[0])
			fail("%s: %lld ms of CPU", argument, begin);
		printf("%s: %lld ms\n", argument + size[1], begin);
	} else if (*line && *line != '#') {
		fail("no such command: %s", line);
	}
}

/* The session's leader: it starts the job, tells what becomes of it, and makes it go on. */
static _Noreturn void
be_shell(char *argv[], int order_fd, int report_fd, int input, bool to_stderr)
{
	int status, report[2];
	char order;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	job = fork();
	if (job == 0) {
		setpgid(0, 0);
		tcsetpgrp(slave, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		if (input >= 0)
			dup2(input, STDIN_FILENO);
		if (to_stderr)
			dup2(slave, STDERR_FILENO);
		close_range(3, 1000, 0);
		execvp(argv[0], argv);
		_exit(127);
	}
	setpgid(job, job);
	tcsetpgrp(slave, job);
	if (input >= 0)
		close(input);
	report[0] = 'J';
	report[1] = job;
	if (write(report_fd, report, sizeof report) < 0)
		_exit(1);
	while (waitpid(job, &status, WUNTRACED) == job) {
		report[0] = WIFSTOPPED(status) ? 'S' : 'E';
		report[1] = status;
		tcsetpgrp(slave, getpid());
		if (write(report_fd, report, sizeof report) < 0 || report[0] == 'E')
			break;
		if (read(order_fd, &order, 1) != 1)
			break;
		tcsetpgrp(slave, job);
		kill(-job, SIGCONT);
	}
	_exit(0);
}

int
main(int argc, char *argv[])
{
	int order_pipe[2], report_pipe[2], input[2] = { -1, -1 }, c;
	const char *size = "24x80";
	bool to_stderr = false, fed = false;
	static char line[65536];
	FILE *script;

	setlocale(LC_CTYPE, "C.UTF-8");
	if (getenv("PATIENCE"))
		patience_ms = atoll(getenv("PATIENCE"));
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	while ((c = getopt(argc, argv, "+s:pe")) != -1)
		if (c == 's')
			size = optarg;
		else if (c == 'p')
			fed = true;
		else
			to_stderr = true;
	if (argc - optind < 2 || !(script = fopen(argv[optind], "r")))
		return printf("# terminal SCRIPT command\n"), 2;
	blank(0);
	blank(1);
	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return printf("# no pty: %s\n", strerror(errno)), 2;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0 || pipe2(order_pipe, O_CLOEXEC) < 0 || pipe2(report_pipe, O_CLOEXEC) < 0)
		return printf("# no pty: %s\n", strerror(errno)), 2;
	if (fed && pipe2(input, O_CLOEXEC) < 0)
		return 2;
	reports = -1;
	set_size(size);
	tcgetattr(slave, &before);
	shell = fork();
	if (shell == 0) {
		close(master);
		close(order_pipe[1]);
		close(report_pipe[0]);
		if (fed)
			close(input[1]);
		be_shell(argv + optind + 1, order_pipe[0], report_pipe[1], input[0], to_stderr);
	}
	close(order_pipe[0]);
	close(report_pipe[1]);
	if (fed)
		close(input[0]);
	orders = order_pipe[1];
	reports = report_pipe[0];
	into = input[1];
	while (fgets(line, sizeof line, script)) {
		line_number++;
		line[strcspn(line, "\n")] = '\0';
		obey(line);
	}
	if (strange)
		fail("%d times what should not reach a terminal, first: %s", strange, first_strange);
	if (!ended && job > 0)
		kill(-job, SIGKILL);
	if (!ended)
		kill(shell, SIGKILL);
	return 0;
}
