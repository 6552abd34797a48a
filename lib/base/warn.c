#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/warn.h"

bool warn_quiet;
bool warn_verbose;

static const char *program = "gp";
static void (*diverted)(const char *line, size_t length);

void
warn_set_program(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	program = slash ? slash + 1 : argv0;
}

const char *
warn_program(void)
{
	return program;
}

void
warn_divert(void (*to)(const char *line, size_t length))
{
	diverted = to;
}

/* Names from files and targets must not drive the terminal: by controls of ASCII or, in UTF-8, of Latin-1. */
static void
hide_controls(char *line, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)line[i], next = i + 1 < length ? (unsigned char)line[i + 1] : 0;

		if (c < ' ' || c == 0x7f)
			line[i] = '?';
		else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
			line[i] = line[i + 1] = '?';
	}
}

/* One write a line, so that the lines of a pipeline's programs do not mix. */
static __attribute__((format(printf, 1, 0))) void
say(const char *format, va_list args)
{
	int reason = errno;
	char line[2048];
	size_t end = strlen(format);
	int n = snprintf(line, sizeof line, "%.64s: ", program); /* who starts us chooses argv[0] */
	int m = vsnprintf(line + n, sizeof line - (size_t)n, format, args);

	n += m < 0 ? 0 : m;
	if (n > (int)sizeof line - 128)
		n = (int)sizeof line - 128;
	if (end && format[end - 1] == ':')
		n += snprintf(line + n, sizeof line - (size_t)n, " %s", strerror(reason));
	hide_controls(line, (size_t)n);
	if (diverted) {
		diverted(line, (size_t)n);
		return;
	}
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

int
warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return -1;
}

void
tell(const char *format, ...)
{
	va_list args;

	if (warn_quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void
detail(const char *format, ...)
{
	va_list args;

	if (!warn_verbose)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void
die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	exit(1);
}
