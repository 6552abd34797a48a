#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/frames.h"
#include "record/kernel_modules.h"
#include "target/running_kernel.h"

/* Some hundred are there; many more were there only if somebody loads and unloads for a pastime. */
#define MODULES_MAX 4096u

/* --- looking */

static bool
note_module(void *context, const struct running_module *found)
{
	struct kernel_modules *now = context;

	if (now->count >= MODULES_MAX)
		return false;
	mem_grow(&now->list, now->count, &now->room);
	now->list[now->count++] = (struct kernel_module){ .start = found->start, .end = found->start + found->size,
		.name = mem_print("%s", found->name), .is_there = !found->is_going };
	return true;
}

static int
by_start(const void *a, const void *b)
{
	const struct kernel_module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* A module's size is that of all its parts, which since 6.4 lie apart: where the next one begins it has ended. */
static void
tighten(struct kernel_modules *now)
{
	if (now->count)
		qsort(now->list, now->count, sizeof *now->list, by_start);
	for (size_t i = 0; i + 1 < now->count; i++)
		if (now->list[i].end > now->list[i + 1].start)
			now->list[i].end = now->list[i + 1].start;
}

static struct kernel_module *
find_same(const struct kernel_modules *modules, const struct kernel_module *wanted)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->list[i].start == wanted->start && strcmp(modules->list[i].name, wanted->name) == 0)
			return &modules->list[i];
	return NULL;
}

/* Takes it over. */
static void
add(struct kernel_modules *modules, struct kernel_module *module)
{
	struct kernel_module *known = find_same(modules, module);

	if (known) {
		known->is_there = module->is_there;
		if (known->end > module->end) /* what it needs to be loaded only counts until it is */
			known->end = module->end;
	}
	if (known || modules->count >= MODULES_MAX) {
		free(module->name);
		return;
	}
	mem_grow(&modules->list, modules->count, &modules->room);
	modules->list[modules->count++] = *module;
}

void
kernel_modules_look(struct kernel_modules *modules)
{
	struct kernel_modules now = { 0 };

	if (!modules->path)
		return;
	if (running_kernel_modules(modules->path, note_module, &now) < 0) {
		kernel_modules_release(&now);
		return;
	}
	tighten(&now);
	for (size_t i = 0; i < modules->count; i++)
		modules->list[i].is_there = false;
	for (size_t i = 0; i < now.count; i++)
		add(modules, &now.list[i]);
	free(now.list);
}

void
kernel_modules_follow(struct kernel_modules *modules, const struct frames *frames)
{
	bool is_new = false;

	for (; modules->frames_seen < frames->count; modules->frames_seen++) {
		const struct frame_entry *e = &frames->list[modules->frames_seen];

		is_new |= e->kind == FRAME_KERNEL && e->address >= RUNNING_KERNEL_MODULES;
	}
	if (is_new)
		kernel_modules_look(modules);
}

void
kernel_modules_restart(struct kernel_modules *modules)
{
	size_t kept = 0;

	kernel_modules_look(modules);
	modules->frames_seen = 0;
	/* What went just now may have samples in the interval that has begun. */
	for (size_t i = 0; i < modules->count; i++) {
		struct kernel_module *module = &modules->list[i];

		if (!module->is_there && module->was_gone) {
			free(module->name);
			continue;
		}
		module->was_gone = !module->is_there;
		modules->list[kept++] = *module;
	}
	modules->count = kept;
}

void
kernel_modules_release(struct kernel_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		free(modules->list[i].name);
	free(modules->list);
	*modules = (struct kernel_modules){ .path = modules->path };
}

/* --- judging */

static bool
is_there(const struct kernel_modules *modules, const char *name)
{
	for (size_t i = 0; i < modules->count; i++)
		if (modules->list[i].is_there && strcmp(modules->list[i].name, name) == 0)
			return true;
	return false;
}

enum kernel_owner
kernel_modules_judge(const struct kernel_modules *modules, uint64_t address, const struct kernel_answer *answer,
    const struct kernel_module **owner)
{
	const struct kernel_module *here = NULL, *gone = NULL;
	bool several = false, is_named = answer->is_known && answer->name, is_its_own, is_beyond;

	*owner = NULL;
	if (address < RUNNING_KERNEL_MODULES) /* most are the kernel's own */
		return KERNEL_AS_NAMED;
	for (size_t i = 0; i < modules->count; i++) {
		const struct kernel_module *module = &modules->list[i];

		if (address < module->start || address >= module->end)
			continue;
		if (module->is_there) {
			here = module;
		} else {
			several |= gone && strcmp(gone->name, module->name) != 0;
			gone = module;
		}
	}
	is_its_own = here && is_named && answer->module && strcmp(here->name, answer->module) == 0;
	/* kallsyms has no sizes: the last name before a gap reaches into it. */
	is_beyond = is_named && answer->module && !is_its_own && is_there(modules, answer->module);
	*owner = gone ? gone : here;
	if (!gone && here && !answer->is_known)
		return KERNEL_MODULE;
	if (!gone)
		return is_beyond ? KERNEL_NOBODY : KERNEL_AS_NAMED;
	if (several)
		return KERNEL_REPLACED;
	if (is_its_own || (here && !answer->is_known)) /* loaded anew, its functions are elsewhere */
		return strcmp(here->name, gone->name) == 0 ? KERNEL_MODULE : KERNEL_REPLACED;
	return is_named && !is_beyond ? KERNEL_REPLACED : KERNEL_MODULE;
}
