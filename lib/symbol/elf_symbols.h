/* Names of addresses of one ELF file. In batches: the symbol table is read once, in pieces, for all
 * the addresses asked for, and never kept: that is what makes ten large binaries fit into 32 MB. */
#ifndef SYMBOL_ELF_SYMBOLS_H
#define SYMBOL_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "target/module.h"

struct symbol_query {
	uint64_t vaddr;
	uint32_t name;	 /* out: in names; SYMBOL_NONE if nothing names it */
	uint32_t module; /* out, of kernel symbols: the module's name as the kernel has it, in names, + 1; 0: none */
};
#define SYMBOL_NONE UINT32_MAX

/* queries sorted by vaddr. PLT entries, then .symtab (else that of a debug file that belongs to the file, or
 * what .gnu_debugdata has of it) and .dynsym. Names are demangled and tidy. A function ends
 * where its size says; without size with its FDE; without either, in .symtab alone, before the next symbol. */
void elf_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names);

#endif
