/* Expressions of unwind tables that rows cannot express are computed by libunwind, which trusts them. It must not know
 * what they are for. */
#ifndef UNWIND_CFI_EXPRESSION_H
#define UNWIND_CFI_EXPRESSION_H

#include "unwind/dwarf_reader.h"

/* May libunwind compute it? Not if it jumps (it need not end, and may jump into the middle of a number), divides (the
 * least number by -1 is a SIGFPE), or has an operation that no such table needs. */
bool cfi_expression_is_tame(struct dwarf_reader expression);

#endif
