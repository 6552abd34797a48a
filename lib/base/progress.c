#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/warn.h"

#define EVERY 500000000u

static bool shown;

void
progress_show(const char *format, ...)
{
	static uint64_t last;
	uint64_t now = clock_now();
	va_list args;

	if (warn_quiet || now - last < EVERY || !isatty(STDERR_FILENO))
		return;
	last = now;
	shown = true;
	fputs("\r\033[K", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
}

void
progress_clear(void)
{
	if (!shown)
		return;
	shown = false;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
