/* A symbol table of an ELF file: read in pieces, never kept. It must not know which symbols are good. */
#ifndef SYMBOL_SYMBOL_TABLE_H
#define SYMBOL_SYMBOL_TABLE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "target/elf.h"

struct symbol_table {
	struct elf *elf;
	bool is_whole; /* .symtab: functions that are not exported are there, too */
	uint64_t offset, count;
	uint64_t strings, strings_size;
};

/* type: SHT_SYMTAB or SHT_DYNSYM. False if elf has none. */
bool symbol_table_open(struct symbol_table *table, struct elf *elf, uint32_t type);

/* Every symbol in order, those of 32-bit files widened, while take returns true. */
void symbol_table_scan(const struct symbol_table *table, bool (*take)(void *context, const Elf64_Sym *symbol),
    void *context);

/* The text at st_name, "" if that is out of bounds; a very long one is cut. */
void symbol_table_name(const struct symbol_table *table, uint32_t st_name, struct buf *to);

#endif
