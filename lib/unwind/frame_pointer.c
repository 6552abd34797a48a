#include "unwind/frame_pointer.h"

/* No frame is larger than a whole stack usually is. */
#define FRAME_MAX (16u << 20)
/* A frame of assembler, in words, and so far into its function. */
#define CALLED_WORDS 512u
#define CALLED_CODE 4096u
/* As long as pushes of all registers and a sub. */
#define PROLOGUE_MOST 32u

/* Is the instruction that ends before address a call? e8 rel32, or ff /2 with any of its operands. True
 * where the code cannot be read. */
static bool
follows_call(const struct stack *stack, uint64_t address)
{
	enum { LONGEST = 7 };
	unsigned char bytes[LONGEST];
	const unsigned char *end = bytes + LONGEST;
	const struct mapping *mapping = maps_find(stack->maps, address - 1);

	if (!mapping)
		return false;
	if (!mapping->module->elf)
		return true;
	if (address - mapping->start < LONGEST ||
	    stack_code(stack, address - LONGEST, bytes, LONGEST) < LONGEST)
		return false;
	if (end[-5] == 0xe8)
		return true;
	for (int length = 2; length <= LONGEST; length++) {
		unsigned mode, rm;
		int need = 2;

		if (end[-length] != 0xff || ((end[1 - length] >> 3) & 7) != 2)
			continue;
		mode = end[1 - length] >> 6;
		rm = end[1 - length] & 7;
		if (mode != 3 && rm == 4) { /* SIB; without base it has 4 bytes of displacement */
			if (length < 3)
				continue;
			need += 1 + (mode == 0 && (end[2 - length] & 7) == 5 ? 4 : 0);
		}
		need += mode == 1 ? 1 : mode == 2 || (mode == 0 && rm == 5) ? 4 : 0;
		if (need == length)
			return true;
	}
	return false;
}

/* The caller, if its return address is at `at` and looks right. */
static bool
return_by(struct stack *stack, uint64_t at, uint64_t rbp)
{
	uint64_t address;

	if (!stack_read(stack, at, &address) || !address || !follows_call(stack, address))
		return false;
	stack->regs[R_RIP] = address;
	stack->regs[R_RSP] = at + 8;
	stack->regs[R_RBP] = rbp;
	stack->known = STACK_KNOWN(R_RIP) | STACK_KNOWN(R_RSP) | STACK_KNOWN(R_RBP);
	stack->exact = false;
	return true;
}

static bool
starts(const unsigned char *bytes, size_t have, const char *with, size_t length)
{
	return have >= length && memcmp(bytes, with, length) == 0;
}

#define STARTS(bytes, have, text) starts(bytes, have, text, sizeof text - 1)

/* A linker's stub: the return address is still on top. What is pushed before the jump to the resolver is
 * told from the instruction before it. */
static bool
is_plt(const unsigned char *code, size_t have)
{
	return STARTS(code, have, "\xff\x25") || STARTS(code, have, "\xf2\xff\x25") ||
	    (have >= 8 && code[0] == 0x68 && code[5] == 0xe9) ||
	    (have >= 8 && code[0] == 0x41 && code[1] == 0xbb && code[6] == 0xff && code[7] == 0x25);
}

/* Forward to the return: what add and pops take off the stack before it. The instructions in between are
 * those of the .init and .fini that every linked file has, without CFI (crti.S). False: no such code. */
static bool
find_epilogue(const unsigned char *code, size_t have, uint64_t *distance, int *rbp_at)
{
	*distance = 0;
	*rbp_at = -1;
	for (size_t at = 0, n; at < have; at += n) {
		const unsigned char *c = code + at;

		n = 0;
		if (STARTS(c, have - at, "\xc3"))
			return true;
		if (STARTS(c, have - at, "\x48\x83\xc4") && have - at >= 4 && c[3] < 0x80) { /* add $c[3],%rsp */
			*distance += c[3];
			n = 4;
		} else if (c[0] >= 0x58 && c[0] <= 0x5f && c[0] != 0x5c) { /* pop */
			if (c[0] == 0x5d)
				*rbp_at = (int)*distance;
			*distance += 8;
			n = 1;
		} else if (c[0] == 0x41 && have - at >= 2 && c[1] >= 0x58 && c[1] <= 0x5f) { /* pop %r8 to %r15 */
			*distance += 8;
			n = 2;
		} else if (STARTS(c, have - at, "\x48\x8b\x05")) { /* mov __gmon_start__@GOT,%rax */
			n = 7;
		} else if (STARTS(c, have - at, "\x48\x85\xc0")) { /* test %rax,%rax */
			n = 3;
		} else if (STARTS(c, have - at, "\x74\x02") || STARTS(c, have - at, "\xff\xd0")) { /* je; call *%rax */
			n = 2;
		} else {
			return false;
		}
	}
	return false;
}

/* The frame was interrupted at any instruction: where there is no frame yet, or none any more, the
 * return address is at a known distance from rsp. */
static enum frame_pointer_step
step_from_interrupted(struct stack *stack)
{
	enum { BEFORE = 5, AFTER = 32 };
	unsigned char before[BEFORE] = { 0 }, bytes[AFTER], *code = bytes;
	const unsigned char *here = before + BEFORE;
	uint64_t sp = stack->regs[R_RSP], rbp = stack->regs[R_RBP], saved, distance;
	int rbp_at;
	size_t have = stack_code(stack, stack->regs[R_RIP], bytes, AFTER);

	if (stack_code(stack, stack->regs[R_RIP] - BEFORE, before, BEFORE) < BEFORE)
		memset(before, 0, BEFORE); /* the first code of its mapping */
	if (STARTS(code, have, "\xf3\x0f\x1e\xfa") || STARTS(code, have, "\x80\x3d") || STARTS(code, have, "\x55") || STARTS(code, have, "\x48\x83\xec") || STARTS(code, have, "\xc2") ||
	    STARTS(code, have, "\xf3\xc3") || STARTS(code, have, "\xf2\xc3") || is_plt(code, have)) {
		/* What functions begin with: endbr64, push %rbp, sub $n,%rsp, and cmpb $0,completed of every
		 * linked file's __do_global_dtors_aux; the odd returns; the stubs. */
		if (return_by(stack, sp, rbp))
			return FRAME_POINTER_TOLD;
	} else if (STARTS(code, have, "\x48\x89\xe5") || STARTS(code, have, "\x48\x8b\xec")) { /* mov %rsp,%rbp */
		if (stack_read(stack, sp, &saved) && return_by(stack, sp + 8, saved))
			return FRAME_POINTER_TOLD;
	} else if (find_epilogue(code, have, &distance, &rbp_at)) {
		if (rbp_at >= 0 && !stack_read(stack, sp + (uint64_t)rbp_at, &rbp))
			return FRAME_POINTER_NONE;
		if (return_by(stack, sp + distance, rbp))
			return FRAME_POINTER_TOLD;
	} else if (have && code[0] == 0xe9 && here[-5] == 0x68) { /* jump to the resolver, after a push */
		if (return_by(stack, sp + 8, rbp))
			return FRAME_POINTER_TOLD;
	} else if (have && here[-2] == 0x0f && here[-1] == 0x05) {
		/* Behind a syscall without CFI: libc's clone, whose child begins here, on a new stack. */
		if (STARTS(code, have, "\x48\x85\xc0") && stack->regs[R_RAX] == 0)
			return FRAME_POINTER_ROOT;
		if (return_by(stack, sp, rbp))
			return FRAME_POINTER_TOLD;
	}
	return FRAME_POINTER_NONE;
}

/* What the first instructions of a function put onto the stack, in bytes; of these so far the caller's rbp, 0: it is
 * not there. */
static uint64_t
prologue(const unsigned char *code, size_t have, uint64_t *rbp_at)
{
	uint64_t distance = 0;

	*rbp_at = 0;
	for (size_t at = STARTS(code, have, "\xf3\x0f\x1e\xfa") ? 4 : 0, n; at < have; at += n) {
		const unsigned char *c = code + at;

		n = c[0] == 0x41 && have - at >= 2 ? 2 : 1; /* %r8 to %r15 */
		if (c[n - 1] >= 0x50 && c[n - 1] <= 0x57) { /* push */
			distance += 8;
			if (n == 1 && c[0] == 0x55)
				*rbp_at = distance;
		} else if (STARTS(c, have - at, "\x48\x83\xec") && have - at >= 4 && c[3] < 0x80) { /* sub $c[3],%rsp */
			distance += c[3];
			n = 4;
		} else if (STARTS(c, have - at, "\x48\x81\xec") && have - at >= 7 && c[6] == 0) { /* sub $n,%rsp */
			distance += c[3] | (unsigned)c[4] << 8 | (unsigned)c[5] << 16;
			n = 7;
		} else {
			break;
		}
	}
	return distance;
}

/* Does it make a frame pointer (mov %rsp,%rbp)? */
static bool
makes_frame(const unsigned char *code, size_t have)
{
	for (size_t at = 0; at + 3 <= have; at++)
		if (memcmp(code + at, "\x48\x89\xe5", 3) == 0 || memcmp(code + at, "\x48\x8b\xec", 3) == 0)
			return true;
	return false;
}

/* Is the return address, so far up the stack, the caller's of the function that pc is in? It is if it stands behind a
 * direct call of a function that lies before pc and puts just so much onto the stack first. Where a frame pointer is
 * made in between nobody can tell which function pc is in, and it will lead to the caller. */
static bool
is_call_of_here(const struct stack *stack, uint64_t address, uint64_t distance, uint64_t *rbp_at)
{
	unsigned char call[5], code[CALLED_CODE];
	uint64_t pc = stack->regs[R_RIP], before, begin;
	int32_t offset;

	if (stack_code(stack, address - sizeof call, call, sizeof call) < sizeof call || call[0] != 0xe8)
		return false;
	memcpy(&offset, call + 1, sizeof offset);
	before = pc - (address + (uint64_t)(int64_t)offset);
	if (before >= sizeof code)
		return false;
	begin = before < PROLOGUE_MOST ? before : PROLOGUE_MOST;
	return stack_code(stack, pc - before, code, begin) == begin && prologue(code, begin, rbp_at) == distance &&
	    stack_code(stack, pc - before, code, before) == before && !makes_frame(code, before);
}

/* Assembler without CFI may leave rbp as its caller had it: then it leads to the caller's caller. */
static bool
step_by_call(struct stack *stack)
{
	const struct mapping *mapping = maps_find(stack->maps, stack->regs[R_RIP]);
	uint64_t sp = stack->regs[R_RSP], rbp = stack->regs[R_RBP], end = sp + 8 * CALLED_WORDS, address, rbp_at;
	bool has_rbp = stack_knows(stack, R_RBP);

	if (!mapping || !mapping->module->elf)
		return false;
	if (has_rbp && rbp % 8 == 0 && rbp >= sp && rbp < end)
		end = rbp;
	for (uint64_t at = sp; at < end && stack_read(stack, at, &address); at += 8) {
		if (address - mapping->start >= mapping->end - mapping->start ||
		    !is_call_of_here(stack, address, at - sp, &rbp_at))
			continue;
		if (rbp_at)
			has_rbp = stack_read(stack, at - rbp_at, &rbp);
		if (!return_by(stack, at, rbp))
			return false;
		if (!has_rbp)
			stack->known &= ~STACK_KNOWN(R_RBP);
		return true;
	}
	return false;
}

enum frame_pointer_step
frame_pointer_step(struct stack *stack)
{
	uint64_t sp = stack->regs[R_RSP], rbp = stack->regs[R_RBP], saved;

	if (stack->exact) {
		enum frame_pointer_step step = step_from_interrupted(stack);

		if (step != FRAME_POINTER_NONE)
			return step;
	}
	if (step_by_call(stack))
		return FRAME_POINTER_TOLD;
	if (stack_knows(stack, R_RBP) && rbp % 8 == 0 && rbp >= sp && rbp - sp < FRAME_MAX) {
		if (!stack_read(stack, rbp + 8, &saved)) {
			if (stack->sample->stack_cut)
				return FRAME_POINTER_TRUNCATED;
		} else if (stack_read(stack, rbp, &saved) && return_by(stack, rbp + 8, saved)) {
			return FRAME_POINTER_STEPPED;
		}
	}
	/* No frame at all: a leaf that pushed nothing. */
	return stack->exact && return_by(stack, sp, rbp) ? FRAME_POINTER_STEPPED : FRAME_POINTER_NONE;
}
