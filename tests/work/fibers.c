/* Stacks that one thread changes between all the time: fibers KIND [seconds [bytes a frame]].
 *
 * Four fibers, each from a root of its own (root_0) through a few frames that they share to a leaf of its own
 * (leaf_0), some 20 µs each, then the scheduler again: a stack that holds leaf_0 and another's root, or another's
 * leaf, or a scheduler above its root, was put together from two.
 *
 *	context		swapcontext(), stacks of their own mappings
 *	heap		a switch of our own, without CFI, the stacks side by side in one block of the heap
 *	described	the same, its first frame says that there is none above it
 *	inherits	the same without, and a fiber begins with the frame pointer of who made it
 *	signal		context, and a handler on a stack of its own above whatever runs (on_timer, leaf_4)
 *	unaligned	context, with stack pointers that are no multiples of 8
 */
#include <sys/mman.h>
#include <sys/time.h>
#include <signal.h>
#include <ucontext.h>

#include "work.h"

#define FIBERS 4
#define STACK (32 << 10)

static long turns;
static double seconds;
static int frame = 64;
static const char *kind = "";

static void
burn(void)
{
	work_rounds(turns);
}

static void yield(int fiber);

WORK_FUNCTION void
down(int n, void (*leaf)(void))
{
	char room[frame];

	__asm__ volatile("" ::"r"(room) : "memory");
	if (n)
		down(n - 1, leaf);
	else
		leaf();
	__asm__ volatile("" ::"r"(room) : "memory");
}

/* The thirteen bytes are gone again when leaf goes on. */
void unaligned(void (*leaf)(void));
__asm__(".text\n.globl unaligned\n.type unaligned,@function\nunaligned:\n.cfi_startproc\n"
	"sub $13,%rsp\n.cfi_def_cfa_offset 21\ncall *%rdi\nadd $13,%rsp\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc\n"
	".size unaligned,.-unaligned\n");

#define FIBER(i)                                                         \
	WORK_FUNCTION void leaf_##i(void)                                \
	{                                                                \
		burn();                                                  \
		WORK_STAY();                                             \
	}                                                                \
	WORK_FUNCTION void between_##i(void)                             \
	{                                                                \
		if (*kind == 'u')                                        \
			unaligned(leaf_##i);                             \
		else                                                     \
			leaf_##i();                                      \
		WORK_STAY();                                             \
	}                                                                \
	WORK_FUNCTION void root_##i(void)                                \
	{                                                                \
		for (;;) {                                               \
			down(6 + 3 * i, between_##i);                    \
			yield(i);                                        \
		}                                                        \
	}
FIBER(0)
FIBER(1)
FIBER(2)
FIBER(3)

static void (*const roots[FIBERS])(void) = { root_0, root_1, root_2, root_3 };

WORK_FUNCTION void
leaf_4(void)
{
	burn();
	WORK_STAY();
}

WORK_FUNCTION void
on_timer(int number)
{
	(void)number;
	for (int i = 0; i < 100; i++)
		leaf_4();
	WORK_STAY();
}

static ucontext_t outside, inside[FIBERS];
static void *outside_sp, *inside_sp[FIBERS];

/* fiber_switch(save, sp): what a caller may expect to keep goes onto its stack. Of fiber_begin the first says
 * nothing, the second that nothing is above it. */
void fiber_switch(void **save, void *sp);
void fiber_begin(void);
void fiber_begin_described(void);
__asm__(".text\n.globl fiber_switch\n.type fiber_switch,@function\nfiber_switch:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n"
	".size fiber_switch,.-fiber_switch\n"
	".globl fiber_begin\n.type fiber_begin,@function\nfiber_begin:\ncall *%rbx\nud2\n.size fiber_begin,.-fiber_begin\n"
	".globl fiber_begin_described\n.type fiber_begin_described,@function\nfiber_begin_described:\n"
	".cfi_startproc\n.cfi_undefined rip\nnop\ncall *%rbx\nud2\n.cfi_endproc\n"
	".size fiber_begin_described,.-fiber_begin_described\n"
	".section .note.GNU-stack,\"\",@progbits\n.text\n");

static int
has_contexts(void)
{
	return *kind == 'c' || *kind == 's' || *kind == 'u';
}

static void
yield(int fiber)
{
	if (has_contexts())
		swapcontext(&inside[fiber], &outside);
	else
		fiber_switch(&inside_sp[fiber], outside_sp);
}

WORK_FUNCTION void
resume(int fiber)
{
	if (has_contexts())
		swapcontext(&outside, &inside[fiber]);
	else
		fiber_switch(&outside_sp, inside_sp[fiber]);
	WORK_STAY();
}

WORK_FUNCTION void
make(int fiber, char *stack)
{
	void **top = (void **)(stack + STACK);

	if (has_contexts()) {
		getcontext(&inside[fiber]);
		inside[fiber].uc_stack.ss_sp = stack;
		inside[fiber].uc_stack.ss_size = STACK;
		inside[fiber].uc_link = &outside;
		makecontext(&inside[fiber], roots[fiber], 0);
		return;
	}
	*--top = 0;
	*--top = 0;
	*--top = *kind == 'd' ? (void *)fiber_begin_described : (void *)fiber_begin;
	*--top = (void *)roots[fiber]; /* rbx */
	*--top = *kind == 'i' ? __builtin_frame_address(0) : NULL; /* rbp */
	for (int i = 0; i < 4; i++)
		*--top = 0;
	inside_sp[fiber] = top;
}

WORK_FUNCTION void
schedule(void)
{
	while (work_thread_cpu() < seconds)
		for (int i = 0; i < FIBERS; i++)
			resume(i);
	WORK_STAY();
}

static void
interrupt(void)
{
	static char room[1 << 16];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART | SA_ONSTACK };
	struct itimerval timer = { { 0, 5000 }, { 0, 5000 } };

	sigaltstack(&stack, NULL);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
}

int
main(int argc, char *argv[])
{
	double begin = work_thread_cpu(), each;
	char *block;

	kind = argc > 1 ? argv[1] : "context";
	seconds = work_argument(argc, argv, 2, 1);
	frame = (int)work_argument(argc, argv, 3, 64);
	turns = 1000000;
	burn();
	each = (work_thread_cpu() - begin) / 1e6;
	turns = (long)(20e-6 / each);
	block = has_contexts() ? NULL : malloc(FIBERS * STACK);
	for (int i = 0; i < FIBERS; i++)
		make(i, block ? block + i * STACK : mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
						    -1, 0));
	if (*kind == 's')
		interrupt();
	schedule();
	return 0;
}
