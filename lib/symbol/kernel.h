/* Names of kernel addresses, modules and BPF programs included: by a BPF program that prints them
 * (%ps, 0.7 µs an address) where allowed, else from /proc/kallsyms. */
#ifndef SYMBOL_KERNEL_H
#define SYMBOL_KERNEL_H

#include <stdbool.h>

#include "symbol/elf_symbols.h"

enum kernel_source {
	KERNEL_BPF,
	KERNEL_KALLSYMS,
	KERNEL_HIDDEN, /* kptr_restrict: all addresses are zero */
	KERNEL_UNREADABLE, /* /proc/kallsyms is not there, or says nothing */
};

/* queries sorted by vaddr; names come without a suffix. Says on stderr (detail) which way was taken. */
enum kernel_source kernel_symbols_find(struct symbol_query *queries, size_t count, struct intern *names,
    bool allow_bpf);

#endif
