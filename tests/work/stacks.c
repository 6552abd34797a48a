/* Stacks that are large or not where they are expected: stacks KIND [seconds].
 *
 *	frame	one frame of 300 KB, whose pages are never touched
 *	locals	recursion with 20 KB of locals, 40 deep
 *	sparse	the same, 95 deep, of which one page each was touched
 *	signal	a signal's handler on a stack of its own, above work on the ordinary one (its share is printed)
 *	context	a coroutine by makecontext(), 100 KB deep, on a mapping of its own
 *	fiber	the same by a switch of our own, whose first frame nothing describes
 *	guard	the stack pointer in a page that nobody may touch, the caller described by another register
 *	nowhere	the same, and nothing describes it
 *	locals	compiled with -fsplit-stack: a chain of stacks
 */
#include <sys/mman.h>
#include <sys/time.h>
#include <signal.h>
#include <ucontext.h>

#include "work.h"

static double seconds;

WORK_FUNCTION void
leaf(double until)
{
	while (work_thread_cpu() < until)
		work_turn();
	WORK_STAY();
}

WORK_FUNCTION void
large_frame(void)
{
	char room[300000];

	__asm__ volatile("" ::"r"(room) : "memory");
	leaf(seconds);
	__asm__ volatile("" ::"r"(room) : "memory");
}

WORK_FUNCTION void
locals(int n, int size)
{
	char room[size];

	__asm__ volatile("" ::"r"(room) : "memory");
	memset(room, n, (size_t)size);
	if (n)
		locals(n - 1, size);
	else
		leaf(seconds);
	__asm__ volatile("" ::"r"(room) : "memory");
}

WORK_FUNCTION void
sparse(int n)
{
	char room[20000];

	__asm__ volatile("" ::"r"(room) : "memory");
	((volatile char *)room)[n * 208 % (int)sizeof room] = 1;
	if (n)
		sparse(n - 1);
	else
		leaf(seconds);
	__asm__ volatile("" ::"r"(room) : "memory");
}

static volatile double handled;

WORK_FUNCTION void
on_timer(int number)
{
	double begin = work_thread_cpu();

	(void)number;
	leaf(begin + 0.008);
	handled += work_thread_cpu() - begin;
	WORK_STAY();
}

WORK_FUNCTION void
interrupted(void)
{
	leaf(seconds);
	WORK_STAY();
}

static void
signals(void)
{
	static char room[1 << 16];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART | SA_ONSTACK };
	struct itimerval timer = { { 0, 10000 }, { 0, 10000 } };

	sigaltstack(&stack, NULL);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	interrupted();
	timer = (struct itimerval){ 0 };
	setitimer(ITIMER_PROF, &timer, NULL);
	work_share("on_timer", handled, work_thread_cpu());
}

#define FIBER_STACK (256 << 10)

static char *
new_stack(void)
{
	return mmap(NULL, FIBER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static ucontext_t outside, inside;

WORK_FUNCTION void
coroutine(void)
{
	locals(50, 2000);
	WORK_STAY();
}

WORK_FUNCTION void
resume_context(void)
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = new_stack();
	inside.uc_stack.ss_size = FIBER_STACK;
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
	WORK_STAY();
}

/* fiber_switch(save, sp): what a caller may expect to keep goes onto its stack; no CFI at all. */
void fiber_switch(void **save, void *sp);
void fiber_begin(void);
__asm__(".text\n.globl fiber_switch\n.type fiber_switch,@function\nfiber_switch:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n"
	".size fiber_switch,.-fiber_switch\n"
	".globl fiber_begin\n.type fiber_begin,@function\nfiber_begin:\ncall *%rbx\nud2\n.size fiber_begin,.-fiber_begin\n"
	".section .note.GNU-stack,\"\",@progbits\n.text\n");

static void *main_sp, *fiber_sp;

WORK_FUNCTION void
fiber(void)
{
	locals(50, 2000);
	fiber_switch(&fiber_sp, main_sp);
}

WORK_FUNCTION void
resume_fiber(void)
{
	void **top = (void **)(new_stack() + FIBER_STACK);

	*--top = 0;
	*--top = 0;
	*--top = (void *)fiber_begin;
	*--top = (void *)fiber; /* rbx */
	for (int i = 0; i < 5; i++)
		*--top = 0;
	fiber_switch(&main_sp, top);
	WORK_STAY();
}

/* Turns with that stack pointer: with CFI and without. */
void guarded(void *sp, long turns);
void nowhere(void *sp, long turns);
__asm__(".text\n.globl guarded\n.type guarded,@function\nguarded:\n.cfi_startproc\npush %rbx\n"
	".cfi_def_cfa_offset 16\n.cfi_offset rbx,-16\nmov %rsp,%rbx\n.cfi_def_cfa_register rbx\n"
	"mov %rdi,%rsp\n1: dec %rsi\njnz 1b\nmov %rbx,%rsp\n.cfi_def_cfa_register rsp\npop %rbx\n"
	".cfi_def_cfa_offset 8\nret\n.cfi_endproc\n.size guarded,.-guarded\n"
	".globl nowhere\n.type nowhere,@function\nnowhere:\npush %rbx\nmov %rsp,%rbx\n"
	"mov %rdi,%rsp\n1: dec %rsi\njnz 1b\nmov %rbx,%rsp\npop %rbx\nret\n.size nowhere,.-nowhere\n");

WORK_FUNCTION void
go_astray(void (*function)(void *sp, long turns))
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	while (work_thread_cpu() < seconds)
		function(page + 2048, 1000000);
	WORK_STAY();
}

int
main(int argc, char *argv[])
{
	const char *kind = argc > 1 ? argv[1] : "";

	seconds = work_argument(argc, argv, 2, 1);
	if (strcmp(kind, "frame") == 0)
		large_frame();
	else if (strcmp(kind, "locals") == 0)
		locals(40, 20000);
	else if (strcmp(kind, "sparse") == 0)
		sparse(95);
	else if (strcmp(kind, "signal") == 0)
		signals();
	else if (strcmp(kind, "context") == 0)
		resume_context();
	else if (strcmp(kind, "fiber") == 0)
		resume_fiber();
	else if (strcmp(kind, "guard") == 0)
		go_astray(guarded);
	else if (strcmp(kind, "nowhere") == 0)
		go_astray(nowhere);
	else
		return 2;
	return 0;
}
