/* Code in a page without a file, as a JIT makes it, that calls back: jit [seconds [bare]]. It keeps a
 * frame pointer; with bare it does not, and nothing vouches for the frames above it. */
#include <sys/mman.h>

#include "work.h"

static double got;

WORK_FUNCTION void
called_back(double seconds)
{
	got += work_burn(seconds);
	WORK_STAY();
}

WORK_FUNCTION void
call_jit(void (*code)(double, void (*)(double)), double seconds)
{
	code(seconds, called_back);
	WORK_STAY();
}

int
main(int argc, char *argv[])
{
	static const unsigned char framed[] = {
		0x55,		  /* push %rbp */
		0x48, 0x89, 0xe5, /* mov %rsp, %rbp */
		0xff, 0xd7,	  /* call *%rdi */
		0x5d,		  /* pop %rbp */
		0xc3,		  /* ret */
	}, bare[] = {
		0x48, 0x83, 0xec, 0x08, /* sub $8, %rsp */
		0xff, 0xd7,		/* call *%rdi */
		0x48, 0x83, 0xc4, 0x08, /* add $8, %rsp */
		0xc3,			/* ret */
	};
	double seconds = work_argument(argc, argv, 1, 1);
	int is_bare = argc > 2;
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*code)(double, void (*)(double));

	if (page == MAP_FAILED)
		return 1;
	memcpy(page + 256, is_bare ? bare : framed, is_bare ? sizeof bare : sizeof framed);
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0)
		return 1;
	code = (void (*)(double, void (*)(double)))(page + 256);
	while (got < seconds)
		call_jit(code, work_slice());
	work_share("called_back", got, got);
	if (!is_bare)
		work_share("call_jit", got, got);
	work_cpu();
	return 0;
}
