#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/jit.h"
#include "symbol/perf_map.h"
#include "target/perf_map_file.h"

/* What is read of maps at programs' ends, while others are recorded: so many bytes a second, and of what was not read
 * before up to so many. Each may have a large one; who makes one after the other must not keep us from all else. */
#define READ_EACH_SECOND ((uint64_t)64 << 20)
#define READ_SAVED_SECONDS UINT64_C(16)
#define SECOND UINT64_C(1000000000)

struct jit {
	uint32_t program, pid;
	uint32_t last; /* its frames are a chain: + 1; 0: none */
	struct perf_map_file own, inherited;
	bool is_unread; /* counted as that */
};

bool
jit_is_made(const struct module *module)
{
	/* .NET maps what it makes from a memfd, twice; Java's on huge pages is in hugetlbfs, or in System V's memory. */
	static const char *const paths[] = { "/memfd:", "/dev/zero", "/anon_hugepage", "/SYSV" };

	if (!module || module->kind == MODULE_ANONYMOUS)
		return module != NULL;
	for (size_t i = 0; module->kind == MODULE_FILE && !module->elf && i < sizeof paths / sizeof paths[0]; i++)
		if (strncmp(module->path, paths[i], strlen(paths[i])) == 0)
			return true;
	return false;
}

#define ANCESTORS_MAX 16

/* A process that ended between two looks at the rings left its map where whoever made it would have: in the same /tmp,
 * as the same user, or it is not taken. */
static void
find_left_behind(struct jit *jit, const struct processes *processes, const struct process *process)
{
	uint64_t since = process->exec_time ? process->exec_time : process->fork_time;
	uint32_t like = process->maker;
	const struct process *maker;

	if (!since)
		return;
	for (unsigned i = 0; i < ANCESTORS_MAX && like; i++) {
		if (perf_map_file_find_gone(&jit->own, process->pid, like, since) == 0 || task_living_thread(like))
			return;
		maker = processes_known(processes, like);
		like = maker ? maker->maker : 0;
	}
	perf_map_file_find_gone(&jit->own, process->pid, (uint32_t)getpid(), since);
}

/* A child that is still the program it was forked from has that one's code. */
static void
find_maps(struct jit *jit, const struct jits *jits, const struct processes *processes, const struct process *process,
    uint32_t tid)
{
	const struct process *parent = process->parent ? processes_known(processes, process->parent) : NULL;

	jit->own.directory = jit->inherited.directory = -1;
	if (jits->foreign)
		return;
	if (parent && parent->program != process->parent_program)
		parent = NULL;
	if (jits->replay)
		perf_map_file_find_past(&jit->own, process->pid);
	else if (perf_map_file_find(&jit->own, process->pid, tid, process->exec_time) < 0)
		find_left_behind(jit, processes, process);
	if (parent && jits->replay)
		perf_map_file_find_past(&jit->inherited, parent->pid);
	else if (parent)
		perf_map_file_find(&jit->inherited, parent->pid, parent->pid, parent->exec_time);
}

uint32_t
jit_frame(struct jits *jits, struct frames *frames, const struct processes *processes,
    const struct process *process, uint32_t tid, struct module *module, uint64_t address)
{
	uint64_t *place = map_put(&jits->by_program, process->program);
	struct jit *jit = (struct jit *)(uintptr_t)*place;
	size_t known = frames->count;
	uint32_t frame;

	if (!jit) {
		jit = mem_alloc(sizeof *jit);
		jit->program = process->program;
		jit->pid = process->pid;
		find_maps(jit, jits, processes, process, tid);
		*place = (uintptr_t)jit;
	}
	frame = frames_made(frames, process->program, module, address);
	if (frame == known) {
		frames->list[frame].next = jit->last;
		jit->last = frame + 1;
	}
	return frame;
}

static void
name_by(struct jits *jits, const struct perf_map_file *file, uint64_t end, struct symbol_query *queries, size_t count,
    struct intern *names)
{
	int fd = perf_map_file_open(file, end);

	if (fd < 0)
		return;
	jits->credit -= (int64_t)perf_map_find(fd, queries, count, names);
	close(fd);
}

static int
by_address(const void *a, const void *b, void *context)
{
	const struct frame_entry *list = context;
	const struct frame_entry *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];

	return (x->address > y->address) - (x->address < y->address);
}

/* The frames without a name; they stay a chain. end: perf_map_file_open() */
static void
name_frames(struct jits *jits, struct jit *jit, struct frames *frames, uint64_t end)
{
	struct symbol_query *queries;
	struct intern names = { 0 };
	uint32_t *order = NULL;
	size_t count = 0, room = 0, named = 0;

	for (uint32_t i = jit->last; i; i = frames->list[i - 1].next)
		if (!frames->list[i - 1].is_settled) {
			mem_grow(&order, count, &room);
			order[count++] = i - 1;
		}
	if (!count)
		return;
	qsort_r(order, count, sizeof *order, by_address, frames->list);
	queries = mem_resize(NULL, count, sizeof *queries);
	for (size_t i = 0; i < count; i++)
		queries[i] = (struct symbol_query){ .vaddr = frames->list[order[i]].address, .name = SYMBOL_NONE };
	name_by(jits, &jit->own, end, queries, count, &names);
	name_by(jits, &jit->inherited, 0, queries, count, &names);
	for (size_t i = 0; i < count; i++)
		if (queries[i].name != SYMBOL_NONE) {
			frames_settle(frames, order[i], intern_name(&names, queries[i].name),
			    intern_length(&names, queries[i].name), true);
			named++;
		}
	jits->past += jits->replay && named;
	free(order);
	free(queries);
	intern_release(&names);
}

static bool
has_unnamed(const struct jit *jit, const struct frames *frames)
{
	for (uint32_t i = jit->last; i; i = frames->list[i - 1].next)
		if (!frames->list[i - 1].is_settled)
			return true;
	return false;
}

static bool
may_read(struct jits *jits, uint64_t time)
{
	uint64_t passed = READ_SAVED_SECONDS * SECOND;
	int64_t most = (int64_t)(READ_SAVED_SECONDS * READ_EACH_SECOND);

	if (jits->credited && time < jits->credited + passed)
		passed = time > jits->credited ? time - jits->credited : 0;
	jits->credit += (int64_t)(passed * READ_EACH_SECOND / SECOND);
	jits->credit = jits->credit < most ? jits->credit : most;
	jits->credited = time;
	return jits->credit > 0;
}

static void
name_at_end(struct jits *jits, struct jit *jit, struct frames *frames, const struct record *record, uint64_t end)
{
	if (!has_unnamed(jit, frames))
		return;
	if (jits->replay || may_read(jits, record->time)) {
		name_frames(jits, jit, frames, end);
	} else {
		jits->unread += !jit->is_unread;
		jit->is_unread = true;
	}
}

static void
forget(struct jits *jits, struct jit *jit)
{
	perf_map_file_release(&jit->own);
	perf_map_file_release(&jit->inherited);
	map_remove(&jits->by_program, jit->program);
	free(jit);
}

/* Is it a thread that ends while others go on? Of who was there before we came nobody counts the threads; and to read a
 * map at the end of each of many is too much. */
static bool
has_others(const struct jits *jits, const struct process *process, const struct record *record)
{
	if (record->tid == record->pid)
		return false;
	return process->threads ? process->threads > 1 : jits->replay || task_living_thread(process->pid);
}

void
jit_end(struct jits *jits, struct frames *frames, const struct process *process, const struct record *record)
{
	uint64_t *place = process ? map_get(&jits->by_program, process->program) : NULL;
	struct jit *jit = place ? (struct jit *)(uintptr_t)*place : NULL;

	if (!jit)
		return;
	if (record->kind == RECORD_EXIT) {
		if (has_others(jits, process, record))
			return;
		name_at_end(jits, jit, frames, record, !jits->replay && process->threads == 1 ? record->time : 0);
		if (!jits->replay && process->threads <= 1 && !task_living_thread(process->pid))
			forget(jits, jit);
		return;
	}
	if (!jits->replay) /* in the past there is nothing to tell its map from the next program's */
		name_at_end(jits, jit, frames, record, record->time);
	forget(jits, jit);
}

void
jit_name_all(struct jits *jits, struct frames *frames, const struct processes *processes)
{
	struct jit **gone = NULL;
	size_t count = 0, room = 0;

	for (struct map_slot *slot = map_next(&jits->by_program, NULL); slot; slot = map_next(&jits->by_program, slot)) {
		struct jit *jit = (struct jit *)(uintptr_t)slot->value;
		const struct process *process = processes_known(processes, jit->pid);

		if (frames)
			name_frames(jits, jit, frames, 0);
		jit->last = 0;
		if (process && process->program == jit->program)
			continue;
		mem_grow(&gone, count, &room);
		gone[count++] = jit;
	}
	for (size_t i = 0; i < count; i++)
		forget(jits, gone[i]);
	free(gone);
}

void
jit_release(struct jits *jits)
{
	for (struct map_slot *slot = map_next(&jits->by_program, NULL); slot; slot = map_next(&jits->by_program, slot)) {
		struct jit *jit = (struct jit *)(uintptr_t)slot->value;

		perf_map_file_release(&jit->own);
		perf_map_file_release(&jit->inherited);
		free(jit);
	}
	map_release(&jits->by_program);
}
