#include <stdlib.h>

#include "base/mem.h"
#include "unwind/cfi.h"
#include "unwind/fallback_libunwind.h"
#include "unwind/frame_pointer.h"
#include "unwind/walk.h"

/* Code this close behind an entry point, with neither CFI nor a frame pointer, is the entry's: ld.so's
 * _start and what follows it. */
#define ENTRY_CODE 64

struct walker {
	enum walk_mode mode;
	size_t max_depth;
	struct fallback *fallback; /* made when first needed */
};

/* One walk: what it has found and where it stands. */
struct progress {
	struct walker *walker;
	struct walk *walk;
	struct stack stack;
	const struct mapping *mapping; /* of the frame it stands at, NULL: none */
	uint64_t vaddr;
	bool has_vaddr;		       /* vaddr is one of an ELF file */
	bool guessed;		       /* the frame was found by its frame pointer */
	bool fallback_began;
};

struct walker *
walker_open(enum walk_mode mode, size_t max_depth)
{
	struct walker *walker = mem_alloc(sizeof *walker);

	walker->mode = mode;
	walker->max_depth = max_depth;
	return walker;
}

void
walker_close(struct walker *walker)
{
	if (!walker)
		return;
	fallback_close(walker->fallback);
	free(walker);
}

struct cfi *
walker_cfi(struct module *module)
{
	if (!module->cfi_tried) {
		module->cfi_tried = true;
		module->cfi = cfi_open(module);
		module->cfi_close = cfi_close;
	}
	return module->cfi;
}

/* Finds the code of the frame and adds it; false: there are enough frames. */
static bool
add_frame(struct progress *p)
{
	struct walk *walk = p->walk;
	uint64_t pc = p->stack.regs[R_RIP], address = p->stack.exact ? pc : pc - 1;
	struct module *module;

	if (walk->count >= p->walker->max_depth) {
		walk->end = WALK_TOO_DEEP;
		return false;
	}
	p->mapping = maps_find(p->stack.maps, address);
	p->vaddr = address;
	module = p->mapping ? p->mapping->module : NULL;
	p->has_vaddr = module && mapping_vaddr(p->mapping, address, &p->vaddr);
	if (!p->has_vaddr && module && (module->kind == MODULE_FILE || module->kind == MODULE_VDSO))
		p->vaddr = address - p->mapping->start + p->mapping->offset;
	mem_grow(&walk->frames, walk->count, &walk->room);
	walk->frames[walk->count++] = (struct frame){ module, p->vaddr, pc, p->guessed };
	walk->guessed |= p->guessed;
	p->guessed = false;
	return true;
}

static const struct row *
find_row(const struct progress *p)
{
	struct cfi *cfi = p->has_vaddr ? walker_cfi(p->mapping->module) : NULL;

	return cfi ? cfi_find(cfi, p->vaddr) : NULL;
}

enum step { STEPPED, ENDED, TOO_HARD };

static enum step
ended(struct progress *p, enum walk_end end)
{
	p->walk->end = end;
	return ENDED;
}

/* Where a rule says that a register was saved; false: it does not say so, or by what is not known. */
static bool
saved_at(const struct stack *stack, uint64_t cfa, unsigned rule, int32_t offset, uint64_t *at)
{
	switch (rule) {
	case REG_SAVED:
		*at = cfa + (uint64_t)(int64_t)offset;
		return true;
	case REG_AT_RSP:
		*at = stack->regs[R_RSP] + (uint64_t)(int64_t)offset;
		return true;
	case REG_AT_RBP:
		*at = stack->regs[R_RBP] + (uint64_t)(int64_t)offset;
		return stack_knows(stack, R_RBP);
	default:
		return false;
	}
}

static enum step
find_cfa(struct progress *p, const struct row *row, uint64_t *cfa)
{
	const struct stack *stack = &p->stack;
	uint64_t at = stack->regs[row->cfa_reg] + (uint64_t)(int64_t)row->cfa_offset;

	if (row->cfa == CFA_EXPRESSION || !stack_knows(stack, row->cfa_reg))
		return TOO_HARD;
	switch (row->cfa) {
	case CFA_DEREF:
		if (!stack_read(stack, at, cfa))
			return ended(p, WALK_TRUNCATED);
		*cfa += (uint64_t)(int64_t)row->cfa_addend;
		break;
	case CFA_PLT:
		*cfa = stack->regs[R_RSP] + 8 + ((int32_t)(stack->regs[R_RIP] & 15) >= row->cfa_addend ? 8 : 0);
		break;
	case CFA_KEPT:
		if (!stack->regs[R_RBP])
			return ended(p, WALK_ROOT);
		__attribute__((fallthrough));
	default:
		*cfa = at;
		break;
	}
	return STEPPED;
}

static enum step
find_return(struct progress *p, const struct row *row, uint64_t cfa, uint64_t *address)
{
	uint64_t at;

	if (row->ra == REG_IN && stack_knows(&p->stack, (unsigned)row->ra_offset)) {
		*address = p->stack.regs[row->ra_offset];
		return STEPPED;
	}
	if (row->ra == REG_ELSEWHERE)
		return ended(p, WALK_OTHER_STACK);
	if (row->ra == REG_SAME)
		return ended(p, WALK_NO_CFI);
	if (!saved_at(&p->stack, cfa, row->ra, row->ra_offset, &at))
		return TOO_HARD;
	return stack_read(&p->stack, at, address) ? STEPPED : ended(p, WALK_TRUNCATED);
}

/* What the caller has in rbp or rbx; false: not known. */
static bool
caller_register(const struct stack *stack, uint64_t cfa, enum reg reg, unsigned rule, int32_t offset, uint64_t *value)
{
	uint64_t at;

	*value = stack->regs[reg];
	if (rule == REG_SAME)
		return stack_knows(stack, reg);
	if (!saved_at(stack, cfa, rule, offset, &at))
		return false;
	/* After a pop compilers leave the rule as it was: the slot is below rsp, outside the copy, and the
	 * register has its value back. Where all of the frame is below, it is on another stack. */
	if (at < stack->regs[R_RSP] && cfa >= stack->regs[R_RSP])
		return stack_knows(stack, reg);
	return stack_read(stack, at, value);
}

/* A frame holds at least its return address, but for a leaf that has popped it (vfork). Where the stack is another
 * one (split stacks; a signal's) it may be below, but not amid what the walk has come through on this one, nor amid the
 * sample's own copy of the leaf's. */
static bool
is_above(const struct stack *stack, uint64_t cfa)
{
	uint64_t sp = stack->regs[R_RSP], leaf = stack->sample->regs[R_RSP];

	if (cfa > sp || (cfa == sp && stack->exact))
		return true;
	return cfa < stack->from && cfa - leaf >= stack->sample->stack_size;
}

static enum step
step_by_row(struct progress *p, const struct row *row)
{
	uint64_t cfa, address, rbp, rbx;
	bool has_rbp, has_rbx;
	enum step step;

	if (row->ra == REG_UNDEFINED)
		return ended(p, WALK_ROOT);
	if (row->is_signal && row->cfa == CFA_DEREF && row->cfa_reg == R_RSP && row->cfa_offset == CFI_UCONTEXT_RSP) {
		p->stack.exact = true;
		return stack_read_ucontext(&p->stack) ? STEPPED : ended(p, WALK_TRUNCATED);
	}
	step = find_cfa(p, row, &cfa);
	if (step == STEPPED)
		step = find_return(p, row, cfa, &address);
	if (step != STEPPED)
		return step;
	if (!row->is_signal && row->cfa != CFA_KEPT && !is_above(&p->stack, cfa))
		return ended(p, WALK_BAD_STACK);
	if (address == 0)
		return ended(p, WALK_ROOT);
	has_rbp = caller_register(&p->stack, cfa, R_RBP, row->rbp, row->rbp_offset, &rbp);
	has_rbx = caller_register(&p->stack, cfa, R_RBX, row->rbx, row->rbx_offset, &rbx);
	p->stack.known = STACK_KNOWN(R_RSP) | STACK_KNOWN(R_RIP) | (has_rbp ? STACK_KNOWN(R_RBP) : 0) |
	    (has_rbx ? STACK_KNOWN(R_RBX) : 0);
	p->stack.regs[R_RBP] = rbp;
	p->stack.regs[R_RBX] = rbx;
	p->stack.regs[R_RSP] = cfa;
	p->stack.regs[R_RIP] = address;
	p->stack.exact = row->is_signal;
	return STEPPED;
}

/* libunwind from the leaf to the frame above the one we stand at; rows go on from there. */
static enum step
step_by_libunwind(struct progress *p)
{
	struct walker *walker = p->walker;
	uint64_t sp = p->stack.regs[R_RSP], pc = p->stack.regs[R_RIP];
	bool was_signal = false;

	p->walk->used_libunwind = true;
	if (!walker->fallback && !(walker->fallback = fallback_open()))
		return ended(p, WALK_NO_CFI);
	if (!p->fallback_began && fallback_begin(walker->fallback, p->stack.sample, p->stack.maps, p->stack.missed) < 0)
		return ended(p, WALK_NO_CFI);
	p->fallback_began = true;
	while (fallback_depth(walker->fallback) < p->walk->count) {
		if (fallback_depth(walker->fallback) == p->walk->count - 1) {
			fallback_registers(walker->fallback, &p->stack);
			if (p->stack.regs[R_RIP] != pc) /* the two have parted: nothing to trust */
				return ended(p, WALK_NO_CFI);
		}
		switch (fallback_step(walker->fallback)) {
		case FALLBACK_STEPPED:
			break;
		case FALLBACK_ROOT:
			return ended(p, WALK_ROOT);
		case FALLBACK_TRUNCATED:
			return ended(p, WALK_TRUNCATED);
		case FALLBACK_FAILED:
			return ended(p, WALK_NO_CFI);
		}
	}
	fallback_registers(walker->fallback, &p->stack);
	was_signal = p->stack.exact;
	return p->stack.regs[R_RSP] > sp || was_signal ? STEPPED : ended(p, WALK_BAD_STACK);
}

/* mov $15,%rax; syscall: a signal's trampoline, that of musl without CFI. Interrupted inside the syscall,
 * that of glibc is left: its CFI ends with its last instruction. */
static bool
is_trampoline(const struct stack *stack)
{
	static const char code[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";
	enum { LENGTH = sizeof code - 1 };
	unsigned char bytes[LENGTH];
	uint64_t pc = stack->regs[R_RIP];

	if (stack_code(stack, pc, bytes, LENGTH) == LENGTH && memcmp(bytes, code, LENGTH) == 0)
		return true;
	return stack->exact && stack_code(stack, pc - LENGTH, bytes, LENGTH) == LENGTH &&
	    memcmp(bytes, code, LENGTH) == 0;
}

static bool
is_at_entry(const struct progress *p)
{
	const struct elf *elf = p->has_vaddr ? p->mapping->module->elf : NULL;

	return elf && elf->entry && p->vaddr - elf->entry < ENTRY_CODE;
}

/* A return address that is the first of a function, not behind a call: makecontext's root. glibc's CFI
 * may not say that nothing is above it, but its code (mov %rbx,%rsp) does. */
static bool
is_root_entered_by_return(struct progress *p)
{
	struct cfi *cfi = p->has_vaddr && !p->stack.exact ? walker_cfi(p->mapping->module) : NULL;
	const struct row *row = cfi ? cfi_find(cfi, p->vaddr + 1) : NULL;
	unsigned char code[3];

	if (!row || row->start != p->vaddr + 1)
		return false;
	if (row->ra != REG_UNDEFINED &&
	    (stack_code(&p->stack, p->stack.regs[R_RIP], code, 3) < 3 || memcmp(code, "\x48\x89\xdc", 3) != 0))
		return false;
	p->walk->frames[p->walk->count - 1].vaddr++;
	return true;
}

static enum walk_end
why_no_row(const struct progress *p)
{
	if (p->mapping->module->kind == MODULE_ANONYMOUS)
		return WALK_JIT;
	return p->mapping->module->elf ? WALK_NO_CFI : WALK_NO_FILE;
}

static enum step
step_without_row(struct progress *p)
{
	if (is_trampoline(&p->stack)) {
		p->stack.exact = true;
		return stack_read_ucontext(&p->stack) ? STEPPED : ended(p, WALK_TRUNCATED);
	}
	if (p->walker->mode != WALK_CFI) {
		switch (frame_pointer_step(&p->stack)) {
		case FRAME_POINTER_STEPPED:
			p->guessed = p->walker->mode != WALK_FP;
			return STEPPED;
		case FRAME_POINTER_TOLD:
			return STEPPED;
		case FRAME_POINTER_ROOT:
			return ended(p, WALK_ROOT);
		case FRAME_POINTER_TRUNCATED:
			return ended(p, WALK_TRUNCATED);
		case FRAME_POINTER_NONE:
			break;
		}
	}
	if (is_at_entry(p) || is_root_entered_by_return(p))
		return ended(p, WALK_ROOT);
	if (p->walker->mode == WALK_FP) { /* rows know a root that frame pointers cannot see */
		const struct row *row = find_row(p);

		if (row && row->ra == REG_UNDEFINED)
			return ended(p, WALK_ROOT);
	}
	return ended(p, why_no_row(p));
}

static void
walk_stack(struct progress *p)
{
	const struct row *row;
	enum step step = STEPPED;

	for (; step == STEPPED && add_frame(p); stack_moved(&p->stack)) {
		if (!p->mapping) {
			p->walk->end = WALK_NO_CODE;
			return;
		}
		row = p->walker->mode == WALK_FP ? NULL : find_row(p);
		step = row ? step_by_row(p, row) : step_without_row(p);
		if (step == TOO_HARD)
			step = step_by_libunwind(p);
	}
}

/* Without a copy (not asked for, or the page of a new thread is not there yet) only code says something: that
 * it is a root, as clone's child is, or that its callers are not known. */
static void
walk_without_stack(struct progress *p)
{
	struct walk *walk = p->walk;

	if (maps_find(p->stack.maps, p->stack.regs[R_RIP]))
		walk_stack(p);
	if (!walk->count || walk->end != WALK_ROOT)
		walk->end = WALK_NO_STACK;
}

static void
begin(struct progress *p, struct walker *walker, struct maps *maps, const struct sample *sample, struct walk *walk)
{
	*p = (struct progress){ .walker = walker, .walk = walk,
		.stack = { .sample = sample, .maps = maps, .known = STACK_KNOWN_ALL, .exact = true,
		    .missed = &walk->missed } };
	memcpy(p->stack.regs, sample->regs, sizeof p->stack.regs);
	p->stack.from = p->stack.to = sample->regs[R_RSP];
	walk->count = 0;
	walk->used_libunwind = walk->guessed = false;
	walk->missed = 0;
	walk->end = WALK_ROOT;
}

/* Addresses that the kernel walked, as they are. */
static void
take_chain(struct progress *p)
{
	const struct sample *sample = p->stack.sample;

	for (size_t i = 0; i < sample->chain_count; i++) {
		p->stack.regs[R_RIP] = sample->chain[i];
		p->stack.exact = i == 0;
		if (!add_frame(p))
			return;
	}
}

void
walker_walk(struct walker *walker, struct maps *maps, const struct sample *sample, struct walk *walk)
{
	struct progress p;

	begin(&p, walker, maps, sample, walk);
	switch (sample->user) {
	case USER_NONE:
		break;
	case USER_CHAIN:
		take_chain(&p);
		break;
	case USER_32:
		add_frame(&p);
		walk->end = WALK_32BIT;
		break;
	case USER_64:
		if (sample->stack_size || sample->piece_count)
			walk_stack(&p);
		else
			walk_without_stack(&p);
		break;
	}
	walk->sp = p.stack.regs[R_RSP];
}

void
walker_walk_libunwind(struct walker *walker, struct maps *maps, const struct sample *sample, struct walk *walk)
{
	struct progress p;

	begin(&p, walker, maps, sample, walk);
	walk->used_libunwind = true;
	walk->end = WALK_NO_CFI;
	if ((!walker->fallback && !(walker->fallback = fallback_open())) ||
	    fallback_begin(walker->fallback, sample, maps, p.stack.missed) < 0)
		return;
	while (add_frame(&p)) {
		switch (fallback_step(walker->fallback)) {
		case FALLBACK_STEPPED:
			fallback_registers(walker->fallback, &p.stack);
			continue;
		case FALLBACK_ROOT:
			walk->end = WALK_ROOT;
			return;
		case FALLBACK_TRUNCATED:
			walk->end = WALK_TRUNCATED;
			return;
		case FALLBACK_FAILED:
			return;
		}
	}
}
