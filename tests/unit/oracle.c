/* The second opinion: samples a command and walks every sample twice over the same bytes, by rows and by
 * libunwind alone, and compares them pc by pc. What differs has to be explained by one of the rules below.
 *
 *	oracle [-d seconds] [-s stack-bytes] [-m auto|cfi|fp] [-abv] -- command
 *
 * -a samples the whole CPU, where allowed: an inherited event starts anew in each task and sees no short life.
 * -b keeps samples and walks them again and again, to see what a frame costs.
 *
 * It knows processes just well enough for that: one CPU, one ring, records in order. */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "source/perf_record.h"
#include "target/maps.h"
#include "unwind/cfi.h"
#include "unwind/walk.h"

#define RING_PAGES 4096u /* 16 MiB; halved until it is granted */
#define PROCESSES (1u << 22) /* all there can be */
#define DEPTH 4096u
#define KEPT 1024u
#define REPEATS 20u
#define SHOWN 40u

enum rule {
	IDENTICAL,
	NO_CFI,	     /* no CFI at the frame where they part: libunwind follows rbp without a word */
	BELOW_SP,    /* a saved register's slot is below rsp, outside the copy: libunwind ends there */
	TRAMPOLINE,  /* they part above a frame that a signal interrupted */
	ALT_STACK,   /* the interrupted stack is not in the copy */
	DIFFERENT,
	RULES
};
static const char *const rule_names[RULES] = { "identical", "no-cfi", "below-sp", "trampoline", "alt-stack",
	"different" };

static struct {
	int fd;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t size;
	unsigned char *copy; /* of a record that wraps */
} ring;
static struct maps *processes[PROCESSES]; /* the command's and its descendants' */
static struct modules modules;
static struct walker *walker;
static struct walk ours, theirs;
static unsigned long rules[RULES], ends[16], samples, lost, skipped, no_stack, frames, used_libunwind, guessed;
static uint64_t walk_ns, libunwind_ns;
static enum walk_mode mode = WALK_AUTO;
static bool verbose, bench, whole_cpu, is_behind;
static struct sample kept[KEPT];
static size_t kept_count;

static uint64_t
read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t
now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t
cpu_time(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* NULL: none of ours. */
static struct maps *
process(uint32_t pid)
{
	return processes[pid % PROCESSES];
}

static struct maps *
add_process(uint32_t pid)
{
	struct maps **maps = &processes[pid % PROCESSES];

	if (!*maps)
		*maps = mem_alloc(sizeof **maps);
	maps_clear(*maps);
	return *maps;
}

static const char *
place(const struct frame *frame)
{
	static char text[2][256];
	static int turn;
	char *t = text[turn ^= 1];

	snprintf(t, sizeof text[0], "%s+0x%" PRIx64 "%s", frame->module ? frame->module->base : "?", frame->vaddr,
	    frame->guessed ? " (guessed)" : "");
	return t;
}

static void
show(const struct sample *sample)
{
	size_t longest = ours.count > theirs.count ? ours.count : theirs.count;

	printf("# pid %u rsp %" PRIx64 " copied %zu%s ends %d %d\n", sample->pid, sample->regs[R_RSP],
	    sample->stack_size, sample->stack_cut ? " (full)" : "", (int)ours.end, (int)theirs.end);
	if (mode == WALK_FP)
		theirs.count = 0;
	for (size_t i = 0; i < longest && i < SHOWN; i++)
		printf("#   %2zu %-50s %s\n", i, i < ours.count ? place(&ours.frames[i]) : "-",
		    i < theirs.count ? place(&theirs.frames[i]) : "-");
}

static const struct row *
row_of(const struct frame *frame)
{
	struct cfi *cfi = frame->module && frame->module->elf ? walker_cfi(frame->module) : NULL;

	return cfi ? cfi_find(cfi, frame->vaddr) : NULL;
}

/* Of a leaf that has popped rbp or rbx again; libunwind ends when it wants the register's value. */
static bool
is_slot_below_sp(const struct sample *sample, const struct row *row)
{
	uint64_t cfa = sample->regs[row->cfa_reg] + (uint64_t)(int64_t)row->cfa_offset, sp = sample->regs[R_RSP];

	return row->cfa == CFA_REGISTER &&
	    ((row->rbp == REG_SAVED && cfa + (uint64_t)(int64_t)row->rbp_offset < sp) ||
		(row->rbx == REG_SAVED && cfa + (uint64_t)(int64_t)row->rbx_offset < sp));
}

/* The last frame that both have, and why they go on differently from there. */
static enum rule
explain(const struct sample *sample)
{
	size_t same = 0;
	const struct frame *frame;
	const struct row *row;

	while (same < ours.count && same < theirs.count && ours.frames[same].pc == theirs.frames[same].pc)
		same++;
	if (same == ours.count && same == theirs.count)
		return IDENTICAL;
	if (!same)
		return DIFFERENT;
	for (size_t i = 0; i < same; i++)
		if (!row_of(&ours.frames[i]))
			return NO_CFI;
	frame = &ours.frames[same - 1];
	row = row_of(frame);
	if (same == theirs.count && is_slot_below_sp(sample, row_of(&ours.frames[0])))
		return BELOW_SP;
	if (row->is_signal)
		return theirs.count == same || ours.count == same ? ALT_STACK : TRAMPOLINE;
	return DIFFERENT;
}

/* Frame pointers alone are compared with nobody. */
static void
take_sample(const struct sample *sample)
{
	struct maps *maps = process(sample->pid);
	uint64_t t0, t1;
	enum rule rule;

	if (!maps || sample->user != USER_64)
		return;
	if (is_behind) { /* libunwind takes longer than there is time between samples */
		skipped++;
		return;
	}
	if (!sample->stack_size) { /* inside execve or exit */
		no_stack++;
		return;
	}
	samples++;
	if (bench && kept_count < KEPT) {
		kept[kept_count] = *sample;
		kept[kept_count++].stack = (unsigned char *)mem_copy((const char *)sample->stack, sample->stack_size);
	}
	t0 = cpu_time();
	walker_walk(walker, maps, sample, &ours);
	t1 = cpu_time();
	walk_ns += t1 - t0;
	if (mode != WALK_FP) {
		walker_walk_libunwind(walker, maps, sample, &theirs);
		libunwind_ns += cpu_time() - t1;
	}
	frames += ours.count;
	used_libunwind += ours.used_libunwind;
	ends[ours.end]++;
	for (size_t i = 0; i < ours.count; i++)
		if (ours.frames[i].guessed) {
			guessed++;
			break;
		}
	rule = mode == WALK_FP ? IDENTICAL : explain(sample);
	rules[rule]++;
	if ((rule == DIFFERENT && rules[rule] <= 2) || (verbose && (rule != IDENTICAL || ours.end != WALK_ROOT)))
		show(sample);
}

static void
map(const struct record *record)
{
	struct mapping mapping = { .start = record->mmap.start, .end = record->mmap.start + record->mmap.length,
		.offset = record->mmap.offset };
	struct module_place where = { .path = record->mmap.path, .pid = record->pid, .start = mapping.start,
		.end = mapping.end, .device = record->mmap.device, .inode = record->mmap.inode };

	if (!process(record->pid) || record->mmap.kernel || !record->mmap.executable)
		return;
	if (strcmp(where.path, "[vdso]") == 0)
		mapping.module = modules_vdso(&modules);
	else if (where.inode && where.path[0] == '/')
		mapping.module = modules_find(&modules, &where);
	else
		mapping.module = modules_anonymous(&modules, where.path);
	maps_add(process(record->pid), &mapping);
}

static void
take(const struct perf_layout *layout, const struct perf_event_header *header)
{
	struct record record;

	if (perf_record_parse(layout, header, &record) < 0)
		die("a record of type %u cannot be parsed", header->type);
	switch (record.kind) {
	case RECORD_SAMPLE:
		take_sample(&record.sample);
		break;
	case RECORD_MMAP:
		map(&record);
		break;
	case RECORD_COMM:
		if (record.comm.exec && process(record.pid))
			maps_clear(process(record.pid));
		break;
	case RECORD_FORK:
		if (record.pid != record.fork.parent_pid && process(record.fork.parent_pid))
			maps_copy(add_process(record.pid), process(record.fork.parent_pid));
		break;
	case RECORD_LOST:
		lost += record.lost;
		break;
	default:
		break;
	}
}

static void
drain(const struct perf_layout *layout)
{
	uint64_t head = __atomic_load_n(&ring.page->data_head, __ATOMIC_ACQUIRE), tail = ring.page->data_tail;

	while (tail < head) {
		uint64_t at = tail % ring.size, left = ring.size - at;
		const struct perf_event_header *header = (const void *)(ring.data + at);

		if (left < header->size) {
			memcpy(ring.copy, ring.data + at, left);
			memcpy(ring.copy + left, ring.data, header->size - left);
			header = (const void *)ring.copy;
		}
		tail += header->size;
		is_behind = __atomic_load_n(&ring.page->data_head, __ATOMIC_RELAXED) - tail > ring.size / 2;
		take(layout, header);
		__atomic_store_n(&ring.page->data_tail, tail, __ATOMIC_RELEASE);
	}
}

static void
sample_task(pid_t pid, int cpu, uint32_t stack, struct perf_layout *layout)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 250000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
		    PERF_SAMPLE_STACK_USER,
		.sample_regs_user = PERF_REGS_USER, .sample_stack_user = stack, .sample_id_all = 1,
		.exclude_idle = 1, .mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1, .task = 1,
	};
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = RING_PAGES;

	ring.fd = whole_cpu ? (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC) : -1;
	attr.inherit = 1;
	if (ring.fd < 0)
		ring.fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	attr.exclude_kernel = 1;
	if (ring.fd < 0 && errno == EACCES)
		ring.fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring.fd < 0)
		die("perf_event_open:");
	for (; pages; pages /= 2) {
		void *memory = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);

		if (memory == MAP_FAILED)
			continue;
		ring.page = memory;
		ring.data = (unsigned char *)memory + page;
		ring.size = pages * page;
		ring.copy = mem_alloc(65536);
		perf_layout_init(layout, &attr);
		return;
	}
	die("mmap of the ring:");
}

/* The command, held back on one CPU until the event is there. */
static pid_t
start(char **command, int cpu, int *go)
{
	int pipe_fds[2];
	cpu_set_t set;
	pid_t pid;
	char c;

	if (pipe(pipe_fds) < 0 || (pid = fork()) < 0)
		die("fork:");
	if (pid == 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)cpu, &set);
		sched_setaffinity(0, sizeof set, &set);
		setpgid(0, 0);
		close(pipe_fds[1]);
		if (read(pipe_fds[0], &c, 1) < 0)
			_exit(127);
		close(pipe_fds[0]);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execvp(command[0], command);
		_exit(127);
	}
	close(pipe_fds[0]);
	*go = pipe_fds[1];
	return pid;
}

/* What a frame costs when its row was compiled before, as most are: of all samples in turn, so that
 * caches are no warmer than they are in the live path. */
static void
walk_again(void)
{
	uint64_t t0 = cpu_time(), walked = 0;

	for (size_t r = 0; r < REPEATS; r++)
		for (size_t i = 0; i < kept_count; i++) {
			walker_walk(walker, process(kept[i].pid), &kept[i], &ours);
			walked += ours.count;
		}
	if (walked)
		printf("ns-per-frame-again %.1f\n", (double)(cpu_time() - t0) / (double)walked);
	while (kept_count)
		free((void *)(uintptr_t)kept[--kept_count].stack);
}

static int
report(void)
{
	unsigned long explained = 0;

	for (int i = IDENTICAL + 1; i < DIFFERENT; i++)
		explained += rules[i];
	printf("samples %lu\nlost %lu\nskipped %lu\nno-stack %lu\nframes %lu\n", samples, lost, skipped, no_stack, frames);
	printf("identical %lu\nexplained %lu\ndifferent %lu\n", rules[IDENTICAL], explained, rules[DIFFERENT]);
	for (int i = IDENTICAL + 1; i < DIFFERENT; i++)
		if (rules[i])
			printf("by %s %lu\n", rule_names[i], rules[i]);
	for (int i = 0; i <= WALK_NO_STACK; i++)
		if (ends[i])
			printf("end %d %lu\n", i, ends[i]);
	printf("complete %.2f\n", samples ? 100.0 * (double)ends[WALK_ROOT] / (double)samples : 0);
	printf("guessed %lu\nused-libunwind %lu\n", guessed, used_libunwind);
	printf("ns-per-frame %.0f libunwind %.0f\n", frames ? (double)walk_ns / (double)frames : 0,
	    frames ? (double)libunwind_ns / (double)frames : 0);
	return rules[DIFFERENT] ? 1 : 0;
}

int
main(int argc, char **argv)
{
	uint32_t stack = 32768;
	double seconds = 5;
	struct perf_layout layout;
	cpu_set_t allowed;
	int option, go, cpu = 0, status;
	uint64_t deadline;
	pid_t pid;

	if (argc < 2) {
		printf("1..0 # SKIP tests/unwind.t gives it programs\n");
		return 0;
	}
	warn_set_program(argv[0]);
	while ((option = getopt(argc, argv, "+d:s:m:abv")) != -1) {
		if (option == 'd')
			seconds = atof(optarg);
		else if (option == 's')
			stack = (uint32_t)atoi(optarg);
		else if (option == 'm')
			mode = *optarg == 'c' ? WALK_CFI : *optarg == 'f' ? WALK_FP : WALK_AUTO;
		else if (option == 'a')
			whole_cpu = true;
		else if (option == 'b')
			bench = true;
		else if (option == 'v')
			verbose = true;
		else
			return 2;
	}
	sched_getaffinity(0, sizeof allowed, &allowed);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &allowed))
			cpu = i; /* the last: tests of others begin at the first */
	walker = walker_open(mode, DEPTH);
	pid = start(argv + optind, cpu, &go);
	maps_read(add_process((uint32_t)pid), &modules, (uint32_t)pid, (uint32_t)pid);
	sample_task(pid, cpu, stack, &layout);
	close(go);
	deadline = now() + (uint64_t)(seconds * 1e9);
	for (;;) {
		pid_t ended = waitpid(pid, &status, WNOHANG);

		drain(&layout);
		if (ended == pid || now() > deadline)
			break;
		usleep(5000);
	}
	if (now() > deadline) {
		kill(-pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	walk_again();
	walker_close(walker);
	for (size_t i = 0; i < PROCESSES; i++)
		if (processes[i]) {
			maps_clear(processes[i]);
			free(processes[i]);
		}
	modules_release(&modules);
	free(ring.copy);
	free(ours.frames);
	free(theirs.frames);
	return report();
}
