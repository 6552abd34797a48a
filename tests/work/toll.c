/* The same work whatever it costs: toll [turns], thirty frames deep, each turn in another place. What a
 * recorder charges to its targets is the difference of cpu_s. */
#include "work.h"

WORK_FUNCTION void
pay(int depth)
{
	if (depth > 1)
		pay(depth - 1);
	else
		work_turn();
	WORK_STAY();
}

int
main(int argc, char *argv[])
{
	int turns = (int)work_argument(argc, argv, 1, 50000);

	for (int i = 0; i < turns; i++)
		pay(30);
	work_cpu();
	return 0;
}
