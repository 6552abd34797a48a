/* A few words that print TAP, for tests/unit. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failures;

/* One test. Returns good, so that what follows may depend on it. */
__attribute__((format(printf, 2, 3))) static inline bool
ok(bool good, const char *format, ...)
{
	va_list args;

	tap_failures += !good;
	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	return good;
}

static inline bool
is_text(const char *got, const char *wanted, const char *name)
{
	bool good = got && strcmp(got, wanted) == 0;

	ok(good, "%s", name);
	if (!good)
		printf("# got    %s\n# wanted %s\n", got ? got : "(null)", wanted);
	return good;
}

__attribute__((format(printf, 1, 2))) static inline void
note(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

_Noreturn static inline void
skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

static inline int
done_testing(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures ? 1 : 0;
}

#endif
