/* Two functions burning CPU 70 : 30. Built in many ways: static, stripped, i386 ...: shares [seconds [quiet]] */
#include "work.h"

WORK_FUNCTION double
burn_a(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION double
burn_b(double seconds)
{
	return work_burn(seconds);
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), a = 0, b = 0;

	while (a + b < seconds) {
		double slice = work_slice();

		a += burn_a(0.7 * slice);
		b += burn_b(0.3 * slice);
	}
	if (argc > 2) /* one of many */
		return 0;
	work_share("burn_a", a, a + b);
	work_share("burn_b", b, a + b);
	printf("chain\tmain;burn_a\t%.2f\n", 100 * a / (a + b));
	work_cpu();
	return 0;
}
