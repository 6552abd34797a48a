/* Any bytes as /proc/kallsyms: names found are of the file, and the same one at a time as all at once. */
#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/kallsyms.h"

#define QUERIES 32u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static int fd;
	struct symbol_query all[QUERIES], one;
	struct intern names = { 0 };
	char path[32];

	if (!fd)
		fd = memfd_create("kallsyms", MFD_CLOEXEC);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (uint64_t i = 0; i < QUERIES; i++) /* close together and far apart */
		all[i].vaddr = (i < 4 ? 0 : 0xffffffff81000000) + i * i * (i < 16 ? 1 : 0x8001);
	if (kallsyms_find(path, all, QUERIES, &names) == 0)
		for (size_t i = 0; i < QUERIES; i += 3) {
			one.vaddr = all[i].vaddr;
			if (kallsyms_find(path, &one, 1, &names) < 0 || one.name != all[i].name || one.module != all[i].module ||
			    (one.name != SYMBOL_NONE && one.name >= names.count) || one.module > names.count)
				abort();
		}
	intern_release(&names);
	return 0;
}
