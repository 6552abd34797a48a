#include <sys/utsname.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/perf_data_kernel.h"
#include "target/running_kernel.h"

#define MODULES_MAX 4096

/* What perf calls the whole kernel; the symbol's name follows. */
static const char whole[] = "[kernel.kallsyms]";

/* "[nf_tables]" or "/lib/modules/6.1.0/kernel/net/nf-tables.ko.xz" → nf_tables */
static char *
module_name(const char *path)
{
	const char *base = strrchr(path, '/');
	char *name, *end;

	name = mem_print("%s", base ? base + 1 : path + (*path == '['));
	end = strstr(name, base ? ".ko" : "]");
	if (end)
		*end = '\0';
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

void
perf_data_kernel_add(struct perf_data_kernel *kernel, const struct record *record)
{
	const char *path = record->mmap.path;

	if (strncmp(path, whole, sizeof whole - 1) == 0) {
		path += sizeof whole - 1;
		if (kernel->symbol || !*path)
			return;
		kernel->symbol = mem_print("%s", path);
		kernel->address = record->mmap.offset;
		kernel->build_id_size = record->mmap.build_id_size;
		if (record->mmap.build_id)
			memcpy(kernel->build_id, record->mmap.build_id, record->mmap.build_id_size);
	} else if (kernel->module_count < MODULES_MAX && (*path == '[' || *path == '/')) {
		mem_grow(&kernel->modules, kernel->module_count, &kernel->module_room);
		kernel->modules[kernel->module_count++] = (struct perf_data_module){ module_name(path),
			record->mmap.start };
	}
}

struct module_search {
	const struct perf_data_kernel *kernel;
	bool moved;
};

static bool
look_at_module(void *context, const struct running_module *module)
{
	struct module_search *search = context;
	const struct perf_data_kernel *kernel = search->kernel;

	for (size_t i = 0; i < kernel->module_count; i++)
		if (strcmp(kernel->modules[i].name, module->name) == 0)
			search->moved |= kernel->modules[i].start != module->start;
	return !search->moved;
}

static const unsigned char *
build_id_of(const struct perf_data_kernel *kernel, const struct perf_data_header *header, size_t *size)
{
	*size = kernel->build_id_size;
	if (*size)
		return kernel->build_id;
	for (size_t i = 0; i < header->build_id_count; i++)
		if (header->build_ids[i].kernel && strncmp(header->build_ids[i].path, whole, sizeof whole - 1) == 0) {
			*size = header->build_ids[i].size;
			return header->build_ids[i].bytes;
		}
	return NULL;
}

bool
perf_data_kernel_has_build_id(const struct perf_data_kernel *kernel, const struct perf_data_header *header)
{
	size_t size;

	return build_id_of(kernel, header, &size) != NULL;
}

const char *
perf_data_kernel_other(const struct perf_data_kernel *kernel, const struct perf_data_header *header)
{
	static const char other[] = "of another kernel than the running one";
	unsigned char running[20];
	size_t size, running_size;
	const unsigned char *recorded = build_id_of(kernel, header, &size);
	struct utsname name;

	if (!recorded)
		return header->release && uname(&name) == 0 && strcmp(header->release, name.release) != 0 ? other : NULL;
	running_size = running_kernel_build_id(running);
	if (!running_size)
		return "the running kernel does not tell its build-id";
	return running_size != size || memcmp(recorded, running, size) != 0 ? other : NULL;
}

const char *
perf_data_kernel_doubt(const struct perf_data_kernel *kernel, const struct perf_data_header *header)
{
	struct module_search search = { .kernel = kernel };
	const char *other = perf_data_kernel_other(kernel, header);
	uint64_t address;

	if (other)
		return other;
	if (!kernel->symbol || !kernel->address)
		return "where the kernel lay was not recorded";
	if (!running_kernel_symbol(kernel->symbol, &address))
		return "the running kernel hides its addresses (sysctl kernel.kptr_restrict=0)";
	if (address != kernel->address)
		return "the kernel has been started again and lies elsewhere now";
	running_kernel_modules("/proc/modules", look_at_module, &search);
	return search.moved ? "the kernel's modules lie elsewhere now" : NULL;
}

void
perf_data_kernel_release(struct perf_data_kernel *kernel)
{
	for (size_t i = 0; i < kernel->module_count; i++)
		free(kernel->modules[i].name);
	free(kernel->modules);
	free(kernel->symbol);
	*kernel = (struct perf_data_kernel){ 0 };
}
