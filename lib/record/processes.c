#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/processes.h"

/* Who has ended is remembered for so many nanoseconds of record time, or a little longer: samples in
 * their last kernel code come after their exit record. */
#define REMEMBER 2000000000ull
/* Whose end was not told is looked for so often, in ns, and only if there was no sample of it for as long. */
#define TIDY_EVERY 60000000000u
/* After losses: reading everything again at each of them would make the next one. */
#define AFTER_LOSS 100000000u

void
processes_init(struct processes *processes, bool replay)
{
	*processes = (struct processes){ .replay = replay };
}

static void
process_release(struct process *process)
{
	free(process->name);
	process_code_drop(process->code);
	free(process);
}

void
processes_release(struct processes *processes)
{
	for (struct map_slot *slot = map_next(&processes->by_pid, NULL); slot; slot = map_next(&processes->by_pid, slot))
		process_release((struct process *)(uintptr_t)slot->value);
	free(processes->dead);
	map_release(&processes->by_pid);
	thread_names_release(&processes->threads);
	modules_release(&processes->modules);
}

struct process *
processes_known(const struct processes *processes, uint32_t pid)
{
	const uint64_t *place = map_get(&processes->by_pid, pid);

	return place ? (struct process *)(uintptr_t)*place : NULL;
}

static struct process *
get(struct processes *processes, uint32_t pid)
{
	struct process *process = processes_known(processes, pid);

	if (!process) {
		process = mem_alloc(sizeof *process);
		process->pid = pid;
		process->code = process_code_new();
		process->program = ++processes->programs;
		process->losses = processes->losses;
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

const char *
processes_thread_name(struct processes *processes, uint32_t pid, uint32_t tid)
{
	const char *name = thread_names_get(&processes->threads, tid);
	const struct process *process;
	char comm[TASK_COMM_MAX];

	if (name)
		return name;
	if (processes->replay || task_comm(pid, tid, comm) < 0) {
		process = tid == pid ? processes_known(processes, pid) : NULL; /* a leader that only waited for its threads */
		return process && process->name ? process->name : "";
	}
	thread_names_set(&processes->threads, tid, comm);
	return thread_names_get(&processes->threads, tid);
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

	if ((process->name && !process->doubtful) || processes->replay)
		return;
	process->doubtful = false;
	/* A leader that has exited keeps its name in /proc until the last thread is gone. */
	if (task_comm(process->pid, process->pid, comm) < 0 && task_comm(process->pid, tid, comm) < 0)
		return;
	if (!is_loader(comm) || !process->name)
		set_name(process, comm);
	process->by_loader = is_loader(comm);
}

/* --- maps */

static void
share_code(struct process *process, const struct process *with)
{
	process_code_drop(process->code);
	process->code = process_code_share(with->code);
}

/* Who was there before we came may have its parent's memory: asked once, before anything is known of its own. */
static void
share_with_parent(struct processes *processes, struct process *process)
{
	uint32_t pid = process->asked_parent || process->fork_time || processes->replay ? 0 : task_parent_of(process->pid);
	struct process *parent;

	process->asked_parent = true;
	if (!pid || !task_shares_memory(process->pid, pid))
		return;
	parent = get(processes, pid);
	share_with_parent(processes, parent);
	share_code(process, parent);
	process->parent = pid;
	process->parent_program = parent->program;
}

/* Of a child whose parent's code nobody had asked for when it was forked: the parent's, since the child may
 * be gone by now, or another program. */
static bool
inherit_maps(struct processes *processes, struct process *process)
{
	struct process *origin = process->origin ? processes_known(processes, process->origin) : NULL;

	if (!origin || origin->program != process->origin_program)
		return false;
	if (!origin->code->is_known)
		origin->code->is_known =
		    process_code_read(&origin->code->maps, &processes->modules, origin->pid, origin->pid);
	if (origin->code->is_known)
		maps_copy(&process->code->maps, &origin->code->maps);
	return origin->code->is_known;
}

static void
read_maps(struct processes *processes, struct process *process, uint32_t tid)
{
	share_with_parent(processes, process);
	if (process->code->is_known || process->code->is_tried || processes->replay)
		return;
	process->code->is_tried = true;
	process->code->is_known = inherit_maps(processes, process) ||
	    process_code_read(&process->code->maps, &processes->modules, process->pid, tid);
	for (size_t i = 0; i < process->code->maps.count && process->by_loader; i++)
		name_by_program(process, process->code->maps.list[i].module);
}

/* What was lost may have been an exec: nothing that records told of it is sure any more. */
static void
doubt(struct processes *processes, struct process *process, uint64_t time)
{
	process->losses = processes->losses;
	process->code->is_known = process->code->is_tried = process->code->is_born = false;
	process->origin = 0;
	process->doubtful = true;
	process->code->time = time;
}

struct process *
processes_of(struct processes *processes, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct process *process = get(processes, pid);

	if (process->losses != processes->losses && time - process->code->time >= AFTER_LOSS)
		doubt(processes, process, time);
	read_name(processes, process, tid);
	process->seen = time;
	return process;
}

struct process *
processes_maker(const struct processes *processes, const struct process *process)
{
	struct process *maker = process->maker ? processes_known(processes, process->maker) : NULL;

	return maker && maker->fork_time <= process->fork_time ? maker : NULL; /* or the number is used again */
}

struct maps *
processes_maps(struct processes *processes, struct process *process, uint32_t tid, uint64_t time)
{
	if (!process->code->is_known && !process->code->is_tried) {
		read_maps(processes, process, tid);
		process->code->time = time;
	}
	return &process->code->maps;
}

bool
processes_maps_again(struct processes *processes, struct process *process, uint32_t tid, uint64_t time)
{
	bool is_full = process->code->maps.refused != 0;

	if (processes->replay)
		return false;
	if (process->code->is_born && !is_full)
		return process_code_fill(process->code, &processes->modules, process->pid, tid,
		    process->exec_time ? process->exec_time : process->fork_time, time);
	if (time - process->code->time < PROCESS_CODE_AGAIN)
		return false;
	if (is_full) /* of what has been unmapped since, mostly */
		maps_clear(&process->code->maps);
	process->code->is_known = process->code->is_tried = false;
	processes_maps(processes, process, tid, time);
	return process->code->is_known;
}

static void
on_mmap(struct processes *processes, const struct record *record)
{
	struct process *process;
	struct module *module;

	if (record->mmap.kernel || !record->mmap.executable ||
	    record->mmap.start + record->mmap.length <= record->mmap.start)
		return;
	process = get(processes, record->pid);
	share_with_parent(processes, process);
	if (process->origin) /* what it inherited lies below */
		read_maps(processes, process, record->tid);
	module = process_code_add(process->code, &processes->modules, record, process->maker, processes->replay);
	if (process->by_loader)
		name_by_program(process, module);
}

static void
on_comm(struct processes *processes, const struct record *record)
{
	struct process *process = get(processes, record->pid);

	if (record->comm.exec) /* perhaps the number of a leader that has just ended */
		thread_names_begin(&processes->threads, record->tid, record->time);
	thread_names_set(&processes->threads, record->tid, record->comm.name);
	if (record->comm.exec) {
		process_code_drop(process->code);
		process->code = process_code_new();
		process->code->is_known = process->code->is_born = true; /* from here on records tell everything */
		process->doubtful = false;
		process->program = ++processes->programs;
		process->generation++; /* it may have been put into a group just before */
		process->origin = process->parent = 0;
		process->exec_time = record->time;
		process->losses = processes->losses;
		process->threads = 1;
		process->by_loader = is_loader(record->comm.name);
	}
	if (record->pid == record->tid)
		set_name(process, record->comm.name);
}

/* The thread that makes another one gives it its name. */
static const char *
maker_of(struct processes *processes, const struct record *record)
{
	const char *name = thread_names_get(&processes->threads, record->fork.parent_tid);

	if (name || record->fork.parent_tid == record->fork.parent_pid)
		return name; /* the leader's is the process's */
	name = processes_thread_name(processes, record->fork.parent_pid, record->fork.parent_tid);
	return *name ? name : NULL;
}

/* Its parent's code: copied, or where to read it from when it is needed. */
static void
inherit(struct processes *processes, struct process *process, struct process *parent)
{
	share_with_parent(processes, parent);
	if (!processes->replay && task_shares_memory(process->pid, parent->pid)) {
		share_code(process, parent);
	} else {
		maps_copy(&process->code->maps, &parent->code->maps);
		process->code->is_known = parent->code->is_known;
		process->code->is_born = parent->code->is_born;
	}
	process->losses = parent->losses;
	process->parent = parent->pid;
	process->parent_program = parent->program;
	if (parent->code->is_known || parent->code == process->code)
		return;
	process->origin = parent->origin ? parent->origin : parent->pid;
	process->origin_program = parent->origin ? parent->origin_program : parent->program;
}

static void
on_fork(struct processes *processes, const struct record *record)
{
	struct process *process = processes_known(processes, record->pid), *parent;
	const char *maker;

	if (record->tid == record->fork.parent_tid) /* no kernel says so */
		return;
	/* perf -a begins with one for every thread that is there; its name and its mappings follow. Nothing is
	 * copied from the parent, who may have become another program since. */
	if (record->time == 0) {
		get(processes, record->pid)->threads++;
		return;
	}
	maker = maker_of(processes, record);
	thread_names_begin(&processes->threads, record->tid, record->time);
	if (maker)
		thread_names_set(&processes->threads, record->tid, maker);
	if (record->pid == record->fork.parent_pid) {
		if (process && process->threads)
			process->threads++;
		return;
	}
	if (process) { /* the number is used again */
		map_remove(&processes->by_pid, record->pid);
		process_release(process);
	}
	/* A parent not seen before is asked for its name now: later the child may be gone, or another program. */
	parent = processes->replay ? processes_known(processes, record->fork.parent_pid) :
	    processes_of(processes, record->fork.parent_pid, record->fork.parent_tid, record->time);
	process = get(processes, record->pid);
	process->threads = 1;
	process->maker = record->fork.parent_pid;
	process->fork_time = record->time;
	if (maker && !(is_loader(maker) && parent && parent->name))
		set_name(process, maker);
	else if (parent && parent->name)
		set_name(process, parent->name);
	if (parent)
		inherit(processes, process, parent);
}

/* Forgets a thread, or a process, so that recording for long does not grow. */
static void
bury(struct processes *processes, const struct dead *dead)
{
	struct process *process = processes_known(processes, dead->tid);

	thread_names_end(&processes->threads, dead->tid, dead->time);
	/* The number may be another's by now, who may have ended too. */
	if (process && process->threads == UINT32_MAX && process->fork_time <= dead->time) {
		map_remove(&processes->by_pid, process->pid);
		process_release(process);
	}
}

static void
bury_old(struct processes *processes, uint64_t time)
{
	size_t n = 0;

	if (!processes->dead_count || processes->dead[0].time + 2 * REMEMBER > time)
		return; /* many at once: the others then move up once for all */
	while (n < processes->dead_count && processes->dead[n].time + REMEMBER < time)
		bury(processes, &processes->dead[n++]);
	processes->dead_count -= n;
	memmove(processes->dead, processes->dead + n, processes->dead_count * sizeof *processes->dead);
}

static void
remember(struct processes *processes, uint32_t tid, uint64_t time)
{
	mem_grow(&processes->dead, processes->dead_count, &processes->dead_room);
	processes->dead[processes->dead_count++] = (struct dead){ time, tid };
}

static void
remember_gone(void *context, uint32_t tid)
{
	struct processes *processes = context;

	if (!task_exists(tid))
		remember(processes, tid, processes->tidied);
}

/* Those whose end we were not told. */
static void
find_gone(struct processes *processes, uint64_t time)
{
	if (processes->replay || time - processes->tidied < TIDY_EVERY)
		return;
	processes->tidied = time;
	for (struct map_slot *slot = map_next(&processes->by_pid, NULL); slot; slot = map_next(&processes->by_pid, slot)) {
		struct process *process = (struct process *)(uintptr_t)slot->value;

		if (process->threads == UINT32_MAX || process->seen + TIDY_EVERY > time || task_exists(process->pid))
			continue;
		process->threads = UINT32_MAX;
		remember(processes, process->pid, time);
	}
	thread_names_each(&processes->threads, remember_gone, processes);
}

void
processes_tidy(struct processes *processes, uint64_t time)
{
	struct modules *modules = &processes->modules;

	if (processes->replay)
		return;
	bury_old(processes, time);
	find_gone(processes, time);
	for (size_t i = 0; i < modules->count; i++)
		modules->list[i]->is_used = false;
	for (struct map_slot *slot = map_next(&processes->by_pid, NULL); slot; slot = map_next(&processes->by_pid, slot)) {
		const struct process *process = (const struct process *)(uintptr_t)slot->value;
		const struct maps *maps = &process->code->maps;

		if (process->code->replaced.module)
			process->code->replaced.module->is_used = true;
		for (size_t i = 0; i < maps->count; i++)
			maps->list[i].module->is_used = true;
	}
	modules_tidy(modules, time);
}

static void
on_exit_record(struct processes *processes, const struct record *record)
{
	struct process *process;

	remember(processes, record->tid, record->time);
	bury_old(processes, record->time);
	find_gone(processes, record->time);
	process = processes_known(processes, record->pid);
	if (!process || !process->threads || process->threads == UINT32_MAX || --process->threads)
		return;
	process->threads = UINT32_MAX; /* dead, unless a fork uses the number again */
	if (record->tid != record->pid) /* the leader went before */
		remember(processes, record->pid, record->time);
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
		processes->losses++;
		break;
	default:
		break;
	}
}
