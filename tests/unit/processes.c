/* processes.c against records made by hand: what processes and threads are called, and where their code
 * lies, through fork, vfork, exec, ld.so, exit, numbers used again, and loss. */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/processes.h"
#include "tap.h"

/* Numbers that no task has: above the largest pid_max (2^22). */
#define GONE 5000000u
#define SECOND 1000000000u

static struct processes processes;
static uint64_t now = 1000 * (uint64_t)SECOND;

static void
forked(uint32_t parent, uint32_t parent_tid, uint32_t pid, uint32_t tid)
{
	processes_follow(&processes, &(struct record){ .kind = RECORD_FORK, .time = now, .pid = pid, .tid = tid,
	    .fork = { parent, parent_tid } });
}

static void
named(uint32_t pid, uint32_t tid, const char *name, bool exec)
{
	processes_follow(&processes, &(struct record){ .kind = RECORD_COMM, .time = now, .pid = pid, .tid = tid,
	    .comm = { name, exec } });
}

static void
mapped(uint32_t pid, uint64_t start, const char *path)
{
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .time = now, .pid = pid, .tid = pid,
	    .mmap = { .start = start, .length = 0x1000, .path = path, .executable = true } });
}

static void
exited(uint32_t pid, uint32_t tid)
{
	processes_follow(&processes, &(struct record){ .kind = RECORD_EXIT, .time = now, .pid = pid, .tid = tid });
}

static void
lost(void)
{
	processes_follow(&processes, &(struct record){ .kind = RECORD_LOST, .time = now, .lost = 1 });
}

static void
is_called(uint32_t pid, const char *name, const char *what)
{
	const struct process *process = processes_of(&processes, pid, pid, now);

	is_text(process->name ? process->name : "", name, what);
}

/* The file at an address of a process, "" for none. */
static const char *
file_at(uint32_t pid, uint64_t address)
{
	struct process *process = processes_of(&processes, pid, pid, now);
	const struct mapping *mapping = maps_find(processes_maps(&processes, process, pid, now), address);

	return mapping ? mapping->module->base : "";
}

static void
begin(bool replay)
{
	processes_release(&processes);
	processes_init(&processes, replay);
}

/* A living process of ours, called as we are, until it is told to become another. */
static struct {
	pid_t pid;
	int tell;
} live;

static void
live_start(void)
{
	int ends[2];
	char byte;

	if (pipe(ends) < 0)
		exit(1);
	live.pid = fork();
	if (live.pid == 0) {
		close(ends[1]);
		while (read(ends[0], &byte, 1) == 1) {
			prctl(PR_SET_NAME, "became");
			kill(getpid(), SIGSTOP);
		}
		_exit(0);
	}
	close(ends[0]);
	live.tell = ends[1];
}

static void
live_rename(void)
{
	int status;

	if (write(live.tell, "", 1) != 1 || waitpid(live.pid, &status, WUNTRACED) != live.pid)
		exit(1);
	kill(live.pid, SIGCONT);
}

static void
live_end(void)
{
	close(live.tell);
	kill(live.pid, SIGKILL);
	waitpid(live.pid, NULL, 0);
}

static void
test_names(void)
{
	begin(false);
	named(GONE, GONE, "shell", true);
	is_called(GONE, "shell", "exec gives the name");
	forked(GONE, GONE, GONE + 1, GONE + 1);
	is_called(GONE + 1, "shell", "a child is called as its parent");
	named(GONE + 1, GONE + 1, "tool", true);
	is_called(GONE + 1, "tool", "until it runs a program of its own");
	is_called(GONE, "shell", "the parent is what it was");
	forked(GONE, GONE, GONE, GONE + 2);
	named(GONE, GONE + 2, "worker", false);
	is_called(GONE, "shell", "a thread's name is not the process's");
	is_text(processes_thread_name(&processes, GONE, GONE + 2), "worker", "but its own");
	is_text(processes_thread_name(&processes, GONE, GONE), "shell", "the leader has its own too");
	forked(GONE, GONE + 2, GONE, GONE + 3);
	is_text(processes_thread_name(&processes, GONE, GONE + 3), "worker", "a thread is called as its maker");
	forked(GONE, GONE + 2, GONE + 4, GONE + 4);
	is_called(GONE + 4, "worker", "a child is called as the thread that made it");
	named(GONE, GONE, "title", false);
	is_called(GONE, "title", "the leader's renaming is the process's");
	exited(GONE, GONE);
	is_called(GONE, "title", "the leader exits, its name stays");
	named(GONE, GONE, "again", true);
	is_called(GONE, "again", "exec by another thread, which becomes the leader");
	is_called(GONE + 9, "", "of one that is gone nothing is known");
	processes_name(&processes, GONE + 5, "/usr/bin/a-name-that-is-long");
	is_called(GONE + 5, "a-name-that-is-", "as exec will call it");
	forked(GONE, GONE + 6, GONE, GONE + 6);
	ok(true, "a thread that made itself is no news");
}

/* A thread's number becomes another process's thread's, and that one outlives what is remembered of the first. */
static void
test_thread_numbers(void)
{
	begin(false);
	named(GONE, GONE, "one", true);
	forked(GONE, GONE, GONE, GONE + 7);
	named(GONE, GONE + 7, "first", false);
	named(GONE + 1, GONE + 1, "two", true);
	is_called(GONE, "one", "two processes"); /* with samples: they are not looked for in /proc */
	is_called(GONE + 1, "two", "...");
	exited(GONE, GONE + 7);
	is_text(processes_thread_name(&processes, GONE, GONE + 7), "first", "a thread that has ended has its name still");
	now += SECOND / 2;
	forked(GONE + 1, GONE + 1, GONE + 1, GONE + 7);
	is_text(processes_thread_name(&processes, GONE + 1, GONE + 7), "two", "its number used again: as its maker");
	named(GONE + 1, GONE + 7, "second", false);
	is_text(processes_thread_name(&processes, GONE + 1, GONE + 7), "second", "... and by its own name");
	now += 10 * (uint64_t)SECOND;
	exited(GONE + 98, GONE + 98); /* the first is forgotten */
	is_text(processes_thread_name(&processes, GONE + 1, GONE + 7), "second", "... also when the first is forgotten");
	is_called(GONE, "one", "its process is what it was");
	exited(GONE + 1, GONE + 7);
	now += 10 * (uint64_t)SECOND;
	exited(GONE + 98, GONE + 98);
	is_text(processes_thread_name(&processes, GONE + 1, GONE + 7), "", "... and then is forgotten itself");
	exited(GONE, GONE);
	now += 1000;
	named(GONE, GONE, "three", true);
	now += 10 * (uint64_t)SECOND;
	exited(GONE + 98, GONE + 98);
	is_text(processes_thread_name(&processes, GONE, GONE), "three", "a leader's number that an exec took over");
	is_called(GONE, "three", "... and its process");
	processes_name(&processes, GONE + 20, "waiting");
	is_text(processes_thread_name(&processes, GONE + 20, GONE + 20), "waiting", "a leader first seen at its end: as its process");
	is_text(processes_thread_name(&processes, GONE + 20, GONE + 21), "", "... not a thread of it");
}

static void
test_maps(void)
{
	begin(true);
	named(GONE, GONE, "shell", true);
	mapped(GONE, 0x1000, "/no/shell");
	forked(GONE, GONE, GONE + 1, GONE + 1);
	is_text(file_at(GONE + 1, 0x1800), "shell", "a child has its parent's code");
	mapped(GONE + 1, 0x2000, "/no/plugin");
	is_text(file_at(GONE + 1, 0x2000), "plugin", "what a child maps is there");
	is_text(file_at(GONE, 0x2000), "", "and nowhere else");
	mapped(GONE + 1, 0x1000, "/no/other");
	is_text(file_at(GONE + 1, 0x1000), "other", "what is mapped later hides what was there");
	is_text(file_at(GONE, 0x1000), "shell", "in one process only");
	forked(GONE, GONE, GONE + 2, GONE + 2); /* vfork: the same memory */
	named(GONE + 2, GONE + 2, "tool", true);
	is_text(file_at(GONE + 2, 0x1000), "", "exec begins with nothing");
	mapped(GONE + 2, 0x1000, "/no/tool");
	is_text(file_at(GONE + 2, 0x1000), "tool", "what it maps then");
	is_text(file_at(GONE, 0x1000), "shell", "the parent of a vfork keeps its own");
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .pid = GONE, .tid = GONE,
	    .mmap = { .start = 0x1000, .length = UINT64_MAX, .path = "/no/wraps", .executable = true } });
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .pid = GONE, .tid = GONE,
	    .mmap = { .start = 0x1000, .length = 0x1000, .path = "/no/data" } });
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .pid = GONE, .tid = GONE,
	    .mmap = { .start = 0x1000, .length = 0x1000, .path = "/no/module", .executable = true, .kernel = true } });
	is_text(file_at(GONE, 0x1000), "shell", "data, the kernel's code and what wraps around are left out");
	mapped(GONE, 0x7000, "//anon");
	ok(processes_of(&processes, GONE, GONE, now)->code->maps.list[1].module->kind == MODULE_ANONYMOUS, "code without a file");
}

static void
test_loader(void)
{
	begin(true);
	named(GONE, GONE, "ld-linux-x86-64", true);
	mapped(GONE, 0x1000, "/no/ld-linux-x86-64.so.2");
	is_called(GONE, "ld-linux-x86-64", "ld.so is itself");
	mapped(GONE, 0x2000, "/no/program");
	is_called(GONE, "program", "until it maps a program");
	mapped(GONE, 0x3000, "/no/library.so");
	is_called(GONE, "program", "the first is the program, what follows are libraries");
	forked(GONE, GONE, GONE + 1, GONE + 1);
	is_called(GONE + 1, "program", "its child is called so too");
	named(GONE, GONE, "title", false);
	is_called(GONE, "title", "it may call itself otherwise");
}

static void
test_numbers(void)
{
	begin(true);
	named(GONE, GONE, "one", true);
	mapped(GONE, 0x1000, "/no/one");
	named(GONE + 1, GONE + 1, "two", true);
	mapped(GONE + 1, 0x1000, "/no/two");
	forked(GONE, GONE, GONE + 2, GONE + 2);
	exited(GONE + 2, GONE + 2);
	now += 1000;
	is_called(GONE + 2, "one", "the last kernel code of one that has exited");
	forked(GONE + 1, GONE + 1, GONE + 2, GONE + 2);
	is_called(GONE + 2, "two", "a number used again: the name");
	is_text(file_at(GONE + 2, 0x1000), "two", "a number used again: the code");

	/* What has ended is remembered for a while, counted from its own end. */
	begin(true);
	named(GONE, GONE, "one", true);
	forked(GONE, GONE, GONE + 3, GONE + 3);
	exited(GONE + 3, GONE + 3);
	now -= 500; /* rings are merged by clocks that differ by microseconds */
	exited(GONE + 99, GONE + 99);
	is_called(GONE + 3, "one", "time goes backwards by a little");
	now += 2 * (uint64_t)SECOND - 1000;
	forked(GONE, GONE, GONE + 4, GONE + 4);
	exited(GONE + 4, GONE + 4);
	now += 2000;
	exited(GONE + 98, GONE + 98);
	is_called(GONE + 4, "one", "who ended just now is remembered when others are forgotten");
	now += 3 * (uint64_t)SECOND;
	exited(GONE + 98, GONE + 98);
	is_called(GONE + 3, "", "and forgotten later");
	is_called(GONE + 4, "", "and this one");
	for (uint32_t i = 0; i < 50000; i++) {
		forked(GONE, GONE, GONE + 100 + i, GONE + 100 + i);
		now += SECOND / 1000;
		exited(GONE + 100 + i, GONE + 100 + i);
	}
	ok(processes.by_pid.used < 5000 && processes.threads.by_tid.used < 5000, "recording for long does not grow");
}

static void
test_replay(void)
{
	begin(true);
	named(GONE, GONE, "shell", false);
	mapped(GONE, 0x1000, "/no/shell");
	named(GONE + 1, GONE + 1, "tool", false);
	mapped(GONE + 1, 0x1000, "/no/tool");
	processes_follow(&processes, &(struct record){ .kind = RECORD_FORK, .time = 0, .pid = GONE + 1,
	    .tid = GONE + 1, .fork = { GONE, GONE } });
	is_called(GONE + 1, "tool", "a made-up fork at time 0 changes no name");
	is_text(file_at(GONE + 1, 0x1000), "tool", "and no code");
}

static uint64_t
own_code(void)
{
	return (uint64_t)(uintptr_t)&own_code;
}

static void
test_loss(void)
{
	uint32_t pid;

	begin(false);
	live_start();
	pid = (uint32_t)live.pid;
	named(pid, pid, "before", true);
	ok(!*file_at(pid, own_code()), "records tell all of a process that began under our eyes");
	live_rename();
	lost();
	now += SECOND;
	is_called(pid, "became", "after a loss the name is asked for again");
	ok(*file_at(pid, own_code()), "and so is its code");
	named(GONE, GONE, "kept", true);
	lost();
	now += SECOND;
	is_called(GONE, "kept", "of who is gone what was known is kept");
	live_end();
}

/* A process that was there before us and was never sampled starts another; when we come to look, the child
 * has become something else, but its first samples are still the parent's program. */
static void
test_unseen_parent(void)
{
	uint32_t self = (uint32_t)getpid(), pid;
	char name[TASK_COMM_MAX];

	begin(false);
	task_comm(self, self, name);
	live_start();
	pid = (uint32_t)live.pid;
	live_rename();
	forked(self, self, pid, pid);
	is_called(pid, name, "a child of one never sampled is called as it until it says otherwise");
	named(pid, pid, "became", true);
	is_called(pid, "became", "and then as it says");
	live_end();
	forked(self, self, GONE, GONE);
	exited(GONE, GONE);
	is_called(GONE, name, "a child that is gone too");
	ok(*file_at(GONE, own_code()), "its code is its parent's");
	forked(self, self, GONE + 1, GONE + 1);
	mapped(GONE + 1, 0x1000, "/no/plugin");
	ok(*file_at(GONE + 1, own_code()), "also if it mapped something itself");
}

/* Text that is copied onto anonymous pages: we come to look before the bytes are there, and again when they are. */
static void
test_copied_text(void)
{
	uint32_t self = (uint32_t)getpid();
	struct mapping text = { 0 };
	struct stat st;
	char *copy;

	begin(false);
	for (size_t i = 0; i < processes_maps(&processes, processes_of(&processes, self, self, now), self, now)->count; i++)
		if (processes_known(&processes, self)->code->maps.list[i].start <= own_code() &&
		    processes_known(&processes, self)->code->maps.list[i].end > own_code())
			text = processes_known(&processes, self)->code->maps.list[i];
	copy = mmap(NULL, text.end - text.start, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!ok(text.module && copy != MAP_FAILED && stat("/proc/self/exe", &st) == 0, "our own text"))
		return;
	named(self, self, "copies", true);
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .time = now, .pid = self, .tid = self,
	    .mmap = { .start = (uintptr_t)copy, .length = text.end - text.start, .offset = text.offset,
		.path = text.module->path, .device = text.module->device, .inode = text.module->inode, .executable = true } });
	ok(*file_at(self, (uintptr_t)copy), "a file's text");
	for (int i = 0; i < 2; i++) {
		processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .time = now, .pid = self, .tid = self,
		    .mmap = { .start = (uintptr_t)copy, .length = text.end - text.start, .path = "//anon",
			.executable = true } });
		if (i == 0)
			is_text(file_at(self, (uintptr_t)copy), "anon", "in its place nothing as yet");
		memcpy(copy, (void *)(uintptr_t)text.start, text.end - text.start);
	}
	ok(strcmp(file_at(self, (uintptr_t)copy), "anon") != 0, "the same text, copied: the file's");
	munmap(copy, text.end - text.start);
}

static volatile uint32_t grandchild;

static int
stay(void *stack)
{
	if (stack)
		grandchild = (uint32_t)clone(stay, stack, CLONE_VM | SIGCHLD, NULL);
	pause();
	return 0;
}

/* clone() with CLONE_VM alone: what one of the two maps the other has, until one of them becomes another program. */
static void
test_shared_memory(void)
{
	static char stack[65536] __attribute__((aligned(16))), second[65536] __attribute__((aligned(16)));
	uint32_t self = (uint32_t)getpid(), pid;

	begin(false);
	named(self, self, "one", true);
	mapped(self, 0x1000, "/no/before");
	pid = (uint32_t)clone(stay, stack + sizeof stack, CLONE_VM | SIGCHLD, second + sizeof second);
	if (!ok(task_shares_memory(pid, self), "two processes of one memory"))
		return;
	forked(self, self, pid, pid);
	is_text(file_at(pid, 0x1000), "before", "the child has what was there");
	mapped(pid, 0x1000, "/no/replaced");
	is_text(file_at(self, 0x1000), "replaced", "what the child maps its parent has");
	mapped(self, 0x2000, "/no/later");
	is_text(file_at(pid, 0x2000), "later", "and the other way round");
	exited(self, self);
	named(self, self, "other", true);
	is_text(file_at(self, 0x2000), "", "another program has nothing of it");
	is_text(file_at(pid, 0x2000), "later", "who stays has all");
	/* Without records of them: a child that was there before us. */
	begin(false);
	file_at(pid, own_code());
	mapped(pid, 0x1000, "/no/seen");
	is_text(file_at(self, 0x1000), "seen", "a child that was there before");
	while (!grandchild)
		usleep(1000);
	begin(false);
	file_at(self, own_code());
	mapped(grandchild, 0x2000, "/no/asleep");
	is_text(file_at(self, 0x2000), "asleep", "a child's child of which there was no sample yet");
	is_text(file_at(pid, 0x2000), "asleep", "who is between them too");
	kill((pid_t)grandchild, SIGKILL);
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	live_start();
	forked(self, self, (uint32_t)live.pid, (uint32_t)live.pid);
	mapped((uint32_t)live.pid, 0x2000, "/no/own");
	is_text(file_at(self, 0x2000), "asleep", "a child by fork() has a memory of its own");
	live_end();
	ok(!task_shares_memory(GONE, GONE), "who is gone has none");
}

/* As many mappings as a process may have, each below the others as the kernel places them, then above. */
static void
test_many_mappings(void)
{
	struct modules modules = { 0 };
	struct maps maps = { 0 };
	struct mapping mapping = { .module = modules_anonymous(&modules, "//anon") };
	uint64_t begin = clock_cpu();
	size_t found = 0;

	for (uint64_t i = 0; i < MAPS_MAX; i++) {
		mapping.start = i % 8 ? (2 * MAPS_MAX - i) * 0x2000 : (2 * MAPS_MAX + i) * 0x2000;
		mapping.end = mapping.start + 0x1000;
		maps_add(&maps, &mapping);
	}
	for (uint64_t i = 0; i < 4 * MAPS_MAX; i++)
		found += maps_find(&maps, i * 0x2000) != NULL;
	ok(found == MAPS_MAX && maps.count == MAPS_MAX, "%zu of %d mappings are found", found, MAPS_MAX);
	for (size_t i = 1; i < maps.count; i++)
		found -= maps.list[i - 1].end > maps.list[i].start;
	ok(found == MAPS_MAX, "they are sorted");
	note("%.3f s", (double)(clock_cpu() - begin) / 1e9);
	mapping.start = 0;
	mapping.end = 0x1000;
	maps_add(&maps, &mapping);
	ok(maps.refused == 1 && !maps_find(&maps, 0), "one more is refused");
	mapping.module = modules_anonymous(&modules, "[other]");
	mapping.start = maps.list[0].start + 0x400;
	mapping.end = mapping.start + 0x400;
	maps_add(&maps, &mapping);
	ok(maps.count == MAPS_MAX && maps.refused > 1, "one amid another is, too");
	ok(!maps_find(&maps, mapping.start), "but what lay there is there no more");
	ok(maps_find(&maps, mapping.start - 1) && maps_find(&maps, mapping.start - 1)->module != mapping.module,
	    "what lies before it is");
	mapping.start = maps.list[1].start;
	mapping.end = maps.list[1].end;
	maps_add(&maps, &mapping);
	ok(maps_find(&maps, mapping.start) && maps_find(&maps, mapping.start)->module == mapping.module,
	    "in the place of another there is room");
	maps_clear(&maps);
	modules_release(&modules);
}

/* Where vm.max_map_count is raised, what is no code may have any number of mappings; the libraries lie above all of
 * it. */
static void
test_many_data(void)
{
	struct modules modules = { 0 };
	struct maps maps = { 0 };
	FILE *file = tmpfile();

	for (uint64_t i = 1; i <= 3 * MAPS_MAX; i++)
		fprintf(file, "%llx-%llx rw-p 00000000 00:00 0 \n", (unsigned long long)(i * 0x2000),
		    (unsigned long long)(i * 0x2000 + 0x1000));
	fputs("7f0000000000-7f0000001000 r-xp 00000000 00:00 0 \n", file);
	rewind(file);
	ok(maps_read_lines(&maps, &modules, GONE, file) == 0 && maps_find(&maps, 0x7f0000000000),
	    "code above much data is found");
	fclose(file);
	maps_clear(&maps);
	modules_release(&modules);
}

static uint32_t
maker_of(uint32_t pid)
{
	const struct process *maker = processes_maker(&processes, processes_known(&processes, pid));

	return maker ? maker->pid : 0;
}

/* Whoever forked a process stays who did, until its number is another's. */
static void
test_makers(void)
{
	begin(false);
	forked(GONE, GONE, GONE + 1, GONE + 1);
	ok(maker_of(GONE + 1) == GONE && !maker_of(GONE), "who forked a process");
	named(GONE + 1, GONE + 1, "new", true);
	ok(maker_of(GONE + 1) == GONE, "after its exec, too");
	now++;
	named(GONE, GONE, "new", true);
	ok(maker_of(GONE + 1) == GONE, "and after its maker's");
	forked(GONE + 7, GONE + 7, GONE, GONE);
	ok(!maker_of(GONE + 1), "not another one that uses the number again");
	ok(maker_of(GONE) == GONE + 7, "which has its own");
}

/* A process that maps and unmaps for ever is read again when there is no more room: unmapping is not told. */
static void
test_full_maps(void)
{
	uint32_t self = (uint32_t)getpid();
	struct process *process;
	uint64_t here = (uintptr_t)&test_full_maps;
	bool again;

	begin(false);
	named(self, self, "mapping", true);
	for (uint64_t i = 0; i <= MAPS_MAX; i++)
		mapped(self, 0x10000 + i * 0x2000, "//anon");
	process = processes_of(&processes, self, self, now);
	ok(process->code->maps.refused == 1, "the mappings of a process are too many");
	now += 2 * SECOND;
	again = processes_maps_again(&processes, process, self, now);
	ok(again && process->code->maps.count < MAPS_MAX && maps_find(&process->code->maps, here), "they are read again");
	now += 2 * SECOND;
	ok(!processes_maps_again(&processes, process, self, now), "once");
}

/* Code that no record tells of, in a process that began under our eyes: mremap() is told to nobody. */
static void
test_moved_code(void)
{
	uint32_t self = (uint32_t)getpid();
	struct process *process;
	struct mapping text = { 0 };
	const struct mapping *own;
	void *moved, *later;
	uint64_t libc = (uintptr_t)dlsym(RTLD_DEFAULT, "qsort");

	begin(false);
	process = processes_of(&processes, self, self, now);
	own = maps_find(processes_maps(&processes, process, self, now), own_code());
	if (!ok(own && libc, "our own text, and libc's"))
		return;
	text = *own;
	now += SECOND;
	named(self, self, "moves", true);
	processes_follow(&processes, &(struct record){ .kind = RECORD_MMAP, .time = now, .pid = self, .tid = self,
	    .mmap = { .start = text.start, .length = text.end - text.start, .offset = text.offset,
		.path = text.module->path, .device = text.module->device, .inode = text.module->inode,
		.executable = true } });
	mapped(self, libc & ~UINT64_C(4095), "/no/before");
	moved = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	now += SECOND / 2;
	ok(!processes_maps_again(&processes, process, self, now), "a process that has just begun is not read");
	now += SECOND;
	ok(processes_maps_again(&processes, process, self, now) && *file_at(self, (uintptr_t)moved),
	    "one that stays is");
	is_text(file_at(self, libc), "before", "what records told of lies there still, whatever does now");
	now += SECOND;
	ok(!processes_maps_again(&processes, process, self, now), "nothing new");
	later = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	now += SECOND;
	ok(!processes_maps_again(&processes, process, self, now), "who was read in vain is read less often");
	now += SECOND;
	ok(processes_maps_again(&processes, process, self, now) && *file_at(self, (uintptr_t)later), "but then");
	munmap(later, 4096);
	named(self, self, "former", true);
	mapped(self, 0x1000, "/no/former");
	now += 2 * SECOND;
	ok(!processes_maps_again(&processes, process, self, now) && !*file_at(self, (uintptr_t)moved),
	    "of another program than the records told of nothing is taken");
	munmap(moved, 4096);
}

int
main(void)
{
	test_names();
	test_thread_numbers();
	test_maps();
	test_loader();
	test_numbers();
	test_replay();
	test_loss();
	test_unseen_parent();
	test_copied_text();
	test_shared_memory();
	test_many_mappings();
	test_many_data();
	test_full_maps();
	test_moved_code();
	test_makers();
	processes_release(&processes);
	return done_testing();
}
