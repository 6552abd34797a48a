/* Stacks that are hard to walk, one shape a run: unwind-shapes SHAPE [seconds of CPU]. tests/unwind.t builds it in many
 * ways and lets the oracle watch. */
#include <sys/wait.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __clang__
#define STAYS __attribute__((noinline, optnone))
#else
#define STAYS __attribute__((noipa))
#endif
#define KEEP() __asm__ volatile("" ::: "memory")

static double until;
static volatile unsigned long sink;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* a busy machine makes it longer, not poorer */
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

STAYS static int
is_over(void)
{
	return now() > until;
}

/* A slice of work, in a leaf. */
STAYS static void
burn(void)
{
	for (unsigned long i = 0; i < 20000; i++)
		sink += i * i;
}

STAYS static void
burn_until(void)
{
	while (!is_over())
		burn();
	KEEP();
}

STAYS static void
plain(unsigned depth)
{
	if (depth)
		plain(depth - 1);
	else
		burn_until();
	KEEP();
}

/* The compiler aligns the stack itself, and finds the caller by an expression. */
STAYS static void
realigned(unsigned depth, size_t size)
{
	_Alignas(64) char aligned[128];
	char *variable = __builtin_alloca(size);

	memset(aligned, (int)depth, sizeof aligned);
	memset(variable, (int)depth, size);
	sink += (unsigned char)aligned[depth] + (unsigned char)variable[size / 2];
	if (depth)
		realigned(depth - 1, size + 16);
	else
		burn_until();
	sink += (unsigned char)aligned[depth];
}

/* More than the copy of the stack holds. */
STAYS static void
big(void)
{
	volatile char frame[40000];

	memset((char *)frame, 1, sizeof frame);
	burn_until();
	sink += (unsigned char)frame[123];
}

/* The return address is the first one of the next function. */
STAYS __attribute__((noreturn)) static void
never_returns(void)
{
	burn_until();
	exit(0);
}

STAYS static void
ends_in_a_call(void)
{
	burn();
	never_returns();
}

STAYS __attribute__((cold)) static void
cold_burn(void)
{
	burn_until();
}

STAYS static int
split(int unlikely)
{
	if (__builtin_expect(unlikely != 3, 0)) {
		cold_burn();
		KEEP();
		return 1;
	}
	return (int)sink;
}

STAYS static void
forks(void)
{
	while (!is_over()) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static void
on_signal(int signal_number)
{
	(void)signal_number;
	burn();
	burn();
}

static void
take_signals(int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART | flags };
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	plain(5);
}

static void *
in_thread(void *unused)
{
	plain(5);
	return unused;
}

static void
threads(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, in_thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

/* Threads that begin and end: the first instructions of a child of clone are met too. */
static void *
nothing(void *unused)
{
	return unused;
}

static void
short_threads(void)
{
	pthread_t thread;

	while (!is_over()) {
		pthread_create(&thread, NULL, nothing, NULL);
		pthread_join(thread, NULL);
	}
}

static int
in_clone(void *unused)
{
	(void)unused;
	plain(3);
	return 0;
}

static void
raw_clone(void)
{
	char *stack = malloc(65536);
	pid_t pid = clone(in_clone, stack + 65536, SIGCHLD, NULL);

	waitpid(pid, NULL, 0);
}

static ucontext_t back, coroutine;

static void
in_coroutine(void)
{
	plain(3);
}

static void
coroutines(void)
{
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = malloc(65536);
	coroutine.uc_stack.ss_size = 65536;
	coroutine.uc_link = &back;
	makecontext(&coroutine, in_coroutine, 0);
	swapcontext(&back, &coroutine);
}

/* CFA rules that no compiler wrote. */
__attribute__((used)) static void
from_assembly(void)
{
	burn_until();
}

void by_expression(void);
void by_r12(void);
void popped_rbp(void);
__asm__(".text\n"
	/* CFA = rsp + 16, said as an expression that is no plain sum of register and offset. */
	".type by_expression,@function\n"
	"by_expression:\n"
	"	.cfi_startproc\n"
	"	sub $8, %rsp\n"
	"	.cfi_escape 0x0f, 4, 0x77, 0, 0x40, 0x22\n" /* def_cfa_expression: breg7 0; lit16; plus */
	"	call from_assembly\n"
	"	add $8, %rsp\n"
	"	.cfi_def_cfa rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size by_expression, .-by_expression\n"
	/* CFA = r12, in the middle of a stack: rows do not follow r12. */
	".type by_r12,@function\n"
	"by_r12:\n"
	"	.cfi_startproc\n"
	"	push %r12\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset r12, -16\n"
	"	lea 16(%rsp), %r12\n"
	"	.cfi_def_cfa r12, 0\n"
	"	sub $16, %rsp\n"
	"	and $-64, %rsp\n"
	"	call from_assembly\n"
	"	lea -16(%r12), %rsp\n"
	"	.cfi_def_cfa rsp, 16\n"
	"	pop %r12\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size by_r12, .-by_r12\n"
	/* After the pop the rule still says that rbp is on the stack, as compilers leave it. */
	".type popped_rbp,@function\n"
	"popped_rbp:\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset rbp, -16\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register rbp\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa rsp, 8\n"
	"	mov $20000, %ecx\n"
	"1:	dec %ecx\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size popped_rbp, .-popped_rbp\n");

/* Its caller finds its own frame by rbp, and so needs the one that was popped. */
STAYS static void
pops(size_t size)
{
	char *variable = __builtin_alloca(size);

	memset(variable, 1, size);
	while (!is_over())
		popped_rbp();
	sink += (unsigned char)variable[size / 2];
}

#ifdef HOT
/* A second segment of code. */
__attribute__((section(".hot"), noinline)) static void
hot(unsigned depth)
{
	if (depth)
		hot(depth - 1);
	else
		plain(3);
	KEEP();
}
#else
#define hot plain
#endif

#ifdef EXTERN
/* So short that a good part of the time is in the stub that leads to it. */
void external(void);

STAYS static void
stubs(void)
{
	while (!is_over())
		for (int i = 0; i < 20000; i++)
			external();
}
#else
static void
stubs(void)
{
	burn_until();
}
#endif

int
main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "plain";

	until = now() + (argc > 2 ? atof(argv[2]) : 0.1);
	if (strcmp(shape, "plain") == 0)
		plain(30);
	else if (strcmp(shape, "deep") == 0)
		plain(500);
	else if (strcmp(shape, "realigned") == 0)
		realigned(10, 100);
	else if (strcmp(shape, "big") == 0)
		big();
	else if (strcmp(shape, "noreturn") == 0)
		ends_in_a_call();
	else if (strcmp(shape, "cold") == 0)
		split(argc);
	else if (strcmp(shape, "vfork") == 0)
		forks();
	else if (strcmp(shape, "signal") == 0)
		take_signals(0);
	else if (strcmp(shape, "altstack") == 0)
		take_signals(SA_ONSTACK);
	else if (strcmp(shape, "threads") == 0)
		threads();
	else if (strcmp(shape, "short-threads") == 0)
		short_threads();
	else if (strcmp(shape, "clone") == 0)
		raw_clone();
	else if (strcmp(shape, "coroutine") == 0)
		coroutines();
	else if (strcmp(shape, "expression") == 0)
		by_expression();
	else if (strcmp(shape, "r12") == 0)
		by_r12();
	else if (strcmp(shape, "popped") == 0)
		pops(100);
	else if (strcmp(shape, "hot") == 0)
		hot(5);
	else if (strcmp(shape, "stubs") == 0)
		stubs();
	else
		return 2;
	return 0;
}
