/* targets.c against records made by hand: who is kept, by descent, thread and cgroup, when numbers are used
 * again, when a process is gone before anybody could ask about it. */
#include <sys/wait.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "source/targets.h"
#include "target/task.h"
#include "tap.h"

/* Numbers that no task has: above the largest pid_max (2^22). */
#define GONE 5000000u
/* After an answer, in ns, it is old. A record of this time is older than any. */
#define LATER 200000000u

static struct targets targets;
static uint64_t now;

static bool
sample(uint32_t pid, uint32_t tid)
{
	return targets_take(&targets, &(struct record){ .kind = RECORD_SAMPLE, .time = now, .pid = pid, .tid = tid,
	    .sample = { .pid = pid, .tid = tid } });
}

static bool
fork_of(uint32_t parent, uint32_t parent_tid, uint32_t pid, uint32_t tid)
{
	return targets_take(&targets, &(struct record){ .kind = RECORD_FORK, .time = now, .pid = pid, .tid = tid,
	    .fork = { parent, parent_tid } });
}

/* Is what happens to it followed? */
static bool
maps(uint32_t pid)
{
	return targets_take(&targets, &(struct record){ .kind = RECORD_MMAP, .pid = pid, .tid = pid,
	    .mmap = { .path = "/bin/true" } });
}

static void
exec_in(uint32_t pid)
{
	targets_take(&targets, &(struct record){ .kind = RECORD_COMM, .time = now, .pid = pid, .tid = pid,
	    .comm = { "new", true } });
}

static void
exit_of(uint32_t pid, uint32_t tid)
{
	targets_take(&targets, &(struct record){ .kind = RECORD_EXIT, .pid = pid, .tid = tid });
}

static void
begin(enum targets_kind kind, const uint32_t *ids, size_t count)
{
	targets_release(&targets);
	targets = (struct targets){ .kind = kind, .ids = ids, .count = count };
	targets_begin(&targets);
}

static void
test_processes(void)
{
	static const uint32_t ids[] = { GONE, GONE + 1 };

	begin(TARGETS_PROCESSES, ids, 2);
	ok(sample(GONE, GONE) && sample(GONE + 1, GONE + 1), "a process asked for");
	ok(sample(GONE, GONE + 10), "another thread of it");
	ok(!sample(GONE + 2, GONE + 2), "not a stranger");
	ok(!sample(0, 0), "not a task of an outer pid namespace");
	fork_of(GONE, GONE + 10, GONE + 3, GONE + 3);
	fork_of(GONE + 3, GONE + 3, GONE + 4, GONE + 4);
	ok(sample(GONE + 3, GONE + 3) && sample(GONE + 4, GONE + 4), "its children, and theirs");
	fork_of(GONE + 2, GONE + 2, GONE + 5, GONE + 5);
	ok(!sample(GONE + 5, GONE + 5), "not a stranger's child");
	ok(maps(GONE) && maps(GONE + 4), "what happens to targets is followed");
	ok(!maps(GONE + 2) && !maps(GONE + 5), "what happens to strangers is not");
	fork_of(GONE + 2, GONE + 2, GONE + 2, GONE + 6);
	ok(!sample(GONE + 2, GONE + 6), "not a stranger's thread");
	exit_of(GONE + 3, GONE + 3);
	ok(sample(GONE + 3, GONE + 3), "the last kernel code of one that has exited");
	fork_of(GONE + 2, GONE + 2, GONE + 3, GONE + 3);
	ok(!sample(GONE + 3, GONE + 3), "not a stranger's child that uses the number again");
	fork_of(GONE + 2, GONE + 2, GONE, GONE);
	ok(!sample(GONE, GONE), "nor if the number was asked for");
	fork_of(GONE + 4, GONE + 4, GONE + 2, GONE + 2);
	ok(sample(GONE + 2, GONE + 2), "a target's child that uses a stranger's number");
}

static void
test_threads(void)
{
	static const uint32_t ids[] = { GONE + 1 };

	begin(TARGETS_THREADS, ids, 1);
	ok(sample(GONE, GONE + 1), "a thread asked for");
	ok(!sample(GONE, GONE) && !sample(GONE + 1, GONE + 2), "no other, whatever its process");
	fork_of(GONE, GONE + 1, GONE, GONE + 3);
	ok(!sample(GONE, GONE + 3), "none that it starts");
	ok(maps(GONE), "what happens to any process is followed");
	exit_of(GONE, GONE + 1);
	ok(sample(GONE, GONE + 1), "its last kernel code");
	fork_of(GONE + 7, GONE + 7, GONE + 7, GONE + 1);
	ok(!sample(GONE + 7, GONE + 1), "not a stranger's thread that uses the number again");
}

static void
test_decided(void)
{
	static const uint32_t ids[] = { GONE };

	begin(TARGETS_PROCESSES, ids, 1);
	targets.decided = true;
	fork_of(GONE, GONE, GONE + 2, GONE + 2);
	ok(maps(GONE) && maps(GONE + 2) && !maps(GONE + 1), "where a filter decides targets are followed, not strangers");
	ok(sample(GONE + 1, GONE + 1), "what the filter let pass is kept");
	ok(maps(GONE + 1), "and followed from then on");
	targets.except = GONE + 1;
	ok(!sample(GONE + 1, GONE + 1), "but for who is left out");
	begin(TARGETS_THREADS, ids, 1);
	targets.own_events = true;
	ok(sample(GONE + 1, GONE + 1) && maps(GONE + 1), "all that the targets' own events tell is kept");
	begin(TARGETS_MACHINE, NULL, 0);
	ok(sample(GONE + 1, GONE + 1) && sample(0, 0), "the machine is everybody");
}

/* Every interval has a writer, for weeks. */
static void
test_many_excepted(void)
{
	uint32_t self = (uint32_t)getpid();
	bool kept = false;

	begin(TARGETS_MACHINE, NULL, 0);
	targets.except = self;
	for (uint32_t i = 0; i < 10000; i++) {
		fork_of(self, self, GONE + i, GONE + i);
		kept |= sample(GONE + i, GONE + i) || (i && sample(GONE + i - 1, GONE + i - 1));
	}
	fork_of(GONE + 9999, GONE + 9999, GONE + 10000, GONE + 10000);
	kept |= sample(GONE + 10000, GONE + 10000);
	ok(!kept, "the writers of ten thousand intervals are left out, and whom the last has started");
	ok(targets.excepted.used < 200, "of whom few are remembered (%zu)", targets.excepted.used);
	ok(sample(GONE, GONE), "whose number is anybody's");
}

static void
test_before_exec(void)
{
	static const uint32_t ids[] = { GONE };

	for (int decided = 0; decided < 2; decided++) {
		begin(TARGETS_COMMAND, ids, 1);
		targets.decided = decided;
		targets.awaits_exec = true;
		ok(!sample(GONE, GONE), "of a command, what its process did before it became it is not kept");
		exec_in(GONE + 1);
		ok(!sample(GONE, GONE), "another's exec is not its own");
		exec_in(GONE);
		ok(sample(GONE, GONE), "its own is");
		exec_in(GONE);
		ok(sample(GONE, GONE), "and one is enough");
		begin(TARGETS_COMMAND, ids, 1);
		targets.decided = decided;
		targets.awaits_exec = true;
		targets_take(&targets, &(struct record){ .kind = RECORD_LOST, .lost = 1 });
		ok(sample(GONE, GONE), "its exec may be lost: then all is kept");
	}
}

/* Of the first hierarchy that we are in, the root: everybody living is in it. */
static bool
find_root(struct cgroup *cgroup)
{
	static char line[4096];
	FILE *file = fopen("/proc/self/cgroup", "re");
	char *controllers = file && fgets(line, sizeof line, file) ? strchr(line, ':') : NULL;

	if (file)
		fclose(file);
	if (!controllers || !strchr(controllers + 1, ':'))
		return false;
	*strchr(++controllers, ':') = '\0';
	*cgroup = (struct cgroup){ .path = mem_print("/"), .controllers = mem_print("%s", controllers), .fd = -1 };
	return true;
}

static void
test_cgroup(void)
{
	uint32_t self = (uint32_t)getpid();
	struct cgroup cgroup;

	if (!find_root(&cgroup)) {
		ok(true, "cgroups # SKIP there are none");
		return;
	}
	begin(TARGETS_CGROUP, NULL, 0);
	targets.cgroup = &cgroup;
	ok(sample(self, self), "a task of the cgroup");
	ok(!sample(GONE, GONE), "not one that is gone and nobody knows");
	fork_of(self, self, GONE + 1, GONE + 1);
	exit_of(GONE + 1, GONE + 1);
	ok(sample(GONE + 1, GONE + 1), "a child that is gone is where its parent is");

	begin(TARGETS_CGROUP, NULL, 0);
	targets.cgroup = &cgroup;
	fork_of(self, self, GONE + 1, GONE + 1);
	exit_of(GONE + 1, GONE + 1);
	ok(sample(GONE + 1, GONE + 1), "also if the parent was never sampled");
	fork_of(self, self, GONE + 2, GONE + 2);
	exec_in(GONE + 2);
	ok(sample(GONE + 2, GONE + 2), "also after exec");
	fork_of(GONE + 8, GONE + 8, self, self);
	ok(sample(self, self), "of parents that are gone nothing is concluded");
	ok(maps(GONE), "anybody may come into a cgroup");
	cgroup_close(&cgroup);
}

/* A group that we are in, or are not: as if we were moved. */
static void
test_moves(void)
{
	uint32_t self = (uint32_t)getpid();
	struct cgroup cgroup;
	char *root, elsewhere[] = "/no/such/group";

	if (!find_root(&cgroup)) {
		ok(true, "moves # SKIP there are no cgroups");
		return;
	}
	root = cgroup.path;
	begin(TARGETS_CGROUP, NULL, 0);
	targets.cgroup = &cgroup;
	cgroup.path = elsewhere;
	now = LATER;
	ok(!sample(self, self), "not in the group");
	cgroup.path = root;
	fork_of(self, self, GONE + 1, GONE + 1);
	ok(!sample(self, self) && !sample(GONE + 1, GONE + 1), "an answer serves for a while");
	now = clock_now() + LATER;
	fork_of(self, self, GONE + 2, GONE + 2);
	ok(sample(GONE + 2, GONE + 2), "of who came into it a child that is gone is in it, too");
	ok(sample(self, self), "and itself");
	cgroup.path = elsewhere;
	now = LATER;
	ok(sample(self, self), "which serves for a while, too");
	now = clock_now() + LATER;
	ok(!sample(self, self), "who was moved out of it is not in it any more");
	fork_of(self, self, GONE + 2, GONE + 2);
	ok(!sample(GONE + 2, GONE + 2), "nor is its child");
	cgroup.path = root;
	now = LATER;
	exec_in(self);
	ok(sample(self, self), "who was moved before its exec is asked for at once");
	fork_of(self, self, GONE + 3, GONE + 3);
	cgroup.path = elsewhere;
	now = clock_now() + LATER;
	ok(sample(GONE + 3, GONE + 3), "who is gone is where it was last");
	cgroup.path = root;
	cgroup_close(&cgroup);
}

static void *
go_on(void *unused)
{
	pause();
	return unused;
}

/* A process whose leader has exited while a thread goes on. */
static void
test_live(void)
{
	pid_t pid = fork();
	pthread_t thread;
	uint32_t id;

	if (pid == 0) {
		pthread_create(&thread, NULL, go_on, NULL);
		pthread_exit(NULL);
	}
	id = (uint32_t)pid;
	for (int i = 0; i < 500 && task_is_alive(id); i++)
		usleep(10000);
	begin(TARGETS_PROCESSES, &id, 1);
	ok(targets_live(&targets), "a process lives as long as its last thread");
	begin(TARGETS_THREADS, &id, 1);
	ok(!targets_live(&targets), "a thread does not");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	begin(TARGETS_PROCESSES, &id, 1);
	ok(!targets_live(&targets), "a process that has ended");
}

int
main(void)
{
	now = clock_now();
	test_live();
	test_processes();
	test_threads();
	test_decided();
	test_many_excepted();
	test_before_exec();
	test_cgroup();
	test_moves();
	targets_release(&targets);
	return done_testing();
}
