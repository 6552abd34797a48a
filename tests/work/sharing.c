/* Two processes with one memory (clone with CLONE_VM, without CLONE_THREAD): sharing MODE [seconds]. One replaces a
 * library by another at the same address; the other process burns in both.
 *
 *	child		the child replaces it, its parent burns
 *	parent		the other way round
 *	orphan		as parent, and the parent becomes another program (shares) before the second half
 *	vfork		a child by vfork() loads and burns, in its parent's memory, and its parent burns when it is gone */
#include <sys/prctl.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "work.h"

static char *directory;
static double seconds;
static volatile int loaded, burnt, wants;
static void (*volatile burn)(double);
static const char *mode;

/* What the second process has of the C library is the first one's: only one of them is in it at a time. */
WORK_FUNCTION void
load(const char *name)
{
	static void *library;
	char path[4096];

	if (library)
		dlclose(library);
	snprintf(path, sizeof path, "%s/plugin_%s.so", directory, name);
	library = dlopen(path, RTLD_NOW);
	snprintf(path, sizeof path, "plugin_burn_%s", name);
	if (!library || !(*(void **)&burn = dlsym(library, path)))
		_exit(3);
}

WORK_FUNCTION void
run_plugin(double time)
{
	burn(time);
	WORK_STAY();
}

WORK_FUNCTION void
load_both(void)
{
	while (!burnt)
		usleep(1000);
	load("b");
	if (strcmp(mode, "orphan") == 0) {
		char path[4096], time[32];

		snprintf(path, sizeof path, "%s/shares", directory);
		snprintf(time, sizeof time, "%.6f", seconds / 3);
		loaded = 2;
		execl(path, path, time, "quiet", NULL);
		_exit(127);
	}
	loaded = 2;
	while (burnt < 2)
		usleep(1000);
}

/* Long enough waits between that whoever looks at mappings now and then has seen the first. */
WORK_FUNCTION void
burn_both(void)
{
	struct timespec ms = { 0, 1000000 }, gap = { 0, 100000000 };

	while (!loaded)
		nanosleep(&ms, NULL);
	run_plugin(seconds / 3);
	burnt = 1;
	while (loaded < 2)
		nanosleep(&ms, NULL);
	nanosleep(&gap, NULL);
	run_plugin(seconds / 3 * 2);
	burnt = 2;
}

static int
second(void *loads)
{
	prctl(PR_SET_NAME, "second");
	if (loads)
		load_both();
	else
		burn_both();
	_exit(0);
}

WORK_FUNCTION pid_t
by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		prctl(PR_SET_NAME, "second");
		load("a");
		run_plugin(seconds / 3);
		_exit(0);
	}
	run_plugin(seconds / 3);
	load("b");
	run_plugin(seconds / 3);
	return pid;
}

static void
say(const char *process, double a, double b)
{
	printf("share\tplugin_burn_a\t%.2f\nshare\tplugin_burn_b\t%.2f\nprocess\t%s\t%.2f\n", a, b, process,
	    strcmp(process, "sharing") == 0 && strcmp(mode, "vfork") == 0 ? 66.67 : 100);
	printf("chain\trun_plugin;plugin_burn_a\t%.2f\nchain\trun_plugin;plugin_burn_b\t%.2f\n", a, b);
	fflush(stdout);
}

int
main(int argc, char *argv[])
{
	static char stack[1 << 20] __attribute__((aligned(16)));
	pid_t pid;

	mode = argc > 1 ? argv[1] : "child";
	seconds = work_argument(argc, argv, 2, 1);
	directory = argv[0];
	if (!strrchr(directory, '/'))
		return 2;
	*strrchr(directory, '/') = '\0';
	if (strcmp(mode, "vfork") == 0) {
		say("sharing", 66.67, 33.33);
		pid = by_vfork();
	} else if (strcmp(mode, "child") == 0) {
		say("sharing", 33.33, 66.67);
		load("a");
		loaded = 1;
		pid = clone(second, stack + sizeof stack, CLONE_VM | SIGCHLD, stack);
		burn_both();
	} else {
		if (strcmp(mode, "parent") == 0)
			say("second", 33.33, 66.67);
		load("a");
		loaded = 1;
		pid = clone(second, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
		load_both();
	}
	waitpid(pid, NULL, __WALL);
	return 0;
}
