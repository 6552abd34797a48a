/* Any bytes as what the child says that reads lines from DWARF: its DWARF may have taken it over. */
#include <stddef.h>
#include <stdint.h>

#if __has_include(<elfutils/libdw.h>)
#include "symbol/source_lines.c" /* its static functions; the library's is not linked then */

#include <sys/mman.h>

#define QUERIES 16u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static int fd;
	struct source_lines lines = { .deadline = clock_now() + UINT64_C(3600000000000) };
	struct source_query queries[QUERIES] = { { 0 } };
	struct intern names = { 0 };
	struct question question = { .lines = &lines, .queries = queries, .count = QUERIES, .names = &names };

	if (!fd)
		fd = memfd_create("answers", MFD_CLOEXEC);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size || lseek(fd, 0, SEEK_SET) < 0)
		abort();
	listen_to(&question, fd);
	for (size_t i = 0; i < QUERIES; i++) {
		if (queries[i].count > lines.count || queries[i].first > lines.count - queries[i].count)
			abort();
		for (uint32_t k = 0; k < queries[i].count; k++) {
			const struct source_place *place = &lines.places[queries[i].first + k];

			if ((place->name != SYMBOL_NONE && place->name >= names.count) ||
			    (place->file != SYMBOL_NONE && place->file >= names.count))
				abort();
		}
	}
	free(question.texts);
	source_lines_release(&lines);
	intern_release(&names);
	return 0;
}
#else /* a build without lines has no such child */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	return data && size > SIZE_MAX / 2;
}
#endif
