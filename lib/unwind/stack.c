#include "unwind/stack.h"

/* uc_flags, uc_link, uc_stack; then the registers in this order. */
#define UCONTEXT_REGISTERS 40
static const unsigned char ucontext_order[] = { R_R8, R_R9, R_R10, R_R11, R_R12, R_R13, R_R14, R_R15,
	R_RDI, R_RSI, R_RBP, R_RBX, R_RDX, R_RAX, R_RCX, R_RSP, R_RIP };

bool
stack_read_ucontext(struct stack *stack)
{
	uint64_t at = stack->regs[R_RSP] + UCONTEXT_REGISTERS, values[R_COUNT];

	for (size_t i = 0; i < R_COUNT; i++)
		if (!stack_read(stack, at + 8 * i, &values[i]))
			return false;
	for (size_t i = 0; i < R_COUNT; i++)
		stack->regs[ucontext_order[i]] = values[i];
	stack->known = STACK_KNOWN_ALL;
	return true;
}

/* The bytes that the copies have from address on. Pieces may overlap. */
static size_t
find_copy(const struct sample *sample, uint64_t address, const unsigned char **bytes)
{
	const struct stack_piece *pieces = sample->pieces;
	size_t low = 0, high = sample->piece_count;
	uint64_t at = address - sample->regs[R_RSP];

	if (at < sample->stack_size) {
		*bytes = sample->stack + at;
		return sample->stack_size - at;
	}
	while (low < high) { /* the last piece that begins at address or below */
		size_t middle = (low + high) / 2;

		if (pieces[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low && address - pieces[low - 1].address >= pieces[low - 1].size; low--)
		;
	if (!low)
		return 0;
	at = address - pieces[low - 1].address;
	*bytes = pieces[low - 1].bytes + at;
	return pieces[low - 1].size - at;
}

bool
stack_read_pieces(const struct stack *stack, uint64_t address, uint64_t *value)
{
	unsigned char word[sizeof *value];
	const unsigned char *bytes;
	size_t n;

	for (size_t have = 0; have < sizeof word; have += n) {
		n = find_copy(stack->sample, address + have, &bytes);
		if (n > sizeof word - have)
			n = sizeof word - have;
		if (!n) {
			if (stack->missed)
				*stack->missed = address + have;
			return false;
		}
		memcpy(word + have, bytes, n);
	}
	memcpy(value, word, sizeof word);
	return true;
}

void
stack_moved(struct stack *stack)
{
	uint64_t sp = stack->regs[R_RSP];
	const unsigned char *bytes;
	size_t n = 1;

	while (stack->to < sp && (n = find_copy(stack->sample, stack->to, &bytes)) > 0)
		stack->to += n;
	if (sp < stack->from || !n)
		stack->from = stack->to = sp;
}

size_t
stack_code(const struct stack *stack, uint64_t address, unsigned char *bytes, size_t size)
{
	const struct mapping *mapping = maps_find(stack->maps, address);

	if (!mapping || !mapping->module->elf)
		return 0;
	if (size > mapping->end - address)
		size = (size_t)(mapping->end - address);
	return elf_read_some(mapping->module->elf, address - mapping->start + mapping->offset, bytes, size);
}
