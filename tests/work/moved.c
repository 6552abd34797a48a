/* Text that is not in its file's pages any more: moved KIND [seconds]. What is between moved_begin and moved_end, a huge
 * page of it and aligned to one, is copied out and back onto anonymous memory at the same addresses, as programs do that
 * want their text on huge pages; the functions outside stay where they are, and stacks go through both.
 *
 *	plain		nothing is moved
 *	small		onto anonymous pages
 *	huge		onto a huge anonymous page
 *	table		onto a page of hugetlbfs
 *	file		the file's own pages become a huge one in the page cache (MADV_COLLAPSE)
 *	all		the whole executable segment, by mremap() of a copy, libraries left as they are
 *	writable	onto anonymous pages that stay writable, as a program has that patches its code
 *	patched		the same, and burn_moved is then written over by another function
 *
 * stderr says how many KB are on huge pages. */
#include <sys/mman.h>

#include <link.h>
#include <unistd.h>

#include "work.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#define MOVED __attribute__((noipa, section("moved")))

extern char moved_begin[], moved_end[];
static double seconds;
static int patched;

/* The file is compiled as it is written down (-fno-toplevel-reorder). */
__asm__(".section moved,\"ax\",@progbits\n.p2align 21\nmoved_begin:\n.text\n");

MOVED void
burn_moved(void)
{
	work_burn(seconds / 2);
	WORK_STAY();
}

WORK_FUNCTION void
burn_stayed(void)
{
	double end = work_thread_cpu() + seconds;

	work_burn(seconds / 2);
	do
		burn_moved();
	while (patched && work_thread_cpu() < end);
}

MOVED void
moved_recursion(int n)
{
	char room[200];

	__asm__ volatile("" ::"r"(room) : "memory");
	if (n)
		moved_recursion(n - 1);
	else
		burn_stayed();
	WORK_STAY();
}

__asm__(".section moved,\"ax\",@progbits\n.p2align 21\nmoved_end:\n.text\n");

static size_t
kb_on_huge_pages(void)
{
	char line[512];
	size_t kb, all = 0;
	unsigned long begin, end;
	int inside = 0;
	FILE *file = fopen("/proc/self/smaps", "r");

	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			inside = begin < (uintptr_t)moved_end && end > (uintptr_t)moved_begin;
		else if (inside && (sscanf(line, "AnonHugePages: %zu kB", &kb) == 1 ||
				       sscanf(line, "FilePmdMapped: %zu kB", &kb) == 1 ||
				       sscanf(line, "ShmemPmdMapped: %zu kB", &kb) == 1 ||
				       sscanf(line, "Private_Hugetlb: %zu kB", &kb) == 1))
			all += kb;
	}
	if (file)
		fclose(file);
	return all;
}

/* Code that is not in what is moved, nor calls anything there. */
WORK_FUNCTION void
move(int flags, int rights)
{
	size_t size = (size_t)(moved_end - moved_begin);
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *place;

	memcpy(copy, moved_begin, size);
	place = mmap(moved_begin, size, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | (flags & MAP_HUGETLB), -1, 0);
	if (place != moved_begin)
		_exit(3);
	if (flags == MADV_HUGEPAGE)
		madvise(place, size, MADV_HUGEPAGE);
	memcpy(place, copy, size);
	mprotect(place, size, rights);
	munmap(copy, size);
}

WORK_FUNCTION void
patch(void)
{
	static const unsigned char loop[] = {
		0xb9, 0x40, 0x42, 0x0f, 0x00, /* mov $1000000,%ecx */
		0xff, 0xc9,		      /* 1: dec %ecx */
		0x75, 0xfc,		      /* jnz 1b */
		0xc3,			      /* ret */
	};

	move(0, PROT_READ | PROT_WRITE | PROT_EXEC);
	usleep(300000); /* so that whoever looks at what has been mapped sees the file's bytes */
	memcpy((void *)(uintptr_t)burn_moved, loop, sizeof loop);
	patched = 1;
}

static int
move_segment(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t begin = (info->dlpi_addr + p->p_vaddr) & ~(uintptr_t)4095;
		size_t length = (info->dlpi_addr + p->p_vaddr + p->p_memsz - begin + 4095) & ~(size_t)4095;
		char *copy;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		copy = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(copy, (void *)begin, length);
		mprotect(copy, length, PROT_READ | PROT_EXEC);
		/* This code goes on in the copy. */
		if (mremap(copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, begin) == MAP_FAILED)
			_exit(3);
	}
	return 1; /* the program is the first */
}

int
main(int argc, char *argv[])
{
	const char *kind = argc > 1 ? argv[1] : "plain";
	double all;

	seconds = work_argument(argc, argv, 2, 1);
	if (strcmp(kind, "small") == 0)
		move(0, PROT_READ | PROT_EXEC);
	else if (strcmp(kind, "huge") == 0)
		move(MADV_HUGEPAGE, PROT_READ | PROT_EXEC);
	else if (strcmp(kind, "table") == 0)
		move(MAP_HUGETLB, PROT_READ | PROT_EXEC);
	else if (strcmp(kind, "writable") == 0)
		move(0, PROT_READ | PROT_WRITE | PROT_EXEC);
	else if (strcmp(kind, "patched") == 0)
		patch();
	else if (strcmp(kind, "file") == 0)
		madvise(moved_begin, (size_t)(moved_end - moved_begin), MADV_COLLAPSE);
	else if (strcmp(kind, "all") == 0)
		dl_iterate_phdr(move_segment, NULL);
	fprintf(stderr, "huge %zu\n", kb_on_huge_pages());
	moved_recursion(20);
	all = work_clock(CLOCK_PROCESS_CPUTIME_ID);
	printf("chain\tmain;moved_recursion\t%.2f\nchain\tmoved_recursion;burn_stayed\t%.2f\n", 100 * seconds / all,
	    100 * seconds / all);
	work_share("burn_moved", seconds / 2, all);
	printf("depth\tburn_stayed\tmoved_recursion\t21\n");
	work_cpu();
	return 0;
}
