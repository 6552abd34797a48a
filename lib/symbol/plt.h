/* Names for the entries of procedure linkage tables, which have no symbols: foo@plt, by the GOT slot
 * that an entry jumps through and the relocation that fills it. x86-64. */
#ifndef SYMBOL_PLT_H
#define SYMBOL_PLT_H

#include "symbol/elf_symbols.h"

/* An entry whose slot is filled by what a resolver (of a GNU_IFUNC, in the same file) returns: it is
 * called as the resolver is. */
struct plt_resolver {
	uint64_t vaddr;
	size_t query;
};

/* Names the queries that lie in an entry; those of resolvers are left to whom can name them: a list
 * that the caller frees. */
struct plt_resolver *plt_symbols_find(struct module *module, struct symbol_query *queries, size_t count,
    struct intern *names, size_t *resolver_count);

/* printf → printf@plt */
uint32_t plt_name(const char *name, struct intern *names);

#endif
