/* gp-record: on-CPU stacks of a machine, processes, threads, a cgroup or a command. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/opt.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "record/session.h"
#include "source/perf_event.h"
#include "symbol/source_lines.h"

/* Rates that no sampler of stacks can keep. */
#define FREQUENCY_MAX 100000u
/* Measured on compilers, the deepest of ordinary loads: 16 KiB cut 38 % of their stacks, 32 KiB 6 %, 64 KiB
 * 0.2 %; a sample costs its target 17, 19 and 22 us. Twice 16 KiB is the last doubling that costs little. */
#define STACK_DEFAULT 32768u
#define PID_LIMIT 4194305u
/* An interval has its files opened, its names found: ten a second are too many for any machine. */
#define EVERY_MIN 100000000ull
/* Ten years: sums of times stay below 2^64. */
#define TIME_MAX (10 * 365 * 86400 * 1000000000ull)
#define NOT_GIVEN UINT64_MAX

static bool whole_machine, gzip, user_only, kernel_only, addresses, lines, complete, exclude_self, no_header;
static const char *pids, *tids, *group, *event_name = "cpu-clock", *output, *by, *unwind = "auto", *cpu_list;
static uint64_t frequency = NOT_GIVEN, period = NOT_GIVEN, duration = NOT_GIVEN, every = NOT_GIVEN, delay;
static uint64_t stack_size = STACK_DEFAULT, max_depth = 4096;

static const struct opt options[] = {
	{ 'a', "all", NULL, OPT_SWITCH, &whole_machine, "the whole machine (the default where allowed)" },
	{ 'p', "pid", "LIST", OPT_TEXT, &pids, "these processes, and children they start from now on" },
	{ 't', "tid", "LIST", OPT_TEXT, &tids, "these threads" },
	{ 'G', "cgroup", "CGROUP", OPT_TEXT, &group, "the tasks of a control group, v2 or v1" },
	{ 'e', "event", "EVENT", OPT_TEXT, &event_name, "what to count (cpu-clock): software events, cycles …" },
	{ 'F', "frequency", "HZ", OPT_NUMBER, &frequency, "samples a second and CPU (99)" },
	{ 'c', "count", "COUNT", OPT_NUMBER, &period, "a sample every COUNT events (ns for clocks)" },
	{ 'd', "duration", "TIME", OPT_DURATION, &duration, "end after TIME: 10, 1.5s, 2m" },
	{ 'o', "output", "FILE", OPT_TEXT, &output, "write to FILE, complete or not at all" },
	{ 0, "every", "TIME", OPT_DURATION, &every, "a profile every TIME; -o takes %Y %m %d %H %M %S" },
	{ 'z', "gzip", NULL, OPT_SWITCH, &gzip, "compress the output" },
	{ 0, "by", "KEYS", OPT_TEXT, &by, "label frames: host,container,cgroup,pid,tid,thread,cpu,time=1s" },
	{ 0, "user-only", NULL, OPT_SWITCH, &user_only, "only what runs in user space" },
	{ 0, "kernel-only", NULL, OPT_SWITCH, &kernel_only, "only what runs in the kernel, its frames alone" },
	{ 0, "unwind", "auto|cfi|fp", OPT_TEXT, &unwind, "how to walk user stacks" },
	{ 0, "stack-size", "SIZE", OPT_SIZE, &stack_size, "bytes of stack in a sample (32k; to 65528)" },
	{ 0, "complete", NULL, OPT_SWITCH, &complete, "read what the copy lacks from memory afterwards" },
	{ 0, "max-depth", "N", OPT_NUMBER, &max_depth, "user frames taken at most (4096)" },
	{ 0, "addresses", NULL, OPT_SWITCH, &addresses, "where no symbol is: [libfoo.so+0x1234]" },
	{ 0, "lines", NULL, OPT_SWITCH, &lines, "name (file:line), and calls that were inlined, by debug information" },
	{ 0, "delay", "TIME", OPT_DURATION, &delay, "begin after TIME" },
	{ 0, "cpus", "LIST", OPT_TEXT, &cpu_list, "only on these CPUs: 0,2-3" },
	{ 0, "exclude-self", NULL, OPT_SWITCH, &exclude_self, "leave gp-record itself out" },
	{ 0, "no-header", NULL, OPT_SWITCH, &no_header, "leave the header line out" },
	{ 0 },
};

static const struct command command = {
	.summary = "record on-CPU stacks as folded text",
	.operands = "[-- command [argument ...]]",
	.options = options,
	.examples = {
		{ "A picture of the whole machine, ten seconds", "gp-record -a -d 10 | gp-flame >machine.svg" },
		{ "A command from start to end", "gp-record -o build.folded -- make -j8" },
		{ "A process, thread by thread", "gp-record -p 1234 -d 30 --by thread | gp-flame --html >p.html" },
	},
	.runs_command = true,
};

/* Everything that is acquired, so that one place releases it. */
static struct {
	struct targets targets;
	struct cgroup cgroup;
	struct child child;
	struct profiles profiles;
	struct session session;
	struct labels labels;
	struct perf_options perf;
	uint32_t *ids, *cpus;
	uint32_t child_pid;
	char host[256], *target;
} run;

/* From here on 0 is what was not given; nobody means it who types it. */
static void
require_some(uint64_t *value, const char *option)
{
	if (*value == 0)
		opt_misuse(&command, "%s takes more than 0", option);
	if (*value == NOT_GIVEN)
		*value = 0;
}

static void
check_options(char *const *argv)
{
	bool has_command = argv[0] != NULL;
	int kinds = whole_machine + !!pids + !!tids + !!group + (has_command && !whole_machine);
	char *wrong;

	if (kinds > 1)
		opt_misuse(&command, "-a, -p, -t, -G and a command name different targets: one of them");
	require_some(&frequency, "-F");
	require_some(&period, "-c");
	require_some(&duration, "-d");
	require_some(&every, "--every");
	if (frequency && period)
		opt_misuse(&command, "-F and -c contradict each other");
	if (frequency > FREQUENCY_MAX)
		opt_misuse(&command, "-F takes at most %u", FREQUENCY_MAX);
	if (user_only && kernel_only)
		opt_misuse(&command, "--user-only and --kernel-only leave nothing together");
	if (stack_size > PERF_STACK_MAX || stack_size % 8)
		opt_misuse(&command, "--stack-size takes a multiple of 8 up to %u", PERF_STACK_MAX);
	if (duration > TIME_MAX || delay > TIME_MAX)
		opt_misuse(&command, "-d and --delay take ten years at most");
	if (lines && source_lines_lack())
		tell("--lines does nothing: %s", source_lines_lack());
	if (every && (every < EVERY_MIN || every > TIME_MAX))
		opt_misuse(&command, "--every takes 100ms to ten years");
	folded_expect(output);
	if (!output && isatty(STDOUT_FILENO))
		tell("the profile goes to this terminal, as text; behind it | gp-view or | gp-flame --text shows it");
	run.profiles = (struct profiles){ .output = output, .gzip = gzip, .every = every };
	if (every && !profiles_have_names(&run.profiles))
		opt_misuse(&command, "--every: -o %s does not give each interval a name of its own: %s", output,
		    every < 1000000000u ? "no letter tells parts of a second, -o - writes a stream" : "%Y%m%dT%H%M%SZ does");
	if (max_depth < 1 || max_depth > 65536)
		opt_misuse(&command, "--max-depth takes 1 to 65536");
	if (!event_kind_find(event_name))
		opt_misuse(&command, "-e %s: unknown; there are %s", event_name, event_kind_names());
	if (period && period < PERF_CLOCK_PERIOD_MIN && event_kind_find(event_name)->is_clock)
		opt_misuse(&command, "-c takes at least %u (ns) of %s", PERF_CLOCK_PERIOD_MIN, event_name);
	/* An unset variable would mean the root of all, as / does. */
	if (group && !*group)
		opt_misuse(&command, "-G takes a control group such as /system.slice/cron.service");
	if (by && (wrong = labels_parse(&run.labels, by)))
		opt_misuse(&command, "%s", wrong);
	if (pids && number_list(pids, PID_LIMIT, &run.ids, &run.targets.count) < 0)
		opt_misuse(&command, "-p takes process numbers, not '%s': `pgrep -d, NAME` tells them", pids);
	if (tids && number_list(tids, PID_LIMIT, &run.ids, &run.targets.count) < 0)
		opt_misuse(&command, "-t takes thread numbers, not '%s'", tids);
	if (cpu_list && number_list(cpu_list, 8192, &run.cpus, &run.perf.cpu_count) < 0)
		opt_misuse(&command, "--cpus takes CPU numbers, not '%s'", cpu_list);
}

static int
choose_target(char **argv)
{
	struct buf text = { 0 };

	run.targets.kind = pids ? TARGETS_PROCESSES : tids ? TARGETS_THREADS : group ? TARGETS_CGROUP :
	    argv[0] && !whole_machine ? TARGETS_COMMAND : TARGETS_MACHINE;
	run.targets.ids = run.ids;
	run.targets.awaits_exec = run.targets.kind == TARGETS_COMMAND && !delay;
	if (targets_check(&run.targets) < 0)
		return -1;
	if (group && cgroup_open(&run.cgroup, group) < 0)
		return -1;
	if (group)
		run.targets.cgroup = &run.cgroup;
	if (exclude_self)
		run.targets.except = (uint32_t)getpid();
	if (pids || tids || group)
		buf_print(&text, "-%c %s", pids ? 'p' : tids ? 't' : 'G', pids ? pids : tids ? tids : group);
	else if (!argv[0])
		buf_text(&text, "-a");
	for (size_t i = 0; argv[i]; i++)
		buf_print(&text, "%s%s", i ? " " : whole_machine ? "-a -- " : "", argv[i]);
	run.target = text.data;
	return 0;
}

static int
prepare_command(char **argv)
{
	if (!argv[0])
		return 0;
	if (!output || strcmp(output, "-") == 0)
		tell("the profile goes to standard output, so the command's goes to standard error (-o FILE leaves it alone)");
	if (child_prepare(&run.child, argv, !output || strcmp(output, "-") == 0) < 0)
		return -1;
	run.child_pid = (uint32_t)run.child.pid;
	if (run.targets.kind == TARGETS_COMMAND) {
		run.ids = &run.child_pid;
		run.targets.count = 1;
	}
	return 0;
}

static int
open_all(char **argv)
{
	if (choose_target(argv) < 0)
		return -1;
	if (profiles_open(&run.profiles, clock_wall() + delay) < 0 || prepare_command(argv) < 0)
		return -1;
	run.targets.ids = run.ids;
	run.perf.event = event_kind_find(event_name);
	run.perf.frequency = period ? 0 : frequency ? frequency : 99;
	run.perf.period = period;
	run.perf.stack_size = (uint32_t)stack_size;
	run.perf.user_only = user_only;
	run.perf.kernel_only = kernel_only;
	run.perf.cpus = run.cpus;
	run.perf.allow_bpf = !getenv("GP_NO_BPF"); /* for tests and benches: as if there were none */
	run.session.sampler = perf_sampler_open(&run.perf, &run.targets);
	return run.session.sampler ? 0 : -1;
}

static void
prepare_session(char **argv)
{
	struct session *session = &run.session;

	session->targets = &run.targets;
	session->child = &run.child;
	session->command = argv[0];
	session->profiles = &run.profiles;
	session->delay = delay;
	session->duration = duration;
	session->no_header = no_header;
	session->recording_options = (struct recording_options){
		.unwind = strcmp(unwind, "fp") == 0 ? WALK_FP : strcmp(unwind, "cfi") == 0 ? WALK_CFI : WALK_AUTO,
		.max_depth = (uint32_t)max_depth,
		.user_only = user_only,
		.kernel_only = kernel_only,
		.addresses = addresses,
		.lines = lines,
		.complete = complete,
		.allow_bpf = run.perf.allow_bpf,
		.weighted = !run.perf.event->is_clock,
		.kernel_is_ours = true,
		.modules = user_only ? NULL : "/proc/modules",
		.labels = run.labels,
	};
	gethostname(run.host, sizeof run.host - 1);
	session->notes = (struct notes){
		.tool = "gp-record",
		.target = run.target,
		.event = run.perf.event->name,
		.host = run.host,
		.frequency = run.perf.frequency,
		.period = run.perf.period,
		.is_clock = run.perf.event->is_clock,
		.cpus = run.cpus ? run.perf.cpu_count : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN),
		.user_only = user_only,
		.kernel_only = kernel_only,
		.labels = &run.labels,
		.counts_command = run.targets.kind == TARGETS_COMMAND && !cpu_list,
	};
}

int
main(int argc, char *argv[])
{
	int first = opt_parse(&command, argc, argv), status = 1;
	bool recorded;

	argv += first;
	check_options(argv);
	recorded = open_all(argv) == 0;
	if (recorded) {
		prepare_session(argv);
		recorded = session_run(&run.session, &status) == 0;
	}
	if (!recorded) {
		profiles_abandon(&run.profiles);
		if (run.child.pid && !run.child.ended)
			child_wait(&run.child);
		return status;
	}
	status = profiles_close(&run.profiles) < 0;
	if (run.child.pid) {
		child_wait(&run.child);
		if (child_exit_status(&run.child))
			status = child_exit_status(&run.child);
	}
	perf_sampler_close(run.session.sampler);
	session_release(&run.session);
	targets_release(&run.targets);
	if (group)
		cgroup_close(&run.cgroup);
	return status;
}
