/* What the programs that know their own profile share: work measured by the clock that the kernel
 * charges, and the truth as lines that tests/lib/truth.awk reads, fields parted by tabs.
 *
 *	share NAME PERCENT	stacks that hold the frame NAME (of all stacks)
 *	self NAME PERCENT	stacks that end in it
 *	depth LEAF NAME COUNT	in stacks that hold LEAF, NAME occurs COUNT times
 *	chain A;B;C PERCENT	stacks that hold these frames one after the other
 *	thread NAME PERCENT	stacks labelled thread=NAME
 *	threads COUNT		distinct thread= labels
 *	process NAME PERCENT	stacks of processes so called
 *	kernel PERCENT		stacks whose leaf is the kernel's
 *	cpu_s SECONDS		CPU time, children included
 */
#ifndef WORK_WORK_H
#define WORK_WORK_H

#include <sys/resource.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A function that stays one: not inlined, not cloned, nothing known about it at its calls. */
#if defined(__clang__)
#define WORK_FUNCTION __attribute__((noinline))
#elif defined(__cplusplus) || defined(__GNUC__)
#define WORK_FUNCTION __attribute__((noipa))
#endif

/* After a call, so that it is no tail call. */
#define WORK_STAY() __asm__ volatile("" ::: "memory")

static inline double
work_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static inline double
work_thread_cpu(void)
{
	return work_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Arithmetic, a nanosecond a round or so, in the frame of the caller. */
__attribute__((always_inline)) static inline void
work_rounds(long rounds)
{
	uint64_t x = 88172645463325252u;

	for (long i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		__asm__ volatile("" : "+r"(x));
	}
}

/* About 20 µs of it. */
__attribute__((always_inline)) static inline void
work_turn(void)
{
	work_rounds(20000);
}

/* Burns CPU seconds in the frame of the caller; what was really burnt. */
__attribute__((always_inline)) static inline double
work_burn(double seconds)
{
	double begin = work_thread_cpu(), now = begin;

	while (now - begin < seconds) {
		work_turn();
		now = work_thread_cpu();
	}
	return now - begin;
}

/* Slices of uneven length: a sampling period must not beat with the program's own. */
static inline double
work_slice(void)
{
	static unsigned seed = 12345;

	seed = seed * 1103515245u + 12345u;
	return 0.001 + 0.007 * (double)((seed >> 16) & 1023) / 1023.0;
}

static inline double
work_argument(int argc, char *argv[], int i, double fallback)
{
	return argc > i ? atof(argv[i]) : fallback;
}

static inline void
work_share(const char *name, double part, double whole)
{
	printf("share\t%s\t%.2f\n", name, 100 * part / whole);
}

static inline void
work_cpu(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
#define WORK_SECONDS(t) ((double)(t).tv_sec + 1e-6 * (double)(t).tv_usec)
	printf("cpu_s\t%.4f\n", WORK_SECONDS(self.ru_utime) + WORK_SECONDS(self.ru_stime) +
	    WORK_SECONDS(children.ru_utime) + WORK_SECONDS(children.ru_stime));
}

#endif
