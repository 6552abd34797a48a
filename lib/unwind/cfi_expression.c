#include "unwind/cfi_expression.h"

/* DWARF 5, section 7.7.1. */
enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST8S = 0x0f,
	OP_CONSTU,
	OP_CONSTS,
	OP_DUP,
	OP_DROP,
	OP_OVER,
	OP_PICK,
	OP_SWAP,
	OP_ROT,
	OP_ABS = 0x19,
	OP_AND,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_NEG,
	OP_NOT,
	OP_OR,
	OP_PLUS,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_XOR = 0x27,
	OP_EQ = 0x29,
	OP_NE = 0x2e,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG16 = 0x80,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

bool
cfi_expression_is_tame(struct dwarf_reader e)
{
	while (e.ok && e.at < e.end) {
		unsigned op = (unsigned)dwarf_fixed(&e, 1);

		switch (op) {
		case OP_ADDR:
			dwarf_fixed(&e, 8);
			break;
		case OP_CONST1U ... OP_CONST8S: /* of 1, 2, 4 and 8 bytes, unsigned and signed */
			dwarf_fixed(&e, (size_t)1 << (op - OP_CONST1U) / 2);
			break;
		case OP_PICK:
		case OP_DEREF_SIZE:
			dwarf_fixed(&e, 1);
			break;
		case OP_CONSTU:
		case OP_CONSTS:
		case OP_PLUS_UCONST:
		case OP_BREG0 ... OP_BREG16:
			dwarf_uleb(&e);
			break;
		case OP_DEREF:
		case OP_DUP ... OP_OVER:
		case OP_SWAP:
		case OP_ROT:
		case OP_ABS:
		case OP_AND:
		case OP_MINUS:
		case OP_MUL ... OP_PLUS:
		case OP_SHL ... OP_XOR:
		case OP_EQ ... OP_NE:
		case OP_LIT0 ... OP_LIT31:
		case OP_NOP:
			break;
		default:
			return false;
		}
	}
	return e.ok;
}
