/* perf_data.c against streams made by hand, in the layout of a pipe: what comes in rounds goes out in order
 * of time, of one event, from bounded memory; and what a recording makes of it. */
#include <sys/mman.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/warn.h"
#include "fold/fold.h"
#include "record/recording.h"
#include "source/perf_data.h"
#include "tap.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static struct buf made;
static size_t record_at;

static void
put_u64(uint64_t value)
{
	buf_add(&made, &value, 8);
}

static void
put_u32(uint32_t value)
{
	buf_add(&made, &value, 4);
}

static void
begin(uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { type, misc, 0 };

	record_at = made.length;
	buf_add(&made, &header, sizeof header);
}

static void
end(void)
{
	struct perf_event_header header;

	memcpy(&header, made.data + record_at, sizeof header);
	header.size = (uint16_t)(made.length - record_at);
	memcpy(made.data + record_at, &header, sizeof header);
}

/* What sample_id_all puts behind a record. */
static void
end_with_id(uint64_t time, uint64_t id)
{
	put_u64(0);
	put_u64(time);
	put_u64(id);
	end();
}

static void
put_text(const char *text)
{
	buf_add(&made, text, strlen(text) + 1);
	while ((made.length - record_at) % 8)
		buf_char(&made, '\0');
}

static void
put_event(uint64_t config, uint64_t id)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = config,
		.sample_type = SAMPLE_TYPE, .sample_id_all = 1, .read_format = PERF_FORMAT_LOST, .sample_period = 1 };

	begin(64, 0);
	buf_add(&made, &attr, sizeof attr);
	put_u64(id);
	end();
}

static void
put_sample(uint64_t time, uint64_t id, uint32_t pid, uint64_t ip)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(id);
	put_u64(ip);
	put_u32(pid);
	put_u32(pid);
	put_u64(time);
	end();
}

static void
put_comm(uint64_t time, uint32_t pid, const char *name)
{
	begin(PERF_RECORD_COMM, 0);
	put_u32(pid);
	put_u32(pid);
	put_text(name);
	end_with_id(time, 0);
}

static void
put_round(void)
{
	begin(68, 0);
	end();
}

static void
begin_stream(void)
{
	buf_clear(&made);
	buf_text(&made, "PERFILE2");
	put_u64(16);
	put_event(PERF_COUNT_SW_CPU_CLOCK, 1);
	put_event(PERF_COUNT_SW_PAGE_FAULTS, 2);
}

static struct input *input;

static struct perf_data *
open_stream(void)
{
	char path[] = "/tmp/gp-unit.XXXXXX";
	int fd = mkstemp(path);
	struct perf_data *data;

	if (fd < 0 || write(fd, made.data, made.length) != (ssize_t)made.length)
		die("%s:", path);
	close(fd);
	input = input_open(path);
	unlink(path);
	input_next_member(input);
	data = perf_data_open(input);
	if (!data)
		die("the stream is not opened");
	return data;
}

static void
close_stream(struct perf_data *data)
{
	perf_data_close(data);
	input_close(input);
}

static void
test_order(void)
{
	static const uint64_t wanted[] = { 10, 11, 12, 13, 20, 21, 22, 23, 30, 31 };
	struct perf_data *data;
	struct record record;
	size_t n = 0;
	bool good = true;

	begin_stream();
	put_sample(10, 1, 7, 1); /* round 1, one CPU after the other */
	put_sample(20, 1, 7, 1);
	put_sample(11, 1, 7, 1);
	put_round();
	put_sample(21, 1, 7, 1); /* round 2 has what was written while round 1 was read */
	put_sample(30, 1, 7, 1);
	put_sample(12, 1, 7, 1);
	put_sample(13, 1, 7, 1);
	put_sample(22, 1, 7, 1);
	put_round();
	put_sample(31, 1, 7, 1);
	put_sample(23, 1, 7, 1);
	data = open_stream();
	while (perf_data_next(data, &record) > 0)
		good &= n < 10 && record.time == wanted[n++];
	ok(good && n == 10, "records of rounds come in order of time");
	ok(perf_data_end(data)->late == 0 && perf_data_end(data)->first == 10 && perf_data_end(data)->last == 31,
	    "none of them late");
	close_stream(data);
}

static void
test_events(void)
{
	struct perf_data *data;
	struct record record;
	unsigned samples = 0, comms = 0;
	uint64_t lost = 0;

	begin_stream();
	begin(78, 0); /* a name for event 2 */
	put_u64(2);
	put_u64(2);
	put_text("faults:u");
	end();
	put_comm(0, 7, "seven");
	for (uint64_t i = 0; i < 5; i++)
		put_sample(100 + i, 1 + (i & 1), 7, 1);
	begin(PERF_RECORD_LOST, 0); /* three records of any kind */
	put_u64(1);
	put_u64(3);
	end_with_id(200, 1);
	begin(PERF_RECORD_LOST_SAMPLES, 0); /* of which two were samples of event 2 */
	put_u64(2);
	end_with_id(200, 2);
	data = open_stream();
	ok(perf_data_header(data)->event_count == 2, "both events are known before the first record");
	is_text(perf_data_header(data)->events[0].name, "cpu-clock", "one without a name is named by what it is");
	is_text(perf_data_header(data)->events[1].name, "faults:u", "a name that comes later is taken");
	perf_data_choose(data, 1);
	while (perf_data_next(data, &record) > 0) {
		samples += record.kind == RECORD_SAMPLE;
		comms += record.kind == RECORD_COMM;
		lost += record.kind == RECORD_LOST ? record.lost : 0;
	}
	ok(samples == 2 && comms == 1 && perf_data_end(data)->other_samples == 3, "samples of the event chosen only");
	ok(lost == 2, "lost samples are those of the event, as the kernel counted them");
	close_stream(data);
}

/* perf's own records end where they end, and some are followed by what is no record. */
static void
test_askew(void)
{
	struct perf_data *data;
	struct record record;
	unsigned n = 0, askew = 0;

	begin_stream();
	for (uint64_t i = 1; i < 40; i++) {
		begin(80, 0);
		put_u64(255);
		for (uint64_t k = 0; k < i; k++)
			buf_char(&made, 'x');
		end();
		put_sample(i, 1, 7, 1);
		put_comm(i, 7, "seven");
	}
	begin(66, 0);
	put_u32(13);
	end();
	for (int i = 0; i < 16; i++)
		buf_char(&made, '\xff');
	begin(71, 0);
	put_u64(100);
	end();
	for (int i = 0; i < 100; i++)
		buf_char(&made, '\xff');
	put_sample(100, 1, 7, 1);
	data = open_stream();
	while (perf_data_next(data, &record) > 0) {
		n++;
		if (record.kind == RECORD_SAMPLE)
			askew += (uintptr_t)record.sample.chain % 8 || record.sample.chain_count != 1 ||
			    record.sample.chain[0] != 1;
	}
	ok(n == 79 && askew == 0, "records behind odd ones are whole and aligned (%u, %u askew)", n, askew);
	close_stream(data);
}

/* The end of rounds never told: what waits is bounded. A child writes, so that the stream is nowhere. */
static void
test_bound(void)
{
	enum { RECORDS = 4000, STACK = 60000 };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof attr,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_STACK_USER, .sample_period = 1 };
	struct perf_data *data;
	struct record record;
	unsigned n = 0;
	uint64_t last = 0;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		die("pipe:");
	if (pid == 0) {
		FILE *out = fdopen(ends[1], "w");

		buf_clear(&made);
		buf_text(&made, "PERFILE2");
		put_u64(16);
		begin(64, 0);
		buf_add(&made, &attr, sizeof attr);
		end();
		fwrite(made.data, 1, made.length, out);
		for (uint64_t i = 0; i < RECORDS; i++) {
			buf_clear(&made);
			begin(PERF_RECORD_SAMPLE, 0);
			put_u64(i + 1);
			put_u64(STACK);
			for (int k = 0; k < STACK / 8; k++)
				put_u64(i);
			put_u64(STACK);
			end();
			fwrite(made.data, 1, made.length, out);
		}
		fclose(out);
		_exit(0);
	}
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	input = input_open("-");
	input_next_member(input);
	data = perf_data_open(input);
	while (data && perf_data_next(data, &record) > 0 && record.time > last) {
		last = record.time;
		n++;
	}
	ok(n == RECORDS, "240 MB without an end of a round come whole, in order (%u)", n);
#ifndef __SANITIZE_ADDRESS__
	ok(clock_peak_kb() < 180000, "from at most 180 MB of memory (%ld KiB)", clock_peak_kb());
#endif
	close_stream(data);
	waitpid(pid, NULL, 0);
}

static void
put_mapping(uint32_t pid, uint64_t start, const char *path)
{
	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put_u32(pid);
	put_u32(pid);
	put_u64(start);
	put_u64(0x1000);
	put_u64(0);
	put_u64(0);
	put_u64(pid); /* inode */
	put_u64(0);
	put_u32(PROT_READ | PROT_EXEC);
	put_u32(MAP_PRIVATE);
	put_text(path);
	end_with_id(0, 0);
}

static void
put_fork(uint32_t pid, uint32_t parent)
{
	begin(PERF_RECORD_FORK, 0);
	put_u32(pid);
	put_u32(parent);
	put_u32(pid);
	put_u32(parent);
	put_u64(0);
	end_with_id(0, 0);
}

static char *
folded(struct fold *fold, const struct stack *stack)
{
	struct buf text = { 0 };

	for (uint32_t i = 0; i < stack->count; i++)
		buf_print(&text, "%s%s", i ? ";" : "", intern_name(&fold->names, stack->frames[i]));
	return text.data;
}

/* perf -a makes up forks, names and mappings for what is there: in this order, or another. */
static void
test_made_up(void)
{
	struct recording *recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 64 });
	struct recording_counts counts;
	struct perf_data *data;
	struct record record;
	struct fold fold;
	const struct stack **list;
	size_t count;
	char *text;

	begin_stream();
	put_comm(0, 5, "parent");
	put_mapping(5, 0x400000, "/no/such/parent");
	put_comm(0, 7, "child");
	put_mapping(7, 0x800000, "/no/such/child");
	put_fork(7, 5); /* after its mapping: it stays */
	put_fork(9, 5); /* before: nothing comes from the parent */
	put_comm(0, 9, "other");
	put_sample(10, 1, 7, 0x800100);
	put_sample(11, 1, 9, 0x400100);
	data = open_stream();
	while (perf_data_next(data, &record) > 0)
		recording_take(recording, &record);
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	list = fold_sorted(&fold, &count);
	if (ok(count == 2, "two stacks")) {
		text = folded(&fold, list[0]);
		ok(strncmp(text, "child;", 6) == 0 && strstr(text, "[child]"),
		    "a made-up fork leaves mappings alone (%s)", text);
		free(text);
		text = folded(&fold, list[1]);
		ok(strncmp(text, "other;", 6) == 0 && !strstr(text, "[parent]"), "nor copies the parent's (%s)", text);
		free(text);
	}
	free(list);
	fold_release(&fold);
	recording_close(recording);
	close_stream(data);
}

static void
test_kernel(void)
{
	struct perf_data *data;
	const struct perf_data_kernel *kernel;
	const char *doubt;

	begin_stream();
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_u64(UINT64_MAX);
	put_u64(0);
	put_u64(1u << 30);
	put_u64(0x123000);
	put_text("[kernel.kallsyms]_text");
	end_with_id(0, 0);
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_u64(UINT64_MAX);
	put_u64(0xffffffffc0000000);
	put_u64(4096);
	put_u64(0);
	put_text("/lib/modules/6/kernel/net/nf-tables.ko.xz");
	end_with_id(0, 0);
	put_comm(0, 7, "seven");
	data = open_stream();
	kernel = perf_data_kernel(data);
	is_text(kernel->symbol, "_text", "the kernel's place is known at once");
	ok(kernel->address == 0x123000, "by the address of a symbol");
	ok(kernel->module_count == 1 && strcmp(kernel->modules[0].name, "nf_tables") == 0, "a module by its name");
	doubt = perf_data_kernel_doubt(kernel, perf_data_header(data));
	ok(doubt != NULL, "ours does not lie there (%s)", doubt ? doubt : "");
	close_stream(data);
}

int
main(void)
{
	warn_set_program("perf_data");
	test_order();
	test_events();
	test_askew();
	test_made_up();
	test_kernel();
	test_bound();
	buf_release(&made);
	return done_testing();
}
