/* Frames that are not plain: frames [seconds]. A realigned stack, alloca, a frame larger than a usual
 * copy of the stack below the burning one, code moved to .cold, and callbacks through the C library. */
#include <alloca.h>

#include "work.h"

static double share[5];
static double slice;

WORK_FUNCTION double
burn_here(double seconds)
{
	double got = work_burn(seconds);

	WORK_STAY();
	return got;
}

WORK_FUNCTION void
with_alloca(size_t bytes)
{
	volatile char *room = alloca(bytes);

	room[bytes - 1] = 1;
	share[0] += burn_here(slice * 0.25);
	WORK_STAY();
}

WORK_FUNCTION void
with_alignment(size_t bytes)
{
	volatile char aligned[128] __attribute__((aligned(128)));
	volatile char *room = alloca(bytes);

	room[bytes - 1] = 1;
	__asm__ volatile("" ::"r"(aligned) : "memory");
	share[1] += burn_here(slice * 0.25);
	WORK_STAY();
}

WORK_FUNCTION __attribute__((cold)) void
seldom(void)
{
	share[2] += burn_here(slice * 0.2);
	WORK_STAY();
}

WORK_FUNCTION void
with_cold(int never)
{
	if (__builtin_expect(never, 0)) {
		seldom();
		WORK_STAY();
	}
	WORK_STAY();
}

static int
compare(const void *a, const void *b)
{
	share[3] += burn_here(slice * 0.3);
	return *(const int *)a - *(const int *)b;
}

WORK_FUNCTION void
with_callback(void)
{
	int numbers[2] = { 2, 1 };

	qsort(numbers, 2, sizeof *numbers, compare);
	WORK_STAY();
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), sum = 0;
	size_t turn = 0;

	while (sum < seconds) {
		slice = work_slice();
		turn++;
		with_alloca(100 + turn % 2000);
		with_alignment(100 + turn % 2000);
		with_cold(turn > 0);
		with_callback();
		sum = share[0] + share[1] + share[2] + share[3];
	}
	printf("chain\tmain;with_alloca;burn_here\t%.2f\n", 100 * share[0] / sum);
	printf("chain\tmain;with_alignment;burn_here\t%.2f\n", 100 * share[1] / sum);
	printf("chain\tseldom;burn_here\t%.2f\n", 100 * share[2] / sum);
	printf("chain\tcompare;burn_here\t%.2f\n", 100 * share[3] / sum);
	work_share("with_callback", share[3], sum);
	work_share("main", 1, 1);
	work_cpu();
	return 0;
}
