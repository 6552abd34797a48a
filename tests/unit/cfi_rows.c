/* Rows. Without arguments: of entries made here byte by byte, TAP. With an ELF file: each line of stdin is what
 * readelf --debug-dump=frames-interp says of one address (tests/unwind.t makes them),
 *
 *	ADDRESS CFA RBP RBX RA
 *
 * and must be what our row says; what is not is printed. */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/sample.h"
#include "unwind/cfi.h"

static struct module module = { .kind = MODULE_VDSO }; /* around the file at hand, which has no debug file */

static struct cfi *
open_cfi(struct elf *elf)
{
	module.elf = elf;
	return cfi_open(&module);
}

/* ---- an ELF file: one segment of tables at 0, one of code at CODE */

#define CODE 0x10000u
#define HEADER 0x200u	/* .eh_frame_hdr */
#define FRAMES 0x400u	/* .eh_frame */
#define SIZE 0x1000u

#define SIZE_MOST (16u << 20)

static unsigned char image[SIZE_MOST];
static size_t image_size = SIZE;
static size_t at;	   /* in image, of what is written next */
static uint32_t table[32]; /* pairs, from HEADER */
static size_t table_count, cie_at;

static void
byte(unsigned value)
{
	image[at++] = (unsigned char)value;
}

static void
word(uint32_t value)
{
	memcpy(image + at, &value, 4);
	at += 4;
}

static void
bytes(const char *from, size_t length)
{
	memcpy(image + at, from, length);
	at += length;
}

#define BYTES(text) bytes(text, sizeof(text) - 1)

static size_t
entry_begin(void)
{
	size_t entry = at;

	word(0);
	return entry;
}

static void
entry_end(size_t entry)
{
	uint32_t length;

	while (at % 8 != 4)
		byte(0); /* nop */
	length = (uint32_t)(at - entry - 4);
	memcpy(image + entry, &length, 4);
}

/* CFA = rsp + 8, return address at CFA - 8, addresses 4 bytes from where they stand. */
static void
cie(const char *augmentation)
{
	cie_at = entry_begin();
	word(0);
	byte(1);
	bytes(augmentation, strlen(augmentation) + 1);
	BYTES("\1\x78\x10\1\x1b");
	BYTES("\x0c\7\10\x90\1");
	entry_end(cie_at);
}

static void
fde(uint32_t code, uint32_t length, const char *instructions, size_t size)
{
	size_t entry = entry_begin();

	table[table_count++] = code - HEADER;
	table[table_count++] = (uint32_t)entry - HEADER;
	word((uint32_t)(at - cie_at));
	word(code - (uint32_t)at);
	word(length);
	byte(0);
	bytes(instructions, size);
	entry_end(entry);
}

#define FDE(code, length, text) fde(code, length, text, sizeof(text) - 1)

static void
begin(void)
{
	memset(image, 0, sizeof image);
	table_count = 0;
	at = FRAMES;
	cie("zR");
}

enum { TABLE, NO_TABLE, NO_HEADER };

static struct cfi *
open_image(int with, struct elf **elf)
{
	Elf64_Ehdr header = { .e_ident = ELFMAG, .e_type = ET_DYN, .e_machine = EM_X86_64, .e_phoff = sizeof header,
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = with == NO_HEADER ? 2 : 3 };
	Elf64_Phdr program[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = image_size, .p_memsz = image_size },
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = CODE, .p_filesz = image_size, .p_memsz = image_size },
		{ .p_type = PT_GNU_EH_FRAME, .p_vaddr = HEADER, .p_memsz = 0x200 },
	};

	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	word(0); /* the terminator */
	memcpy(image, &header, sizeof header);
	memcpy(image + sizeof header, program, sizeof program);
	at = HEADER;
	if (with != NO_HEADER) {
		bytes(with == TABLE ? "\1\x1b\3\x3b" : "\1\x1b\xff\xff", 4);
		word(FRAMES - (uint32_t)at);
		word((uint32_t)table_count / 2);
		for (size_t i = 0; with == TABLE && i < table_count; i++)
			word(table[i]);
	}
	*elf = elf_open_memory(image, image_size);
	return open_cfi(*elf);
}

/* ---- TAP */

static int count, failures;

static void
ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++count, name);
	failures += !good;
}

static bool
is_row(struct cfi *cfi, uint64_t vaddr, int cfa, int cfa_reg, int cfa_offset, int rbp, int rbp_offset)
{
	const struct row *row = cfi ? cfi_find(cfi, vaddr) : NULL;

	return row && row->cfa == cfa && row->cfa_reg == cfa_reg && row->cfa_offset == cfa_offset && row->rbp == rbp &&
	    row->rbp_offset == rbp_offset && row->ra == REG_SAVED && row->ra_offset == -8;
}

/* push %rbp; mov %rsp,%rbp; ... pop %rbp; ret, with the state around an early return remembered. */
#define ORDINARY "\x41\x0e\x10\x86\2\x43\x0d\6\x44\x0a\x0c\7\10\x41\x0b"

static void
test_found(int with, const char *how)
{
	struct elf *elf;
	struct cfi *cfi;
	uint64_t start, end;
	char name[128];

	begin();
	FDE(CODE, 0, "");
	FDE(CODE, 64, ORDINARY);
	FDE(CODE, 0, "");
	FDE(CODE + 64, 16, "");
	FDE(CODE + 72, 0, "");
	FDE(CODE + 128, 16, "");
	cfi = open_image(with, &elf);
	snprintf(name, sizeof name, "%s: rows of an ordinary function", how);
	ok(is_row(cfi, CODE, CFA_REGISTER, R_RSP, 8, REG_SAME, 0) &&
		is_row(cfi, CODE + 1, CFA_REGISTER, R_RSP, 16, REG_SAVED, -16) &&
		is_row(cfi, CODE + 4, CFA_REGISTER, R_RBP, 16, REG_SAVED, -16) &&
		is_row(cfi, CODE + 8, CFA_REGISTER, R_RSP, 8, REG_SAVED, -16) &&
		is_row(cfi, CODE + 9, CFA_REGISTER, R_RBP, 16, REG_SAVED, -16) &&
		is_row(cfi, CODE + 63, CFA_REGISTER, R_RBP, 16, REG_SAVED, -16),
	    name);
	snprintf(name, sizeof name, "%s: an entry of no length hides nothing", how);
	ok(is_row(cfi, CODE + 64, CFA_REGISTER, R_RSP, 8, REG_SAME, 0) &&
		is_row(cfi, CODE + 79, CFA_REGISTER, R_RSP, 8, REG_SAME, 0),
	    name);
	snprintf(name, sizeof name, "%s: nothing in the holes", how);
	ok(cfi && !cfi_find(cfi, CODE + 80) && !cfi_find(cfi, CODE + 127) && !cfi_find(cfi, CODE - 1) &&
		!cfi_find(cfi, CODE + 144) && !cfi_find(cfi, 0) && !cfi_find(cfi, UINT64_MAX) &&
		cfi_find(cfi, CODE + 128),
	    name);
	snprintf(name, sizeof name, "%s: bounds", how);
	ok(cfi && cfi_bounds(cfi, CODE + 70, &start, &end) && start == CODE + 64 && end == CODE + 80 &&
		!cfi_bounds(cfi, CODE + 80, &start, &end),
	    name);
	cfi_close(cfi);
	elf_close(elf);
}

static void
test_rules(void)
{
	struct elf *elf;
	struct cfi *cfi;
	const struct row *row;

	begin();
	FDE(CODE, 16, "\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"); /* .plt */
	FDE(CODE + 16, 16, "\x0f\3\x76\x78\6\x10\6\2\x76\0\x10\3\2\x76\x70"); /* realigned: breg6 -8; deref */
	FDE(CODE + 32, 16, "\x0f\6\x77\xd0\2\6\x23\10"); /* breg7 336; deref; plus_uconst 8 */
	FDE(CODE + 48, 16, "\x0f\4\x77\0\x40\x22"); /* breg7 0; lit16; plus */
	FDE(CODE + 64, 16, "\x09\x10\5"); /* the return address in rdi */
	FDE(CODE + 80, 16, "\7\x10"); /* undefined */
	FDE(CODE + 96, 16, "\x0c\3\x10"); /* CFA = rbx + 16 */
	FDE(CODE + 112, 16, "\x3f"); /* no such instruction */
	FDE(CODE + 128, 16, "\x0b"); /* nothing remembered */
	cie("zRS");
	FDE(CODE + 144, 16, "\x0f\4\x77\xa0\1\6\x10\6\3\x77\xf8\0\x10\x10\3\x77\xa8\1");
	cfi = open_image(TABLE, &elf);
	row = cfi_find(cfi, CODE);
	ok(row && row->cfa == CFA_PLT && row->cfa_addend == 11 && row->ra == REG_SAVED, "the expression of .plt");
	row = cfi_find(cfi, CODE + 16);
	ok(row && row->cfa == CFA_DEREF && row->cfa_reg == R_RBP && row->cfa_offset == -8 && row->cfa_addend == 0 &&
		row->rbp == REG_AT_RBP && row->rbp_offset == 0 && row->rbx == REG_AT_RBP && row->rbx_offset == -16,
	    "a realigned frame");
	row = cfi_find(cfi, CODE + 32);
	ok(row && row->cfa == CFA_DEREF && row->cfa_reg == R_RSP && row->cfa_offset == 336 && row->cfa_addend == 8,
	    "a saved stack pointer, and more");
	row = cfi_find(cfi, CODE + 48);
	ok(row && row->cfa == CFA_EXPRESSION, "an expression that rows cannot hold is said");
	row = cfi_find(cfi, CODE + 64);
	ok(row && row->ra == REG_IN && row->ra_offset == R_RDI, "vfork's return address");
	row = cfi_find(cfi, CODE + 80);
	ok(row && row->ra == REG_UNDEFINED, "a root");
	row = cfi_find(cfi, CODE + 96);
	ok(row && row->cfa == CFA_REGISTER && row->cfa_reg == R_RBX && row->cfa_offset == 16 && !row->is_signal,
	    "any register as base");
	ok(!cfi_find(cfi, CODE + 112) && !cfi_find(cfi, CODE + 128), "an entry that makes no sense says nothing");
	row = cfi_find(cfi, CODE + 144);
	ok(row && row->is_signal && row->cfa == CFA_DEREF && row->cfa_reg == R_RSP && row->cfa_offset == 160 &&
		row->rbp == REG_AT_RSP && row->rbp_offset == 120 && row->ra == REG_AT_RSP && row->ra_offset == 168,
	    "a signal's trampoline");
	cfi_close(cfi);
	elf_close(elf);
}

static void
ask_everything(struct cfi *cfi)
{
	uint64_t start, end;

	for (uint64_t vaddr = CODE - 1; cfi && vaddr < CODE + 160; vaddr++) {
		cfi_find(cfi, vaddr);
		cfi_bounds(cfi, vaddr, &start, &end);
	}
	cfi_close(cfi);
}

/* Does libunwind get the entry of these instructions? */
static bool
is_shown(const char *instructions, size_t size)
{
	static unsigned char copy[512];
	struct elf *elf;
	struct cfi *cfi;
	size_t fde_at, length;

	begin();
	fde(CODE, 64, instructions, size);
	cfi = open_image(TABLE, &elf);
	length = cfi ? cfi_copy_entry(cfi, CODE + 1, 0, copy, sizeof copy, &fde_at) : 0;
	cfi_close(cfi);
	elf_close(elf);
	return length != 0;
}
#define SHOWN(instructions) is_shown(instructions, sizeof instructions - 1)

static void
test_shown(void)
{
	ok(SHOWN(ORDINARY) && SHOWN("\x0f\3\x77\x08\x06"), "libunwind gets what is ordinary");
	ok(SHOWN("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"), "and arithmetic");
	ok(!SHOWN("\x0f\3\x2f\xfd\xff") && !SHOWN("\x0f\4\x31\x28\xfc\xff"), "no expression that jumps");
	ok(!SHOWN("\x0f\x0c\x0f\0\0\0\0\0\0\0\x80\x31\x1f\x1b"), "none that divides");
	ok(!SHOWN("\x0f\1\xe0") && !SHOWN("\x0f\1\x08"), "none that is no operation, or ends inside one");
	ok(SHOWN("\x09\x06\x0f") && !SHOWN("\x09\x06\x82\x0a"), "no register that is not there");
}

/* An entry that cannot be read hides nothing but what it is of, whichever is asked for first. */
static void
test_damaged(void)
{
	struct elf *elf;
	struct cfi *cfi;

	begin();
	FDE(CODE, 64, ORDINARY);
	FDE(CODE + 64, 16, "");
	memset(image + HEADER + table[table_count - 1], 0xf0, 4);
	FDE(CODE + 128, 16, "");
	cfi = open_image(TABLE, &elf);
	ok(cfi && !cfi_find(cfi, CODE + 70), "an entry that is damaged");
	ok(cfi && cfi_find(cfi, CODE + 4) && cfi_find(cfi, CODE + 130) && !cfi_find(cfi, CODE + 127),
	    "those around it are not");
	cfi_close(cfi);
	elf_close(elf);
}

/* Cut anywhere, or any byte another: whatever is answered, nothing breaks (run it under SAN=address). */
static void
test_hostile(void)
{
	struct elf *elf;
	size_t end;

	begin();
	FDE(CODE, 64, ORDINARY);
	FDE(CODE + 64, 16, "\x0f\6\x77\xd0\2\6\x23\10");
	end = at + 8;
	ask_everything(open_image(TABLE, &elf));
	elf_close(elf);
	for (size_t size = 0; size < end; size += 3) {
		elf = elf_open_memory(image, size);
		if (elf)
			ask_everything(open_cfi(elf));
		elf_close(elf);
	}
	for (size_t i = HEADER; i < end; i++)
		for (unsigned flip = 1; flip < 256; flip = flip * 2 + 1) {
			image[i] ^= (unsigned char)flip;
			elf = elf_open_memory(image, image_size);
			ask_everything(open_cfi(elf));
			elf_close(elf);
			image[i] ^= (unsigned char)flip;
		}
	ok(true, "files cut and bytes flipped");
}

/* ---- what readelf says */

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
	"r12", "r13", "r14", "r15" };

/* c-16: saved at CFA - 16; u: undefined, or nothing said; s: the same; exp; (rdi): in another register. */
static bool
says(const char *text, unsigned rule, int offset, bool is_return)
{
	char ours[32];

	if (rule == REG_SAVED) {
		snprintf(ours, sizeof ours, "c%+d", offset);
		return strcmp(text, ours) == 0;
	}
	if (rule == REG_IN) {
		snprintf(ours, sizeof ours, "(%s)", names[offset]);
		return strcmp(text, ours) == 0;
	}
	if (rule == REG_EXPRESSION || rule == REG_AT_RSP || rule == REG_AT_RBP)
		return strchr("cus", *text) == NULL;
	if (is_return)
		return strcmp(text, rule == REG_UNDEFINED ? "u" : "s") == 0;
	return strcmp(text, "u") == 0 || strcmp(text, "s") == 0;
}

static bool
agrees(const struct row *row, const char *cfa, const char *rbp, const char *rbx, const char *ra)
{
	char ours[32] = "exp";

	if (!row)
		return false;
	if (row->cfa == CFA_REGISTER)
		snprintf(ours, sizeof ours, "%s%+d", names[row->cfa_reg], row->cfa_offset);
	return strcmp(cfa, ours) == 0 && says(rbp, row->rbp, row->rbp_offset, false) &&
	    says(rbx, row->rbx, row->rbx_offset, false) && says(ra, row->ra, row->ra_offset, true);
}

static size_t
memory(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* A file of very many entries, all of which are asked for: with a rule each, or without one. What is kept of it stays
 * within bounds. */
static void
test_many(bool sensible, const char *name)
{
	enum { MANY = 240000 };
	size_t before, half = 0, all;
	unsigned long good = 0;
	struct elf *elf;
	struct cfi *cfi;

	image_size = SIZE_MOST;
	begin();
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t offset = 16 + 8 * i;
		char code[] = { sensible ? 0x0e : 0x3f, (char)(offset | 0x80), (char)(offset >> 7 | 0x80), (char)(offset >> 14) };

		table_count = 0;
		fde(CODE + 2 * i, 2, code, sizeof code);
	}
	cfi = open_image(NO_TABLE, &elf);
	before = memory();
	for (uint32_t i = 0; cfi && i < MANY; i++) {
		const struct row *row = cfi_find(cfi, CODE + 2 * i + 1);

		good += sensible ? row && row->cfa_offset == (int32_t)(16 + 8 * i) : !row;
		if (i == MANY / 2)
			half = memory() - before;
	}
	all = memory() - before;
	printf("# %lu of %d right, %zu bytes at half, %zu at the end\n", good, MANY, half, all);
	ok(good == MANY && all <= half + half / 8 && all < (size_t)32 << 20, name);
	cfi_close(cfi);
	elf_close(elf);
	image_size = SIZE;
}

static int
compare(const char *path)
{
	struct elf *elf = elf_open(open(path, O_RDONLY | O_CLOEXEC));
	struct cfi *cfi = open_cfi(elf);
	uint64_t vaddr;
	char cfa[32], rbp[32], rbx[32], ra[32];
	unsigned long rows = 0, wrong = 0;

	if (!cfi) {
		printf("no CFI in %s\n", path);
		return 1;
	}
	while (scanf("%" SCNx64 " %31s %31s %31s %31s", &vaddr, cfa, rbp, rbx, ra) == 5) {
		rows++;
		if (!agrees(cfi_find(cfi, vaddr), cfa, rbp, rbx, ra) && ++wrong <= 10)
			printf("%s: 0x%" PRIx64 " is not %s %s %s %s\n", path, vaddr, cfa, rbp, rbx, ra);
	}
	cfi_close(cfi);
	elf_close(elf);
	printf("%lu rows, %lu wrong\n", rows, wrong);
	return wrong || !rows;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return compare(argv[1]);
	test_found(TABLE, "a search table");
	test_found(NO_TABLE, "a header without its table");
	test_found(NO_HEADER, "no header and no sections");
	test_rules();
	test_shown();
	test_damaged();
	test_hostile();
	test_many(true, "a quarter of a million rules");
	test_many(false, "as many entries without any");
	printf("1..%d\n", count);
	return failures != 0;
}
