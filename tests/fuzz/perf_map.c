/* A perf map of any bytes: it names the same in one piece and in two that end in its middle, since lines about other
 * places follow. */
#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/perf_map.h"

#define QUERIES 128u
/* As perf_map.c reads, and the longest line that it does not cut. */
#define PIECE 65536u
#define LINE 8000u
#define FILLER 4000u /* the length of a line */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
find(int fd, struct symbol_query *queries, struct intern *names)
{
	struct perf_map_room room = { UINT64_MAX, UINT64_MAX };

	for (size_t i = 0; i < QUERIES; i++)
		queries[i] = (struct symbol_query){ .vaddr = 0x1000 + i * (i < 64 ? 1 : 0x100), .name = SYMBOL_NONE };
	perf_map_find(fd, queries, QUERIES, names, &room);
}

/* "7 1 xxx…" lines of size bytes in all. */
static void
fill(char *to, size_t size)
{
	memset(to, 'x', size);
	for (size_t at = 0; at + 8 < size; at += FILLER)
		memcpy(to + at, "\n7 1 ", 5);
	to[size - 1] = '\n';
}

static bool
has_long_line(const unsigned char *data, size_t size)
{
	const unsigned char *end = data + size, *newline;

	for (; (newline = memchr(data, '\n', (size_t)(end - data))); data = newline + 1)
		if (newline - data > LINE)
			return true;
	return end - data > LINE;
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static char filler[PIECE];
	static int fd;
	struct symbol_query once[QUERIES], twice[QUERIES];
	struct intern names = { 0 };
	size_t behind;

	if (!fd) {
		fd = memfd_create("map", MFD_CLOEXEC);
		fill(filler, PIECE);
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	find(fd, once, &names);
	if (size < PIECE) {
		if (pwrite(fd, "\n7 1 x\n", 7, (off_t)size) != 7)
			abort();
		find(fd, once, &names);
		behind = PIECE - size / 2;
		if (pwrite(fd, filler, behind - 1, (off_t)size) < 0 || pwrite(fd, "\n", 1, (off_t)(size + behind - 1)) != 1)
			abort();
		find(fd, twice, &names);
	}
	for (size_t i = 0; i < QUERIES; i++) {
		if (once[i].name != SYMBOL_NONE && once[i].name >= names.count)
			abort();
		if (size < PIECE && once[i].name != twice[i].name && !has_long_line(data, size))
			abort();
	}
	intern_release(&names);
	return 0;
}
