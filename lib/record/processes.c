#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/processes.h"

/* Threads and processes that have ended are remembered for so many nanoseconds of record time: samples in
 * their last kernel code come after their exit record. */
#define REMEMBER 2000000000u
/* Code that is mapped without a record (before we came, by mremap) is looked for so often, in ns. */
#define MAPS_AGAIN 1000000000u

void
processes_init(struct processes *processes, bool replay)
{
	*processes = (struct processes){ .replay = replay };
}

static void
process_release(struct process *process)
{
	free(process->name);
	maps_clear(&process->maps);
	free(process);
}

void
processes_release(struct processes *processes)
{
	for (struct map_slot *slot = map_next(&processes->by_pid, NULL); slot; slot = map_next(&processes->by_pid, slot))
		process_release((struct process *)(uintptr_t)slot->value);
	for (struct map_slot *slot = map_next(&processes->threads, NULL); slot; slot = map_next(&processes->threads, slot))
		free((char *)(uintptr_t)slot->value);
	free(processes->dead);
	map_release(&processes->by_pid);
	map_release(&processes->threads);
	modules_release(&processes->modules);
}

static struct process *
find(const struct processes *processes, uint32_t pid)
{
	const uint64_t *place = map_get(&processes->by_pid, pid);

	return place ? (struct process *)(uintptr_t)*place : NULL;
}

static struct process *
get(struct processes *processes, uint32_t pid)
{
	struct process *process = find(processes, pid);

	if (!process) {
		process = mem_alloc(sizeof *process);
		process->pid = pid;
		*map_put(&processes->by_pid, pid) = (uintptr_t)process;
	}
	return process;
}

static void
set_name(struct process *process, const char *name)
{
	if (process->name && strcmp(process->name, name) == 0)
		return;
	free(process->name);
	process->name = mem_print("%s", name);
	process->generation++;
}

void
processes_name(struct processes *processes, uint32_t pid, const char *name)
{
	const char *slash = strrchr(name, '/');
	char comm[16];

	/* As exec will: the last part of the path, cut to 15 bytes. */
	strncpy(comm, slash ? slash + 1 : name, sizeof comm - 1);
	comm[sizeof comm - 1] = '\0';
	set_name(get(processes, pid), comm);
}

/* --- threads */

static const char *
known_thread_name(const struct processes *processes, uint32_t tid)
{
	const uint64_t *place = map_get(&processes->threads, tid);

	return place ? (const char *)(uintptr_t)*place : NULL;
}

static void
set_thread_name(struct processes *processes, uint32_t tid, const char *name)
{
	uint64_t *place = map_put(&processes->threads, tid);
	char *old = (char *)(uintptr_t)*place;

	if (old && strcmp(old, name) == 0)
		return;
	*place = (uintptr_t)mem_print("%s", name); /* before old goes: name may be it */
	free(old);
}

static void
forget_thread(struct processes *processes, uint32_t tid)
{
	uint64_t *place = map_get(&processes->threads, tid);

	if (!place)
		return;
	free((char *)(uintptr_t)*place);
	map_remove(&processes->threads, tid);
}

const char *
processes_thread_name(struct processes *processes, uint32_t pid, uint32_t tid)
{
	const char *name = known_thread_name(processes, tid);
	char comm[TASK_COMM_MAX];

	if (name)
		return name;
	if (processes->replay || task_comm(pid, tid, comm) < 0)
		return "";
	set_thread_name(processes, tid, comm);
	return known_thread_name(processes, tid);
}

/* --- names of processes */

/* "ld-linux-x86-64.so.2", "ld-2.36.so", "ld.so", "ld-musl-x86_64.so.1" (comm: the first 15 bytes). */
static bool
is_loader(const char *name)
{
	return strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld-musl", 7) == 0 || strcmp(name, "ld.so") == 0 ||
	    (strncmp(name, "ld-", 3) == 0 && strstr(name, ".so"));
}

/* The loader maps its program before any library. */
static void
name_by_program(struct process *process, const struct module *module)
{
	if (module->kind != MODULE_FILE || is_loader(module->base))
		return;
	set_name(process, module->base);
	process->by_loader = false;
}

static void
read_name(struct processes *processes, struct process *process, uint32_t tid)
{
	char comm[TASK_COMM_MAX];

	if (process->name || processes->replay)
		return;
	/* A leader that has exited keeps its name in /proc until the last thread is gone. A child that is
	 * gone and never ran a program of its own was called as its parent. */
	if (task_comm(process->pid, process->pid, comm) < 0 && task_comm(process->pid, tid, comm) < 0 &&
	    task_comm(process->parent, process->parent, comm) < 0)
		return;
	set_name(process, comm);
	process->by_loader = is_loader(comm);
}

/* --- maps */

static void
read_maps(struct processes *processes, struct process *process, uint32_t tid)
{
	struct process *parent;
	uint32_t reader = tid;

	if (process->maps_known || process->maps_tried || processes->replay)
		return;
	process->maps_tried = true;
	if (maps_read(&process->maps, &processes->modules, process->pid, reader) == 0 ||
	    ((reader = task_living_thread(process->pid)) != 0 &&
		maps_read(&process->maps, &processes->modules, process->pid, reader) == 0)) {
		process->maps_known = true;
	} else if ((parent = find(processes, process->parent))) {
		/* Forked, gone, and never anything else than its parent. */
		read_maps(processes, parent, parent->pid);
		if (parent->maps_known && !process->maps.count)
			maps_copy(&process->maps, &parent->maps);
		process->maps_known = parent->maps_known;
	}
	if (process->by_loader)
		for (size_t i = 0; i < process->maps.count && process->by_loader; i++)
			name_by_program(process, process->maps.list[i].module);
}

struct process *
processes_of(struct processes *processes, uint32_t pid, uint32_t tid)
{
	struct process *process = get(processes, pid);

	read_name(processes, process, tid);
	return process;
}

struct maps *
processes_maps(struct processes *processes, struct process *process, uint32_t tid, uint64_t time)
{
	if (!process->maps_known && !process->maps_tried) {
		read_maps(processes, process, tid);
		process->maps_time = time;
	}
	return &process->maps;
}

bool
processes_maps_again(struct processes *processes, struct process *process, uint32_t tid, uint64_t time)
{
	if (processes->replay || process->born || time - process->maps_time < MAPS_AGAIN)
		return false;
	process->maps_known = process->maps_tried = false;
	processes_maps(processes, process, tid, time);
	return process->maps_known;
}

/* Anonymous code is one module whatever it is called: "//anon", "[heap]", "[uprobes]". */
static struct module *
module_of(struct processes *processes, const struct record *record)
{
	struct module_place place = {
		.path = record->mmap.path,
		.pid = processes->replay ? 0 : record->pid,
		.start = record->mmap.start,
		.end = record->mmap.start + record->mmap.length,
		.device = record->mmap.device,
		.inode = record->mmap.inode,
		.build_id = record->mmap.build_id,
		.build_id_size = record->mmap.build_id_size,
	};

	if (strcmp(place.path, "[vdso]") == 0)
		return modules_vdso(&processes->modules);
	if (place.path[0] != '/' || strncmp(place.path, "//anon", 6) == 0)
		return modules_anonymous(&processes->modules, place.path);
	return modules_find(&processes->modules, &place);
}

static void
on_mmap(struct processes *processes, const struct record *record)
{
	struct process *process = get(processes, record->pid);
	struct mapping mapping = {
		.start = record->mmap.start,
		.end = record->mmap.start + record->mmap.length,
		.offset = record->mmap.offset,
	};

	if (record->mmap.kernel || !record->mmap.executable || mapping.end <= mapping.start)
		return;
	mapping.module = module_of(processes, record);
	maps_add(&process->maps, &mapping);
	if (process->by_loader)
		name_by_program(process, mapping.module);
}

static void
on_comm(struct processes *processes, const struct record *record)
{
	struct process *process = get(processes, record->pid);

	set_thread_name(processes, record->tid, record->comm.name);
	if (record->comm.exec) {
		maps_clear(&process->maps);
		process->maps_known = true; /* from here on records tell everything */
		process->maps_tried = false;
		process->born = true;
		process->threads = 1;
		process->by_loader = is_loader(record->comm.name);
	}
	if (record->pid == record->tid)
		set_name(process, record->comm.name);
}

/* perf -a begins with one for every thread that is there; its name and its mappings follow. Nothing is
 * copied from the parent, who may have become another program since. */
static void
on_made_up_fork(struct processes *processes, const struct record *record)
{
	struct process *process = get(processes, record->pid);

	if (record->pid != record->fork.parent_pid)
		process->parent = record->fork.parent_pid;
	process->threads++;
}

static void
on_fork(struct processes *processes, const struct record *record)
{
	const char *maker = known_thread_name(processes, record->fork.parent_tid);
	struct process *process, *parent;

	if (record->tid == record->fork.parent_tid) /* no kernel says so */
		return;
	if (record->time == 0) {
		on_made_up_fork(processes, record);
		return;
	}
	forget_thread(processes, record->tid);
	if (maker)
		set_thread_name(processes, record->tid, maker);
	if (record->pid == record->fork.parent_pid) {
		process = find(processes, record->pid);
		if (process && process->threads)
			process->threads++;
		return;
	}
	process = find(processes, record->pid);
	if (process) { /* the number is used again */
		map_remove(&processes->by_pid, record->pid);
		process_release(process);
	}
	process = get(processes, record->pid);
	process->parent = record->fork.parent_pid;
	process->threads = 1;
	parent = find(processes, record->fork.parent_pid);
	/* The child is called as the thread that made it. */
	if (maker)
		set_name(process, maker);
	else if (parent && parent->name && record->fork.parent_tid == record->fork.parent_pid)
		set_name(process, parent->name);
	if (!parent)
		return;
	if (parent->name && process->name && is_loader(process->name))
		set_name(process, parent->name);
	maps_copy(&process->maps, &parent->maps);
	process->maps_known = parent->maps_known;
	process->born = parent->born;
}

/* Forgets the threads, and processes, that ended a while ago, so that recording for long does not grow. */
static void
bury(struct processes *processes)
{
	for (size_t i = 0; i < processes->dead_count; i++) {
		struct process *process = find(processes, processes->dead[i]);

		forget_thread(processes, processes->dead[i]); /* if the number lives again, /proc has its name */
		if (process && process->threads == UINT32_MAX) {
			map_remove(&processes->by_pid, process->pid);
			process_release(process);
		}
	}
	processes->dead_count = 0;
}

static void
on_exit_record(struct processes *processes, const struct record *record)
{
	struct process *process = find(processes, record->pid);

	if (processes->dead_count && record->time - processes->ended > REMEMBER)
		bury(processes);
	if (!processes->dead_count)
		processes->ended = record->time;
	mem_grow(&processes->dead, processes->dead_count, &processes->dead_room);
	processes->dead[processes->dead_count++] = record->tid;
	if (!process || !process->threads || process->threads == UINT32_MAX || --process->threads)
		return;
	process->threads = UINT32_MAX; /* dead, unless a fork uses the number again */
	if (record->tid != record->pid) { /* the leader went before */
		mem_grow(&processes->dead, processes->dead_count, &processes->dead_room);
		processes->dead[processes->dead_count++] = record->pid;
	}
}

/* A mapping may have been lost: read all of them again when next needed. */
static void
on_loss(struct processes *processes)
{
	processes->losses++;
	for (struct map_slot *slot = map_next(&processes->by_pid, NULL); slot; slot = map_next(&processes->by_pid, slot)) {
		struct process *process = (struct process *)(uintptr_t)slot->value;

		process->maps_known = process->maps_tried = process->born = false;
	}
}

void
processes_follow(struct processes *processes, const struct record *record)
{
	switch (record->kind) {
	case RECORD_MMAP:
		on_mmap(processes, record);
		break;
	case RECORD_COMM:
		on_comm(processes, record);
		break;
	case RECORD_FORK:
		on_fork(processes, record);
		break;
	case RECORD_EXIT:
		on_exit_record(processes, record);
		break;
	case RECORD_LOST:
		on_loss(processes);
		break;
	default:
		break;
	}
}
