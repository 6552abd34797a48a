#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <asm/perf_regs.h>
#include <string.h>

#include "base/cursor.h"
#include "source/perf_record.h"

/* Newer than Debian 12's header: a word of counters behind every branch (Linux 6.8). */
#define BRANCH_COUNTERS (1ull << 19)
/* perf's own: samples that a BPF filter turned away (perf record --filter, 6.3) were not lost. */
#define LOST_BY_FILTER (1u << 15)

void
perf_layout_init(struct perf_layout *layout, const struct perf_event_attr *attr)
{
	*layout = (struct perf_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
		.period = attr->freq ? 0 : attr->sample_period,
		.sample_id_all = attr->sample_id_all,
	};
}

/* perf_regs.h's order → ours. */
static const signed char reg_of[64] = {
	[PERF_REG_X86_AX] = R_RAX + 1, [PERF_REG_X86_BX] = R_RBX + 1, [PERF_REG_X86_CX] = R_RCX + 1,
	[PERF_REG_X86_DX] = R_RDX + 1, [PERF_REG_X86_SI] = R_RSI + 1, [PERF_REG_X86_DI] = R_RDI + 1,
	[PERF_REG_X86_BP] = R_RBP + 1, [PERF_REG_X86_SP] = R_RSP + 1, [PERF_REG_X86_IP] = R_RIP + 1,
	[PERF_REG_X86_R8] = R_R8 + 1, [PERF_REG_X86_R9] = R_R9 + 1, [PERF_REG_X86_R10] = R_R10 + 1,
	[PERF_REG_X86_R11] = R_R11 + 1, [PERF_REG_X86_R12] = R_R12 + 1, [PERF_REG_X86_R13] = R_R13 + 1,
	[PERF_REG_X86_R14] = R_R14 + 1, [PERF_REG_X86_R15] = R_R15 + 1,
};

/* Without these two there is nothing to unwind from, whatever else was recorded (perf --user-regs). */
#define REGS_NEEDED (1ull << PERF_REG_X86_SP | 1ull << PERF_REG_X86_IP)

static void
take_user_regs(struct cursor *c, uint64_t mask, struct sample *sample)
{
	uint64_t abi = cursor_u64(c);

	if (abi == PERF_SAMPLE_REGS_ABI_NONE) /* a kernel thread */
		return;
	if ((mask & REGS_NEEDED) == REGS_NEEDED)
		sample->user = abi == PERF_SAMPLE_REGS_ABI_64 ? USER_64 : USER_32;
	for (; mask; mask &= mask - 1) {
		int bit = __builtin_ctzll(mask);
		uint64_t value = cursor_u64(c);

		if (reg_of[bit])
			sample->regs[reg_of[bit] - 1] = value;
	}
}

static void
take_user_stack(struct cursor *c, struct sample *sample)
{
	uint64_t size = cursor_u64(c), copied;
	const void *bytes;

	if (!size) /* a kernel thread: the size copied is not there either */
		return;
	bytes = cursor_take(c, size);
	copied = cursor_u64(c);
	if (!c->ok || copied > size) {
		c->ok = false;
		return;
	}
	sample->stack = bytes;
	sample->stack_size = copied;
	sample->stack_cut = copied == size;
}

/* The chain is runs of addresses, each begun by a marker of its context (other writers than the kernel
 * leave the first one out: the record's mode says it); guests' are left out. */
static void
take_chain(struct cursor *c, uint16_t misc, struct sample *sample)
{
	uint64_t context = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL ?
	    (uint64_t)PERF_CONTEXT_KERNEL : (uint64_t)PERF_CONTEXT_USER;
	uint64_t n = cursor_u64(c);
	const uint64_t *chain;

	if (n > UINT16_MAX || !(chain = cursor_take(c, n * 8))) {
		c->ok = false;
		return;
	}
	for (uint64_t i = 0, from = 0; i <= n; i++) {
		if (i < n && chain[i] < (uint64_t)PERF_CONTEXT_MAX)
			continue;
		if (i == from) {
			/* nothing between two markers */
		} else if (context == (uint64_t)PERF_CONTEXT_KERNEL) {
			sample->kernel = chain + from;
			sample->kernel_count = i - from;
		} else if (context == (uint64_t)PERF_CONTEXT_USER) {
			sample->chain = chain + from;
			sample->chain_count = i - from;
		}
		if (i < n)
			context = chain[i];
		from = i + 1;
	}
}

static void
skip_read_values(struct cursor *c, uint64_t format)
{
	uint64_t n = format & PERF_FORMAT_GROUP ? cursor_u64(c) : 1;
	uint64_t each = 1u + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cursor_take(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cursor_take(c, 8);
	if (n > UINT16_MAX)
		c->ok = false;
	cursor_take(c, n * each * 8);
}

static void
skip_branches(struct cursor *c, uint64_t type)
{
	uint64_t n = cursor_u64(c);
	uint64_t each = sizeof(struct perf_branch_entry) + (type & BRANCH_COUNTERS ? 8 : 0);

	if (n > UINT16_MAX)
		c->ok = false;
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor_take(c, 8);
	cursor_take(c, n * each);
}

static void
skip_interrupt_regs(struct cursor *c, uint64_t mask)
{
	if (cursor_u64(c) != PERF_SAMPLE_REGS_ABI_NONE)
		cursor_take(c, 8 * (uint64_t)__builtin_popcountll(mask));
}

/* What follows the user's stack; none of it is used, but a record that lacks it is cut. */
static void
skip_rest(const struct perf_layout *layout, struct cursor *c)
{
	uint64_t type = layout->sample_type;

	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_DATA_SRC)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_TRANSACTION)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_interrupt_regs(c, layout->regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_CGROUP)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_AUX)
		cursor_take(c, cursor_u64(c));
}

/* Recorded without -g: the address is all there is. Where neither side is named the address tells:
 * the kernel has the upper half. A guest's address means nothing here. */
static void
use_address(struct sample *sample, const uint64_t *ip, uint16_t misc)
{
	unsigned mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_KERNEL || (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN && *ip >> 63)) {
		sample->kernel = ip;
		sample->kernel_count = 1;
	} else if (mode == PERF_RECORD_MISC_USER || mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN) {
		sample->chain = ip;
		sample->chain_count = 1;
	}
}

/* In the order of linux/perf_event.h, struct { ... } of PERF_RECORD_SAMPLE. */
static int
parse_sample(const struct perf_layout *layout, struct cursor *c, uint16_t misc, struct record *record)
{
	struct sample *s = &record->sample;
	uint64_t type = layout->sample_type;
	const uint64_t *ip = NULL;

	*s = (struct sample){ .cpu = UINT32_MAX, .weight = layout->period ? layout->period : 1 };
	if (type & PERF_SAMPLE_IDENTIFIER)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_IP)
		ip = cursor_take(c, 8);
	if (type & PERF_SAMPLE_TID) {
		s->pid = cursor_u32(c);
		s->tid = cursor_u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = cursor_u64(c);
	if (type & PERF_SAMPLE_ADDR)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_ID)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_take(c, 8);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = cursor_u32(c);
		cursor_take(c, 4);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->weight = cursor_u64(c);
	if (type & PERF_SAMPLE_READ)
		skip_read_values(c, layout->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(c, misc, s);
	if (type & PERF_SAMPLE_RAW)
		cursor_take(c, cursor_u32(c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(c, layout->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		take_user_regs(c, layout->regs_user, s);
	if (type & PERF_SAMPLE_STACK_USER)
		take_user_stack(c, s);
	skip_rest(layout, c);
	if (!c->ok)
		return -1;
	if (!(type & PERF_SAMPLE_CALLCHAIN) && ip)
		use_address(s, ip, misc);
	if (s->chain_count && (s->user == USER_NONE || !s->stack)) /* registers alone tell less than a chain */
		s->user = USER_CHAIN;
	record->pid = s->pid;
	record->tid = s->tid;
	record->time = s->time;
	return 0;
}

/* What sample_id_all puts at the end of every other record: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER. */
#define SAMPLE_ID_PARTS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
    PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
static const uint64_t sample_id_order[] = { /* last first */
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_ID, PERF_SAMPLE_TIME,
	PERF_SAMPLE_TID,
};

static size_t
sample_id_size(const struct perf_layout *layout)
{
	return layout->sample_id_all ? 8 * (size_t)__builtin_popcountll(layout->sample_type & SAMPLE_ID_PARTS) : 0;
}

size_t
perf_record_end(const struct perf_event_header *header, size_t id_size)
{
	size_t fixed = sizeof *header + 16, end = header->size, name;

	if (header->size <= fixed)
		return end;
	if (header->type == PERF_RECORD_KSYMBOL) {
		name = strnlen((const char *)header + fixed, header->size - fixed);
		end = fixed + (name + 8) / 8 * 8 + id_size;
	} else if (header->type == PERF_RECORD_BPF_EVENT) {
		end = fixed + id_size;
	}
	return end < header->size ? end : header->size;
}

/* Of sample_id the part named, read from the end; 0 if it is not there. */
static uint64_t
sample_id_part(const struct perf_layout *layout, const struct perf_event_header *header, uint64_t part)
{
	uint64_t parts = layout->sample_id_all ? layout->sample_type & SAMPLE_ID_PARTS : 0;
	size_t from_end = 0, end = perf_record_end(header, sample_id_size(layout));
	uint64_t value;

	if (!(parts & part))
		return 0;
	for (size_t i = 0; i < sizeof sample_id_order / sizeof *sample_id_order; i++) {
		from_end += parts & sample_id_order[i] ? 8 : 0;
		if (sample_id_order[i] == part)
			break;
	}
	if (end < sizeof *header + from_end)
		return 0;
	memcpy(&value, (const unsigned char *)header + end - from_end, 8);
	return value;
}

/* Of a sample the word that stands behind these other words. */
static uint64_t
sample_word(const struct perf_layout *layout, const struct perf_event_header *header, uint64_t behind)
{
	size_t at = sizeof *header + 8 * (size_t)__builtin_popcountll(layout->sample_type & behind);
	uint64_t value = 0;

	if (at + 8 <= header->size)
		memcpy(&value, (const unsigned char *)header + at, 8);
	return value;
}

uint64_t
perf_record_id(const struct perf_layout *layout, const struct perf_event_header *header)
{
	uint64_t part = layout->sample_type & PERF_SAMPLE_IDENTIFIER ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;

	if (!(layout->sample_type & part))
		return 0;
	if (header->type != PERF_RECORD_SAMPLE)
		return sample_id_part(layout, header, part);
	return sample_word(layout, header, part == PERF_SAMPLE_IDENTIFIER ? 0 :
	    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
}

uint64_t
perf_record_time(const struct perf_layout *layout, const struct perf_event_header *header)
{
	if (!(layout->sample_type & PERF_SAMPLE_TIME))
		return 0;
	if (header->type != PERF_RECORD_SAMPLE)
		return sample_id_part(layout, header, PERF_SAMPLE_TIME);
	return sample_word(layout, header, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
}

static void
parse_mmap(struct cursor *c, const struct perf_event_header *header, struct record *record)
{
	record->kind = RECORD_MMAP;
	record->pid = cursor_u32(c);
	record->tid = cursor_u32(c);
	record->mmap.start = cursor_u64(c);
	record->mmap.length = cursor_u64(c);
	record->mmap.offset = cursor_u64(c);
	record->mmap.device = record->mmap.inode = record->mmap.generation = 0;
	record->mmap.build_id = NULL;
	record->mmap.build_id_size = 0;
	record->mmap.kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	record->mmap.executable = !(header->misc & PERF_RECORD_MISC_MMAP_DATA);
	record->mmap.writable = false;
	if (header->type == PERF_RECORD_MMAP2 && (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		const unsigned char *build_id = cursor_take(c, 24);

		if (build_id && build_id[0] && build_id[0] <= 20) {
			record->mmap.build_id = build_id + 4;
			record->mmap.build_id_size = build_id[0];
		}
	} else if (header->type == PERF_RECORD_MMAP2) {
		uint32_t major_number = cursor_u32(c), minor_number = cursor_u32(c);

		record->mmap.device = makedev(major_number, minor_number);
		record->mmap.inode = cursor_u64(c);
		record->mmap.generation = cursor_u64(c);
	}
	if (header->type == PERF_RECORD_MMAP2) {
		uint32_t protection = cursor_u32(c);

		record->mmap.executable = (protection & PROT_EXEC) != 0;
		record->mmap.writable = (protection & PROT_WRITE) != 0;
		cursor_take(c, 4); /* flags */
	}
	record->mmap.path = cursor_text(c);
}

int
perf_record_parse(const struct perf_layout *layout, const struct perf_event_header *header, struct record *record)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t behind = header->type == PERF_RECORD_SAMPLE ? 0 : sample_id_size(layout);
	struct cursor c;

	if (header->size < sizeof *header + behind)
		return -1;
	c = cursor_of(bytes + sizeof *header, header->size - sizeof *header - behind);
	record->pid = record->tid = 0;
	record->time = perf_record_time(layout, header);
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		record->kind = RECORD_SAMPLE;
		return parse_sample(layout, &c, header->misc, record);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		parse_mmap(&c, header, record);
		break;
	case PERF_RECORD_COMM:
		record->kind = RECORD_COMM;
		record->pid = cursor_u32(&c);
		record->tid = cursor_u32(&c);
		record->comm.name = cursor_text(&c);
		record->comm.exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		record->kind = header->type == PERF_RECORD_FORK ? RECORD_FORK : RECORD_EXIT;
		record->pid = cursor_u32(&c);
		record->fork.parent_pid = cursor_u32(&c);
		record->tid = cursor_u32(&c);
		record->fork.parent_tid = cursor_u32(&c);
		record->time = cursor_u64(&c);
		break;
	case PERF_RECORD_LOST:
		record->kind = RECORD_LOST;
		cursor_take(&c, 8);
		record->lost = cursor_u64(&c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		record->kind = RECORD_LOST;
		record->lost = cursor_u64(&c);
		if (header->misc & LOST_BY_FILTER)
			record->lost = 0;
		break;
	case PERF_RECORD_THROTTLE:
		record->kind = RECORD_THROTTLE;
		record->time = cursor_u64(&c);
		break;
	case PERF_RECORD_KSYMBOL:
		record->kind = RECORD_SYMBOL;
		record->symbol.address = cursor_u64(&c);
		record->symbol.length = cursor_u32(&c);
		record->symbol.gone = cursor_u32(&c) >> 16 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER; /* behind the type */
		record->symbol.name = cursor_text(&c);
		break;
	default:
		record->kind = RECORD_OTHER;
		break;
	}
	return c.ok ? 0 : -1;
}
