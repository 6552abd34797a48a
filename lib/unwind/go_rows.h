/* What Go's .debug_frame leaves out, put into the rows of one of its functions: where callers' frame pointers are,
 * which functions change the stack, what begins a stack, and the signal's trampoline. It must not know of
 * goroutines, nor of names.
 *
 * Told from the code: Go's own table (.gopclntab) numbers such functions differently in each release, their few
 * instructions in runtime/asm_amd64.s and sys_linux_amd64.s have not changed since 1.17. */
#ifndef UNWIND_GO_ROWS_H
#define UNWIND_GO_ROWS_H

#include "target/elf.h"
#include "unwind/cfi_compile.h"

/* Was the file made by Go's linker? */
bool go_rows_wanted(struct elf *elf);

void go_rows_mend(struct elf *elf, const struct cfi_fde *fde, struct cfi_rows *rows);

#endif
