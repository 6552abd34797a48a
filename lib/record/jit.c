#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/jit.h"
#include "target/perf_map_file.h"

/* A map, as it was when it was read to its end. */
struct jit_map {
	struct perf_map_file file;
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec written;
};

struct jit {
	uint32_t program, pid;
	uint32_t last;	 /* its frames are a chain: + 1; 0: none */
	uint32_t asked;	 /* the last one that its maps were asked for */
	bool is_unread;	 /* counted in jits */
	bool has_leader; /* its first thread has not ended, as far as we know */
	struct jit_map own, inherited;
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
		if (perf_map_file_find_gone(&jit->own.file, process->pid, like, since) == 0 || task_living_thread(like))
			return;
		maker = processes_known(processes, like);
		like = maker ? maker->maker : 0;
	}
	perf_map_file_find_gone(&jit->own.file, process->pid, (uint32_t)getpid(), since);
}

/* A child that is still the program it was forked from has that one's code. */
static void
find_maps(struct jit *jit, const struct jits *jits, const struct processes *processes, const struct process *process,
    uint32_t tid)
{
	const struct process *parent = process->parent ? processes_known(processes, process->parent) : NULL;

	jit->own.file.directory = jit->inherited.file.directory = -1;
	if (jits->foreign)
		return;
	if (parent && parent->program != process->parent_program)
		parent = NULL;
	if (jits->replay)
		perf_map_file_find_past(&jit->own.file, process->pid);
	else if (perf_map_file_find(&jit->own.file, process->pid, tid, process->exec_time) < 0)
		find_left_behind(jit, processes, process);
	if (parent && jits->replay)
		perf_map_file_find_past(&jit->inherited.file, parent->pid);
	else if (parent)
		perf_map_file_find(&jit->inherited.file, parent->pid, parent->pid, parent->exec_time);
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
		jit->has_leader = jits->replay || task_is_alive(process->pid);
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

/* What may be read when a program ends. */
static uint64_t
refill(struct jits *jits, uint64_t time)
{
	uint64_t passed = time > jits->time ? time - jits->time : 0, more = JIT_READ_AT_ONCE;

	if (jits->replay)
		return UINT64_MAX; /* nothing waits, and the maps are our own */
	if (passed < JIT_READ_AT_ONCE / JIT_READ_A_SECOND * 1000000000u)
		more = passed * JIT_READ_A_SECOND / 1000000000u;
	jits->read -= more < jits->read ? more : jits->read;
	jits->time += passed;
	return JIT_READ_AT_ONCE - jits->read;
}

/* What has been asked for frames that were all there then is not asked again. */
static bool
is_known(const struct jit_map *map, const struct stat *st)
{
	return st->st_dev == map->device && st->st_ino == map->inode && st->st_size == map->size &&
	    st->st_mtim.tv_sec == map->written.tv_sec && st->st_mtim.tv_nsec == map->written.tv_nsec;
}

/* False: it was not read, or not whole. */
static bool
name_by(struct jit_map *map, uint64_t end, bool has_new, struct symbol_query *queries, size_t count,
    struct intern *names, struct perf_map_room *room)
{
	int fd = perf_map_file_open(&map->file, end);
	bool whole = true;
	struct stat st;

	if (fd < 0)
		return true;
	if (fstat(fd, &st) == 0 && (has_new || !is_known(map, &st))) {
		whole = perf_map_find(fd, queries, count, names, room);
		map->device = st.st_dev;
		map->inode = whole ? st.st_ino : 0;
		map->size = st.st_size;
		map->written = st.st_mtim;
	}
	close(fd);
	return whole;
}

static int
by_address(const void *a, const void *b, void *context)
{
	const struct frame_entry *list = context;
	const struct frame_entry *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];

	return (x->address > y->address) - (x->address < y->address);
}

/* The frames without a name; they stay a chain. end: perf_map_file_open(); bytes: that may be read, taken off. */
static void
name_frames(struct jits *jits, struct jit *jit, struct frames *frames, uint64_t end, uint64_t *bytes)
{
	struct perf_map_room room = { *bytes, JIT_NAMES - jits->names };
	struct symbol_query *queries;
	uint32_t *order = NULL;
	size_t count = 0, space = 0, named = 0;
	bool has_new = jit->asked != jit->last, whole;

	for (uint32_t i = jit->last; i; i = frames->list[i - 1].next)
		if (!frames->list[i - 1].is_settled) {
			mem_grow(&order, count, &space);
			order[count++] = i - 1;
		}
	if (!count)
		return;
	qsort_r(order, count, sizeof *order, by_address, frames->list);
	queries = mem_resize(NULL, count, sizeof *queries);
	for (size_t i = 0; i < count; i++)
		queries[i] = (struct symbol_query){ .vaddr = frames->list[order[i]].address, .name = SYMBOL_NONE };
	whole = name_by(&jit->own, end, has_new, queries, count, &frames->texts, &room);
	whole &= name_by(&jit->inherited, 0, has_new, queries, count, &frames->texts, &room);
	for (size_t i = 0; i < count; i++)
		if (queries[i].name != SYMBOL_NONE) {
			frames_settle(frames, order[i], intern_name(&frames->texts, queries[i].name),
			    intern_length(&frames->texts, queries[i].name), true);
			named++;
		}
	jits->past += jits->replay && named;
	jits->unread += !whole;
	jits->unread -= jit->is_unread;
	jits->names = JIT_NAMES - room.names;
	jit->is_unread = !whole;
	jit->asked = jit->last;
	*bytes = room.bytes;
	free(order);
	free(queries);
}

static void
forget(struct jits *jits, struct jit *jit)
{
	perf_map_file_release(&jit->own.file);
	perf_map_file_release(&jit->inherited.file);
	map_remove(&jits->by_program, jit->program);
	free(jit);
}

/* May the program end with this thread? Of one that was there before us nobody counts the threads, and to read its map
 * at the end of each is too much: not before its first one has gone. At that one's it may, as others' may be lost. */
static bool
may_end(struct jit *jit, const struct process *process, const struct record *record)
{
	if (record->tid == record->pid)
		jit->has_leader = false;
	else if (process->threads > 1 || (!process->threads && jit->has_leader))
		return false;
	return true;
}

void
jit_end(struct jits *jits, struct frames *frames, const struct process *process, const struct record *record)
{
	uint64_t *place = process ? map_get(&jits->by_program, process->program) : NULL;
	struct jit *jit = place ? (struct jit *)(uintptr_t)*place : NULL;
	bool is_exit = record->kind == RECORD_EXIT, is_gone;
	uint64_t bytes, most, end;

	if (!jit || (is_exit && !may_end(jit, process, record)))
		return;
	is_gone = !is_exit || (!jits->replay && process->threads <= 1 && !task_living_thread(process->pid));
	if (!is_gone && !process->threads && record->tid != record->pid)
		return;
	if (is_exit || !jits->replay) { /* in the past there is nothing to tell its map from the next program's */
		bytes = most = refill(jits, record->time);
		end = !jits->replay && (is_gone || process->threads == 1) ? record->time : 0;
		name_frames(jits, jit, frames, end, &bytes);
		jits->read += jits->replay ? 0 : most - bytes;
	}
	if (is_gone)
		forget(jits, jit);
}

void
jit_name_all(struct jits *jits, struct frames *frames, const struct processes *processes)
{
	uint64_t bytes = JIT_READ_AT_END;
	struct jit **gone = NULL;
	size_t count = 0, room = 0;

	for (struct map_slot *slot = map_next(&jits->by_program, NULL); slot; slot = map_next(&jits->by_program, slot)) {
		struct jit *jit = (struct jit *)(uintptr_t)slot->value;
		const struct process *process = processes_known(processes, jit->pid);

		if (frames)
			name_frames(jits, jit, frames, 0, &bytes);
		jit->last = jit->asked = 0;
		jit->is_unread = false;
		if (process && process->program == jit->program)
			continue;
		mem_grow(&gone, count, &room);
		gone[count++] = jit;
	}
	for (size_t i = 0; i < count; i++)
		forget(jits, gone[i]);
	free(gone);
	jits->names = 0;
}

void
jit_release(struct jits *jits)
{
	for (struct map_slot *slot = map_next(&jits->by_program, NULL); slot; slot = map_next(&jits->by_program, slot)) {
		struct jit *jit = (struct jit *)(uintptr_t)slot->value;

		perf_map_file_release(&jit->own.file);
		perf_map_file_release(&jit->inherited.file);
		free(jit);
	}
	map_release(&jits->by_program);
}
