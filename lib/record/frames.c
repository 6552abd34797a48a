#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "record/frames.h"
#include "record/kernel_modules.h"
#include "symbol/source_lines.h"

/* Kinds without a module, then the modules; in the upper half the programs. */
static uint32_t
space_of(const struct frame_entry *e)
{
	if (e->kind == FRAME_MADE)
		return e->program | UINT32_C(1) << 31;
	return e->kind == FRAME_USER && e->module ? e->module->number + 16u : (uint32_t)e->kind;
}

static struct frame_slot *
find(const struct frames *frames, uint32_t space, uint64_t address)
{
	size_t slot = hash_u64(address ^ (uint64_t)space << 48) & (frames->slot_count - 1);

	while (frames->slots[slot].number &&
	    (frames->slots[slot].address != address || frames->slots[slot].space != space))
		slot = (slot + 1) & (frames->slot_count - 1);
	return &frames->slots[slot];
}

static void
rehash(struct frames *frames)
{
	frames->slot_count = frames->slot_count ? frames->slot_count * 2 : 4096;
	free(frames->slots);
	frames->slots = mem_alloc(frames->slot_count * sizeof *frames->slots);
	for (size_t i = 0; i < frames->count; i++) {
		const struct frame_entry *e = &frames->list[i];
		uint32_t space = space_of(e);

		*find(frames, space, e->address) = (struct frame_slot){ e->address, space, (uint32_t)i + 1 };
	}
}

static bool
is_too_many(const struct frames *frames, enum frame_kind kind)
{
	size_t limit = kind == FRAME_TEXT ? frames->text_limit : frames->limit;

	return limit && frames->count >= limit;
}

static uint32_t
number_of(struct frames *frames, const struct frame_entry *wanted)
{
	uint32_t space = space_of(wanted);
	struct frame_slot *slot;

	if (frames->count * 2 >= frames->slot_count)
		rehash(frames);
	slot = find(frames, space, wanted->address);
	if (!slot->number || (wanted->kind == FRAME_KERNEL && frames->list[slot->number - 1].is_settled)) {
		if (is_too_many(frames, wanted->kind))
			return frames->too_many;
		mem_grow(&frames->list, frames->count, &frames->room);
		frames->list[frames->count] = *wanted;
		*slot = (struct frame_slot){ wanted->address, space, (uint32_t)++frames->count };
	}
	return slot->number - 1;
}

uint32_t
frames_text(struct frames *frames, const char *text)
{
	struct intern_text wanted = { text, strlen(text) };
	uint32_t number;

	if (is_too_many(frames, FRAME_TEXT))
		intern_find(&frames->texts, &wanted, 1, &number);
	else
		number = intern_add(&frames->texts, text, wanted.length);
	if (number == INTERN_NONE)
		return frames->too_many;
	return number_of(frames, &(struct frame_entry){ .kind = FRAME_TEXT, .address = number });
}

uint32_t
frames_user(struct frames *frames, struct module *module, uint64_t vaddr)
{
	return number_of(frames, &(struct frame_entry){ .kind = FRAME_USER, .module = module, .address = vaddr });
}

uint32_t
frames_kernel(struct frames *frames, uint64_t address)
{
	return number_of(frames, &(struct frame_entry){ .kind = FRAME_KERNEL, .address = address });
}

uint32_t
frames_made(struct frames *frames, uint32_t program, struct module *module, uint64_t address)
{
	return number_of(frames, &(struct frame_entry){ .kind = FRAME_MADE, .program = program, .module = module,
	    .address = address });
}

void
frames_settle(struct frames *frames, uint32_t frame, const char *name, size_t length, bool is_named)
{
	struct frame_entry *e = &frames->list[frame];

	e->name = intern_add(&frames->texts, name, length);
	e->is_named = is_named;
	e->is_settled = true;
}

uint32_t
frames_find_kernel(const struct frames *frames, uint64_t address)
{
	uint32_t number = frames->slot_count ? find(frames, FRAME_KERNEL, address)->number : 0;

	return number && !frames->list[number - 1].is_settled ? number - 1 : INTERN_NONE;
}

void
frames_expect(struct frames *frames, uint32_t frame, const char *name)
{
	frames->list[frame].name = intern_text(&frames->texts, name);
	frames->list[frame].is_expected = true;
}

/* --- names */

/* Entries by kind, module and address: each module's, and the kernel's, are then one sorted batch. */
static int
by_place(const void *a, const void *b, void *context)
{
	const struct frame_entry *list = context;
	const struct frame_entry *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];
	uint32_t m = x->module ? x->module->number + 1 : 0, n = y->module ? y->module->number + 1 : 0;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (m != n)
		return m < n ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* An address that no symbol names, as gp-folded(5) writes it. */
static uint32_t
name_by_place(const struct frame_entry *e, const struct frames_options *options, struct intern *names)
{
	struct buf text = { 0 };
	uint64_t offset;
	uint32_t name;

	if (!e->module)
		buf_text(&text, "[unknown:no-mapping]");
	else if (e->module->kind == MODULE_ANONYMOUS)
		buf_text(&text, e->module->path[0] == '[' && e->module->path[1] ? e->module->path : "[jit]");
	else if (e->module->kind == MODULE_VDSO)
		buf_text(&text, "[vdso]");
	else if (options->addresses && e->module->elf && elf_offset_of(e->module->elf, e->address, &offset))
		buf_print(&text, "[%s+0x%llx]", e->module->base, (unsigned long long)offset);
	else
		buf_print(&text, "[%s]", e->module->base);
	name = intern_add(names, text.data, text.length);
	buf_release(&text);
	return name;
}

/* "name (file:line)", "name_[i]" */
static uint32_t
add_place(const char *name, const struct source_place *place, const char *suffix, struct intern *names)
{
	struct buf text = { 0 };
	uint32_t number;

	buf_text(&text, name);
	if (place->file != SYMBOL_NONE && place->line)
		buf_print(&text, " (%s:%u)", intern_name(names, place->file), place->line);
	buf_text(&text, suffix);
	number = intern_add(names, text.data, text.length);
	buf_release(&text);
	return number;
}

/* The function keeps its symbol's name, which is better where DWARF has no linkage name. */
static void
place_frame(struct frames *frames, struct frame_entry *e, const struct source_place *places, size_t count,
    struct intern *names)
{
	if (!e->is_named && places[0].name != SYMBOL_NONE) {
		e->name = places[0].name;
		e->is_named = true;
	}
	if (e->is_named)
		e->name = add_place(intern_name(names, e->name), &places[0], "", names);
	e->inlined = (uint32_t)frames->inlined_count;
	e->inlined_count = (uint32_t)count - 1;
	for (size_t i = 1; i < count; i++) {
		mem_grow(&frames->inlined, frames->inlined_count, &frames->inlined_room);
		frames->inlined[frames->inlined_count++] = add_place(places[i].name == SYMBOL_NONE ? "[unknown:inlined]" :
		    intern_name(names, places[i].name), &places[i], "_[i]", names);
	}
}

static void
place_module(struct frames *frames, const uint32_t *order, size_t count, struct source_lines *lines, struct intern *names)
{
	struct source_query *queries = mem_resize(NULL, count, sizeof *queries);

	for (size_t i = 0; i < count; i++)
		queries[i] = (struct source_query){ .vaddr = frames->list[order[i]].address };
	source_lines_find(lines, frames->list[order[0]].module, queries, count, names);
	for (size_t i = 0; i < count; i++)
		if (queries[i].count)
			place_frame(frames, &frames->list[order[i]], lines->places + queries[i].first, queries[i].count, names);
	lines->count = 0;
	free(queries);
}

static void
name_module(struct frames *frames, const uint32_t *order, size_t count, const struct frames_options *options,
    struct symbol_query *queries, struct intern *names)
{
	struct module *module = frames->list[order[0]].module;

	for (size_t i = 0; i < count; i++)
		queries[i] = (struct symbol_query){ .vaddr = frames->list[order[i]].address, .name = SYMBOL_NONE };
	if (module && module->elf)
		elf_symbols_find(module, queries, count, names);
	for (size_t i = 0; i < count; i++) {
		struct frame_entry *e = &frames->list[order[i]];

		e->is_named = queries[i].name != SYMBOL_NONE;
		e->name = e->is_named ? queries[i].name : name_by_place(e, options, names);
	}
}

/* A settled frame's name, from texts. */
static void
name_settled(const struct frames *frames, struct frame_entry *e, struct intern *names)
{
	e->name = intern_add(names, intern_name(&frames->texts, e->name), intern_length(&frames->texts, e->name));
}

static void
name_made(struct frames *frames, const uint32_t *order, size_t count, const struct frames_options *options,
    struct intern *names)
{
	for (size_t i = 0; i < count; i++) {
		struct frame_entry *e = &frames->list[order[i]];

		if (e->is_settled)
			name_settled(frames, e, names);
		else
			e->name = name_by_place(e, options, names);
	}
}

/* "ext4_readdir_[k]"; of modules that have gone "[ext4]_[k]" is known. */
static void
name_kernel_frame(struct frames *frames, struct frame_entry *e, const struct symbol_query *query,
    enum kernel_source source, const struct frames_options *options, struct intern *names)
{
	static const struct kernel_modules none;
	const struct kernel_modules *modules = options->modules ? options->modules : &none;
	struct kernel_answer answer = { .is_known = source == KERNEL_BPF || source == KERNEL_KALLSYMS,
		.name = query->name == SYMBOL_NONE ? NULL : intern_name(names, query->name),
		.module = query->module ? intern_name(names, query->module - 1) : NULL };
	const struct kernel_module *module;
	enum kernel_owner owner = kernel_modules_judge(modules, e->address, &answer, &module);
	bool shows = options->addresses && source != KERNEL_HIDDEN;
	struct buf text = { 0 };

	if (e->is_expected && (!answer.name || strcmp(answer.name, intern_name(&frames->texts, e->name)) != 0))
		owner = KERNEL_NOBODY;
	e->is_named = owner == KERNEL_AS_NAMED && answer.name;
	if (e->is_named)
		buf_print(&text, "%s_[k]", answer.name);
	else if (owner == KERNEL_MODULE && options->addresses)
		buf_print(&text, "[%s+0x%llx]_[k]", module->name, (unsigned long long)(e->address - module->start));
	else if (owner == KERNEL_MODULE)
		buf_print(&text, "[%s]_[k]", module->name);
	else if (owner == KERNEL_REPLACED)
		buf_text(&text, "[unknown:replaced]_[k]");
	else if (shows)
		buf_print(&text, "[kernel+0x%llx]_[k]", (unsigned long long)e->address);
	else
		buf_text(&text, "[kernel]_[k]");
	e->name = intern_add(names, text.data, text.length);
	buf_release(&text);
}

static enum kernel_source
name_kernel(struct frames *frames, const uint32_t *order, size_t count, const struct frames_options *options,
    struct symbol_query *queries, struct intern *names)
{
	enum kernel_source source = KERNEL_HIDDEN;

	for (size_t i = 0; i < count; i++)
		queries[i] = (struct symbol_query){ .vaddr = frames->list[order[i]].address, .name = SYMBOL_NONE };
	if (options->kernel_is_ours)
		source = kernel_symbols_find(queries, count, names, options->allow_bpf);
	if (options->modules) /* what goes between the two is known to have been there */
		kernel_modules_look(options->modules);
	for (size_t i = 0; i < count; i++) {
		struct frame_entry *e = &frames->list[order[i]];

		if (e->is_settled)
			name_settled(frames, e, names);
		else
			name_kernel_frame(frames, e, &queries[i], source, options, names);
	}
	return source;
}

enum kernel_source
frames_name(struct frames *frames, const struct frames_options *options, struct intern *names)
{
	uint32_t *order = mem_resize(NULL, frames->count, sizeof *order);
	struct symbol_query *queries = mem_resize(NULL, frames->count, sizeof *queries);
	enum kernel_source source = KERNEL_KALLSYMS;
	struct source_lines lines = { 0 };

	for (size_t i = 0; i < frames->count; i++)
		order[i] = (uint32_t)i;
	if (frames->count)
		qsort_r(order, frames->count, sizeof *order, by_place, frames->list);
	for (size_t from = 0, to; from < frames->count; from = to) {
		struct frame_entry *first = &frames->list[order[from]];

		for (to = from + 1; to < frames->count; to++)
			if (frames->list[order[to]].kind != first->kind || frames->list[order[to]].module != first->module)
				break;
		if (first->kind == FRAME_USER) {
			name_module(frames, order + from, to - from, options, queries, names);
			if (options->lines && first->module && first->module->elf)
				place_module(frames, order + from, to - from, &lines, names);
		} else if (first->kind == FRAME_MADE)
			name_made(frames, order + from, to - from, options, names);
		else if (first->kind == FRAME_KERNEL)
			source = name_kernel(frames, order + from, to - from, options, queries, names);
		else
			for (size_t i = from; i < to; i++) {
				frames->list[order[i]].name = (uint32_t)frames->list[order[i]].address;
				frames->list[order[i]].is_named = true;
				name_settled(frames, &frames->list[order[i]], names);
			}
	}
	source_lines_release(&lines);
	free(order);
	free(queries);
	return source;
}

/* The name of an address, as it was found and as it is written, each with its place in a table; and the batch of it. */
#define NAMING_BYTES 256u

size_t
frames_bytes(const struct frames *frames)
{
	return frames->count * (sizeof *frames->list + NAMING_BYTES) + frames->slot_count * sizeof *frames->slots +
	    3 * intern_bytes(&frames->texts);
}

void
frames_release(struct frames *frames)
{
	free(frames->list);
	free(frames->slots);
	free(frames->inlined);
	intern_release(&frames->texts);
	*frames = (struct frames){ 0 };
}
