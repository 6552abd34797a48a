#include "base/mem.h"
#include "sample/sample.h"
#include "unwind/cfi_compile.h"
#include "unwind/cfi_expression.h"
#include "unwind/dwarf_reader.h"

/* remember_state within remember_state: compilers nest 1 or 2. */
#define REMEMBERED_MAX 16
/* Offsets beyond this are no stack frame; and no sum of two overflows an int32_t. */
#define OFFSET_MAX (1 << 29)

/* DWARF 5, sections 7.7.1 (expressions) and 7.24 (frame instructions). */
enum {
	OP_DEREF = 0x06,
	OP_AND = 0x1a,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_GE = 0x2a,
	OP_LIT0 = 0x30,
	OP_BREG0 = 0x70,
};

enum {
	CFA_ADVANCE_LOC = 0x40, /* the low 6 bits are the operand */
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_SET_LOC,
	CFA_ADVANCE_LOC1,
	CFA_ADVANCE_LOC2,
	CFA_ADVANCE_LOC4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_IN_REGISTER,
	CFA_REMEMBER_STATE,
	CFA_RESTORE_STATE,
	CFA_DEF_CFA,
	CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION,
	CFA_SAVED_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_GNU_WINDOW_SAVE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

struct program {
	const struct cfi_cie *cie;
	const struct cfi_fde *fde;
	struct dwarf_reader reader;
	struct row now, initial;  /* initial: after the CIE's instructions, for restore */
	struct row remembered[REMEMBERED_MAX];
	size_t remembered_count;
	struct cfi_rows *rows;	  /* NULL while the CIE runs */
	uint64_t at;		  /* the code it speaks of */
	bool ok, is_wild;	  /* is_wild: libunwind is not to see it */
};

static int32_t
bounded(struct program *p, int64_t offset)
{
	if (offset > OFFSET_MAX || offset < -OFFSET_MAX) {
		p->ok = false;
		return 0;
	}
	return (int32_t)offset;
}

static int32_t
factored(struct program *p, int64_t offset)
{
	int64_t product;

	if (__builtin_mul_overflow(offset, p->cie->data_align, &product))
		product = INT64_MAX;
	return bounded(p, product);
}

static bool
is_same_rule(const struct row *a, const struct row *b)
{
	return a->cfa == b->cfa && a->cfa_reg == b->cfa_reg && a->cfa_offset == b->cfa_offset &&
	    a->cfa_addend == b->cfa_addend && a->rbp == b->rbp && a->rbp_offset == b->rbp_offset &&
	    a->rbx == b->rbx && a->rbx_offset == b->rbx_offset && a->ra == b->ra && a->ra_offset == b->ra_offset;
}

/* The rule so far ends at p->at; ranges of nothing are dropped and equal neighbours are joined. */
static void
end_row(struct program *p, uint64_t from)
{
	struct cfi_rows *rows = p->rows;
	struct row *last = rows->count ? &rows->list[rows->count - 1] : NULL;

	if (p->at <= from)
		return;
	if (last && is_same_rule(last, &p->now)) {
		last->end = p->at;
		return;
	}
	if (rows->count == CFI_ROWS_MAX) {
		p->ok = false;
		return;
	}
	mem_grow(&rows->list, rows->count, &rows->room);
	rows->list[rows->count] = p->now;
	rows->list[rows->count].start = from;
	rows->list[rows->count].end = p->at;
	rows->count++;
}

static void
advance_to(struct program *p, uint64_t to)
{
	uint64_t from = p->at;

	if (to < from || !p->rows) {
		p->ok = false;
		return;
	}
	p->at = to < p->fde->end ? to : p->fde->end;
	end_row(p, from);
}

static void
advance(struct program *p, uint64_t delta)
{
	uint64_t distance;

	if (__builtin_mul_overflow(delta, p->cie->code_align, &distance) || distance > UINT64_MAX - p->at)
		p->ok = false;
	else
		advance_to(p, p->at + distance);
}

/* Only rbp, rbx and the return address are followed. */
static void
set_rule(struct program *p, uint64_t reg, enum reg_rule rule, int32_t offset)
{
	if (reg == p->cie->return_register) {
		p->now.ra = (uint8_t)rule;
		p->now.ra_offset = offset;
	} else if (reg == R_RBP) {
		p->now.rbp = (uint8_t)rule;
		p->now.rbp_offset = offset;
	} else if (reg == R_RBX) {
		p->now.rbx = (uint8_t)rule;
		p->now.rbx_offset = offset;
	}
}

static void
restore_rule(struct program *p, uint64_t reg)
{
	const struct row *initial = &p->initial;

	if (reg == p->cie->return_register)
		set_rule(p, reg, initial->ra, initial->ra_offset);
	else if (reg == R_RBP)
		set_rule(p, reg, initial->rbp, initial->rbp_offset);
	else if (reg == R_RBX)
		set_rule(p, reg, initial->rbx, initial->rbx_offset);
}

static void
set_in_register(struct program *p, uint64_t reg, uint64_t in)
{
	p->is_wild |= in >= R_COUNT;
	/* What another register holds is followed for the return address only. */
	if (reg == p->cie->return_register && in < R_RIP)
		set_rule(p, reg, REG_IN, (int32_t)in);
	else
		set_rule(p, reg, REG_EXPRESSION, 0);
}

static void
set_cfa(struct program *p, uint64_t reg, int32_t offset)
{
	p->now.cfa = reg < R_RIP ? CFA_REGISTER : CFA_EXPRESSION;
	p->now.cfa_reg = (uint8_t)(reg < R_RIP ? reg : 0);
	p->now.cfa_offset = offset;
	p->now.cfa_addend = 0;
}

/* An expression's bytes. */
static struct dwarf_reader
take_block(struct program *p)
{
	uint64_t length = dwarf_uleb(&p->reader);
	const unsigned char *bytes = dwarf_bytes(&p->reader, length);
	struct dwarf_reader block = { bytes, bytes ? bytes + length : NULL, bytes != NULL };

	p->is_wild |= !cfi_expression_is_tame(block);
	return block;
}

/* What binutils writes for a table of 16-byte entries that push twice (.plt):
 * rsp + 8 + ((rip & 15) >= K) << 3 */
static bool
take_plt(struct dwarf_reader e, int32_t *k)
{
	static const unsigned char before[] = { OP_BREG0 + R_RSP, 8, OP_BREG0 + R_RIP, 0, OP_LIT0 + 15, OP_AND };
	static const unsigned char after[] = { OP_GE, OP_LIT0 + 3, OP_SHL, OP_PLUS };

	if (e.end - e.at != sizeof before + 1 + sizeof after || memcmp(e.at, before, sizeof before) != 0 ||
	    memcmp(e.at + sizeof before + 1, after, sizeof after) != 0)
		return false;
	*k = e.at[sizeof before] - OP_LIT0;
	return *k >= 0 && *k < 16;
}

static void
set_cfa_expression(struct program *p)
{
	struct dwarf_reader e = take_block(p);
	int32_t k, offset;
	uint64_t reg;

	p->now.cfa = CFA_EXPRESSION;
	p->now.cfa_reg = 0;
	p->now.cfa_offset = p->now.cfa_addend = 0;
	if (!e.ok)
		return;
	if (take_plt(e, &k)) {
		p->now.cfa = CFA_PLT;
		p->now.cfa_reg = R_RSP;
		p->now.cfa_addend = k;
		return;
	}
	reg = dwarf_fixed(&e, 1) - OP_BREG0;
	offset = bounded(p, dwarf_sleb(&e));
	if (!e.ok || reg >= R_RIP)
		return;
	if (e.at == e.end) {
		set_cfa(p, reg, offset);
	} else if (dwarf_fixed(&e, 1) == OP_DEREF) {
		int32_t addend = 0;

		if (e.at < e.end) {
			if (dwarf_fixed(&e, 1) != OP_PLUS_UCONST)
				return;
			addend = bounded(p, (int64_t)dwarf_uleb(&e));
		}
		if (!e.ok || e.at != e.end)
			return;
		p->now.cfa = CFA_DEREF;
		p->now.cfa_reg = (uint8_t)reg;
		p->now.cfa_offset = offset;
		p->now.cfa_addend = addend;
	}
}

/* A register saved where an expression says. A signal's trampoline says rsp + N of all of them. */
static void
set_saved_expression(struct program *p, bool is_value)
{
	uint64_t reg = dwarf_uleb(&p->reader);
	struct dwarf_reader e = take_block(p);
	uint64_t base = dwarf_fixed(&e, 1) - OP_BREG0;
	int64_t offset = dwarf_sleb(&e);

	if (!is_value && e.ok && e.at == e.end && base == R_RSP)
		set_rule(p, reg, REG_AT_RSP, bounded(p, offset));
	else if (!is_value && e.ok && e.at == e.end && base == R_RBP)
		set_rule(p, reg, REG_AT_RBP, bounded(p, offset));
	else
		set_rule(p, reg, REG_EXPRESSION, 0);
}

static void
restore_state(struct program *p)
{
	if (!p->remembered_count) {
		p->ok = false;
		return;
	}
	p->now = p->remembered[--p->remembered_count];
}

static void
remember_state(struct program *p)
{
	if (p->remembered_count == REMEMBERED_MAX) {
		p->ok = false;
		return;
	}
	p->remembered[p->remembered_count++] = p->now;
}

/* Instructions that move the place or the CFA; false: another one. */
static bool
run_cfa_instruction(struct program *p, unsigned op)
{
	struct dwarf_reader *r = &p->reader;
	uint64_t reg;

	switch (op) {
	case CFA_ADVANCE_LOC1:
		advance(p, dwarf_fixed(r, 1));
		return true;
	case CFA_ADVANCE_LOC2:
		advance(p, dwarf_fixed(r, 2));
		return true;
	case CFA_ADVANCE_LOC4:
		advance(p, dwarf_fixed(r, 4));
		return true;
	case CFA_DEF_CFA:
		reg = dwarf_uleb(r);
		set_cfa(p, reg, bounded(p, (int64_t)dwarf_uleb(r)));
		return true;
	case CFA_DEF_CFA_SF:
		reg = dwarf_uleb(r);
		set_cfa(p, reg, factored(p, dwarf_sleb(r)));
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa(p, dwarf_uleb(r), p->now.cfa_offset);
		return true;
	case CFA_DEF_CFA_OFFSET:
		p->now.cfa_offset = bounded(p, (int64_t)dwarf_uleb(r));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		p->now.cfa_offset = factored(p, dwarf_sleb(r));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		set_cfa_expression(p);
		return true;
	default:
		return false;
	}
}

static void
run_instruction(struct program *p, unsigned op)
{
	struct dwarf_reader *r = &p->reader;
	uint64_t reg;

	switch (op) {
	case CFA_NOP:
	case CFA_GNU_WINDOW_SAVE:
		break;
	case CFA_GNU_ARGS_SIZE:
		dwarf_uleb(r);
		break;
	case CFA_OFFSET_EXTENDED:
		reg = dwarf_uleb(r);
		set_rule(p, reg, REG_SAVED, factored(p, (int64_t)dwarf_uleb(r)));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		reg = dwarf_uleb(r);
		set_rule(p, reg, REG_SAVED, factored(p, dwarf_sleb(r)));
		break;
	case CFA_GNU_NEGATIVE_OFFSET:
		reg = dwarf_uleb(r);
		set_rule(p, reg, REG_SAVED, -factored(p, (int64_t)dwarf_uleb(r)));
		break;
	case CFA_RESTORE_EXTENDED:
		restore_rule(p, dwarf_uleb(r));
		break;
	case CFA_UNDEFINED:
		set_rule(p, dwarf_uleb(r), REG_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set_rule(p, dwarf_uleb(r), REG_SAME, 0);
		break;
	case CFA_IN_REGISTER:
		reg = dwarf_uleb(r);
		set_in_register(p, reg, dwarf_uleb(r));
		break;
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF: /* the register is CFA + offset: only rsp's is so, and that goes without saying */
		reg = dwarf_uleb(r);
		dwarf_uleb(r);
		set_rule(p, reg, REG_EXPRESSION, 0);
		break;
	case CFA_SAVED_EXPRESSION:
		set_saved_expression(p, false);
		break;
	case CFA_VAL_EXPRESSION:
		set_saved_expression(p, true);
		break;
	case CFA_REMEMBER_STATE:
		remember_state(p);
		break;
	case CFA_RESTORE_STATE:
		restore_state(p);
		break;
	default: /* set_loc among them: no compiler for x86-64 writes it */
		p->ok = false;
		break;
	}
}

static void
run(struct program *p, const unsigned char *at, const unsigned char *end)
{
	struct dwarf_reader *r = &p->reader;

	*r = (struct dwarf_reader){ at, end, true };
	while (p->ok && r->ok && r->at < r->end) {
		unsigned op = (unsigned)dwarf_fixed(r, 1), operand = op & 0x3f;

		switch (op & 0xc0) {
		case CFA_ADVANCE_LOC:
			advance(p, operand);
			break;
		case CFA_OFFSET:
			set_rule(p, operand, REG_SAVED, factored(p, (int64_t)dwarf_uleb(r)));
			break;
		case CFA_RESTORE:
			restore_rule(p, operand);
			break;
		default:
			if (!run_cfa_instruction(p, op))
				run_instruction(p, op);
			break;
		}
	}
	p->ok = p->ok && r->ok;
}

int
cfi_compile(const struct cfi_cie *cie, const struct cfi_fde *fde, struct cfi_rows *rows)
{
	struct program p = { .cie = cie, .fde = fde, .at = fde->start, .ok = true };

	rows->count = 0;
	p.now.is_signal = cie->is_signal;
	run(&p, cie->instructions, cie->end);
	p.initial = p.now;
	p.rows = rows;
	if (p.ok)
		run(&p, fde->instructions, fde->instructions_end);
	if (p.ok)
		advance_to(&p, fde->end);
	rows->is_wild = p.is_wild || cie->return_register >= R_COUNT;
	return p.ok ? 0 : -1;
}
