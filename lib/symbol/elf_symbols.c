#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/plt.h"
#include "symbol/symbol_table.h"
#include "target/debug_file.h"
#include "unwind/cfi.h"
#include "unwind/walk.h"

/* Symbols compared for each address, on average: a hostile file's symbols all cover all addresses. */
#define WORK_MAX(count) (64 * (count) + 65536)
#define TABLES 2u

/* The symbol that begins nearest below a query, of those that lie between it and the query before; later
 * of all. Those that a query's own function cannot be are there, too: they end others. */
struct below {
	uint64_t start; /* 0: none */
	uint32_t name;
	uint16_t section;
	bool is_sized;
};

/* The best symbol so far for one query. */
struct hit {
	uint64_t start;
	uint64_t fde_start, fde_end; /* for symbols without size; 0, 0: no FDE */
	uint32_t name;		     /* offset in the table's strings */
	uint8_t table, rank;	     /* rank 0: none */
	struct below function, label;
};

struct batch {
	struct module *module;
	struct symbol_query *queries;
	struct hit *hits;
	size_t count;
	struct symbol_table tables[TABLES];
	uint8_t table_count, table; /* table: the one that is read */
	/* The first query at or after each 1/bucket_count of the range: a symbol that covers none of
	 * them, as nearly all do, is dismissed without a search. */
	uint32_t *buckets;
	size_t bucket_count;
	unsigned shift;
	size_t work, work_max;
	bool sizeless; /* a symbol without size was seen */
	bool bare;     /* an unnamed query has no FDE */
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

#define RANK_LOCAL_LABEL 1u
#define RANK_FUNCTION 4u

/* 0: not a name for code. Else the better the greater: a function before a bare label, then global
 * before weak before local. */
static uint8_t
rank_of(const Elf64_Sym *symbol)
{
	static const uint8_t bindings[] = { [STB_LOCAL] = RANK_LOCAL_LABEL, [STB_GLOBAL] = 3, [STB_WEAK] = 2 };
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
offer(struct batch *batch, size_t i, const Elf64_Sym *symbol, uint8_t rank)
{
	struct hit *hit = &batch->hits[i];

	batch->work++;
	if (hit->rank && (symbol->st_value < hit->start || (symbol->st_value == hit->start && rank < hit->rank)))
		return;
	if (rank < RANK_FUNCTION) {
		symbol_table_name(&batch->tables[batch->table], symbol->st_name, &batch->text);
		if (is_label(batch->text.data))
			return;
	}
	if (hit->rank == rank && hit->start == symbol->st_value) {
		symbol_table_name(&batch->tables[batch->table], symbol->st_name, &batch->text);
		symbol_table_name(&batch->tables[hit->table], hit->name, &batch->other);
		if (!is_nicer(batch->text.data, batch->other.data))
			return;
	}
	hit->start = symbol->st_value;
	hit->name = symbol->st_name;
	hit->table = batch->table;
	hit->rank = rank;
}

static bool
take_sized(void *context, const Elf64_Sym *symbol)
{
	struct batch *batch = context;
	size_t i = query_at(batch, symbol->st_value);
	uint8_t rank;

	if (i == batch->count || (symbol->st_size && batch->queries[i].vaddr - symbol->st_value >= symbol->st_size) ||
	    !(rank = rank_of(symbol)))
		return true;
	batch->sizeless |= !symbol->st_size;
	for (; i < batch->count && batch->queries[i].vaddr - symbol->st_value < symbol->st_size &&
	     batch->work < batch->work_max; i++)
		offer(batch, i, symbol, rank);
	return batch->work < batch->work_max;
}

static void
note_below(struct hit *hit, const Elf64_Sym *symbol, uint8_t rank)
{
	struct below *below = rank > RANK_LOCAL_LABEL ? &hit->function : &hit->label;

	if (symbol->st_value > below->start || (symbol->st_value == below->start && symbol->st_size))
		*below = (struct below){ symbol->st_value, symbol->st_name, symbol->st_shndx, symbol->st_size != 0 };
}

/* A symbol without size is believed up to the end of its FDE; without an FDE at its own address, and
 * further only as name_below() says. */
static bool
take_sizeless(void *context, const Elf64_Sym *symbol)
{
	struct batch *batch = context;
	uint64_t start = symbol->st_value;
	bool note = batch->bare && batch->tables[batch->table].is_whole;
	uint8_t rank;
	size_t i;

	if ((symbol->st_size && !note) || (i = query_at(batch, start)) == batch->count || !(rank = rank_of(symbol)))
		return true;
	if (note)
		note_below(&batch->hits[i], symbol, rank);
	for (; !symbol->st_size && i < batch->count && batch->work < batch->work_max; i++) {
		const struct hit *hit = &batch->hits[i];
		bool same_fde = hit->fde_start <= start && start < hit->fde_end;

		batch->work++;
		if (batch->queries[i].name != SYMBOL_NONE)
			continue;
		if (!same_fde && batch->queries[i].vaddr != start)
			break;
		offer(batch, i, symbol, rank);
	}
	return batch->work < batch->work_max;
}

static void
scan(struct batch *batch, bool (*take)(void *, const Elf64_Sym *))
{
	for (batch->table = 0; batch->table < batch->table_count; batch->table++)
		symbol_table_scan(&batch->tables[batch->table], take, batch);
}

static uint32_t
add_name(struct batch *batch, const struct symbol_table *table, uint32_t name, struct intern *names)
{
	char *version;

	symbol_table_name(table, name, &batch->text);
	version = batch->text.length ? strchr(batch->text.data + 1, '@') : NULL; /* memcpy@@GLIBC_2.14 */
	if (version)
		*version = '\0';
	demangle(batch->text.data, &batch->other);
	return batch->other.length ? intern_add(names, batch->other.data, batch->other.length) : SYMBOL_NONE;
}

/* Hits become names; what is named is settled for the rounds that follow. */
static void
settle(struct batch *batch, struct intern *names)
{
	const struct hit *last = NULL;
	uint32_t last_name = SYMBOL_NONE;

	for (size_t i = 0; i < batch->count; i++) {
		const struct hit *hit = &batch->hits[i];

		if (!hit->rank || batch->queries[i].name != SYMBOL_NONE)
			continue;
		if (!last || last->table != hit->table || last->name != hit->name) {
			last_name = add_name(batch, &batch->tables[hit->table], hit->name, names);
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
		if (!cfi || !cfi_bounds(cfi, batch->queries[i].vaddr, &hit->fde_start, &hit->fde_end)) {
			hit->fde_start = hit->fde_end = 0;
			batch->bare = true;
		}
	}
	return any;
}

static bool
is_in_section(struct elf *elf, uint16_t number, uint64_t vaddr)
{
	const struct elf_section *section = elf_section_at(elf, number);

	return section && vaddr - section->vaddr < section->size;
}

/* Assembly without FDEs and sizes (ld.so's _start, what nasm makes): in a whole table the nearest symbol
 * below is the function, since the next one would be there as well. Not beyond its section, not if it has
 * an FDE, which ended before; and a local label "f.loop" is a place in f. */
static void
name_below(struct batch *batch, struct intern *names)
{
	const struct symbol_table *table = &batch->tables[0];
	struct cfi *cfi = walker_cfi(batch->module);
	struct below function = { 0 }, label = { 0 };
	uint64_t start, end;

	for (size_t i = 0; i < batch->count; i++) {
		const struct hit *hit = &batch->hits[i];
		const struct below *best = &label;

		if (hit->function.start > function.start)
			function = hit->function;
		if (hit->label.start > label.start)
			label = hit->label;
		if (batch->queries[i].name != SYMBOL_NONE || hit->fde_end)
			continue;
		symbol_table_name(table, label.name, &batch->text);
		if (function.start >= label.start || is_label(batch->text.data) || strchr(batch->text.data, '.'))
			best = &function;
		if (best->start && !best->is_sized && is_in_section(table->elf, best->section, batch->queries[i].vaddr) &&
		    !(cfi && cfi_bounds(cfi, best->start, &start, &end)))
			batch->queries[i].name = add_name(batch, table, best->name, names);
	}
}

/* By the symbols that the file, or its debug file, defines; queries with a name keep it. */
static void
find_defined(struct module *module, struct elf *debug, struct symbol_query *queries, size_t count,
    struct intern *names)
{
	struct batch batch = { .module = module, .queries = queries, .count = count,
		.work_max = WORK_MAX(count) };

	batch.table_count = symbol_table_open(&batch.tables[0], debug ? debug : module->elf, SHT_SYMTAB);
	batch.table_count += symbol_table_open(&batch.tables[batch.table_count], module->elf, SHT_DYNSYM);
	batch.hits = mem_alloc(count * sizeof *batch.hits);
	fill_buckets(&batch);
	scan(&batch, take_sized);
	settle(&batch, names);
	if (batch.sizeless && find_fdes(&batch)) {
		scan(&batch, take_sizeless);
		settle(&batch, names);
		if (batch.bare && batch.tables[0].is_whole)
			name_below(&batch, names);
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
		targets[i] = (struct symbol_query){ .vaddr = resolvers[i].vaddr, .name = SYMBOL_NONE };
	find_defined(module, debug, targets, n, names);
	for (size_t i = 0; i < n; i++)
		if (targets[i].name != SYMBOL_NONE)
			queries[resolvers[i].query].name = plt_name(intern_name(names, targets[i].name), names);
	free(targets);
	free(resolvers);
}

/* The file that has the symbols that were stripped from this one, or NULL. */
static struct elf *
find_symbols(struct module *module)
{
	struct elf *debug = debug_file_open(module);

	if (!debug)
		debug = debug_file_open_packed(module);
	return debug ? debug : debug_file_fetch(module);
}

void
elf_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names)
{
	struct symbol_table own;
	struct elf *debug;

	for (size_t i = 0; i < count; i++)
		queries[i].name = SYMBOL_NONE;
	if (!module->elf || !count)
		return;
	debug = symbol_table_open(&own, module->elf, SHT_SYMTAB) ? NULL : find_symbols(module);
	find_plt(module, debug, queries, count, names);
	find_defined(module, debug, queries, count, names);
	elf_close(debug);
}
