/* What naming costs: names FILE ... names 10,000 addresses spread over the code of the files, then 3,000
 * of the kernel's both ways, and prints milliseconds of CPU and the peak of memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "symbol/elf_symbols.h"
#include "symbol/kernel.h"

#define USER 10000u
#define KERNEL 3000u

static int
by_vaddr(const void *a, const void *b)
{
	const struct symbol_query *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

static void
choose(const struct elf *elf, struct symbol_query *queries, size_t count)
{
	static uint64_t state = 88172645463325252u;
	const struct elf_segment *code = NULL;

	for (size_t i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].executable && (!code || elf->segments[i].file_size > code->file_size))
			code = &elf->segments[i];
	for (size_t i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		queries[i].vaddr = code && code->file_size ? code->vaddr + state % code->file_size : 0;
	}
	qsort(queries, count, sizeof *queries, by_vaddr);
}

static void
name_files(char *paths[], size_t files)
{
	struct modules modules = { 0 };
	struct intern names = { 0 };
	struct symbol_query *queries = mem_resize(NULL, USER, sizeof *queries);
	size_t each = files ? USER / files : 0, named = 0;
	uint64_t cpu = 0;

	for (size_t f = 0; f < files; f++) {
		struct module *module = modules_find(&modules, &(struct module_place){ .path = paths[f] });
		uint64_t start;

		if (!module->elf)
			continue;
		choose(module->elf, queries, each);
		start = clock_cpu();
		elf_symbols_find(module, queries, each, &names);
		start = clock_cpu() - start;
		cpu += start;
		for (size_t i = 0; i < each; i++)
			named += queries[i].name != SYMBOL_NONE;
		if (getenv("V"))
			fprintf(stderr, "%8.2f ms  %s\n", (double)start / 1e6, paths[f]);
	}
	printf("user %.1f %zu %ld\n", (double)cpu / 1e6, named, clock_peak_kb());
	free(queries);
	intern_release(&names);
	modules_release(&modules);
}

static size_t
kernel_addresses(struct symbol_query *queries)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024], type;
	size_t count = 0, number = 0;
	uint64_t address;

	while (file && count < KERNEL && fgets(line, sizeof line, file))
		if (sscanf(line, "%" SCNx64 " %c", &address, &type) == 2 && (type == 't' || type == 'T') && address &&
		    number++ % 24 == 0)
			queries[count++].vaddr = address;
	if (file)
		fclose(file);
	qsort(queries, count, sizeof *queries, by_vaddr);
	return count;
}

static void
name_kernel(bool bpf)
{
	static struct symbol_query queries[KERNEL];
	struct intern names = { 0 };
	size_t count = kernel_addresses(queries);
	uint64_t start = clock_cpu();
	enum kernel_source source = kernel_symbols_find(queries, count, &names, bpf);

	start = clock_cpu() - start;
	if (source == (bpf ? KERNEL_BPF : KERNEL_KALLSYMS))
		printf("%s %.1f %zu\n", bpf ? "bpf" : "kallsyms", (double)start / 1e6, count);
	intern_release(&names);
}

int
main(int argc, char *argv[])
{
	name_files(argv + 1, (size_t)argc - 1);
	name_kernel(true);
	name_kernel(false);
	return 0;
}
