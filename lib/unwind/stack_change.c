#include <string.h>

#include "base/mem.h"
#include "sample/sample.h"
#include "unwind/stack_change.h"

/* The functions of the runtime that change stacks are shorter, and so is where others make their frame. */
#define CODE_MOST 512
#define PROLOGUE_MOST 64
#define GOGO_MOST 80

static const struct row root = { .cfa = CFA_REGISTER, .cfa_reg = R_RSP, .cfa_offset = 8, .ra = REG_UNDEFINED };
static const struct row elsewhere = { .cfa = CFA_REGISTER, .cfa_reg = R_RSP, .cfa_offset = 8, .ra = REG_ELSEWHERE };
/* The caller's rsp is in the ucontext, as that of libc's trampoline. */
static const struct row trampoline = { .cfa = CFA_DEREF, .cfa_reg = R_RSP, .cfa_offset = CFI_UCONTEXT_RSP,
	.ra = REG_AT_RSP, .ra_offset = CFI_UCONTEXT_RSP + 8, .is_signal = true };
/* The frame pointer stays behind on the stack that was left: 0 if nothing on it goes on. */
static const struct row kept_frame_pointer = { .cfa = CFA_KEPT, .cfa_reg = R_RBP, .cfa_offset = 16,
	.rbp = REG_SAVED, .rbp_offset = -16, .ra = REG_SAVED, .ra_offset = -8 };

bool
stack_change_is_go(struct elf *elf)
{
	return elf_section(elf, ".gopclntab") || elf_section(elf, ".data.rel.ro.gopclntab");
}

struct code {
	unsigned char bytes[CODE_MOST];
	size_t size;
};

static bool
is_at(const struct code *code, size_t at, const char *bytes, size_t size)
{
	return at + size <= code->size && memcmp(code->bytes + at, bytes, size) == 0;
}

#define IS_AT(code, at, text) is_at(code, at, text, sizeof(text) - 1)

/* mov 0x38(REG),%rsp, where any g has the stack pointer that it was left with (g.sched.sp), also by way of %rbx (before
 * 1.21); or, in runtime.gogo alone, which is short, mov (%rbx),%rsp. */
static bool
is_stack_change(const struct code *code, size_t at)
{
	const unsigned char *c = code->bytes + at;

	if (code->size <= GOGO_MOST && IS_AT(code, at, "\x48\x8b\x23"))
		return true;
	if (at + 4 > code->size || (c[0] != 0x48 && c[0] != 0x49) || c[1] != 0x8b || (c[2] & 7) == 4 || c[3] != 0x38)
		return false;
	return (c[2] & 0xf8) == 0x60 || ((c[2] & 0xf8) == 0x58 && IS_AT(code, at + 4, "\x48\x89\xdc"));
}

/* push %rbp; mov %rsp,%rbp: where the second ends; 0: it does not keep frame pointers. */
static size_t
find_frame(const struct code *code)
{
	for (size_t at = 0; at < PROLOGUE_MOST; at++)
		if (IS_AT(code, at, "\x55\x48\x89\xe5"))
			return at + 4;
	return 0;
}

/* runtime.goexit: nop; call; nop. runtime.mstart: mov $0,%rbp; call; ret. */
static bool
is_root(const struct code *code)
{
	return (code->size >= 7 && code->size <= 16 && IS_AT(code, 0, "\x90\xe8") && code->bytes[6] == 0x90) ||
	    (code->size >= 13 && code->size <= 32 && IS_AT(code, 0, "\x48\xc7\xc5\0\0\0\0\xe8") && code->bytes[12] == 0xc3);
}

/* runtime.rt0_go: mov %rdi,%rax; mov %rsi,%rbx; sub $n,%rsp; and $-16,%rsp. Where its sub is, 0: it is another. What
 * called it, if anything did (with cgo libc's start), is by so much further up that nobody can tell. */
static size_t
find_start(const struct code *code)
{
	return IS_AT(code, 0, "\x48\x89\xf8\x48\x89\xf3\x48\x83\xec") && IS_AT(code, 10, "\x48\x83\xe4\xf0") ? 6 : 0;
}

static void
replace(struct cfi_rows *rows, const struct row *by, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct row *row = &rows->list[i];
		uint64_t start = row->start, end = row->end;

		if (start < from || start >= to)
			continue;
		*row = *by;
		row->start = start;
		row->end = end;
	}
}

/* Where rsp has 16 bytes or more to its CFA, the caller's rbp is at the upper end of them. */
static void
add_frame_pointers(struct cfi_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct row *row = &rows->list[i];

		if (row->cfa == CFA_REGISTER && row->cfa_reg == R_RSP && row->cfa_offset >= 16 && row->rbp == REG_SAME) {
			row->rbp = REG_SAVED;
			row->rbp_offset = -16;
		}
	}
}

/* The rows behind the prologue, until the frame is taken down, go by the frame pointer. */
static void
keep_frame_pointer(struct cfi_rows *rows, uint64_t from)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct row *row = &rows->list[i];
		uint64_t start = row->start, end = row->end;

		if (start < from || row->cfa != CFA_REGISTER || row->cfa_offset < 16)
			continue;
		*row = kept_frame_pointer;
		row->start = start;
		row->end = end;
	}
}

/* Rows that begin before from end there; what was in the middle of one goes on as a row of its own. */
static void
cut(struct cfi_rows *rows, uint64_t from)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->list[i].start < from && rows->list[i].end > from) {
			mem_grow(&rows->list, rows->count, &rows->room);
			memmove(rows->list + i + 1, rows->list + i, (rows->count - i) * sizeof *rows->list);
			rows->count++;
			rows->list[i].end = rows->list[i + 1].start = from;
			return;
		}
}

static void
mend_go(const struct code *code, const struct cfi_fde *fde, struct cfi_rows *rows)
{
	size_t change = 0, frame = find_frame(code), begin = find_start(code);
	bool changes;

	while (change < code->size && !is_stack_change(code, change))
		change++;
	changes = code->size < CODE_MOST && change < code->size;
	if (is_root(code)) {
		replace(rows, &root, fde->start, fde->end);
	} else if (begin) {
		cut(rows, fde->start + begin);
		replace(rows, &root, fde->start + begin, fde->end);
	} else if (IS_AT(code, 0, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05")) {
		replace(rows, &trampoline, fde->start, fde->end);
	} else if (changes && frame && frame <= change) {
		/* Also before the change: it is the same there. */
		cut(rows, fde->start + frame);
		add_frame_pointers(rows);
		keep_frame_pointer(rows, fde->start + frame);
	} else if (changes) {
		cut(rows, fde->start + change);
		replace(rows, &elsewhere, fde->start + change, fde->end);
	} else if (frame) {
		add_frame_pointers(rows);
	}
}

/* mov 0xa0(%rdx),%rsp, or by %rdi: the stack pointer of a ucontext; then push %rcx: the return address. */
static void
mend_contexts(const struct code *code, const struct cfi_fde *fde, struct cfi_rows *rows)
{
	for (size_t at = 0, end; at < code->size; at++) {
		if (!IS_AT(code, at, "\x48\x8b\xa2\xa0\0\0\0") && !IS_AT(code, at, "\x48\x8b\xa7\xa0\0\0\0"))
			continue;
		at += 7;
		for (end = at; end < code->size && code->bytes[end] != 0x51; end++)
			;
		if (end < code->size) {
			cut(rows, fde->start + at);
			cut(rows, fde->start + end + 1);
			replace(rows, &elsewhere, fde->start + at, fde->start + end + 1);
		}
	}
}

void
stack_change_mend(struct elf *elf, const struct cfi_fde *fde, bool of_go, struct cfi_rows *rows)
{
	struct code code = { .size = CODE_MOST };

	if (fde->end - fde->start < code.size)
		code.size = (size_t)(fde->end - fde->start);
	if (elf_read_vaddr(elf, fde->start, code.bytes, code.size) < 0)
		return;
	if (of_go)
		mend_go(&code, fde, rows);
	else if (code.size < CODE_MOST)
		mend_contexts(&code, fde, rows);
}
