/* Code in a page that is writable and executable from its beginning to its end, as some JITs have it, and no mprotect()
 * ever: written over in place, again and again, by another function with callees of its own: rewritten [MODE [seconds]].
 * The first calls called_first, the second called_second, a third is busy itself.
 *
 *	framed		all keep a frame pointer
 *	bare		none does, so that nothing vouches for what called them
 *	map		as framed; what is written is put into the process's perf map as well, but before it runs for the last
 *			time: who comes last has all the names there are */
#include <sys/mman.h>

#include <unistd.h>

#include "work.h"

static char *page;
static double got[3];
static FILE *map;
static int bare;

WORK_FUNCTION void
called_first(double seconds)
{
	got[0] += work_burn(seconds);
	WORK_STAY();
}

WORK_FUNCTION void
called_second(double seconds)
{
	got[1] += work_burn(seconds);
	WORK_STAY();
}

/* push %rbp; mov %rsp,%rbp; nops; call *%rdi; pop %rbp; ret */
static size_t
write_caller(int nops)
{
	static const unsigned char framed[] = { 0x55, 0x48, 0x89, 0xe5 }, last[] = { 0xff, 0xd7, 0x5d, 0xc3 };
	static const unsigned char room[] = { 0x48, 0x83, 0xec, 0x08 }, rest[] = { 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	size_t n = bare ? sizeof room : sizeof framed;

	memcpy(page, bare ? room : framed, n);
	memset(page + n, 0x90, (size_t)nops);
	n += (size_t)nops;
	memcpy(page + n, bare ? rest : last, bare ? sizeof rest : sizeof last);
	return n + (bare ? sizeof rest : sizeof last);
}

/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret, or without the frame */
static size_t
write_loop(void)
{
	static const unsigned char loop[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
	static const unsigned char naked[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };

	memcpy(page, bare ? naked : loop, bare ? sizeof naked : sizeof loop);
	return bare ? sizeof naked : sizeof loop;
}

static void
publish(const char *name, size_t size)
{
	if (map) {
		fprintf(map, "%lx %zx %s\n", (unsigned long)page, size, name);
		fflush(map);
	}
}

WORK_FUNCTION void
call_code(void (*callee)(double), double seconds)
{
	((void (*)(void (*)(double), int, double))page)(callee, 0, seconds);
	WORK_STAY();
}

WORK_FUNCTION void
call_loop(double seconds)
{
	double begin = work_thread_cpu();

	while (work_thread_cpu() - begin < seconds)
		((void (*)(long))page)(200000);
	got[2] += work_thread_cpu() - begin;
}

int
main(int argc, char *argv[])
{
	const char *mode = argc > 1 ? argv[1] : "framed";
	double seconds = work_argument(argc, argv, 2, 1), all = 0;
	char path[64];

	bare = strcmp(mode, "bare") == 0;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 3; /* a kernel that forbids it */
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	if (strcmp(mode, "map") == 0 && !(map = fopen(path, "w")))
		return 1;
	while (all < seconds) {
		publish("made_first", write_caller(1));
		call_code(called_first, work_slice());
		publish("made_second", write_caller(9));
		call_code(called_second, work_slice());
		publish("made_loop", write_loop());
		call_loop(work_slice());
		all = got[0] + got[1] + got[2];
	}
	work_share("called_first", got[0], all);
	work_share("called_second", got[1], all);
	work_share("call_loop", got[2], all);
	if (!bare)
		printf("chain\tmain;call_code\t%.2f\n", 100 * (got[0] + got[1]) / all);
	work_cpu();
	if (map)
		fprintf(stderr, "%s\n", path);
	return 0;
}
