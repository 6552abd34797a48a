#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/symbol_table.h"

/* Symbols read at a time. */
#define PIECE 2048u
#define NAME_MAX_LENGTH 16384u
/* No file has more; a table that claims to is read this far. */
#define SYMBOLS_MAX (16u << 20)

static size_t
entry_size(const struct symbol_table *table)
{
	return table->elf->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

bool
symbol_table_open(struct symbol_table *table, struct elf *elf, uint32_t type)
{
	const struct elf_section *section, *strings;

	for (size_t i = 0; (section = elf_section_at(elf, i)); i++) {
		strings = section->type == type ? elf_section_at(elf, section->link) : NULL;
		if (!strings || strings->type != SHT_STRTAB)
			continue;
		*table = (struct symbol_table){ elf, type == SHT_SYMTAB, section->offset, 0, strings->offset,
			strings->size };
		table->count = section->size / entry_size(table);
		if (table->count > SYMBOLS_MAX)
			table->count = SYMBOLS_MAX;
		return true;
	}
	return false;
}

static void
widen(const unsigned char *entry, bool is_64, Elf64_Sym *symbol)
{
	Elf32_Sym narrow;

	if (is_64) {
		memcpy(symbol, entry, sizeof *symbol);
		return;
	}
	memcpy(&narrow, entry, sizeof narrow);
	*symbol = (Elf64_Sym){ .st_name = narrow.st_name, .st_info = narrow.st_info, .st_other = narrow.st_other,
		.st_shndx = narrow.st_shndx, .st_value = narrow.st_value, .st_size = narrow.st_size };
}

void
symbol_table_scan(const struct symbol_table *table, bool (*take)(void *context, const Elf64_Sym *symbol), void *context)
{
	unsigned char *piece = mem_resize(NULL, PIECE, sizeof(Elf64_Sym));
	size_t size = entry_size(table), got;
	bool more = true;

	for (uint64_t at = 0; at < table->count && more; at += got) {
		got = table->count - at < PIECE ? (size_t)(table->count - at) : PIECE;
		got = elf_read_some(table->elf, table->offset + at * size, piece, got * size) / size;
		if (!got)
			break;
		for (size_t i = 0; i < got && more; i++) {
			Elf64_Sym symbol;

			widen(piece + i * size, table->elf->is_64, &symbol);
			more = take(context, &symbol);
		}
	}
	free(piece);
}

void
symbol_table_name(const struct symbol_table *table, uint32_t st_name, struct buf *to)
{
	static const size_t lengths[] = { 256, NAME_MAX_LENGTH }; /* nearly all are found at once */
	const char *end = NULL;

	buf_clear(to);
	for (size_t i = 0; i < 2 && !end; i++) {
		uint64_t left = st_name < table->strings_size ? table->strings_size - st_name : 0;
		size_t want = left < lengths[i] ? (size_t)left : lengths[i], got;

		to->length = 0;
		buf_reserve(to, want);
		got = elf_read_some(table->elf, table->strings + st_name, to->data, want);
		end = memchr(to->data, '\0', got);
		to->length = end ? (size_t)(end - to->data) : got;
		to->data[to->length] = '\0';
	}
}
