/* A timer's signal handler burns a known share: signals [seconds [alt]], with alt on a stack of its own. */
#include <sys/time.h>
#include <signal.h>

#include "work.h"

static volatile double handled;

WORK_FUNCTION double
burn_handler(double seconds)
{
	return work_burn(seconds);
}

WORK_FUNCTION void
on_timer(int number)
{
	(void)number;
	handled += burn_handler(0.004);
}

/* Whatever the handler burns is not counted here: the thread's clock runs in it too. */
WORK_FUNCTION double
burn_main(double seconds)
{
	double begin = work_thread_cpu(), had = handled, now;

	do {
		work_turn();
		now = work_thread_cpu();
	} while (now - begin < seconds);
	return now - begin - (handled - had);
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), in_main = 0;
	int alternate = argc > 2 && strcmp(argv[2], "alt") == 0;
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	struct itimerval timer = { { 0, 10000 }, { 0, 10000 } };
	stack_t stack = { .ss_size = 1 << 16 };

	if (alternate) {
		stack.ss_sp = malloc(stack.ss_size);
		sigaltstack(&stack, NULL);
		action.sa_flags |= SA_ONSTACK;
	}
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	while (in_main + handled < seconds)
		in_main += burn_main(0.02);
	timer = (struct itimerval){ 0 };
	setitimer(ITIMER_PROF, &timer, NULL);
	work_share("burn_handler", handled, in_main + handled);
	printf("chain\ton_timer;burn_handler\t%.2f\n", 100 * handled / (in_main + handled));
	if (!alternate) /* what was interrupted is below it in the same stack */
		work_share("burn_main", 1, 1);
	work_cpu();
	return 0;
}
