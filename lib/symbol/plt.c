#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/demangle.h"
#include "symbol/plt.h"

#define PIECE 1024u
/* Relocations beyond this, of all sections together, are not looked at: the largest programs have a million. */
#define RELOCATIONS_MAX (8u << 20)
/* Entries that one query may be in, and that are looked at for it: sections of a damaged file all cover it. */
#define ENTRIES_MAX 4u
#define TRIES_MAX(count) (64 * (count) + 65536)
#define NAME_MAX_LENGTH DEMANGLE_MAX

/* A query in an entry that was understood: by the address of its GOT slot, or, of a lazy entry that
 * pushes a number and jumps to the first entry, by that number: its place in .rela.plt. */
struct entry {
	uint64_t slot;
	uint32_t index;
	bool by_index, is_done; /* is_done: a relocation was found; of more than one the first counts */
	size_t query;
};

struct plt {
	struct elf *elf;
	struct symbol_query *queries;
	struct intern *names;
	struct entry *entries; /* sorted: by slot, then those by index */
	size_t count, room, tries;
	const struct elf_section *symbols, *strings; /* NULL: no imports */
	struct plt_resolver *resolvers;
	size_t resolver_count, resolver_room;
	uint64_t relocations; /* that were read */
};

static int
by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->by_index != y->by_index)
		return x->by_index - y->by_index;
	if (x->by_index)
		return (x->index > y->index) - (x->index < y->index);
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static bool
is_plt(const struct elf_section *section)
{
	return section->type == SHT_PROGBITS && strncmp(section->name, ".plt", 4) == 0;
}

/* The entry at vaddr: "jmp *slot(%rip)", perhaps after endbr64, bnd or mold's "mov $n, %r11d"; or
 * "push $index". */
static bool
decode(struct elf *elf, uint64_t vaddr, size_t size, struct entry *entry)
{
	unsigned char code[16];
	int32_t displacement;

	if (elf_read_vaddr(elf, vaddr, code, size) < 0)
		return false;
	for (size_t i = 0; i + 6 <= size; i++) {
		memcpy(&displacement, code + i + 2, sizeof displacement);
		if (code[i] == 0xff && code[i + 1] == 0x25) {
			entry->slot = vaddr + i + 6 + (uint64_t)(int64_t)displacement;
			entry->by_index = false;
			return true;
		}
	}
	for (size_t i = 0; i <= 4 && i + 5 <= size; i += 4) { /* first, or after endbr64 */
		if (code[i] != 0x68)
			continue;
		memcpy(&entry->index, code + i + 1, sizeof entry->index);
		entry->by_index = true;
		return true;
	}
	return false;
}

static void
add_entries(struct plt *plt, const struct elf_section *section, size_t count)
{
	/* .plt.got of a program without IBT has entries of 8 bytes; nothing else is not 16. */
	uint64_t size = section->entry_size == 8 ? 8 : 16;

	for (size_t i = 0; i < count && plt->count < ENTRIES_MAX * count; i++) {
		struct entry entry = { .query = i };
		uint64_t into = plt->queries[i].vaddr - section->vaddr;

		if (plt->queries[i].name != SYMBOL_NONE || into >= section->size || plt->tries++ >= TRIES_MAX(count) ||
		    !decode(plt->elf, section->vaddr + into / size * size, (size_t)size, &entry))
			continue;
		mem_grow(&plt->entries, plt->count, &plt->room);
		plt->entries[plt->count++] = entry;
	}
}

/* The name of dynamic symbol number symbol. */
static bool
read_name(const struct plt *plt, uint64_t number, char name[static NAME_MAX_LENGTH])
{
	const struct elf_section *symbols = plt->symbols, *strings = plt->strings;
	Elf64_Sym symbol;
	size_t got;

	if (!strings || !number || number >= symbols->size / sizeof symbol ||
	    elf_read(plt->elf, symbols->offset + number * sizeof symbol, &symbol, sizeof symbol) < 0 ||
	    symbol.st_name >= strings->size)
		return false;
	got = elf_read_some(plt->elf, strings->offset + symbol.st_name, name, NAME_MAX_LENGTH - 1);
	name[got] = '\0';
	return *name != '\0';
}

uint32_t
plt_name(const char *name, struct intern *names)
{
	char *text = mem_print("%s@plt", name);
	uint32_t number = intern_text(names, text);

	free(text);
	return number;
}

/* The first entry at one place; the others follow. count: there is none. */
static size_t
first_at(const struct plt *plt, const struct entry *place)
{
	size_t lo = 0, hi = plt->count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (by_place(&plt->entries[middle], place) < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < plt->count && by_place(&plt->entries[lo], place) == 0 ? lo : plt->count;
}

static void
take(struct plt *plt, const Elf64_Rela *relocation, const struct entry *place)
{
	char name[NAME_MAX_LENGTH];
	struct buf text = { 0 };
	size_t first = first_at(plt, place);
	uint32_t number = SYMBOL_NONE;

	if (first == plt->count || plt->entries[first].is_done)
		return;
	if (ELF64_R_TYPE(relocation->r_info) != R_X86_64_IRELATIVE) {
		if (!read_name(plt, ELF64_R_SYM(relocation->r_info), name))
			return;
		demangle(name, &text);
		number = plt_name(text.data, plt->names);
		buf_release(&text);
	}
	for (; first < plt->count && by_place(&plt->entries[first], place) == 0; first++) {
		size_t query = plt->entries[first].query;

		plt->entries[first].is_done = true;
		plt->queries[query].name = number;
		if (number != SYMBOL_NONE)
			continue;
		mem_grow(&plt->resolvers, plt->resolver_count, &plt->resolver_room);
		plt->resolvers[plt->resolver_count++] =
		    (struct plt_resolver){ (uint64_t)relocation->r_addend, query };
	}
}

static void
scan_relocations(struct plt *plt, const struct elf_section *section)
{
	Elf64_Rela *piece = mem_resize(NULL, PIECE, sizeof *piece);
	uint64_t count = section->size / sizeof *piece, got;
	bool is_plt_table = strcmp(section->name, ".rela.plt") == 0;

	if (count > RELOCATIONS_MAX - plt->relocations)
		count = RELOCATIONS_MAX - plt->relocations;
	plt->relocations += count;
	for (uint64_t at = 0; at < count; at += got) {
		got = count - at < PIECE ? count - at : PIECE;
		got = elf_read_some(plt->elf, section->offset + at * sizeof *piece, piece,
			  (size_t)got * sizeof *piece) / sizeof *piece;
		if (!got)
			break;
		for (size_t i = 0; i < got; i++) {
			uint64_t type = ELF64_R_TYPE(piece[i].r_info);

			if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_IRELATIVE)
				continue;
			take(plt, &piece[i], &(struct entry){ .slot = piece[i].r_offset });
			if (is_plt_table)
				take(plt, &piece[i], &(struct entry){ .index = (uint32_t)(at + i), .by_index = true });
		}
	}
	free(piece);
}

struct plt_resolver *
plt_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names,
    size_t *resolver_count)
{
	struct plt plt = { .elf = module->elf, .queries = queries, .names = names };
	const struct elf_section *section;

	*resolver_count = 0;
	if (!plt.elf->is_x86_64 || !plt.elf->is_64)
		return NULL;
	plt.symbols = elf_section(plt.elf, ".dynsym");
	plt.strings = plt.symbols ? elf_section_at(plt.elf, plt.symbols->link) : NULL;
	for (size_t i = 0; (section = elf_section_at(plt.elf, i)); i++)
		if (is_plt(section))
			add_entries(&plt, section, count);
	if (plt.count)
		qsort(plt.entries, plt.count, sizeof *plt.entries, by_place);
	for (size_t i = 0; plt.count && (section = elf_section_at(plt.elf, i)); i++)
		if (section->type == SHT_RELA && section->flags & SHF_ALLOC)
			scan_relocations(&plt, section);
	free(plt.entries);
	*resolver_count = plt.resolver_count;
	return plt.resolvers;
}
