/* A perf map of any bytes: it names the same alone and at the end of a file of lines about other places, whose pieces
 * end elsewhere. */
#include <sys/mman.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/perf_map.h"

#define QUERIES 256u
#define PADDING 70000u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
find(int fd, struct symbol_query *queries, struct intern *names)
{
	for (size_t i = 0; i < QUERIES; i++)
		queries[i] = (struct symbol_query){ 0x1000 + i * (i < 128 ? 1 : 0x100), SYMBOL_NONE };
	perf_map_find(fd, queries, QUERIES, names);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static char padding[PADDING];
	static int fd;
	struct symbol_query alone[QUERIES], behind[QUERIES];
	struct intern names = { 0 };

	if (!fd) {
		fd = memfd_create("map", MFD_CLOEXEC);
		for (size_t i = 0; i < PADDING; i++)
			padding[i] = "7 1 x\n"[i % 6];
	}
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	find(fd, alone, &names);
	size = size > 100000 ? 100000 : size;
	if (ftruncate(fd, 0) < 0 || pwrite(fd, padding, PADDING - PADDING % 6, 0) < 0 ||
	    pwrite(fd, data, size, PADDING - PADDING % 6) != (ssize_t)size)
		abort();
	find(fd, behind, &names);
	for (size_t i = 0; i < QUERIES; i++) {
		if (alone[i].name != SYMBOL_NONE && alone[i].name >= names.count)
			abort();
		if (size < 100000 && alone[i].name != behind[i].name)
			abort();
	}
	intern_release(&names);
	return 0;
}
