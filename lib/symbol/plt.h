/* Names for the entries of procedure linkage tables, which have no symbols: foo@plt, by the GOT slot
 * that an entry jumps through and the relocation that fills it. x86-64. */
#ifndef SYMBOL_PLT_H
#define SYMBOL_PLT_H

#include "symbol/elf_symbols.h"

/* Only queries that have no name yet are looked at. */
void plt_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names);

#endif
