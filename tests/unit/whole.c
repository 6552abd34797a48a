/* The second opinion of stacks that no sample's copy holds: stops a child of its own again and again, copies all
 * that it may write, whole, and walks that twice, by rows and by libunwind alone.
 *
 *	whole [-n stops] [-c bytes] [-tv] -- command
 *
 * Complete is what ends at a root; switched, what ends marked where code has left its stack for another.
 * With -t its threads are stopped in turn, while the others go on; else the first.
 * What differs without a frame that has no CFI, or whose CFI is known to speak of another stack (unwind/stack_change.h),
 * is different, and fails. Then the same with a copy of -c bytes only
 * (16384): the walk must be the whole one's, or its beginning, and say that it is not whole: anything else is wrong. */
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "target/maps.h"
#include "target/memory.h"
#include "target/task.h"
#include "unwind/cfi.h"
#include "unwind/stack_change.h"
#include "unwind/walk.h"

#define DEPTH 65536u
#define AREAS 256u
#define AREA_MOST ((size_t)64 << 20)
#define SHOWN 40u

static struct maps maps;
static struct modules modules;
static struct walker *walker;
static struct walk whole, theirs, part;
static struct stack_piece areas[AREAS];
static size_t area_count, copy_bytes = 16384;
static unsigned long stops, identical, no_cfi, different, wrong, shorter, frames, complete, switched;
static bool verbose, each_thread;

/* The pages of an area that are there; of the others of anonymous memory, which a runtime may have by the gigabyte, all
 * is 0. How much was read. */
static size_t
copy_pages(pid_t pid, int pagemap, unsigned long start, unsigned char *bytes, size_t size)
{
	static uint64_t pages[AREA_MOST >> 12];
	size_t count = size >> 12, from = 0;

	if (pread(pagemap, pages, count * sizeof *pages, (off_t)((start >> 12) * sizeof *pages)) !=
	    (ssize_t)(count * sizeof *pages))
		return memory_read((uint32_t)pid, start, bytes, size);
	for (size_t i = 0; i <= count; i++) { /* bit 63: present, 62: swapped (Documentation/admin-guide/mm/pagemap.rst) */
		if (i < count && pages[i] >> 62)
			continue;
		if (i > from)
			memory_read((uint32_t)pid, start + (from << 12), bytes + (from << 12), (i - from) << 12);
		from = i + 1;
	}
	return size;
}

/* What the child may write, of /proc/PID/maps, in order. */
static void
copy_areas(pid_t pid)
{
	char path[64], line[512], rights[8];
	unsigned long start, end, inode;
	FILE *file;
	int pagemap;

	while (area_count)
		free((void *)(uintptr_t)areas[--area_count].bytes);
	snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
	pagemap = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	if (!(file = fopen(path, "r")))
		die("open %s:", path);
	while (area_count < AREAS && fgets(line, sizeof line, file)) {
		unsigned char *bytes;
		size_t size;

		if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &start, &end, rights, &inode) != 4 || rights[1] != 'w')
			continue;
		if (end - start > AREA_MOST) /* of a stack the end, of anything else who knows */
			start = end - AREA_MOST;
		bytes = mem_alloc(end - start);
		size = end - start;
		size = inode ? memory_read((uint32_t)pid, start, bytes, size) : copy_pages(pid, pagemap, start, bytes, size);
		areas[area_count++] = (struct stack_piece){ start, bytes, size };
	}
	fclose(file);
	close(pagemap);
}

static void
fill_sample(struct sample *sample, const struct user_regs_struct *r, pid_t pid, pid_t tid)
{
	*sample = (struct sample){ .pid = (uint32_t)pid, .tid = (uint32_t)tid, .user = USER_64,
		.regs = { [R_RAX] = r->rax, [R_RBX] = r->rbx, [R_RCX] = r->rcx, [R_RDX] = r->rdx, [R_RSI] = r->rsi,
		    [R_RDI] = r->rdi, [R_RBP] = r->rbp, [R_RSP] = r->rsp, [R_R8] = r->r8, [R_R9] = r->r9,
		    [R_R10] = r->r10, [R_R11] = r->r11, [R_R12] = r->r12, [R_R13] = r->r13, [R_R14] = r->r14,
		    [R_R15] = r->r15, [R_RIP] = r->rip },
		.pieces = areas, .piece_count = area_count };
	for (size_t i = 0; i < area_count; i++)
		if (r->rsp - areas[i].address < areas[i].size) {
			sample->stack = areas[i].bytes + (r->rsp - areas[i].address);
			sample->stack_size = areas[i].size - (r->rsp - areas[i].address);
		}
}

static void
show(const struct walk *a, const struct walk *b, const char *why)
{
	size_t longest = a->count > b->count ? a->count : b->count;

	printf("# %s: ends %d %d, %zu and %zu frames\n", why, (int)a->end, (int)b->end, a->count, b->count);
	for (size_t i = 0, shown = 0; i < longest && shown < SHOWN; i++) {
		const struct frame *x = i < a->count ? &a->frames[i] : NULL, *y = i < b->count ? &b->frames[i] : NULL;

		if (x && y && x->pc == y->pc && i > 2 && !verbose)
			continue;
		shown++;
		printf("#   %2zu %s+0x%" PRIx64 "  %" PRIx64 "\n", i, x && x->module ? x->module->base : "-", x ? x->vaddr : 0,
		    y ? y->pc : 0);
	}
}

static bool
has_no_cfi(const struct walk *walk, size_t count)
{
	for (size_t i = 0; i < count && i < walk->count; i++) {
		const struct frame *frame = &walk->frames[i];
		struct cfi *cfi = frame->module && frame->module->elf ? walker_cfi(frame->module) : NULL;

		if (!cfi || !cfi_find(cfi, frame->vaddr))
			return true;
	}
	return false;
}

/* Rows know better than the file does. */
static bool
is_mended(const struct frame *frame)
{
	struct cfi *cfi = frame->module && frame->module->elf ? walker_cfi(frame->module) : NULL;
	const struct row *row = cfi ? cfi_find(cfi, frame->vaddr) : NULL;

	return row && (row->cfa == CFA_KEPT || row->ra == REG_ELSEWHERE ||
	    (row->ra == REG_UNDEFINED && stack_change_is_go(frame->module->elf)));
}

static size_t
common(const struct walk *a, const struct walk *b)
{
	size_t same = 0;

	while (same < a->count && same < b->count && a->frames[same].pc == b->frames[same].pc)
		same++;
	return same;
}

static void
compare(const struct sample *sample)
{
	struct sample cut = *sample;
	size_t same;

	walker_walk(walker, &maps, sample, &whole);
	walker_walk_libunwind(walker, &maps, sample, &theirs);
	stops++;
	frames += whole.count;
	complete += whole.end == WALK_ROOT;
	switched += whole.end == WALK_OTHER_STACK;
	same = common(&whole, &theirs);
	if (same == whole.count && same == theirs.count) {
		identical++;
	} else if (has_no_cfi(&whole, same) || (same && is_mended(&whole.frames[same - 1]))) {
		no_cfi++;
	} else {
		if (different++ < 3)
			show(&whole, &theirs, "different");
	}
	if (verbose && whole.end != WALK_ROOT)
		show(&whole, &theirs, "not whole");
	cut.piece_count = 0;
	if (cut.stack_size > copy_bytes)
		cut.stack_size = copy_bytes;
	cut.stack_cut = cut.stack_size == copy_bytes;
	walker_walk(walker, &maps, &cut, &part);
	same = common(&whole, &part);
	shorter += part.count < whole.count;
	if (same < part.count || (part.end == WALK_ROOT && (part.count < whole.count || whole.end != WALK_ROOT))) {
		if (wrong++ < 3)
			show(&whole, &part, "wrong");
	}
}

/* Stopped by us: looked at. By a signal: that goes on. False: it has ended. */
static bool
look(pid_t pid, pid_t tid)
{
	struct user_regs_struct regs;
	struct sample sample;
	int status;

	usleep(700);
	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0)
		return false;
	for (;;) {
		if (waitpid(tid, &status, __WALL) < 0 || !WIFSTOPPED(status))
			return false;
		if (status >> 16 == PTRACE_EVENT_STOP)
			break;
		ptrace(PTRACE_CONT, tid, 0, WSTOPSIG(status));
	}
	if (ptrace(PTRACE_GETREGS, tid, 0, &regs) == 0) {
		maps_clear(&maps);
		maps_read(&maps, &modules, (uint32_t)pid, (uint32_t)tid);
		copy_areas(pid);
		fill_sample(&sample, &regs, pid, tid);
		if (sample.stack_size)
			compare(&sample);
	}
	return ptrace(tid == pid ? PTRACE_CONT : PTRACE_DETACH, tid, 0, 0) == 0;
}

/* The next thread that is still there when it is to be stopped. False: the process has ended. */
static bool
look_at_next(pid_t pid)
{
	static size_t turn;
	uint32_t *list;
	size_t count;
	pid_t tid;

	if (task_list((uint32_t)pid, &list, &count) < 0)
		return false;
	tid = (pid_t)list[turn++ % count];
	free(list);
	if (tid == pid || ptrace(PTRACE_SEIZE, tid, 0, 0) == 0)
		return look(pid, tid) || tid != pid;
	usleep(700);
	return true;
}

int
main(int argc, char **argv)
{
	unsigned long most = 300;
	int option;
	pid_t pid;

	if (argc < 2) {
		printf("1..0 # SKIP tests/deep.t gives it programs\n");
		return 0;
	}
	warn_set_program(argv[0]);
	while ((option = getopt(argc, argv, "+n:c:tv")) != -1) {
		if (option == 'n')
			most = strtoul(optarg, NULL, 10);
		else if (option == 'c')
			copy_bytes = strtoul(optarg, NULL, 10);
		else if (option == 't')
			each_thread = true;
		else if (option == 'v')
			verbose = true;
		else
			return 2;
	}
	walker = walker_open(WALK_AUTO, DEPTH);
	pid = fork();
	if (pid == 0) {
		setpriority(PRIO_PROCESS, 0, 10); /* many busy threads, and one that looks at them */
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	usleep(50000); /* into its work */
	if (ptrace(PTRACE_SEIZE, pid, 0, 0) < 0)
		die("ptrace:");
	while (stops < most && (each_thread ? look_at_next(pid) : look(pid, pid)))
		;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("stops %lu\nframes %lu\nidentical %lu\nexplained %lu\ndifferent %lu\ncut %lu\nwrong %lu\nswitched %lu\n"
	       "complete %.2f\n",
	    stops, frames, identical, no_cfi, different, shorter, wrong, switched,
	    stops ? 100.0 * (double)complete / (double)stops : 0);
	walker_close(walker);
	maps_clear(&maps);
	modules_release(&modules);
	free(whole.frames);
	free(theirs.frames);
	free(part.frames);
	while (area_count)
		free((void *)(uintptr_t)areas[--area_count].bytes);
	return different || wrong || !stops;
}
