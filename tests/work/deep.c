/* Thirty frames without frame pointers, two leaves 60 : 40: deep [seconds]. */
#include "work.h"

WORK_FUNCTION double
leaf_left(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION double
leaf_right(double seconds)
{
	return work_burn(seconds);
}

static double left, right;

/* Each level keeps something over the call, in registers and on the stack, so that rbp, rbx and the
 * others are used for data and every frame has a size of its own. */
#define LEVEL(name, next, words)                                   \
	WORK_FUNCTION void name(double slice, uint64_t x)          \
	{                                                          \
		uint64_t room[words];                              \
		uint64_t y = x * 3 + 1, z = x ^ y;                 \
                                                                   \
		for (int i = 0; i < (words); i++)                  \
			room[i] = x + (uint64_t)i;                 \
		__asm__ volatile("" : "+r"(y), "+r"(z) : "r"(room) : "memory"); \
		next(slice, x + 1);                                \
		__asm__ volatile("" : "+r"(y), "+r"(z) : "r"(room) : "memory"); \
	}

WORK_FUNCTION void
f29(double slice, uint64_t x)
{
	left += leaf_left(0.6 * slice);
	right += leaf_right(0.4 * slice);
	__asm__ volatile("" ::"r"(x) : "memory");
}

LEVEL(f28, f29, 3) LEVEL(f27, f28, 9) LEVEL(f26, f27, 2) LEVEL(f25, f26, 17) LEVEL(f24, f25, 1)
LEVEL(f23, f24, 4) LEVEL(f22, f23, 5) LEVEL(f21, f22, 33) LEVEL(f20, f21, 1) LEVEL(f19, f20, 2)
LEVEL(f18, f19, 7) LEVEL(f17, f18, 1) LEVEL(f16, f17, 12) LEVEL(f15, f16, 3) LEVEL(f14, f15, 1)
LEVEL(f13, f14, 2) LEVEL(f12, f13, 6) LEVEL(f11, f12, 40) LEVEL(f10, f11, 1) LEVEL(f09, f10, 1)
LEVEL(f08, f09, 5) LEVEL(f07, f08, 2) LEVEL(f06, f07, 8) LEVEL(f05, f06, 1) LEVEL(f04, f05, 3)
LEVEL(f03, f04, 1) LEVEL(f02, f03, 2) LEVEL(f01, f02, 4)

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1);

	while (left + right < seconds)
		f01(work_slice(), 1);
	work_share("leaf_left", left, left + right);
	work_share("leaf_right", right, left + right);
	printf("chain\tmain;f01;f02;f03;f04;f05;f06;f07;f08;f09;f10;f11;f12;f13;f14;f15;f16;f17;f18;f19;f20;"
	       "f21;f22;f23;f24;f25;f26;f27;f28;f29;leaf_left\t%.2f\n", 100 * left / (left + right));
	work_cpu();
	return 0;
}
