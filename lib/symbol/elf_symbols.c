#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/plt.h"
#include "target/debug_file.h"
#include "unwind/cfi.h"
#include "unwind/walk.h"

/* Symbols read at a time. */
#define PIECE 2048u
/* A symbol's name is read up to here; longer ones are cut. */
#define NAME_MAX_LENGTH 16384u
/* No file has more; a table that claims to is read this far. */
#define SYMBOLS_MAX (64u << 20)
/* Symbols compared for each address, on average: a hostile file's symbols all cover all addresses. */
#define WORK_MAX(count) (64 * (count) + 65536)
#define TABLES 4u

struct table {
	struct elf *elf;
	uint64_t offset, count, entry_size;
	uint64_t strings, strings_size;
};

/* The best symbol so far for one query. */
struct hit {
	uint64_t start;
	uint64_t fde_start, fde_end; /* for symbols without size; 0, 0: no FDE */
	uint32_t name;		     /* offset in the table's strings */
	uint8_t table, rank;	     /* rank 0: none */
};

struct batch {
	struct module *module;
	struct symbol_query *queries;
	struct hit *hits;
	size_t count;
	struct table tables[TABLES];
	size_t table_count;
	/* The first query at or after each 1/bucket_count of the range: a symbol that covers none of
	 * them, as nearly all do, is dismissed without a search. */
	uint32_t *buckets;
	size_t bucket_count;
	unsigned shift;
	size_t work, work_max;
	bool sizeless; /* a symbol without size was seen */
	struct buf text, other;
};

static void
fill_buckets(struct batch *batch)
{
	uint64_t first = batch->queries[0].vaddr, span = batch->queries[batch->count - 1].vaddr - first;
	size_t i = 0;

	while (span >> batch->shift >= 2 * batch->count + 64)
		batch->shift++;
	batch->bucket_count = (size_t)(span >> batch->shift) + 2;
	batch->buckets = mem_resize(NULL, batch->bucket_count, sizeof *batch->buckets);
	for (size_t b = 0; b < batch->bucket_count; b++) {
		while (i < batch->count && (batch->queries[i].vaddr - first) >> batch->shift < b)
			i++;
		batch->buckets[b] = (uint32_t)i;
	}
}

/* The first query at or after vaddr. */
static size_t
query_at(const struct batch *batch, uint64_t vaddr)
{
	uint64_t first = batch->queries[0].vaddr, bucket;
	size_t lo, hi;

	if (vaddr <= first)
		return 0;
	bucket = (vaddr - first) >> batch->shift;
	if (bucket + 1 >= batch->bucket_count)
		return batch->count;
	for (lo = batch->buckets[bucket], hi = batch->buckets[bucket + 1]; lo < hi;) {
		size_t middle = (lo + hi) / 2;

		if (batch->queries[middle].vaddr < vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static void
read_name(const struct table *table, uint32_t name, struct buf *to)
{
	size_t want = 256, got;
	const char *end;

	buf_clear(to);
	buf_reserve(to, want);
	to->data[0] = '\0';
	if (name >= table->strings_size)
		return;
	for (;; want = NAME_MAX_LENGTH) {
		if (want > table->strings_size - name)
			want = (size_t)(table->strings_size - name);
		buf_clear(to);
		buf_reserve(to, want);
		got = elf_read_some(table->elf, table->strings + name, to->data, want);
		end = memchr(to->data, '\0', got);
		to->length = end ? (size_t)(end - to->data) : got;
		to->data[to->length] = '\0';
		if (end || want != 256)
			return;
	}
}

/* Labels that assemblers leave behind: .L12, $x, $d.4, .annobin_… */
static bool
is_label(const char *name)
{
	return !*name || strncmp(name, ".L", 2) == 0 || strncmp(name, ".annobin", 8) == 0 ||
	    (name[0] == '$' && name[1] && (!name[2] || name[2] == '.'));
}

/* Of two names of one rank for one place the one with fewer leading underscores, then the shorter,
 * then the first as bytes: not the one that the linker happened to put first. */
static bool
is_nicer(const char *name, const char *than)
{
	size_t underscores = strspn(name, "_"), than_underscores = strspn(than, "_");
	size_t length = strlen(name), than_length = strlen(than);

	if (underscores != than_underscores)
		return underscores < than_underscores;
	if (length != than_length)
		return length < than_length;
	return strcmp(name, than) < 0;
}

#define RANK_FUNCTION 4u

/* 0: not a name for code. Else the better the greater: a function before a bare label, then global
 * before weak before local. */
static uint8_t
rank_of(const Elf64_Sym *symbol)
{
	static const uint8_t bindings[] = { [STB_LOCAL] = 1, [STB_GLOBAL] = 3, [STB_WEAK] = 2 };
	unsigned type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info);
	uint8_t rank = binding < sizeof bindings ? bindings[binding] : 3; /* STB_GNU_UNIQUE */

	if (!symbol->st_name || symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || symbol->st_shndx == SHN_COMMON)
		return 0;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return (uint8_t)(rank + RANK_FUNCTION);
	return type == STT_NOTYPE ? rank : 0;
}

/* A symbol that covers query i: kept if it begins nearer, or at the same place and is the better name. */
static void
offer(struct batch *batch, size_t i, const Elf64_Sym *symbol, uint8_t table, uint8_t rank)
{
	struct hit *hit = &batch->hits[i];

	batch->work++;
	if (hit->rank && (symbol->st_value < hit->start || (symbol->st_value == hit->start && rank < hit->rank)))
		return;
	if (rank < RANK_FUNCTION) {
		read_name(&batch->tables[table], symbol->st_name, &batch->text);
		if (is_label(batch->text.data))
			return;
	}
	if (hit->rank == rank && hit->start == symbol->st_value) {
		read_name(&batch->tables[table], symbol->st_name, &batch->text);
		read_name(&batch->tables[hit->table], hit->name, &batch->other);
		if (!is_nicer(batch->text.data, batch->other.data))
			return;
	}
	hit->start = symbol->st_value;
	hit->name = symbol->st_name;
	hit->table = table;
	hit->rank = rank;
}

static void
take_sized(struct batch *batch, const Elf64_Sym *symbol, uint8_t table)
{
	size_t i = query_at(batch, symbol->st_value);
	uint8_t rank;

	if (i == batch->count || (symbol->st_size && batch->queries[i].vaddr - symbol->st_value >= symbol->st_size) ||
	    !(rank = rank_of(symbol)))
		return;
	batch->sizeless |= !symbol->st_size;
	for (; i < batch->count && batch->queries[i].vaddr - symbol->st_value < symbol->st_size &&
	     batch->work < batch->work_max; i++)
		offer(batch, i, symbol, table, rank);
}

/* A symbol without size is believed up to the end of its FDE; without an FDE, at its own address only.
 * Ranks of this round lie below those of sized symbols, which are settled. */
static void
take_sizeless(struct batch *batch, const Elf64_Sym *symbol, uint8_t table)
{
	uint64_t start = symbol->st_value;
	uint8_t rank = symbol->st_size ? 0 : rank_of(symbol);

	if (!rank)
		return;
	for (size_t i = query_at(batch, start); i < batch->count && batch->work < batch->work_max; i++) {
		const struct hit *hit = &batch->hits[i];
		bool same_fde = hit->fde_start <= start && start < hit->fde_end;

		batch->work++;
		if (batch->queries[i].name != SYMBOL_NONE)
			continue;
		if (!same_fde && batch->queries[i].vaddr != start)
			return;
		offer(batch, i, symbol, table, rank);
	}
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

static void
scan(struct batch *batch, void (*take)(struct batch *, const Elf64_Sym *, uint8_t))
{
	unsigned char *piece = mem_resize(NULL, PIECE, sizeof(Elf64_Sym));

	for (uint8_t t = 0; t < batch->table_count; t++) {
		struct table *table = &batch->tables[t];
		size_t entry = (size_t)table->entry_size, got;

		for (uint64_t at = 0; at < table->count && batch->work < batch->work_max; at += got) {
			got = table->count - at < PIECE ? (size_t)(table->count - at) : PIECE;
			got = elf_read_some(table->elf, table->offset + at * entry, piece, got * entry) / entry;
			if (!got)
				break;
			for (size_t i = 0; i < got; i++) {
				Elf64_Sym symbol;

				widen(piece + i * entry, table->elf->is_64, &symbol);
				take(batch, &symbol, t);
			}
		}
	}
	free(piece);
}

/* Hits become names; what is named is settled for the rounds that follow. */
static void
settle(struct batch *batch, struct intern *names)
{
	const struct hit *last = NULL;
	uint32_t last_name = SYMBOL_NONE;

	for (size_t i = 0; i < batch->count; i++) {
		const struct hit *hit = &batch->hits[i];
		char *version;

		if (!hit->rank || batch->queries[i].name != SYMBOL_NONE)
			continue;
		if (!last || last->table != hit->table || last->name != hit->name) {
			read_name(&batch->tables[hit->table], hit->name, &batch->text);
			version = batch->text.length ? strchr(batch->text.data + 1, '@') : NULL; /* memcpy@@GLIBC_2.14 */
			if (version)
				*version = '\0';
			demangle(batch->text.data, &batch->other);
			last_name = batch->other.length ? intern_add(names, batch->other.data, batch->other.length) :
							  SYMBOL_NONE;
			last = hit;
		}
		batch->queries[i].name = last_name;
	}
}

/* Looks up the FDEs of what is still unnamed. False if nothing is. */
static bool
find_fdes(struct batch *batch)
{
	struct cfi *cfi = walker_cfi(batch->module);
	bool any = false;

	for (size_t i = 0; i < batch->count; i++) {
		struct hit *hit = &batch->hits[i];

		if (batch->queries[i].name != SYMBOL_NONE)
			continue;
		any = true;
		if (!cfi || !cfi_bounds(cfi, batch->queries[i].vaddr, &hit->fde_start, &hit->fde_end))
			hit->fde_start = hit->fde_end = 0;
	}
	return any;
}

static void
add_table(struct batch *batch, struct elf *elf, uint32_t type)
{
	const struct elf_section *section, *strings;
	uint64_t entry = elf->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	for (size_t i = 0; (section = elf_section_at(elf, i)); i++) {
		strings = section->type == type ? elf_section_at(elf, section->link) : NULL;
		if (!strings || strings->type != SHT_STRTAB || batch->table_count == TABLES)
			continue;
		batch->tables[batch->table_count++] = (struct table){ elf, section->offset,
			section->size / entry < SYMBOLS_MAX ? section->size / entry : SYMBOLS_MAX, entry,
			strings->offset, strings->size };
		return;
	}
}

static bool
has_symtab(struct elf *elf)
{
	const struct elf_section *section;

	for (size_t i = 0; (section = elf_section_at(elf, i)); i++)
		if (section->type == SHT_SYMTAB)
			return true;
	return false;
}

/* By the symbols that the file, or its debug file, defines; queries with a name keep it. */
static void
find_defined(struct module *module, struct elf *debug, struct symbol_query *queries, size_t count,
    struct intern *names)
{
	struct batch batch = { .module = module, .queries = queries, .count = count,
		.work_max = WORK_MAX(count) };

	add_table(&batch, debug ? debug : module->elf, SHT_SYMTAB);
	add_table(&batch, module->elf, SHT_DYNSYM);
	batch.hits = mem_alloc(count * sizeof *batch.hits);
	fill_buckets(&batch);
	scan(&batch, take_sized);
	settle(&batch, names);
	if (batch.sizeless && find_fdes(&batch)) {
		scan(&batch, take_sizeless);
		settle(&batch, names);
	}
	buf_release(&batch.text);
	buf_release(&batch.other);
	free(batch.buckets);
	free(batch.hits);
}

static int
by_vaddr(const void *a, const void *b)
{
	const struct plt_resolver *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

/* Entries of the PLT first: a linker's label for all of it must not name them. */
static void
find_plt(struct module *module, struct elf *debug, struct symbol_query *queries, size_t count,
    struct intern *names)
{
	size_t n;
	struct plt_resolver *resolvers = plt_symbols_find(module, queries, count, names, &n);
	struct symbol_query *targets;

	if (!n)
		return;
	qsort(resolvers, n, sizeof *resolvers, by_vaddr);
	targets = mem_alloc(n * sizeof *targets);
	for (size_t i = 0; i < n; i++)
		targets[i] = (struct symbol_query){ resolvers[i].vaddr, SYMBOL_NONE };
	find_defined(module, debug, targets, n, names);
	for (size_t i = 0; i < n; i++)
		if (targets[i].name != SYMBOL_NONE)
			queries[resolvers[i].query].name = plt_name(intern_name(names, targets[i].name), names);
	free(targets);
	free(resolvers);
}

void
elf_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names)
{
	struct elf *debug;

	for (size_t i = 0; i < count; i++)
		queries[i].name = SYMBOL_NONE;
	if (!module->elf || !count)
		return;
	debug = has_symtab(module->elf) ? NULL : debug_file_open(module);
	find_plt(module, debug, queries, count, names);
	find_defined(module, debug, queries, count, names);
	elf_close(debug);
}
