/* Unwind rows: what .eh_frame or .debug_frame says of one address, compiled. Lazily, an FDE at a time,
 * on the first address that needs it; kept with the module.
 * DWARF 5, section 6.4; LSB Core, section 10.6 (.eh_frame, .eh_frame_hdr). */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "target/module.h"

enum cfa_rule {
	CFA_NONE,	/* no row: nothing covers this address */
	CFA_REGISTER,	/* CFA = reg + offset */
	CFA_DEREF,	/* CFA = *(reg + offset) + addend */
	CFA_PLT,	/* CFA = rsp + 8 + ((rip & 15) >= addend ? 8 : 0) */
	CFA_EXPRESSION, /* more than a row can say: libunwind */
	CFA_KEPT,	/* CFA = rbp + offset, on the stack that this code has left; rbp 0: nothing goes on there */
};

enum reg_rule {
	REG_SAME,	/* the caller has the value it has here */
	REG_SAVED,	/* at CFA + offset */
	REG_UNDEFINED,  /* of the return address: there is no caller */
	REG_EXPRESSION,	/* more than a row can say */
	REG_IN,		/* of the return address: in register offset (vfork keeps it in rdi) */
	REG_AT_RSP,	/* at rsp + offset, of this frame: a signal's trampoline */
	REG_AT_RBP,	/* at rbp + offset: a frame that aligned its stack */
	REG_ELSEWHERE,	/* of the return address: on a stack that this code has left, nobody knows where */
};

/* Where a signal's trampoline has the interrupted rsp: the kernel's ucontext, at rsp. */
#define CFI_UCONTEXT_RSP 160

struct row {
	uint64_t start, end;	/* vaddr, end exclusive */
	int32_t cfa_offset, cfa_addend;
	int32_t rbp_offset, rbx_offset, ra_offset;
	uint8_t cfa, cfa_reg;	/* enum cfa_rule, enum reg (of sample.h) */
	uint8_t rbp, rbx, ra;	/* enum reg_rule */
	bool is_signal;		/* augmentation S: the caller was interrupted, its address is exact */
};

struct cfi;

/* NULL if the module's file has no unwind tables. The module must outlive it. A separate debug file is looked for
 * when the file itself does not cover an address, once. */
struct cfi *cfi_open(struct module *module);
void cfi_close(struct cfi *cfi);

/* The row that covers vaddr, or NULL. Valid until the next call. */
const struct row *cfi_find(struct cfi *cfi, uint64_t vaddr);

/* The bounds of the FDE that covers vaddr: where a symbol without size ends. */
bool cfi_bounds(struct cfi *cfi, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* The entry that covers vaddr for libunwind, as it reads .eh_frame: CIE, then at *fde the FDE, its code moved by bias.
 * A copy, so that libunwind parses nothing that we have not. The number of bytes written; 0: there is none, it does not
 * fit, or libunwind would come to harm by it. */
size_t cfi_copy_entry(struct cfi *cfi, uint64_t vaddr, uint64_t bias, unsigned char *to, size_t room, size_t *fde);

#endif
