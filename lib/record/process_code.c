#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/process_code.h"
#include "target/task.h"

/* Twice as seldom so many times: addresses outside may be nothing but wrong. */
#define VAIN_MOST 4u

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
module_of(struct modules *modules, const struct record *record, uint32_t maker, bool is_past)
{
	struct module_place place = {
		.path = record->mmap.path,
		.pid = is_past ? 0 : record->pid,
		.maker = maker,
		.time = record->time,
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
process_code_add(struct process_code *code, struct modules *modules, const struct record *record, uint32_t maker,
    bool is_past)
{
	struct mapping mapping = {
		.start = record->mmap.start,
		.end = record->mmap.start + record->mmap.length,
		.offset = record->mmap.offset,
		.module = module_of(modules, record, maker, is_past),
	};

	if (!is_past && !mapping.module->elf)
		recall(code, &mapping, record->pid, record->mmap.writable);
	maps_add(&code->maps, &mapping);
	return mapping.module;
}

bool
process_code_read(struct maps *maps, struct modules *modules, uint32_t pid, uint32_t tid)
{
	return maps_read(maps, modules, pid, tid) == 0 ||
	    ((tid = task_living_thread(pid)) != 0 && maps_read(maps, modules, pid, tid) == 0);
}

/* Has the process become another program, of which the record is still to come? Then no file lies where it did. */
static bool
is_another(const struct maps *known, struct maps *now)
{
	for (size_t i = 0; i < known->count; i++) {
		const struct mapping *mapping = &known->list[i], *there = maps_find(now, mapping->start);

		if (mapping->module->kind == MODULE_FILE && there && there->start == mapping->start &&
		    strcmp(there->module->base, mapping->module->base) == 0)
			return false;
	}
	return true;
}

static uint64_t
bytes_of(const struct maps *maps)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < maps->count; i++)
		bytes += maps->list[i].end - maps->list[i].start;
	return bytes;
}

bool
process_code_fill(struct process_code *code, struct modules *modules, uint32_t pid, uint32_t tid, uint64_t began,
    uint64_t time)
{
	uint64_t since = code->time > began ? code->time : began, before;
	struct maps now = { 0 };

	if (time < since + ((uint64_t)PROCESS_CODE_AGAIN << code->vain))
		return false;
	code->time = time;
	before = bytes_of(&code->maps);
	if (process_code_read(&now, modules, pid, tid) && !is_another(&code->maps, &now)) {
		for (size_t i = 0; i < code->maps.count; i++)
			maps_add(&now, &code->maps.list[i]);
		maps_clear(&code->maps);
		code->maps = now;
	} else {
		maps_clear(&now);
	}
	if (bytes_of(&code->maps) > before) {
		code->vain = 0;
		return true;
	}
	code->vain += code->vain < VAIN_MOST;
	return false;
}
