/* Which symbol names an address: ELF files made here, with tables in both orders; the vdso; files made
 * to hurt. With an operand: names that file's addresses, hexadecimal, from stdin (for names.t). */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "symbol/elf_symbols.h"
#include "unwind/cfi.h"
#include "unwind/walk.h"
#include "tap.h"

#define TEXT 0x1000u
#define TEXT_SIZE 0x1000u

struct entry {
	const char *name;
	uint64_t value, size;
	unsigned type, bind, section; /* section 0: 1, .text */
};

enum { STRINGS = 2, SYMBOLS, SECTIONS };

/* An ELF file with one segment of code and one symbol table. */
static struct buf
make_elf(const struct entry *entries, size_t count, uint32_t table_type, bool reversed)
{
	static const char section_names[] = "\0.text\0.strtab\0.symtab";
	Elf64_Ehdr header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64, .e_phoff = sizeof header, .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS, .e_shstrndx = STRINGS };
	Elf64_Phdr load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = 0, .p_vaddr = 0,
		.p_filesz = TEXT + TEXT_SIZE, .p_memsz = TEXT + TEXT_SIZE };
	Elf64_Shdr sections[SECTIONS] = { [1] = { .sh_name = 1, .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = TEXT, .sh_offset = TEXT, .sh_size = TEXT_SIZE } };
	struct buf file = { 0 }, strings = { 0 }, symbols = { 0 };

	buf_add(&strings, section_names, sizeof section_names);
	buf_add(&symbols, &(Elf64_Sym){ 0 }, sizeof(Elf64_Sym));
	for (size_t i = 0; i < count; i++) {
		const struct entry *e = &entries[reversed ? count - 1 - i : i];
		Elf64_Sym symbol = { .st_name = (uint32_t)strings.length, .st_value = e->value, .st_size = e->size,
			.st_info = (unsigned char)ELF64_ST_INFO(e->bind, e->type),
			.st_shndx = (uint16_t)(e->section == 0 ? 1 : e->section == 99 ? SHN_UNDEF : e->section) };

		buf_add(&strings, e->name, strlen(e->name) + 1);
		buf_add(&symbols, &symbol, sizeof symbol);
	}
	sections[STRINGS] = (Elf64_Shdr){ .sh_name = 7, .sh_type = SHT_STRTAB, .sh_offset = TEXT + TEXT_SIZE,
		.sh_size = strings.length };
	sections[SYMBOLS] = (Elf64_Shdr){ .sh_name = 15, .sh_type = table_type, .sh_link = STRINGS,
		.sh_offset = TEXT + TEXT_SIZE + strings.length, .sh_size = symbols.length,
		.sh_entsize = sizeof(Elf64_Sym) };
	header.e_shoff = sections[SYMBOLS].sh_offset + symbols.length;
	buf_add(&file, &header, sizeof header);
	buf_add(&file, &load, sizeof load);
	while (file.length < TEXT + TEXT_SIZE)
		buf_char(&file, '\x90');
	buf_add(&file, strings.data, strings.length);
	buf_add(&file, symbols.data, symbols.length);
	buf_add(&file, sections, sizeof sections);
	buf_release(&strings);
	buf_release(&symbols);
	return file;
}

/* Names of queries in an image. */
static void
find(const struct buf *file, struct symbol_query *queries, size_t count, struct intern *names)
{
	char path[] = "test.so";
	struct module module = { .kind = MODULE_FILE, .root = -1, .path = path, .base = path };

	module.elf = elf_open_memory(file->data, file->length);
	elf_symbols_find(&module, queries, count, names);
	elf_close(module.elf);
}

static const char *
name_of(const struct symbol_query *query, const struct intern *names)
{
	return query->name == SYMBOL_NONE ? "?" : intern_name(names, query->name);
}

/* What each case has in its table, an address and its name. */
static const struct {
	const char *what;
	struct entry entries[5];
	uint64_t address;
	const char *name;
	const char *exported; /* by .dynsym, where that is not the same */
} cases[] = {
	{ "inside a sized function", { { "f", 0x1010, 16, STT_FUNC, STB_GLOBAL, 0 } }, 0x101f, "f", NULL },
	{ "a sized function ends", { { "f", 0x1010, 16, STT_FUNC, STB_GLOBAL, 0 } }, 0x1020, "?", NULL },
	{ "before the first", { { "f", 0x1010, 16, STT_FUNC, STB_GLOBAL, 0 } }, 0x100f, "?", NULL },
	{ "sized before unsized",
	    { { "unsized", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 }, { "sized", 0x1010, 8, STT_FUNC, STB_LOCAL, 0 } },
	    0x1010, "sized", NULL },
	{ "global before weak before local",
	    { { "a", 0x1010, 8, STT_FUNC, STB_LOCAL, 0 }, { "b", 0x1010, 8, STT_FUNC, STB_WEAK, 0 },
		{ "__c", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 } },
	    0x1012, "__c", NULL },
	{ "weak before local",
	    { { "a", 0x1010, 8, STT_FUNC, STB_LOCAL, 0 }, { "b", 0x1010, 8, STT_FUNC, STB_WEAK, 0 } }, 0x1012, "b", NULL },
	{ "a function before a label",
	    { { "a", 0x1010, 8, STT_NOTYPE, STB_GLOBAL, 0 }, { "b", 0x1010, 8, STT_FUNC, STB_LOCAL, 0 } }, 0x1012, "b", NULL },
	{ "of aliases the one with fewer underscores",
	    { { "__x", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 }, { "longer", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 },
		{ "_x", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 } },
	    0x1010, "longer", NULL },
	{ "then the shorter, then the first",
	    { { "bbb", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 }, { "ab", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 },
		{ "aa", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 } },
	    0x1010, "aa", NULL },
	{ "an indirect function's resolver", { { "memcpy", 0x1010, 8, STT_GNU_IFUNC, STB_GLOBAL, 0 } }, 0x1011, "memcpy", NULL },
	{ "the inner of two",
	    { { "outer", 0x1010, 64, STT_FUNC, STB_GLOBAL, 0 }, { "inner", 0x1020, 8, STT_FUNC, STB_LOCAL, 0 } },
	    0x1027, "inner", NULL },
	{ "the outer behind the inner",
	    { { "outer", 0x1010, 64, STT_FUNC, STB_GLOBAL, 0 }, { "inner", 0x1020, 8, STT_FUNC, STB_LOCAL, 0 } },
	    0x1028, "outer", NULL },
	{ "mapping symbols and local labels are no names",
	    { { "$x", 0x1010, 8, STT_NOTYPE, STB_LOCAL, 0 }, { "$d.7", 0x1010, 8, STT_NOTYPE, STB_LOCAL, 0 },
		{ ".L4", 0x1010, 8, STT_NOTYPE, STB_LOCAL, 0 }, { "", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 } },
	    0x1010, "?", NULL },
	{ "data, undefined and absolute symbols are no names",
	    { { "data", 0x1010, 8, STT_OBJECT, STB_GLOBAL, 0 }, { "undefined", 0x1010, 8, STT_FUNC, STB_GLOBAL, 99 },
		{ "absolute", 0x1010, 8, STT_FUNC, STB_GLOBAL, SHN_ABS } },
	    0x1010, "?", NULL },
	{ "without size and without FDE: there", { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 } }, 0x1010, "f", NULL },
	{ "in a whole table up to the next symbol",
	    { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 }, { "g", 0x1020, 0, STT_FUNC, STB_GLOBAL, 0 } }, 0x101f, "f", "?" },
	{ "but not if that is sized, and ended",
	    { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 }, { "g", 0x1020, 8, STT_FUNC, STB_LOCAL, 0 } }, 0x1028, "?", NULL },
	{ "a place in a function is the function",
	    { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 }, { "f.loop", 0x1018, 0, STT_NOTYPE, STB_LOCAL, 0 } }, 0x101f, "f",
	    "?" },
	{ "another label is a function",
	    { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 }, { "_start", 0x1018, 0, STT_NOTYPE, STB_LOCAL, 0 } }, 0x101f,
	    "_start", "?" },
	{ "and ends with the section", { { "f", 0x1010, 0, STT_FUNC, STB_GLOBAL, 0 } }, 0x2000, "?", NULL },
	{ "versions go", { { "memcpy@@GLIBC_2.14", 0x1010, 8, STT_FUNC, STB_GLOBAL, 0 } }, 0x1011, "memcpy", NULL },
	{ "mangled and split", { { "_ZN1a1fEv.cold", 0x1010, 8, STT_FUNC, STB_LOCAL, 0 } }, 0x1011, "a::f", NULL },
	{ "a size that wraps", { { "f", 0x1010, UINT64_MAX, STT_FUNC, STB_GLOBAL, 0 } }, 0x1011, "f", NULL },
};

static void
test_cases(void)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t count = 0;
		bool good = true;

		while (count < 5 && cases[i].entries[count].name)
			count++;
		for (unsigned way = 0; way < 4; way++) {
			struct buf file = make_elf(cases[i].entries, count, types[way / 2], way % 2);
			struct intern names = { 0 };
			struct symbol_query query = { .vaddr = cases[i].address };
			const char *wanted = way > 1 && cases[i].exported ? cases[i].exported : cases[i].name;

			find(&file, &query, 1, &names);
			if (strcmp(name_of(&query, &names), wanted) != 0) {
				note("%s, not %s, in way %u", name_of(&query, &names), wanted, way);
				good = false;
			}
			intern_release(&names);
			buf_release(&file);
		}
		ok(good, "%s", cases[i].what);
	}
}

/* Many functions, all addresses at once: the names are those of a plain search. */
static void
test_batch(void)
{
	enum { FUNCTIONS = 200, QUERIES = 4096 };
	struct entry *entries = mem_alloc(FUNCTIONS * sizeof *entries);
	struct symbol_query *queries = mem_alloc(QUERIES * sizeof *queries);
	struct intern names = { 0 };
	struct buf file;
	unsigned wrong = 0;

	for (size_t i = 0; i < FUNCTIONS; i++)
		entries[i] = (struct entry){ mem_print("f%zu", i), TEXT + i * 20, i % 3 ? 20 : 11, STT_FUNC, STB_GLOBAL, 0 };
	for (size_t i = 0; i < QUERIES; i++)
		queries[i].vaddr = TEXT + i;
	file = make_elf(entries, FUNCTIONS, SHT_SYMTAB, true);
	find(&file, queries, QUERIES, &names);
	for (size_t i = 0; i < QUERIES; i++) {
		const struct entry *e = i / 20 < FUNCTIONS ? &entries[i / 20] : NULL;

		wrong += strcmp(name_of(&queries[i], &names), e && i % 20 < e->size ? e->name : "?") != 0;
	}
	ok(!wrong, "4,096 addresses in 200 functions");
	for (size_t i = 0; i < FUNCTIONS; i++)
		free((char *)(uintptr_t)entries[i].name);
	free(entries);
	free(queries);
	buf_release(&file);
	intern_release(&names);
}

static void
test_vdso(void)
{
	struct modules modules = { 0 };
	struct intern names = { 0 };
	struct module *vdso = modules_vdso(&modules);
	struct symbol_query queries[4096];
	unsigned found = 0;

	for (size_t i = 0; i < 4096; i++)
		queries[i].vaddr = i;
	elf_symbols_find(vdso, queries, 4096, &names);
	for (size_t i = 0; i < 4096; i++)
		found += strcmp(name_of(&queries[i], &names), "__vdso_clock_gettime") == 0;
	ok(!vdso->elf || found, "the vdso's __vdso_clock_gettime");
	intern_release(&names);
	modules_release(&modules);
}

/* The last name has no end, and as many bytes as are read at first. */
static void
test_endless(void)
{
	char name[256];
	struct entry entry = { name, TEXT, 16, STT_FUNC, STB_GLOBAL, 0 };
	struct symbol_query query = { .vaddr = TEXT };
	struct intern names = { 0 };
	struct buf file;
	char *end;

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	file = make_elf(&entry, 1, SHT_SYMTAB, false);
	end = memmem(file.data, file.length, name, sizeof name);
	if (end)
		end[sizeof name - 1] = 'x';
	find(&file, &query, 1, &names);
	ok(end && strlen(name_of(&query, &names)) == sizeof name, "a last name without an end");
	intern_release(&names);
	buf_release(&file);
}

/* Every symbol covers every address. */
static void
test_covering(void)
{
	enum { FUNCTIONS = 50000, QUERIES = 4096 };
	struct entry *entries = mem_alloc(FUNCTIONS * sizeof *entries);
	struct symbol_query *queries = mem_alloc(QUERIES * sizeof *queries);
	struct intern names = { 0 };
	struct buf file;
	uint64_t start;

	for (size_t i = 0; i < FUNCTIONS; i++)
		entries[i] = (struct entry){ "all", TEXT - FUNCTIONS + i, UINT64_MAX / 2, STT_FUNC, STB_GLOBAL, 0 };
	for (size_t i = 0; i < QUERIES; i++)
		queries[i].vaddr = TEXT + i;
	file = make_elf(entries, FUNCTIONS, SHT_SYMTAB, false);
	start = clock_cpu();
	find(&file, queries, QUERIES, &names);
	ok(clock_cpu() - start < 5 * UINT64_C(1000000000), "a file whose every symbol covers every address ends soon: %"
	    PRIu64 " ms", (clock_cpu() - start) / 1000000);
	free(entries);
	free(queries);
	buf_release(&file);
	intern_release(&names);
}

/* Cut, and with bytes flipped. */
/* Writes an image, behind it the sections, and a hole of TiBs. -1: such a file cannot be here. */
static int
sparse_file(struct buf *image, const Elf64_Shdr *sections, size_t count)
{
	char path[] = "/tmp/gp-sparse.XXXXXX";
	Elf64_Ehdr header;
	int fd = mkstemp(path);

	unlink(path);
	memcpy(&header, image->data, sizeof header);
	header.e_shoff = image->length;
	header.e_shnum = (uint16_t)count;
	memcpy(image->data, &header, sizeof header);
	buf_add(image, sections, count * sizeof *sections);
	if (fd < 0 || write(fd, image->data, image->length) != (ssize_t)image->length || ftruncate(fd, 1ll << 41) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Sections of a sparse file that claim all of it: zeros without end are not read to their end. */
static void
test_sparse(void)
{
	enum { COUNT = 200, QUERIES = 64, PLT_NAME = sizeof "\0.text\0.strtab\0.symtab" };
	static const struct entry entries[] = { { ".plt", TEXT, 16, STT_FUNC, STB_GLOBAL, 0 },
		{ ".eh_frame", TEXT + 16, 0, STT_FUNC, STB_GLOBAL, 0 } };
	const uint64_t hole = 1u << 20, size = 1ull << 40;
	struct buf image = make_elf(entries, 2, SHT_SYMTAB, false);
	struct symbol_query queries[QUERIES];
	Elf64_Shdr sections[COUNT];
	struct intern names = { 0 };
	char path[] = "sparse.so";
	struct module module = { .kind = MODULE_FILE, .root = -1, .path = path, .base = path };
	Elf64_Ehdr header;
	uint64_t begin;
	int fd;

	for (size_t at = TEXT; at < TEXT + TEXT_SIZE; at += 16)
		memcpy(image.data + at, "\xff\x25\0\0\0\0", 6);
	memcpy(&header, image.data, sizeof header);
	memcpy(sections, image.data + header.e_shoff, SECTIONS * sizeof *sections);
	for (size_t i = SECTIONS; i < COUNT; i++)
		sections[i] = i % 2 ? (Elf64_Shdr){ .sh_name = PLT_NAME, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC,
			.sh_addr = TEXT, .sh_offset = TEXT, .sh_size = TEXT_SIZE } :
				      (Elf64_Shdr){ .sh_type = SHT_RELA, .sh_flags = SHF_ALLOC, .sh_offset = hole, .sh_size = size };
	sections[SYMBOLS].sh_offset = hole;
	sections[SYMBOLS].sh_size = size;
	sections[SECTIONS] = (Elf64_Shdr){ .sh_name = PLT_NAME + sizeof ".plt", .sh_type = SHT_PROGBITS,
		.sh_addr = hole, .sh_offset = hole, .sh_size = size };
	fd = sparse_file(&image, sections, COUNT);
	module.elf = fd < 0 ? NULL : elf_open(fd);
	if (module.elf) {
		for (size_t i = 0; i < QUERIES; i++)
			queries[i].vaddr = TEXT + 16 * i;
		begin = clock_cpu();
		if (walker_cfi(&module))
			cfi_find(module.cfi, TEXT);
		elf_symbols_find(&module, queries, QUERIES, &names);
		note("%.2f s", (double)(clock_cpu() - begin) / 1e9);
		ok(clock_cpu() - begin < 20000000000u, "a sparse file is left in time");
		ok(module.cfi != NULL, "whose unwind tables were looked at");
		module.cfi_close(module.cfi);
		elf_close(module.elf);
	}
	buf_release(&image);
	intern_release(&names);
}

static void
test_damaged(void)
{
	struct entry entries[40];
	unsigned state = 7;
	struct buf file;

	for (size_t i = 0; i < 40; i++)
		entries[i] = (struct entry){ "_ZN3foo3barEv", TEXT + i * 50, i % 2 ? 50 : 0, STT_FUNC, STB_GLOBAL, 0 };
	for (unsigned round = 0; round < 1000; round++) {
		struct intern names = { 0 };
		struct symbol_query queries[64];

		file = make_elf(entries, 40, SHT_SYMTAB, false);
		for (unsigned flips = 1 + round % 8; flips; flips--) {
			size_t at;

			state = state * 1103515245 + 12345;
			at = (state >> 8) % (file.length - TEXT - TEXT_SIZE + 128);
			at = at < 128 ? at : at - 128 + TEXT + TEXT_SIZE; /* the headers, and what follows the code */
			file.data[at] = (char)(file.data[at] ^ (1 << (state >> 4 & 7)));
		}
		if (round % 5 == 0)
			file.length = state % file.length;
		for (size_t i = 0; i < 64; i++)
			queries[i].vaddr = TEXT + i * 32;
		if (file.length)
			find(&file, queries, 64, &names);
		intern_release(&names);
		buf_release(&file);
	}
	ok(true, "1,000 damaged files");
}

static int
name_file(const char *path)
{
	struct modules modules = { 0 };
	struct intern names = { 0 };
	struct symbol_query *queries = NULL;
	size_t count = 0, room = 0;
	struct module *module = modules_find(&modules, &(struct module_place){ .path = path });
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		mem_grow(&queries, count, &room);
		queries[count++].vaddr = address;
	}
	elf_symbols_find(module, queries, count, &names);
	for (size_t i = 0; i < count; i++)
		printf("%" PRIx64 " %s\n", queries[i].vaddr, name_of(&queries[i], &names));
	free(queries);
	intern_release(&names);
	modules_release(&modules);
	return 0;
}

int
main(int argc, char *argv[])
{
	if (argc > 1)
		return name_file(argv[1]);
	test_cases();
	test_batch();
	test_vdso();
	test_endless();
	test_covering();
	test_sparse();
	test_damaged();
	return done_testing();
}
