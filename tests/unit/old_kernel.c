/* What the sampler asks of kernels that do not know all that it would have: each its own part, no less. The system call
 * is played here, and refuses what those refuse. */
#include <sys/syscall.h>

#include <linux/perf_event.h>

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "source/perf_event.h"
#include "tap.h"

static bool knows_lost, knows_symbols, opened;
static struct perf_event_attr asked; /* for the event that was opened last */

static long
call(long number, const long a[6])
{
	register long r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
	    : "rcx", "r11", "memory");
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

/* In libc's place. */
long
syscall(long number, ...)
{
	struct perf_event_attr attr;
	long a[6], result;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number != SYS_perf_event_open)
		return call(number, a);
	attr = *(const struct perf_event_attr *)a[0];
	if ((!knows_lost && attr.read_format & PERF_FORMAT_LOST) || (!knows_symbols && attr.ksymbol)) {
		errno = EINVAL;
		return -1;
	}
	result = call(number, a);
	opened |= result >= 0;
	if (result >= 0)
		asked = attr;
	return result;
}

/* False: this machine allows no such event at all. */
static bool
open_on(bool lost, bool symbols)
{
	uint32_t self = (uint32_t)getpid();
	struct targets targets = { .kind = TARGETS_PROCESSES, .ids = &self, .count = 1 };
	struct perf_options options = { .event = event_kind_find("cpu-clock"), .frequency = 99, .user_only = true };
	struct perf_sampler *sampler;

	knows_lost = lost;
	knows_symbols = symbols;
	opened = false;
	sampler = perf_sampler_open(&options, &targets);
	perf_sampler_close(sampler);
	targets_release(&targets);
	return sampler && opened;
}

int
main(void)
{
	if (!open_on(true, true))
		skip_all("no events");
	ok(asked.read_format & PERF_FORMAT_LOST && asked.ksymbol, "a kernel that knows all is asked for all");
	ok(open_on(false, true), "one of before 6.0 counts no lost samples");
	ok(!(asked.read_format & PERF_FORMAT_LOST) && asked.ksymbol,
	    "and tells of kernel code that comes and goes all the same");
	ok(open_on(false, false), "one of before 5.1 does not do that");
	ok(!(asked.read_format & PERF_FORMAT_LOST) && !asked.ksymbol, "and is asked for neither");
	return done_testing();
}
