#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/process_code.h"

struct process_code *
process_code_new(void)
{
	struct process_code *code = mem_alloc(sizeof *code);

	code->users = 1;
	return code;
}

struct process_code *
process_code_share(struct process_code *code)
{
	code->users++;
	return code;
}

void
process_code_drop(struct process_code *code)
{
	if (--code->users)
		return;
	maps_clear(&code->maps);
	free(code);
}

/* Code without a file is a module by what it is called: "//anon", "[heap]", "[uprobes]". */
static struct module *
module_of(struct modules *modules, const struct record *record, bool is_past)
{
	struct module_place place = {
		.path = record->mmap.path,
		.pid = is_past ? 0 : record->pid,
		.start = record->mmap.start,
		.end = record->mmap.start + record->mmap.length,
		.device = record->mmap.device,
		.inode = record->mmap.inode,
		.generation = record->mmap.generation,
		.build_id = record->mmap.build_id,
		.build_id_size = record->mmap.build_id_size,
	};

	if (strcmp(place.path, "[vdso]") == 0)
		return modules_vdso(modules);
	if (place.path[0] != '/' || strncmp(place.path, "//anon", 6) == 0)
		return modules_anonymous(modules, place.path);
	return modules_find(modules, &place);
}

/* What stays writable may be other code at any time, and no record tells. */
static void
recall(struct process_code *code, struct mapping *mapping, uint32_t pid, bool writable)
{
	const struct mapping *from = maps_find(&code->maps, mapping->start);

	if (from && from->module->elf)
		code->replaced = *from;
	else if (code->replaced.module && mapping->start >= code->replaced.start && mapping->start < code->replaced.end)
		from = &code->replaced;
	if (!writable)
		mapping_recall(mapping, from, pid);
}

struct module *
process_code_add(struct process_code *code, struct modules *modules, const struct record *record, bool is_past)
{
	struct mapping mapping = {
		.start = record->mmap.start,
		.end = record->mmap.start + record->mmap.length,
		.offset = record->mmap.offset,
		.module = module_of(modules, record, is_past),
	};

	if (!is_past && !mapping.module->elf)
		recall(code, &mapping, record->pid, record->mmap.writable);
	maps_add(&code->maps, &mapping);
	return mapping.module;
}
