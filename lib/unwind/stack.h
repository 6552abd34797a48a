/* Where a walk stands: the registers of one frame, and the one memory there is, the sample's copy of the
 * stack with its pieces. Shared by the ways of walking. */
#ifndef UNWIND_STACK_H
#define UNWIND_STACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sample/sample.h"
#include "target/maps.h"

struct stack {
	const struct sample *sample;
	struct maps *maps;
	uint64_t regs[R_COUNT];
	uint32_t known;	 /* bit REG_x: regs[REG_x] is this frame's value */
	bool exact;	 /* rip is where the frame was interrupted, not a return address */
	uint64_t from, to; /* of the stack that it is on: where the walk came onto it; the copies have no hole up to */
	uint64_t *missed; /* the address read last that was not in the copy; NULL: nobody asks */
};

#define STACK_KNOWN(reg) (UINT32_C(1) << (reg))
#define STACK_KNOWN_ALL ((UINT32_C(1) << R_COUNT) - 1)
/* What rows follow upwards. */
#define STACK_KNOWN_UPWARDS \
	(STACK_KNOWN(R_RSP) | STACK_KNOWN(R_RIP) | STACK_KNOWN(R_RBP) | STACK_KNOWN(R_RBX))

static inline bool
stack_knows(const struct stack *stack, unsigned reg)
{
	return (stack->known & STACK_KNOWN(reg)) != 0;
}

/* The same of the pieces, and of a word that lies across an edge. */
bool stack_read_pieces(const struct stack *stack, uint64_t address, uint64_t *value);

/* False: outside the copy. */
static inline bool
stack_read(const struct stack *stack, uint64_t address, uint64_t *value)
{
	uint64_t at = address - stack->sample->regs[R_RSP];

	if (at >= stack->sample->stack_size || stack->sample->stack_size - at < sizeof *value)
		return stack_read_pieces(stack, address, value);
	memcpy(value, stack->sample->stack + at, sizeof *value);
	return true;
}

static inline void
stack_set(struct stack *stack, enum reg reg, uint64_t value)
{
	stack->regs[reg] = value;
	stack->known |= STACK_KNOWN(reg);
}

/* The registers that a signal interrupted, from the ucontext at rsp that the kernel made
 * (arch/x86/include/uapi/asm/sigcontext.h). False: it is not in the copy. */
bool stack_read_ucontext(struct stack *stack);

/* After each step: rsp is on another stack now if it went down, or over what no copy has. */
void stack_moved(struct stack *stack);

/* The bytes of code from address on, from the file; fewer at its end, none of code without a file. */
size_t stack_code(const struct stack *stack, uint64_t address, unsigned char *bytes, size_t size);

#endif
