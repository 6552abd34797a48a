/* What CFI leaves out where code changes the stack, put into the rows of its function. It must not know of
 * goroutines or coroutines, nor of names.
 *
 * Go's .debug_frame says nothing of frame pointers, and of functions that change the stack what would be right if
 * they did not. Its own table (.gopclntab) numbers such functions differently in each release, but their few
 * instructions (runtime/asm_amd64.s, sys_linux_amd64.s) are of few kinds, tried with 1.20 to 1.26: since 1.21 they keep
 * the frame pointer, before that nothing tells where the stack was left. glibc's setcontext() and
 * swapcontext() are described as if the return address were there as soon as the stack is the other one. */
#ifndef UNWIND_STACK_CHANGE_H
#define UNWIND_STACK_CHANGE_H

#include "target/elf.h"
#include "unwind/cfi_compile.h"

/* Was the file made by Go's linker? */
bool stack_change_is_go(struct elf *elf);

/* of_go: of Go's .debug_frame. */
void stack_change_mend(struct elf *elf, const struct cfi_fde *fde, bool of_go, struct cfi_rows *rows);

#endif
