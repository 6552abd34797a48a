/* Runs code of other ELF files without running them: elfs seconds file .... Their code is mapped, and
 * bytes that make "jmp ." by chance are jumped to, some thousand in each file; a timer takes us out again.
 * So all samples land all over large files. What the CFI says of such a place is not true of our stack:
 * walks may end anywhere. */
#include <sys/mman.h>
#include <sys/time.h>
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

#define PLACES 2000 /* in each file */

static void (**places)(void);
static size_t count;

static void
add_places(const unsigned char *code, size_t size)
{
	size_t had = count;

	for (size_t i = 0; i + 1 < size && count - had < PLACES; i++)
		if (code[i] == 0xeb && code[i + 1] == 0xfe) {
			places[count++] = (void (*)(void))(uintptr_t)(code + i);
			i += size / PLACES / 4;
		}
}

static void
map_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (fd < 0 || read(fd, &header, sizeof header) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		goto out;
	for (int i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + (size_t)i * header.e_phentsize);
		size_t slack;
		char *code;

		if (pread(fd, &segment, sizeof segment, at) != sizeof segment || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X))
			continue;
		slack = segment.p_offset & 4095;
		code = mmap(NULL, segment.p_filesz + slack, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		    (off_t)(segment.p_offset - slack));
		if (code != MAP_FAILED)
			add_places((unsigned char *)code + slack, segment.p_filesz);
	}
out:
	if (fd >= 0)
		close(fd);
}

static sigjmp_buf back;

static void
on_timer(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

int
main(int argc, char *argv[])
{
	static double seconds, begin;

	struct sigaction action = { .sa_handler = on_timer };
	struct itimerval timer = { { 0, 0 }, { 0, 200 } };
	volatile size_t at = 0;

	seconds = work_argument(argc, argv, 1, 1);
	places = malloc((size_t)argc * PLACES * 8 * sizeof *places);
	for (int i = 2; i < argc; i++)
		map_file(argv[i]);
	fprintf(stderr, "elfs: %zu places in %d files\n", count, argc - 2);
	if (count == 0)
		return 1;
	begin = work_thread_cpu();
	sigaction(SIGALRM, &action, NULL);
	while (work_thread_cpu() - begin < seconds) {
		at = (at + 7919) % count;
		if (sigsetjmp(back, 1) == 0) {
			setitimer(ITIMER_REAL, &timer, NULL);
			places[at]();
		}
	}
	return 0;
}
