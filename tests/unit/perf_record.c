/* perf_record.c against records made by hand, in every order that sample_type allows: what is used comes
 * out right whatever stands before and behind it, and a record that lacks a word is refused. */
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <asm/perf_regs.h>
#include <stdlib.h>

#include "source/event_name.h"
#include "source/perf_record.h"
#include "tap.h"

#define SAMPLE_BITS 25
#define READ_BITS 5
#define BRANCH_COUNTERS (1ull << 19)

static union {
	struct perf_event_header header;
	unsigned char bytes[65536];
	uint64_t words[8192];
} made;

static void
put(const void *bytes, size_t size)
{
	memcpy(made.bytes + made.header.size, bytes, size);
	made.header.size = (uint16_t)(made.header.size + size);
}

static void
put_u64(uint64_t value)
{
	put(&value, 8);
}

static void
put_u32(uint32_t value)
{
	put(&value, 4);
}

static void
begin(uint32_t type, uint16_t misc)
{
	memset(&made, 0xa5, sizeof made);
	made.header = (struct perf_event_header){ type, misc, sizeof made.header };
}

/* A text, padded to words. */
static void
put_text(const char *text)
{
	put(text, strlen(text) + 1);
	while (made.header.size % 8)
		put("", 1);
}

/* perf_event_open(2), "PERF_RECORD_SAMPLE". */
static void
make_sample(const struct perf_layout *layout, unsigned abi)
{
	uint64_t type = layout->sample_type;
	uint64_t groups = layout->read_format & PERF_FORMAT_GROUP ? 3 : 1;

	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(77);
	if (type & PERF_SAMPLE_IP)
		put_u64(0x401000);
	if (type & PERF_SAMPLE_TID) {
		put_u32(11);
		put_u32(12);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(1234567);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(0xadd4);
	if (type & PERF_SAMPLE_ID)
		put_u64(77);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(78);
	if (type & PERF_SAMPLE_CPU) {
		put_u32(5);
		put_u32(0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(999);
	if (type & PERF_SAMPLE_READ) {
		if (layout->read_format & PERF_FORMAT_GROUP)
			put_u64(groups);
		else
			put_u64(1);
		if (layout->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			put_u64(2);
		if (layout->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			put_u64(3);
		for (uint64_t i = 0; i < groups; i++) {
			if (layout->read_format & PERF_FORMAT_GROUP)
				put_u64(1);
			if (layout->read_format & PERF_FORMAT_ID)
				put_u64(77);
			if (layout->read_format & PERF_FORMAT_LOST)
				put_u64(0);
		}
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(6);
		put_u64((uint64_t)PERF_CONTEXT_KERNEL);
		put_u64(0xffffffff81000001);
		put_u64(0xffffffff81000002);
		put_u64((uint64_t)PERF_CONTEXT_USER);
		put_u64(0x401000);
		put_u64(0x401001);
	}
	if (type & PERF_SAMPLE_RAW) {
		put_u32(12);
		put("abcdefghijkl", 12);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		put_u64(2);
		if (layout->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
			put_u64(0);
		for (int i = 0; i < 6; i++)
			put_u64(0xb4);
		for (int i = 0; layout->branch_sample_type & BRANCH_COUNTERS && i < 2; i++)
			put_u64(9);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		put_u64(abi);
		for (unsigned i = 0; abi && i < 64; i++)
			if (layout->regs_user >> i & 1)
				put_u64(0x1000 + i);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		if (abi) {
			put_u64(16);
			put("0123456789abcdef", 16);
			put_u64(8);
		} else {
			put_u64(0);
		}
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		put_u64(1);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(2);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_u64(3);
	if (type & PERF_SAMPLE_REGS_INTR) {
		put_u64(PERF_SAMPLE_REGS_ABI_64);
		for (unsigned i = 0; i < 64; i++)
			if (layout->regs_intr >> i & 1)
				put_u64(i);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_u64(4);
	if (type & PERF_SAMPLE_CGROUP)
		put_u64(5);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_u64(4096);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_u64(4096);
	if (type & PERF_SAMPLE_AUX) {
		put_u64(8);
		put_u64(0xa0);
	}
}

static bool
chain_is_right(const struct sample *s)
{
	return s->kernel_count == 2 && s->kernel[0] == 0xffffffff81000001 && s->kernel[1] == 0xffffffff81000002 &&
	    s->chain_count == 2 && s->chain[0] == 0x401000 && s->chain[1] == 0x401001;
}

static bool
user_side_is_right(const struct perf_layout *layout, unsigned abi, const struct sample *s)
{
	uint64_t type = layout->sample_type;
	bool has_stack = (type & PERF_SAMPLE_STACK_USER) && abi;
	bool has_chain = type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP);
	bool has_regs = (type & PERF_SAMPLE_REGS_USER) && abi && layout->regs_user;

	if (has_stack != (s->stack != NULL) ||
	    (has_stack && (s->stack_size != 8 || memcmp(s->stack, "01234567", 8) != 0 || s->stack_cut)))
		return false;
	if (has_regs && (s->regs[R_RIP] != 0x1000 + PERF_REG_X86_IP || s->regs[R_RSP] != 0x1000 + PERF_REG_X86_SP ||
			    s->regs[R_R15] != 0x1000 + PERF_REG_X86_R15))
		return false;
	if (has_regs && (has_stack || !has_chain))
		return s->user == (abi == PERF_SAMPLE_REGS_ABI_64 ? USER_64 : USER_32);
	return s->user == (has_chain ? USER_CHAIN : USER_NONE);
}

static bool
sample_is_right(const struct perf_layout *layout, unsigned abi)
{
	uint64_t type = layout->sample_type;
	struct record r;
	const struct sample *s = &r.sample;

	if (perf_record_parse(layout, &made.header, &r) < 0 || r.kind != RECORD_SAMPLE)
		return false;
	if (s->pid != (type & PERF_SAMPLE_TID ? 11u : 0) || s->tid != (type & PERF_SAMPLE_TID ? 12u : 0) ||
	    s->time != (type & PERF_SAMPLE_TIME ? 1234567u : 0) || r.time != s->time || r.pid != s->pid ||
	    s->cpu != (type & PERF_SAMPLE_CPU ? 5 : UINT32_MAX) ||
	    s->weight != (type & PERF_SAMPLE_PERIOD ? 999u : 250u))
		return false;
	if (perf_record_time(layout, &made.header) != s->time ||
	    perf_record_id(layout, &made.header) != (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID) ? 77 : 0))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN ? !chain_is_right(s) : s->kernel_count != 0)
		return false;
	return user_side_is_right(layout, abi, s);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t
random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static struct perf_layout
layout_of(uint64_t sample_type)
{
	return (struct perf_layout){
		.sample_type = sample_type,
		.read_format = random_u64() % (1u << READ_BITS),
		.branch_sample_type = random_u64() & (PERF_SAMPLE_BRANCH_HW_INDEX | BRANCH_COUNTERS),
		.regs_user = random_u64() % 4 ? PERF_REGS_USER : 0,
		.regs_intr = random_u64() & PERF_REGS_USER,
		.period = 250,
		.sample_id_all = true,
	};
}

static void
test_samples(void)
{
	unsigned wrong = 0, taken = 0;

	for (unsigned i = 0; i < 200000; i++) {
		uint64_t type = i < SAMPLE_BITS ? 1ull << i : random_u64() & random_u64() & ((1u << SAMPLE_BITS) - 1);
		struct perf_layout layout = layout_of(type);
		unsigned abi = (unsigned)(random_u64() % 3);
		uint16_t size;
		struct record record;

		make_sample(&layout, abi);
		if (!sample_is_right(&layout, abi) && ++wrong < 5)
			note("sample_type 0x%llx abi %u", (unsigned long long)type, abi);
		size = made.header.size;
		if (size == sizeof made.header)
			continue;
		made.header.size = (uint16_t)(8 + (random_u64() % (size - 8u)) / 8 * 8);
		if (perf_record_parse(&layout, &made.header, &record) == 0 && ++taken < 5)
			note("sample_type 0x%llx: %u of %u bytes", (unsigned long long)type, made.header.size, size);
	}
	ok(wrong == 0, "samples of 200,000 layouts come out right");
	ok(taken == 0, "none of them is taken when it is cut");
}

static void
test_flat(void)
{
	struct perf_layout layout = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID };
	struct record r;

	make_sample(&layout, 0);
	made.header.misc = PERF_RECORD_MISC_KERNEL;
	ok(perf_record_parse(&layout, &made.header, &r) == 0 && r.sample.kernel_count == 1 &&
	    r.sample.kernel[0] == 0x401000 && r.sample.user == USER_NONE && r.sample.weight == 1,
	    "without -g the address is the kernel's stack");
	made.header.misc = PERF_RECORD_MISC_GUEST_USER;
	ok(perf_record_parse(&layout, &made.header, &r) == 0 && !r.sample.kernel_count && !r.sample.chain_count,
	    "a guest's address is nobody's");
}

static void
test_chains(void)
{
	struct perf_layout layout = { .sample_type = PERF_SAMPLE_CALLCHAIN };
	struct record r;

	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put_u64(1);
	put_u64(0xffffffff81000000);
	ok(perf_record_parse(&layout, &made.header, &r) == 0 && r.sample.kernel_count == 1,
	    "a chain without a marker is of the record's side");
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(UINT64_MAX / 8 + 2); /* times 8 is small again */
	put_u64(0);
	ok(perf_record_parse(&layout, &made.header, &r) < 0, "a chain longer than its record is refused");
	layout.sample_type = PERF_SAMPLE_STACK_USER;
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put_u64(8);
	put_u64(0);
	put_u64(16);
	ok(perf_record_parse(&layout, &made.header, &r) < 0, "more stack copied than there is room for is refused");
}

/* --- other records, with sample_id behind them */

static struct perf_layout side = { .sample_id_all = true };

static void
put_sample_id(void)
{
	if (side.sample_type & PERF_SAMPLE_TID)
		put_u64(0x1100000012);
	if (side.sample_type & PERF_SAMPLE_TIME)
		put_u64(4711);
	if (side.sample_type & PERF_SAMPLE_ID)
		put_u64(77);
	if (side.sample_type & PERF_SAMPLE_STREAM_ID)
		put_u64(78);
	if (side.sample_type & PERF_SAMPLE_CPU)
		put_u64(3);
	if (side.sample_type & PERF_SAMPLE_IDENTIFIER)
		put_u64(77);
}

static bool
parse_side(struct record *r)
{
	uint64_t time = side.sample_type & PERF_SAMPLE_TIME ? 4711 : 0;
	uint64_t id = side.sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? 77 : 0;

	put_sample_id();
	return perf_record_parse(&side, &made.header, r) == 0 && perf_record_time(&side, &made.header) == time &&
	    perf_record_id(&side, &made.header) == id;
}

static bool
mmap2_is_right(void)
{
	struct record r;

	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put_u32(11);
	put_u32(12);
	put_u64(0x400000);
	put_u64(0x1000);
	put_u64(0x2000);
	put_u32(8);
	put_u32(1);
	put_u64(99);
	put_u64(1);
	put_u32(PROT_READ | PROT_EXEC);
	put_u32(MAP_PRIVATE);
	put_text("/bin/a b");
	return parse_side(&r) && r.kind == RECORD_MMAP && r.pid == 11 && r.tid == 12 && r.mmap.start == 0x400000 &&
	    r.mmap.length == 0x1000 && r.mmap.offset == 0x2000 && r.mmap.device == makedev(8, 1) &&
	    r.mmap.inode == 99 && r.mmap.executable && !r.mmap.writable && !r.mmap.kernel && strcmp(r.mmap.path, "/bin/a b") == 0 &&
	    !r.mmap.build_id_size;
}

static bool
build_id_is_right(void)
{
	struct record r;

	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	put_u64(11);
	put_u64(0x400000);
	put_u64(0x1000);
	put_u64(0);
	put_u32(4); /* size, then three bytes of nothing */
	put("ABCDEFGHIJKLMNOPQRST", 20);
	put_u32(PROT_READ | PROT_WRITE);
	put_u32(0);
	put_text("/x");
	return parse_side(&r) && r.mmap.build_id_size == 4 && memcmp(r.mmap.build_id, "ABCD", 4) == 0 &&
	    !r.mmap.inode && !r.mmap.executable && r.mmap.writable;
}

static bool
small_ones_are_right(void)
{
	struct record r;
	bool good;

	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_u64(UINT64_MAX);
	put_u64(1);
	put_u64(2);
	put_u64(3);
	put_text("[kernel.kallsyms]_text");
	good = parse_side(&r) && r.mmap.kernel && r.mmap.executable && r.mmap.offset == 3;
	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put_u32(1);
	put_u32(2);
	put_text("a name");
	good = good && parse_side(&r) && r.kind == RECORD_COMM && r.comm.exec && r.tid == 2 &&
	    strcmp(r.comm.name, "a name") == 0;
	begin(PERF_RECORD_FORK, 0);
	put_u32(1);
	put_u32(2);
	put_u32(3);
	put_u32(4);
	put_u64(0);
	good = good && parse_side(&r) && r.kind == RECORD_FORK && r.pid == 1 && r.tid == 3 && r.fork.parent_pid == 2 &&
	    r.fork.parent_tid == 4 && r.time == 0;
	begin(PERF_RECORD_LOST, 0);
	put_u64(77);
	put_u64(5);
	good = good && parse_side(&r) && r.kind == RECORD_LOST && r.lost == 5;
	begin(PERF_RECORD_LOST_SAMPLES, 0);
	put_u64(6);
	good = good && parse_side(&r) && r.kind == RECORD_LOST && r.lost == 6;
	begin(PERF_RECORD_KSYMBOL, 0);
	put_u64(0xffffffffc0001000);
	put_u32(256);
	put_u32(PERF_RECORD_KSYMBOL_TYPE_BPF | PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER << 16);
	put_text("bpf_prog_x");
	good = good && parse_side(&r) && r.kind == RECORD_SYMBOL && r.symbol.address == 0xffffffffc0001000 &&
	    r.symbol.length == 256 && r.symbol.gone && strcmp(r.symbol.name, "bpf_prog_x") == 0;
	/* Another event's sample_id counted as well: what is there is no part of the record. */
	begin(PERF_RECORD_KSYMBOL, 0);
	put_u64(0xffffffffc0001000);
	put_u32(256);
	put_u32(PERF_RECORD_KSYMBOL_TYPE_BPF);
	put_text("1234567");
	good = good && parse_side(&r);
	made.header.size += 24;
	good = good && perf_record_parse(&side, &made.header, &r) == 0 && strcmp(r.symbol.name, "1234567") == 0 &&
	    perf_record_time(&side, &made.header) == (side.sample_type & PERF_SAMPLE_TIME ? 4711 : 0);
	begin(PERF_RECORD_READ, 0);
	put_u64(0);
	return good && parse_side(&r) && r.kind == RECORD_OTHER;
}

static void
test_side_band(void)
{
	static const uint64_t bits[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };
	unsigned wrong = 0;
	struct record r;

	for (unsigned mask = 0; mask < 64; mask++) {
		side.sample_type = PERF_SAMPLE_IP;
		for (unsigned i = 0; i < 6; i++)
			side.sample_type |= mask >> i & 1 ? bits[i] : 0;
		if (!mmap2_is_right() || !build_id_is_right() || !small_ones_are_right()) {
			wrong++;
			note("sample_type 0x%llx", (unsigned long long)side.sample_type);
		}
	}
	ok(wrong == 0, "records of processes, with every sample_id");

	begin(PERF_RECORD_COMM, 0);
	put_u64(0);
	put("unended!", 8);
	put_sample_id();
	ok(perf_record_parse(&side, &made.header, &r) < 0, "a text that runs into sample_id is refused");
	begin(PERF_RECORD_EXIT, 0);
	ok(perf_record_parse(&side, &made.header, &r) < 0, "a record shorter than its sample_id is refused");
}

static void
test_names(void)
{
	char first[1024];

	snprintf(first, sizeof first, "%s", event_kind_names());
	is_text(event_kind_names(), first, "the names of events, told twice");
}

int
main(void)
{
	test_names();
	test_samples();
	test_flat();
	test_chains();
	test_side_band();
	return done_testing();
}
