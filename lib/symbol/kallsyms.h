/* /proc/kallsyms: what the kernel tells of its own symbols, modules and BPF programs included. Read
 * whole in every call (some 40 ms), nothing of it is kept. */
#ifndef SYMBOL_KALLSYMS_H
#define SYMBOL_KALLSYMS_H

#include "symbol/elf_symbols.h"

/* queries sorted by vaddr. -1, in silence, with errno: EPERM if all addresses are hidden (kptr_restrict),
 * ENODATA if there are none, else why it cannot be read. path: "/proc/kallsyms", or a copy of it. */
int kallsyms_find(const char *path, struct symbol_query *queries, size_t count, struct intern *names);

#endif
