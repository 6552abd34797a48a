/* Recursion: recurse [seconds [depth [bytes a frame]]]. The bottom burns. */
#include <alloca.h>

#include "work.h"

WORK_FUNCTION double
bottom(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION double
descend(int depth, double seconds)
{
	double got = depth > 1 ? descend(depth - 1, seconds) : bottom(seconds);

	WORK_STAY();
	return got;
}

WORK_FUNCTION double
descend_wide(int depth, double seconds, size_t bytes)
{
	volatile char *room = alloca(bytes);
	double got;

	room[0] = 1;
	room[bytes - 1] = 1;
	got = depth > 1 ? descend_wide(depth - 1, seconds, bytes) : bottom(seconds);
	WORK_STAY();
	return got;
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), got;
	int depth = (int)work_argument(argc, argv, 2, 500);
	size_t bytes = (size_t)work_argument(argc, argv, 3, 0);

	if (bytes)
		got = descend_wide(depth, seconds, bytes);
	else
		got = descend(depth, seconds);
	work_share("bottom", got, got);
	printf("depth\tbottom\t%s\t%d\n", bytes ? "descend_wide" : "descend", depth);
	work_cpu();
	return 0;
}
