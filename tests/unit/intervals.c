/* recording.c for weeks: ten thousand intervals by a clock of our own, with processes and files that come and go,
 * and some whose end is not told. Every sample is in one interval, and memory and open files stay as they are. */
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/recording.h"
#include "source/targets.h"
#include "tap.h"

#define INTERVALS 10000u
#define INTERVAL 60000000000u
#define PROCESSES 12u
/* Numbers that no task has: above the largest pid_max (2^22). */
#define GONE 5000000u
/* When all has come to its usual size: members are looked through when there are 32,768 new ones. */
#define WARM 7000u

static char folder[] = "/tmp/gp-intervals.XXXXXX";
static unsigned char head[4096]; /* of an ELF file */
static struct recording *recording;
static struct targets targets;
static uint64_t now = INTERVAL, sampled, folded, weight;
static uint32_t next_pid;

static void
take(const struct record *record)
{
	targets_take(&targets, record);
	recording_take(recording, record);
}

/* A program of its own, built, run and deleted. */
static void
map_new_file(uint32_t pid, unsigned interval)
{
	char path[128];
	struct stat st;
	int fd;

	snprintf(path, sizeof path, "%s/program-%u", folder, interval);
	fd = open(path, O_WRONLY | O_CREAT, 0755);
	if (fd < 0 || write(fd, head, sizeof head) != sizeof head || fstat(fd, &st) < 0)
		exit(1);
	close(fd);
	take(&(struct record){ .kind = RECORD_MMAP, .time = now, .pid = pid, .tid = pid,
	    .mmap = { .start = 0x400000, .length = 0x1000, .path = path, .executable = true, .device = st.st_dev,
		.inode = st.st_ino } });
	unlink(path);
}

static void
sample(uint32_t pid, uint64_t address)
{
	uint64_t kernel[] = { 0xffffffff81000000u + address, 0xffffffff81000100u };
	struct record record = { .kind = RECORD_SAMPLE, .time = now, .pid = pid, .tid = pid };

	record.sample = (struct sample){ .pid = pid, .tid = pid, .time = now, .weight = 1 + address % 5, .kernel = kernel,
		.kernel_count = 2, .user = USER_64 };
	record.sample.regs[R_RIP] = 0x400000 + address % 0x1000;
	record.sample.regs[R_RSP] = 0x7fff0000;
	sampled++;
	weight += record.sample.weight;
	take(&record);
}

static void
live(unsigned interval, unsigned i)
{
	uint32_t pid = GONE + 1 + next_pid++;
	char name[16];

	snprintf(name, sizeof name, "p%u", (interval * PROCESSES + i) % 100000);
	take(&(struct record){ .kind = RECORD_FORK, .time = now, .pid = pid, .tid = pid, .fork = { GONE, GONE } });
	take(&(struct record){ .kind = RECORD_COMM, .time = now, .pid = pid, .tid = pid, .comm = { name, true } });
	if (i == 0 && interval % 4 == 0)
		map_new_file(pid, interval);
	for (unsigned s = 0; s < 4; s++) {
		sample(pid, (interval * 7u + s * 131u) % 0x100000);
		now += INTERVAL / PROCESSES / 5;
	}
	if ((interval + i) % 7 == 0)
		take(&(struct record){ .kind = RECORD_LOST, .time = now, .lost = 1 });
	else
		take(&(struct record){ .kind = RECORD_EXIT, .time = now, .pid = pid, .tid = pid });
}

static void
end_interval(void)
{
	struct recording_counts counts;
	struct fold fold;

	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	folded += (uint64_t)fold_total(&fold);
	fold_release(&fold);
	recording_restart(recording, now);
}

static unsigned
open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (dir && readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* A program of the kernel that comes, runs and goes, so often. */
static void
pass_by(unsigned times)
{
	struct record record = { .kind = RECORD_SYMBOL, .time = now };

	for (unsigned i = 0; i < times; i++) {
		record.symbol.address = 0xffffffff81000000u;
		record.symbol.length = 64;
		record.symbol.name = "passing";
		record.symbol.gone = false;
		take(&record);
		sample(GONE, 0);
		record.symbol.gone = true;
		take(&record);
	}
}

/* Code that is made anew all the time: of what is different without end, so much is kept. */
static void
test_bound(void)
{
	enum { KEPT = 100, TAKEN = 5000 };
	struct recording_counts counts;
	struct fold fold;
	size_t bytes;

	recording = recording_open(&(struct recording_options){ .max_depth = 64, .stacks_max = KEPT, .replay = true });
	take(&(struct record){ .kind = RECORD_COMM, .time = now, .pid = GONE, .tid = GONE, .comm = { "jit", true } });
	for (unsigned i = 0; i < TAKEN / 2; i++)
		sample(GONE, i * 16u);
	pass_by(TAKEN / 2);
	bytes = mallinfo2().uordblks;
	for (unsigned i = TAKEN / 2; i < TAKEN; i++)
		sample(GONE, i * 16u);
	pass_by(TAKEN / 2);
	ok(mallinfo2().uordblks <= bytes + 4096, "too many different stacks: memory does not grow");
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	ok((uint64_t)fold_total(&fold) == 2 * TAKEN, "every sample is there");
	ok(counts.pooled > TAKEN - KEPT - 1 && counts.pooled < 2 * TAKEN, "those that are not kept are counted: %llu",
	    (unsigned long long)counts.pooled);
	fold_release(&fold);
	recording_close(recording);
}

/* Of stacks that are not kept only the process is: they are counted as that, and not as without a root. */
static void
test_pooled(void)
{
	enum { KEPT = 100, ADDRESSES = 10, TAKEN = ADDRESSES * ADDRESSES * ADDRESSES };
	struct recording_counts counts;
	struct fold fold;

	recording = recording_open(&(struct recording_options){ .max_depth = 64, .stacks_max = KEPT, .replay = true });
	for (unsigned i = 0; i < TAKEN; i++) {
		uint64_t chain[] = { i % ADDRESSES, i / ADDRESSES % ADDRESSES, i / ADDRESSES / ADDRESSES };

		for (unsigned at = 0; at < 3; at++)
			chain[at] = 0xffffffff81000001 + 16 * chain[at];
		take(&(struct record){ .kind = RECORD_SAMPLE, .time = now, .pid = GONE, .tid = GONE, .sample = {
		    .pid = GONE, .tid = GONE, .weight = 1, .time = now, .kernel = chain, .kernel_count = 3 } });
	}
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	ok((uint64_t)fold_total(&fold) == TAKEN && counts.total == TAKEN, "many stacks of few addresses: all samples are there");
	ok(counts.pooled >= TAKEN - KEPT - 1 && counts.pooled < TAKEN, "... those beyond are counted: %llu",
	    (unsigned long long)counts.pooled);
	ok(counts.unresolved + counts.truncated == 0, "... as nothing else: %llu", (unsigned long long)counts.unresolved);
	ok(counts.unnamed_leaf == TAKEN - counts.pooled, "... the others have no names: %llu",
	    (unsigned long long)counts.unnamed_leaf);
	fold_release(&fold);
	recording_close(recording);
}

static size_t
status_kb(const char *key)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	size_t kb = 0;

	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, key, strlen(key)) == 0)
			kb = strtoul(line + strlen(key), NULL, 10);
	if (file)
		fclose(file);
	return kb;
}

static void
write_text(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		note("%s is not to be written", name);
	close(fd);
}

/* Few addresses, each stack another one and deep: memory is bounded, and not doubled when they are written. Then each
 * of another process. */
static void
test_bytes(void)
{
	enum { DEEP = 2000, TAKEN = 8000, NAMES = 60000, ROOM = 16 << 20 };
	static uint64_t chain[DEEP];
	struct record record = { .kind = RECORD_SAMPLE, .time = now, .pid = GONE, .tid = GONE, .sample = { .pid = GONE,
	    .tid = GONE, .weight = 1, .time = now, .kernel = chain, .kernel_count = DEEP } };
	size_t before = mallinfo2().uordblks, bytes, kb;
	struct recording_counts counts;
	struct fold fold;
	char name[16];

	recording = recording_open(&(struct recording_options){ .max_depth = 64, .bytes_max = ROOM, .replay = true,
	    .addresses = true, .kernel_is_ours = true });
	for (unsigned i = 0; i < TAKEN; i++) {
		for (unsigned at = 0; at < DEEP; at++)
			chain[at] = 0xffffffff81000001 + 0x100000 * (i >> at % 16 & 1);
		take(&record);
	}
	ok(mallinfo2().uordblks - before < ROOM + (ROOM >> 3), "deep stacks: so many bytes of them are kept");
	malloc_trim(0);
	write_text("/proc/self/clear_refs", "5"); /* the peak begins anew */
	kb = status_kb("VmRSS:");
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	ok(!before || status_kb("VmHWM:") < kb + (ROOM >> 12), "... no more while they are written: %zu KB, were %zu",
	    status_kb("VmHWM:"), kb);
	ok((uint64_t)fold_total(&fold) == TAKEN && counts.pooled > TAKEN / 2 && counts.pooled < TAKEN,
	    "... and the others are counted: %llu", (unsigned long long)counts.pooled);
	fold_release(&fold);
	record.sample.kernel_count = 1;
	for (unsigned i = 0; i < NAMES; i++) {
		snprintf(name, sizeof name, "p%u", i);
		take(&(struct record){ .kind = RECORD_COMM, .time = now, .pid = GONE, .tid = GONE,
		    .comm = { name, false } });
		take(&record);
	}
	bytes = mallinfo2().uordblks;
	for (unsigned i = NAMES; i < 2 * NAMES; i++) {
		snprintf(name, sizeof name, "p%u", i);
		take(&(struct record){ .kind = RECORD_COMM, .time = now, .pid = GONE, .tid = GONE,
		    .comm = { name, false } });
		take(&record);
	}
	ok(bytes - before < ROOM + (ROOM >> 2) && mallinfo2().uordblks <= bytes + 4096,
	    "nor do names take more: %zu, then %zu KB", (bytes - before) >> 10, (mallinfo2().uordblks - before) >> 10);
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	ok((uint64_t)fold_total(&fold) == 2 * NAMES && counts.pooled > NAMES, "... but all are counted: %llu",
	    (unsigned long long)counts.pooled);
	fold_release(&fold);
	recording_close(recording);
}

/* The last of a task's exit: it has no number any more. */
static void
test_exiting(void)
{
	static uint64_t chain[] = { 0xffffffff81000001 };
	struct recording_options options = { .max_depth = 64, .replay = true };
	struct recording_counts counts;
	struct fold fold;
	struct buf text = { 0 };
	char *wrong = labels_parse(&options.labels, "tid,thread,pid");

	recording = recording_open(&options);
	take(&(struct record){ .kind = RECORD_SAMPLE, .time = now, .pid = GONE, .tid = UINT32_MAX, .sample = {
	    .pid = GONE, .tid = UINT32_MAX, .weight = 1, .time = now, .kernel = chain, .kernel_count = 1 } });
	take(&(struct record){ .kind = RECORD_SAMPLE, .time = now, .pid = UINT32_MAX, .tid = UINT32_MAX, .sample = {
	    .pid = UINT32_MAX, .tid = UINT32_MAX, .weight = 1, .time = now, .kernel = chain, .kernel_count = 1 } });
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	for (size_t i = 0; i < fold.stacks.count; i++)
		for (size_t at = 0; at < fold.stacks.list[i].count; at++)
			buf_print(&text, "%s;", intern_name(&fold.names, fold.stacks.list[i].frames[at]));
	ok(!wrong && strstr(text.data, "tid=[exit];thread=[exit];pid=5000000;"), "a thread that ends: %s", text.data);
	ok(strstr(text.data, "pid=[exit];") != NULL, "a process that ends");
	buf_release(&text);
	fold_release(&fold);
	recording_close(recording);
}

/* Many programs that stay where they are, each run once: so many files are kept for a while, and no more, with the unwind
 * tables that were made of them. As ELF file serves the vdso. */
enum { FILES = 5000, FILES_AN_INTERVAL = 20, FILES_WARM = 2000 };

static void
run_file(const unsigned char *image, size_t size, unsigned number)
{
	static unsigned char stack[64];
	uint32_t pid = GONE + 1 + next_pid++;
	struct record record = { .kind = RECORD_SAMPLE, .pid = pid, .tid = pid };
	char path[128];
	struct stat st;
	int fd;

	snprintf(path, sizeof path, "%s/kept-%u", folder, number);
	fd = open(path, O_WRONLY | O_CREAT, 0755);
	if (fd < 0 || write(fd, image, size) != (ssize_t)size || fstat(fd, &st) < 0)
		exit(1);
	close(fd);
	take(&(struct record){ .kind = RECORD_COMM, .time = now, .pid = pid, .tid = pid, .comm = { "kept", true } });
	take(&(struct record){ .kind = RECORD_MMAP, .time = now, .pid = pid, .tid = pid,
	    .mmap = { .start = 0x400000, .length = size, .path = path, .executable = true, .device = st.st_dev,
		.inode = st.st_ino } });
	record.time = now;
	record.sample = (struct sample){ .pid = pid, .tid = pid, .time = now, .weight = 1, .user = USER_64, .stack = stack,
		.stack_size = sizeof stack };
	record.sample.regs[R_RIP] = 0x400000 + ((const Elf64_Ehdr *)(const void *)image)->e_entry;
	record.sample.regs[R_RSP] = 0x7fff0000;
	take(&record);
	take(&(struct record){ .kind = RECORD_EXIT, .time = now, .pid = pid, .tid = pid });
	now += INTERVAL / FILES_AN_INTERVAL / 60; /* an interval is a second */
}

static void
test_files(void)
{
	const unsigned char *image = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const void *)image;
	struct rlimit limit;
	size_t size, before, bytes = 0, most_bytes = 0, in_use;
	unsigned files = 0, open_now, failed = 0;
	char path[128];

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	if (!image || setrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_max < MODULES_SPARE + 256) {
		ok(true, "many files # SKIP no vdso, or too few descriptors");
		return;
	}
	size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	recording = recording_open(&(struct recording_options){ .max_depth = 64 });
	before = mallinfo2().uordblks;
	for (unsigned i = 0; i < FILES; i++) {
		run_file(image, size, i);
		if (i % FILES_AN_INTERVAL)
			continue;
		end_interval();
		in_use = mallinfo2().uordblks - before;
		open_now = open_files();
		bytes = i < FILES_WARM && in_use > bytes ? in_use : bytes;
		most_bytes = in_use > most_bytes ? in_use : most_bytes;
		files = open_now > files ? open_now : files;
	}
	for (size_t i = 0; i < recording_modules(recording)->count; i++)
		failed += !recording_modules(recording)->list[i]->cfi;
	note("%d files, %u open; %zu KB after %d, %zu KB at most: %zu bytes a file", FILES, files, bytes >> 10, FILES_WARM,
	    most_bytes >> 10, most_bytes / MODULES_SPARE);
	ok(failed == 0 && files > MODULES_SPARE, "files that nobody has mapped are kept, with their tables");
	ok(files < MODULES_SPARE + FILES_AN_INTERVAL + 64, "... no more than so many");
	ok(most_bytes <= bytes + bytes / 20, "... memory does not grow");
	ok(most_bytes <= MODULES_SPARE * (size_t)16384, "... and each is little");
	recording_close(recording);
	for (unsigned i = 0; i < FILES; i++) {
		snprintf(path, sizeof path, "%s/kept-%u", folder, i);
		unlink(path);
	}
}

int
main(void)
{
	size_t bytes = 0, most_bytes = 0, files = 0, most_files = 0;
	int self = open("/proc/self/exe", O_RDONLY);

	if (self < 0 || read(self, head, sizeof head) != sizeof head || !mkdtemp(folder))
		return 1;
	close(self);
	targets = (struct targets){ .kind = TARGETS_COMMAND, .ids = (uint32_t[]){ GONE }, .count = 1 };
	targets_begin(&targets);
	recording = recording_open(&(struct recording_options){ .max_depth = 64, .weighted = true });
	for (unsigned interval = 0; interval < INTERVALS; interval++) {
		size_t in_use, open_now;

		for (unsigned i = 0; i < PROCESSES; i++)
			live(interval, i);
		end_interval();
		in_use = mallinfo2().uordblks;
		open_now = interval % 100 ? files : open_files();
		if (interval < WARM) {
			bytes = in_use > bytes ? in_use : bytes;
			files = open_now > files ? open_now : files;
		}
		most_bytes = in_use > most_bytes ? in_use : most_bytes;
		most_files = open_now > most_files ? open_now : most_files;
	}
	ok(sampled == (uint64_t)INTERVALS * PROCESSES * 4 && folded == weight, "every sample is in one interval");
	printf("# %zu KB after %u intervals, %zu KB after %u; %zu and %zu open files\n", bytes >> 10, WARM, most_bytes >> 10,
	    INTERVALS, files, most_files);
	/* A sanitizer's malloc() does not tell: 0. */
	ok(most_bytes <= bytes + bytes / 20, "memory does not grow");
	ok(bytes < 16u << 20, "and is little");
	ok(most_files <= files && files < 64, "nor do open files");
	recording_close(recording);
	targets_release(&targets);
	test_files();
	rmdir(folder);
	test_bound();
	test_pooled();
	test_bytes();
	test_exiting();
	return done_testing();
}
