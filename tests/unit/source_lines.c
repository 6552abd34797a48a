/* source_lines.c: as a program, lines for addresses as `addr2line -a -f -i -s` prints them: source_lines FILE <addresses.
 * Without a file, damaged DWARF and none. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/warn.h"
#include "base/mem.h"
#include "symbol/elf_symbols.h"
#include "symbol/source_lines.h"
#include "tap.h"

static int
by_vaddr(const void *a, const void *b)
{
	const struct source_query *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

static void
print(const struct source_query *query, const struct source_place *places, const struct intern *names)
{
	printf("0x%016" PRIx64 "\n", query->vaddr);
	if (!query->count)
		printf("??\n??:0\n");
	for (uint32_t i = query->count; i-- > 0;) {
		const struct source_place *place = &places[query->first + i];

		printf("%s\n", place->name == SYMBOL_NONE ? "??" : intern_name(names, place->name));
		if (place->line)
			printf("%s:%u\n", place->file == SYMBOL_NONE ? "??" : intern_name(names, place->file), place->line);
		else
			printf("%s:?\n", place->file == SYMBOL_NONE ? "??" : intern_name(names, place->file));
	}
}

static int
print_lines(const char *path)
{
	struct modules modules = { 0 };
	struct intern names = { 0 };
	struct source_lines lines = { 0 };
	struct source_query *queries = NULL;
	size_t count = 0, room = 0;
	struct module *module = modules_find(&modules, &(struct module_place){ .path = path });
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		mem_grow(&queries, count, &room);
		queries[count++] = (struct source_query){ .vaddr = address };
	}
	if (count)
		qsort(queries, count, sizeof *queries, by_vaddr);
	source_lines_find(&lines, module, queries, count, &names);
	for (size_t i = 0; i < count; i++)
		print(&queries[i], lines.places, &names);
	free(queries);
	source_lines_release(&lines);
	intern_release(&names);
	modules_release(&modules);
	return 0;
}

/* Ourselves, with bytes of the debug sections turned: what comes back is bounded, and it comes back. */
static void
test_damaged(const char *self)
{
	FILE *file = fopen(self, "rb");
	static char bytes[32u << 20];
	size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
	uint32_t state = 88172645;
	char path[] = "/tmp/gp-source-lines.XXXXXX";
	int fd = mkstemp(path);
	bool good = true;

	for (unsigned round = 0; round < 20 && size; round++) {
		struct modules modules = { 0 };
		struct intern names = { 0 };
		struct source_lines lines = { 0 };
		struct source_query queries[256];
		struct module *module;

		for (unsigned i = 0; i < 2000; i++) {
			state = state * 1103515245u + 12345u;
			bytes[4096 + (((size_t)state << 8 | i) % (size - 8192))] ^= (char)(state >> 13);
		}
		if (ftruncate(fd, 0) < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
			break;
		module = modules_find(&modules, &(struct module_place){ .path = path });
		for (size_t i = 0; i < 256; i++)
			queries[i] = (struct source_query){ .vaddr = 0x4000 + i * 64 };
		warn_quiet = true;
		source_lines_find(&lines, module, queries, 256, &names);
		for (size_t i = 0; i < 256; i++)
			good &= queries[i].first + queries[i].count <= lines.count;
		source_lines_release(&lines);
		intern_release(&names);
		modules_release(&modules);
	}
	ok(good && size, "20 damaged files");
	if (file)
		fclose(file);
	close(fd);
	unlink(path);
}

static void
test_nothing(void)
{
	struct intern names = { 0 };
	struct source_lines lines = { 0 };
	struct source_query query = { .vaddr = 0x1000, .count = 7 };
	struct module module = { .kind = MODULE_ANONYMOUS };

	source_lines_find(&lines, &module, &query, 1, &names);
	ok(query.count == 0, "no file, no lines");
	source_lines_release(&lines);
	intern_release(&names);
}

int
main(int argc, char *argv[])
{
	if (argc > 1)
		return print_lines(argv[1]);
	test_nothing();
	if (!source_lines_lack())
		test_damaged(argv[0]);
	return done_testing();
}
