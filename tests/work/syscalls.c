/* Mostly in the kernel: syscalls [seconds]. 60 : 25 : 15 for read of /dev/zero, getppid, user code. */
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>

#include "work.h"

static char room[1 << 18];
static int zero;

WORK_FUNCTION double
read_zeros(double seconds)
{
	double begin = work_thread_cpu(), now;

	do {
		for (int i = 0; i < 4; i++)
			if (read(zero, room, sizeof room) < 0)
				exit(1);
		now = work_thread_cpu();
	} while (now - begin < seconds);
	return now - begin;
}

WORK_FUNCTION double
call_kernel(double seconds)
{
	double begin = work_thread_cpu(), now;

	do {
		for (int i = 0; i < 200; i++)
			syscall(SYS_getppid);
		now = work_thread_cpu();
	} while (now - begin < seconds);
	return now - begin;
}

WORK_FUNCTION double
stay_user(double seconds)
{
	return work_burn(seconds);
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), a = 0, b = 0, c = 0;

	zero = open("/dev/zero", O_RDONLY);
	while (a + b + c < seconds) {
		double slice = work_slice();

		a += read_zeros(0.6 * slice);
		b += call_kernel(0.25 * slice);
		c += stay_user(0.15 * slice);
	}
	work_share("read_zeros", a, a + b + c);
	work_share("call_kernel", b, a + b + c);
	work_share("stay_user", c, a + b + c);
	/* read(2) of so much is all kernel; of getppid nobody knows how much. */
	printf("kernel_least\t%.2f\n", 100 * a / (a + b + c));
	work_cpu();
	return 0;
}
