/* stack_change.c: which code changes the stack, and what its rows say then. */
#include <elf.h>

#include "sample/sample.h"
#include "tap.h"
#include "unwind/stack_change.h"

#define CODE_AT 0x400000u
#define BYTES(text) text, sizeof(text) - 1

/* mov 0x38(%rdx),%rsp; call *%rdi; ret */
#define CHANGE "\x48\x8b\x62\x38\xff\xd7\xc3"
/* mov 0x38(%rdx),%rbx; mov %rbx,%rsp; call *%rdi; ret */
#define CHANGE_BY_RBX "\x48\x8b\x5a\x38\x48\x89\xdc\xff\xd7\xc3"
#define PROLOGUE "\x55\x48\x89\xe5"

/* A file that is nothing but one function. */
static struct elf *
open_code(const char *code, size_t size)
{
	static unsigned char image[4096];
	Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_phoff = sizeof header,
		.e_ehsize = sizeof header, .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1 };
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = 512, .p_vaddr = CODE_AT,
		.p_filesz = size, .p_memsz = size, .p_align = 1 };

	memset(image, 0, sizeof image);
	memcpy(image, &header, sizeof header);
	memcpy(image + sizeof header, &segment, sizeof segment);
	memcpy(image + 512, code, size);
	return elf_open_memory(image, sizeof image);
}

/* What the row says at an offset, in a word, of a function that its CFI describes by a row of rsp + so much from there. */
static const char *
word_at(const char *code, size_t size, bool of_go, size_t begin, int32_t cfa_offset, uint64_t offset)
{
	struct elf *elf = open_code(code, size);
	struct cfi_fde fde = { .start = CODE_AT, .end = CODE_AT + size };
	struct row usual = { .cfa = CFA_REGISTER, .cfa_reg = R_RSP, .cfa_offset = 8, .ra = REG_SAVED, .ra_offset = -8 };
	struct cfi_rows rows = { 0 };
	const struct row *row;
	const char *word = "usual";

	rows.list = calloc(2, sizeof *rows.list);
	rows.room = rows.count = 2;
	rows.list[0] = rows.list[1] = usual;
	rows.list[0].start = CODE_AT;
	rows.list[0].end = rows.list[1].start = CODE_AT + begin;
	rows.list[1].end = CODE_AT + size;
	rows.list[1].cfa_offset = cfa_offset;
	stack_change_mend(elf, &fde, of_go, &rows);
	for (row = rows.list; row < rows.list + rows.count - 1 && row->end <= CODE_AT + offset; row++)
		if (row->end != row[1].start || row->start >= row->end)
			word = "a gap";
	if (row->cfa == CFA_KEPT)
		word = "kept";
	else if (row->ra == REG_ELSEWHERE)
		word = "elsewhere";
	else if (row->ra == REG_UNDEFINED)
		word = "root";
	free(rows.list);
	elf_close(elf);
	return word;
}

int
main(void)
{
	is_text(word_at(BYTES(PROLOGUE CHANGE), true, 1, 16, 8), "kept", "a frame pointer leads to the stack that was left");
	is_text(word_at(BYTES(PROLOGUE CHANGE), true, 1, 16, 2), "usual", "... once it is there");
	is_text(word_at(BYTES(PROLOGUE CHANGE_BY_RBX), true, 1, 16, 11), "kept", "... also where rbx is the way");
	is_text(word_at(BYTES("\x90\x90" CHANGE), true, 1, 8, 1), "usual", "without one: before the change as it was");
	is_text(word_at(BYTES("\x90\x90" CHANGE), true, 1, 8, 8), "elsewhere", "... behind it nobody knows");
	is_text(word_at(BYTES("\x90\x90" CHANGE_BY_RBX), true, 1, 8, 11), "elsewhere", "... nor where rbx is the way");
	is_text(word_at(BYTES("\x90\x48\x8b\x5a\x38\x48\x89\xd8\xff\xd7\xc3"), true, 1, 8, 10), "usual",
	    "the same field in another register changes nothing");
	is_text(word_at(BYTES("\x90\x48\x8b\x64\x24\x38\xff\xd7\xc3"), true, 1, 8, 8), "usual", "nor does one of the stack");
	is_text(word_at(BYTES("\x90\x48\x8b\x23\xff\xe3"), true, 1, 8, 4), "elsewhere", "the jump to a goroutine");
	is_text(word_at(BYTES("\x90\xe8\0\0\0\0\x90"), true, 1, 8, 6), "root", "where one begins");
	is_text(word_at(BYTES("\x48\x89\xf8\x48\x89\xf3\x48\x83\xec\x28\x48\x83\xe4\xf0\x90\x90"), true, 1, 8, 14), "root",
	    "where the program begins");
	is_text(word_at(BYTES("\x90\x90" CHANGE), false, 1, 8, 8), "usual", "of code that is not Go's it means nothing");
	is_text(word_at(BYTES("\x90\x48\x8b\xa2\xa0\0\0\0\x90\x51\xc3"), false, 1, 8, 8), "elsewhere",
	    "a context's stack, before its return address");
	is_text(word_at(BYTES("\x90\x48\x8b\xa2\xa0\0\0\0\x90\x51\xc3"), false, 1, 8, 10), "usual", "... and with it");
	return done_testing();
}
