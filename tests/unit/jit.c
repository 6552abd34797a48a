/* jit.c and perf_map.c: how much of perf maps is read, and when. The programs are this one. */
#include <sys/mman.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/jit.h"
#include "symbol/perf_map.h"
#include "tap.h"

#define SECOND UINT64_C(1000000000)
#define CODE UINT64_C(0x700000000000)
#define FILE_BYTES (UINT64_C(256) << 20)

static char path[64];
static uint64_t now;
static struct processes processes;
static struct process *process;
static struct frames frames;
static struct jits jits;
static struct module module = { .kind = MODULE_ANONYMOUS, .path = (char *)(uintptr_t)"", .base = "" };

/* --- perf_map.c */

static void
write_at(int fd, uint64_t offset, const char *text)
{
	if (pwrite(fd, text, strlen(text), (off_t)offset) != (ssize_t)strlen(text))
		exit(1);
}

/* Which of the places 1, 2, 3 have names: "a-c". */
static const char *
found(int fd, struct perf_map_room *room, bool *whole)
{
	static char text[4];
	struct symbol_query queries[3];
	struct intern names = { 0 };

	for (unsigned i = 0; i < 3; i++)
		queries[i] = (struct symbol_query){ .vaddr = CODE + i, .name = SYMBOL_NONE };
	*whole = perf_map_find(fd, queries, 3, &names, room);
	for (unsigned i = 0; i < 3; i++)
		text[i] = queries[i].name == SYMBOL_NONE ? '-' : *intern_name(&names, queries[i].name);
	intern_release(&names);
	return text;
}

static void
test_holes(void)
{
	int fd = memfd_create("map", MFD_CLOEXEC);
	struct perf_map_room room = { FILE_BYTES, 1 << 20 };
	bool whole;

	write_at(fd, 0, "700000000000 1 a\n700000000001 1 half");
	write_at(fd, FILE_BYTES / 2, "half\n700000000001 1 b\n700000000001 1 ha");
	write_at(fd, FILE_BYTES - 18, "\n700000000002 1 c\n");
	is_text(found(fd, &room, &whole), "abc", "between holes lines are found");
	ok(whole && FILE_BYTES - room.bytes < 1 << 20, "... and little is read: %llu bytes",
	    (unsigned long long)(FILE_BYTES - room.bytes));
	close(fd);
}

static void
test_room(void)
{
	static char filler[1 << 20];
	int fd = memfd_create("map", MFD_CLOEXEC);
	struct perf_map_room room = { 600000, 1 << 20 };
	bool whole;

	memset(filler, 'x', sizeof filler - 1);
	write_at(fd, 0, "700000000000 1 a\n");
	write_at(fd, 17, filler);
	write_at(fd, sizeof filler, "\n700000000002 1 c\n");
	is_text(found(fd, &room, &whole), "--c", "of a map too large the last part is read");
	ok(!whole && room.bytes == 0, "... which is said");
	room.bytes = 1 << 21;
	is_text(found(fd, &room, &whole), "a-c", "with room all of it is");
	ok(whole, "... and that all have no name, too");
	room = (struct perf_map_room){ 1 << 21, 60 };
	is_text(found(fd, &room, &whole), "--c", "so many bytes of names are kept");
	ok(!whole, "... which is said");
	memset(filler, '\n', sizeof filler - 1);
	write_at(fd, 17, filler);
	write_at(fd, sizeof filler, "\n700000000002 1 c\n");
	room = (struct perf_map_room){ 8 << 20, 1 << 20 };
	is_text(found(fd, &room, &whole), "--c", "a MB of empty lines costs more than 8 MB of others");
	close(fd);
}

/* --- jit.c */

static void
append(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		exit(1);
	close(fd);
}

static uint32_t
run_at(uint64_t address)
{
	return jit_frame(&jits, &frames, &processes, process, process->pid, &module, address);
}

/* Bytes read as this thread exits. */
static uint64_t
exit_of(uint32_t tid)
{
	uint64_t before = jits.read;
	struct record record = { .kind = RECORD_EXIT, .time = now, .pid = process->pid, .tid = tid };

	jit_end(&jits, &frames, process, &record);
	return jits.read - before;
}

static bool
has_name(uint32_t frame)
{
	return frames.list[frame].is_settled;
}

static void
test_exits(uint32_t pid)
{
	uint32_t known = run_at(CODE), unknown = run_at(CODE + 64), third;

	append("700000000000 1 made\n");
	ok(exit_of(pid + 1) == 0 && !has_name(known), "one thread of nobody knows how many exits: nothing is read");
	ok(exit_of(pid) > 0 && has_name(known) && !has_name(unknown), "the first one exits: the map is read");
	ok(exit_of(pid) == 0, "... not again, as it was");
	append("700000000080 1 other\n");
	ok(exit_of(pid) > 0, "... but with what was written since");
	third = run_at(CODE + 128);
	ok(exit_of(pid) > 0 && has_name(third), "... and for code that ran since");
	process->threads = 2;
	append("10 1 more\n");
	jits.time = now = clock_now();
	ok(exit_of(pid + 1) == 0, "one of two threads exits: nothing is read");
	process->threads = 1;
	ok(exit_of(pid + 1) > 0, "the last one exits: it is read");
	process->threads = 0;
}

static void
test_budget(uint32_t pid)
{
	uint32_t frame = run_at(CODE + 256);

	append("700000000100 1 late\n");
	jits.read = JIT_READ_AT_ONCE;
	ok(exit_of(pid) == 0 && !has_name(frame) && jits.unread == 1, "too much was read just now: counted");
	ok(exit_of(pid) == 0 && jits.unread == 1, "... once");
	now += SECOND / 1000;
	exit_of(pid);
	ok(has_name(frame) && jits.unread == 0 && jits.read > JIT_READ_AT_ONCE - JIT_READ_A_SECOND / 250,
	    "a millisecond later there is room for a small one, and nothing to say");
	frame = run_at(CODE + 512);
	append("700000000200 1 last\n");
	jits.read = JIT_READ_AT_ONCE;
	exit_of(pid);
	ok(jits.unread == 1, "too much once more");
	jit_name_all(&jits, &frames, &processes);
	ok(jits.unread == 0 && has_name(frame), "at the profile's end it is read all the same");
	jits.names = JIT_NAMES;
	frame = run_at(CODE + 640);
	append("700000000280 1 one_too_many\n");
	jit_name_all(&jits, &frames, &processes);
	ok(jits.unread == 1 && !has_name(frame), "more names than are kept: counted");
	ok(jits.names == 0, "... until the next profile begins");
}

int
main(void)
{
	uint32_t pid = (uint32_t)getpid();

	now = clock_now();
	test_holes();
	test_room();
	snprintf(path, sizeof path, "/tmp/perf-%u.map", pid);
	unlink(path);
	processes_init(&processes, false);
	process = processes_of(&processes, pid, pid, now);
	test_exits(pid);
	test_budget(pid);
	jit_release(&jits);
	frames_release(&frames);
	processes_release(&processes);
	unlink(path);
	return done_testing();
}
