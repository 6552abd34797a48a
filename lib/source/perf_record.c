#include <sys/sysmacros.h>

#include <asm/perf_regs.h>
#include <string.h>

#include "source/perf_record.h"

/* Newer than Debian 12's header. */
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

/* Reads a record from its front; once something is missing everything read is 0 and ok is false. */
struct cursor {
	const unsigned char *at, *end;
	bool ok;
};

static const void *
take(struct cursor *c, uint64_t size)
{
	const void *bytes = c->at;

	if (!c->ok || size > (uint64_t)(c->end - c->at)) {
		c->ok = false;
		return NULL;
	}
	c->at += size;
	return bytes;
}

static uint64_t
take_u64(struct cursor *c)
{
	const void *bytes = take(c, 8);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 8);
	return value;
}

static uint32_t
take_u32(struct cursor *c)
{
	const void *bytes = take(c, 4);
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, 4);
	return value;
}

/* A text that must end inside the record. */
static const char *
take_text(struct cursor *c)
{
	const char *text = (const char *)c->at;

	if (!c->ok || !memchr(text, '\0', (size_t)(c->end - c->at))) {
		c->ok = false;
		return "";
	}
	return text;
}

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

static void
take_user_regs(struct cursor *c, uint64_t mask, struct sample *sample)
{
	uint64_t abi = take_u64(c);

	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	sample->user = abi == PERF_SAMPLE_REGS_ABI_64 ? USER_64 : USER_32;
	for (; mask; mask &= mask - 1) {
		int bit = __builtin_ctzll(mask);
		uint64_t value = take_u64(c);

		if (reg_of[bit])
			sample->regs[reg_of[bit] - 1] = value;
	}
}

static void
take_user_stack(struct cursor *c, struct sample *sample)
{
	uint64_t size = take_u64(c), copied;
	const void *bytes;

	if (!size)
		return;
	bytes = take(c, size);
	copied = take_u64(c);
	if (!c->ok || copied > size) {
		c->ok = false;
		return;
	}
	sample->stack = bytes;
	sample->stack_size = copied;
	sample->stack_cut = copied == size;
}

/* The chain is runs of addresses, each begun by a marker of its context. */
static void
take_chain(struct cursor *c, struct sample *sample)
{
	uint64_t n = take_u64(c);
	const uint64_t *chain;

	if (n > UINT16_MAX || !(chain = take(c, n * 8))) {
		c->ok = false;
		return;
	}
	for (uint64_t i = 0, from = 0, context = 0; i <= n; i++) {
		if (i < n && chain[i] < (uint64_t)PERF_CONTEXT_MAX)
			continue;
		if (context == (uint64_t)PERF_CONTEXT_KERNEL) {
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
	uint64_t n = format & PERF_FORMAT_GROUP ? take_u64(c) : 1;
	uint64_t each = 1u + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		take(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		take(c, 8);
	if (n > UINT16_MAX)
		c->ok = false;
	take(c, n * each * 8);
}

static void
skip_branches(struct cursor *c, uint64_t type)
{
	uint64_t n = take_u64(c);

	if (n > UINT16_MAX)
		c->ok = false;
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take(c, 8);
	take(c, n * sizeof(struct perf_branch_entry));
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
		take(c, 8);
	if (type & PERF_SAMPLE_IP)
		ip = take(c, 8);
	if (type & PERF_SAMPLE_TID) {
		s->pid = take_u32(c);
		s->tid = take_u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = take_u64(c);
	if (type & PERF_SAMPLE_ADDR)
		take(c, 8);
	if (type & PERF_SAMPLE_ID)
		take(c, 8);
	if (type & PERF_SAMPLE_STREAM_ID)
		take(c, 8);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = take_u32(c);
		take(c, 4);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->weight = take_u64(c);
	if (type & PERF_SAMPLE_READ)
		skip_read_values(c, layout->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(c, s);
	if (type & PERF_SAMPLE_RAW)
		take(c, take_u32(c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(c, layout->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		take_user_regs(c, layout->regs_user, s);
	if (type & PERF_SAMPLE_STACK_USER)
		take_user_stack(c, s);
	if (!c->ok)
		return -1;
	/* Weights, transaction, registers at the interrupt and addresses follow; none is used. */
	if (!(type & PERF_SAMPLE_CALLCHAIN) && ip) { /* recorded without -g: the address is all there is */
		bool in_kernel = (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;

		*(in_kernel ? &s->kernel : &s->chain) = ip;
		*(in_kernel ? &s->kernel_count : &s->chain_count) = 1;
	}
	if (s->user == USER_NONE && s->chain_count)
		s->user = USER_CHAIN;
	record->pid = s->pid;
	record->tid = s->tid;
	record->time = s->time;
	return 0;
}

/* What sample_id_all puts at the end of every other record, read from the end: only the time is used. */
static uint64_t
trailing_time(const struct perf_layout *layout, const unsigned char *end, size_t size)
{
	uint64_t type = layout->sample_type, time = 0;
	size_t after = 8 * ((size_t)!!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID) +
			    !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_IDENTIFIER));

	if (layout->sample_id_all && (type & PERF_SAMPLE_TIME) && size >= after + 8)
		memcpy(&time, end - after - 8, 8);
	return time;
}

uint64_t
perf_record_id(const struct perf_layout *layout, const struct perf_event_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	uint64_t type = layout->sample_type, id = 0;
	size_t at = sizeof *header, after = 0;

	if (!(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return 0;
	if (header->type == PERF_RECORD_SAMPLE) {
		if (!(type & PERF_SAMPLE_IDENTIFIER))
			at += 8 * ((size_t)!!(type & PERF_SAMPLE_IP) + !!(type & PERF_SAMPLE_TID) +
				   !!(type & PERF_SAMPLE_TIME) + !!(type & PERF_SAMPLE_ADDR));
	} else {
		if (!layout->sample_id_all)
			return 0;
		if (!(type & PERF_SAMPLE_IDENTIFIER))
			after = 8 * ((size_t)!!(type & PERF_SAMPLE_STREAM_ID) + !!(type & PERF_SAMPLE_CPU));
		if (header->size < sizeof *header + 8 + after)
			return 0;
		at = header->size - after - 8;
	}
	if (at + 8 <= header->size)
		memcpy(&id, bytes + at, 8);
	return id;
}

static void
parse_mmap(struct cursor *c, const struct perf_event_header *header, struct record *record)
{
	record->kind = RECORD_MMAP;
	record->pid = take_u32(c);
	record->tid = take_u32(c);
	record->mmap.start = take_u64(c);
	record->mmap.length = take_u64(c);
	record->mmap.offset = take_u64(c);
	record->mmap.device = record->mmap.inode = 0;
	record->mmap.build_id = NULL;
	record->mmap.build_id_size = 0;
	record->mmap.kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	record->mmap.executable = !(header->misc & PERF_RECORD_MISC_MMAP_DATA);
	if (header->type == PERF_RECORD_MMAP2 && (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		const unsigned char *build_id = take(c, 24);

		if (build_id && build_id[0] && build_id[0] <= 20) {
			record->mmap.build_id = build_id + 4;
			record->mmap.build_id_size = build_id[0];
		}
	} else if (header->type == PERF_RECORD_MMAP2) {
		uint32_t major_number = take_u32(c), minor_number = take_u32(c);

		record->mmap.device = makedev(major_number, minor_number);
		record->mmap.inode = take_u64(c);
		take(c, 8); /* generation of the inode */
	}
	if (header->type == PERF_RECORD_MMAP2)
		record->mmap.executable = (take_u32(c) & 4) != 0; /* PROT_EXEC */
	if (header->type == PERF_RECORD_MMAP2)
		take(c, 4); /* flags */
	record->mmap.path = take_text(c);
}

int
perf_record_parse(const struct perf_layout *layout, const struct perf_event_header *header, struct record *record)
{
	const unsigned char *bytes = (const unsigned char *)header;
	struct cursor c = { bytes + sizeof *header, bytes + header->size, header->size >= sizeof *header };

	record->pid = record->tid = 0;
	record->time = trailing_time(layout, bytes + header->size, header->size - sizeof *header);
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
		record->pid = take_u32(&c);
		record->tid = take_u32(&c);
		record->comm.name = take_text(&c);
		record->comm.exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		record->kind = header->type == PERF_RECORD_FORK ? RECORD_FORK : RECORD_EXIT;
		record->pid = take_u32(&c);
		record->fork.parent_pid = take_u32(&c);
		record->tid = take_u32(&c);
		record->fork.parent_tid = take_u32(&c);
		record->time = take_u64(&c);
		break;
	case PERF_RECORD_LOST:
		record->kind = RECORD_LOST;
		take(&c, 8);
		record->lost = take_u64(&c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		record->kind = RECORD_LOST;
		record->lost = take_u64(&c);
		break;
	case PERF_RECORD_THROTTLE:
		record->kind = RECORD_THROTTLE;
		record->time = take_u64(&c);
		break;
	case PERF_RECORD_KSYMBOL:
		record->kind = RECORD_SYMBOL;
		break;
	default:
		record->kind = RECORD_OTHER;
		break;
	}
	return c.ok ? 0 : -1;
}
