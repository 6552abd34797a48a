/* An ELF file of any bytes: names for addresses all over its segments and sections. */
#include <stdlib.h>

#include "base/mem.h"
#include "symbol/elf_symbols.h"
#include "unwind/cfi.h"

#define QUERIES_MAX 512u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int
by_vaddr(const void *a, const void *b)
{
	const struct symbol_query *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

static size_t
spread(struct symbol_query *queries, size_t count, uint64_t start, uint64_t size)
{
	for (uint64_t i = 0; i < 32 && count < QUERIES_MAX; i++)
		queries[count++].vaddr = start + i * (size < 512 ? 16 : size / 32);
	return count;
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct symbol_query queries[QUERIES_MAX];
	const struct elf_section *section;
	struct intern names = { 0 };
	char path[] = "fuzz.so";
	struct module module = { .kind = MODULE_FILE, .root = -1, .path = path, .base = path };
	size_t count = 0;

	module.elf = elf_open_memory(data, size);
	if (!module.elf)
		return 0;
	for (size_t i = 0; i < module.elf->segment_count; i++)
		count = spread(queries, count, module.elf->segments[i].vaddr, module.elf->segments[i].memory_size);
	for (size_t i = 0; (section = elf_section_at(module.elf, i)); i++)
		count = spread(queries, count, section->vaddr, section->size);
	qsort(queries, count, sizeof *queries, by_vaddr);
	elf_symbols_find(&module, queries, count, &names);
	for (size_t i = 0; i < count; i++)
		if (queries[i].name != SYMBOL_NONE && queries[i].name >= names.count)
			abort();
	intern_release(&names);
	cfi_close(module.cfi);
	elf_close(module.elf);
	return 0;
}
