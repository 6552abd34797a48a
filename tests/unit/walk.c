/* walk.c: which stacks a walk may go to, and who called code that nothing describes. The frames are made up; their
 * code, and what its CFI says, is this program's. */
#include <unistd.h>

#include "tap.h"
#include "unwind/walk.h"

/* Of a frame that rbp leads to: CFA = rbp + 16, with the caller's rbp and the return address below it. */
__asm__(".pushsection .text\n"
	".globl framed\n"
	"framed:\n"
	"	.cfi_startproc\n"
	"	.cfi_def_cfa rbp, 16\n"
	"	.cfi_offset rbp, -16\n"
	"	.cfi_offset rip, -8\n"
	"	.skip 64, 0x90\n"
	"	.cfi_endproc\n"
	".globl outermost\n"
	"outermost:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	.skip 64, 0x90\n"
	"	.cfi_endproc\n"
	"caller:\n" /* framed, too */
	"	.cfi_startproc\n"
	"	.cfi_def_cfa rbp, 16\n"
	"	.cfi_offset rbp, -16\n"
	"	.cfi_offset rip, -8\n"
	"	call undescribed\n"
	"behind_call:\n"
	"	.skip 32, 0x90\n"
	"	call *%rax\n"
	"behind_pointer:\n"
	"	.skip 32, 0x90\n"
	"	.cfi_endproc\n"
	"undescribed:\n"
	"	push %rbx\n"
	"	push %rbp\n"
	"at_sub:\n"
	"	sub $0x40, %rsp\n"
	"in_undescribed:\n"
	"	.skip 32, 0x90\n"
	"undescribed_framed:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"in_undescribed_framed:\n"
	"	.skip 32, 0x90\n"
	".popsection\n");
extern char framed[], outermost[], behind_call[], behind_pointer[], at_sub[], in_undescribed[];
extern char in_undescribed_framed[];

/* The stack, and what of it is copied: by the sample, and beyond in pieces. */
#define BASE UINT64_C(0x7f0000000000)
#define SIZE 0x40000u
#define DUMP 0x8000u
#define PIECE 0x7000u

static uint64_t memory[SIZE / 8];
static struct maps maps;
static struct modules modules;
static struct walker *walker;
static struct walk walk;

/* Frames at these places, from the leaf, the last one's caller being the root; pieces: from the dump on, except the
 * one with this number. */
static enum walk_end
walk_by(const uint32_t *at, size_t count, unsigned hole)
{
	static struct stack_piece pieces[SIZE / PIECE];
	struct sample sample = { .pid = (uint32_t)getpid(), .tid = (uint32_t)getpid(), .user = USER_64,
		.stack = (unsigned char *)memory, .stack_size = DUMP, .stack_cut = true, .pieces = pieces };

	for (unsigned i = 0; DUMP + (i + 1) * PIECE <= SIZE; i++)
		if (i != hole)
			pieces[sample.piece_count++] = (struct stack_piece){ BASE + DUMP + i * PIECE,
				(unsigned char *)memory + DUMP + i * PIECE, PIECE };
	sample.regs[R_RSP] = BASE;
	sample.regs[R_RBP] = BASE + at[0];
	sample.regs[R_RIP] = (uintptr_t)framed + 32;
	for (size_t i = 0; i < count; i++) {
		memory[at[i] / 8] = i + 1 < count ? BASE + at[i + 1] : 0;
		memory[at[i] / 8 + 1] = (uintptr_t)(i + 1 < count ? framed : outermost) + 32;
	}
	walker_walk(walker, &maps, &sample, &walk);
	return walk.end;
}

#define WALK(hole, ...) walk_by((const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, hole)
#define NO_HOLE 99u
/* Bytes of the dump, and of pieces 0, 1, 2, ... */
#define IN_DUMP(n) (n)
#define IN_PIECE(i, n) (DUMP + (i) * PIECE + (n))

/* At pc, which no CFI describes, with rbp. 0x50 bytes up is `called`, its return address, or a word that was left
 * there. The callers have frames at 0x200 and, the outermost's, 0x300; there is one at 0x100, too. */
static size_t
walk_from(const char *pc, uint32_t rbp, const char *called)
{
	struct walker *any = walker_open(WALK_AUTO, 64);
	struct sample sample = { .pid = (uint32_t)getpid(), .tid = (uint32_t)getpid(), .user = USER_64,
		.stack = (unsigned char *)memory, .stack_size = DUMP, .stack_cut = true };

	memset(memory, 0, sizeof memory);
	sample.regs[R_RSP] = BASE;
	sample.regs[R_RBP] = BASE + rbp;
	sample.regs[R_RIP] = (uintptr_t)pc;
	memory[0x40 / 8] = BASE + 0x200; /* the caller's rbp, pushed */
	memory[0x50 / 8] = (uintptr_t)called;
	memory[0x100 / 8] = BASE + 0x200;
	memory[0x108 / 8] = memory[0x208 / 8] = (uintptr_t)behind_pointer;
	memory[0x200 / 8] = BASE + 0x300;
	memory[0x308 / 8] = (uintptr_t)outermost + 32;
	walker_walk(any, &maps, &sample, &walk);
	walker_close(any);
	return walk.end == WALK_ROOT ? walk.count : 0;
}

static void
test_undescribed(void)
{
	ok(walk_from(in_undescribed, 0x200, behind_call) == 4 && walk.frames[1].pc == (uintptr_t)behind_call &&
	    !walk.guessed,
	    "assembler without CFI: who has called it by name, not its caller's caller");
	ok(walk_from(in_undescribed, 3, behind_call) == 4 && walk.frames[1].pc == (uintptr_t)behind_call &&
	    !walk.guessed,
	    "... with rbp as it was, where it is pushed and used for something else");
	ok(walk_from(at_sub, 0x200, behind_call) == 3 && walk.guessed,
	    "... at another place of its function that word is none");
	ok(walk_from(in_undescribed, 0x200, behind_pointer) == 3 && walk.guessed,
	    "... called by a pointer: a step by the frame pointer, which is counted");
	ok(!walk.frames[2].guessed, "... also if it is not the last");
	ok(walk_from(in_undescribed_framed, 0x100, behind_call) == 4 && walk.frames[1].pc == (uintptr_t)behind_pointer &&
	    walk.guessed, "code that makes a frame pointer is not the function before it");
}

int
main(void)
{
	walker = walker_open(WALK_CFI, 64);
	if (maps_read(&maps, &modules, (uint32_t)getpid(), (uint32_t)getpid()) < 0)
		skip_all("no /proc");
	ok(WALK(NO_HOLE, IN_DUMP(0x100), IN_DUMP(0x400)) == WALK_ROOT && walk.count == 3, "in the sample's own copy");
	ok(WALK(NO_HOLE, IN_DUMP(0x100), IN_PIECE(0, 0x100), IN_PIECE(3, 0x6000)) == WALK_ROOT && walk.count == 4,
	    "from it into the pieces, over some of them");
	ok(WALK(NO_HOLE, IN_DUMP(0x400), IN_DUMP(0x100)) == WALK_BAD_STACK, "not back, amid the frames it came through");
	ok(WALK(NO_HOLE, IN_DUMP(0x100), IN_PIECE(0, 0x400), IN_PIECE(0, 0x100)) == WALK_BAD_STACK, "nor within a piece");
	ok(WALK(NO_HOLE, IN_DUMP(0x100), IN_PIECE(3, 0x400), IN_PIECE(1, 0x100)) == WALK_BAD_STACK, "nor to another one");
	ok(WALK(NO_HOLE, IN_DUMP(0x100), IN_PIECE(3, 0x400), IN_DUMP(0x4000)) == WALK_BAD_STACK,
	    "nor into the sample's own copy");
	ok(WALK(2, IN_DUMP(0x100), IN_PIECE(1, 0x400), IN_PIECE(1, 0x100)) == WALK_BAD_STACK, "nor before a hole");
	/* What is on both sides of a hole may be two stacks, the sample's own the third. */
	ok(WALK(0, IN_DUMP(0x100), IN_PIECE(4, 0x400), IN_PIECE(2, 0x100), IN_PIECE(2, 0x400)) == WALK_ROOT &&
	    walk.count == 5, "another stack may be below it");
	ok(WALK(0, IN_DUMP(0x100), IN_PIECE(4, 0x400), IN_PIECE(2, 0x400), IN_PIECE(2, 0x100)) == WALK_ROOT &&
	    walk.count == 5, "... and one more below that");
	ok(WALK(0, IN_DUMP(0x100), IN_PIECE(4, 0x400), IN_PIECE(2, 0x100), IN_PIECE(4, 0x200)) == WALK_ROOT &&
	    walk.count == 5, "... from which it may go up");
	ok(WALK(0, IN_DUMP(0x100), IN_PIECE(4, 0x400), IN_PIECE(2, 0x100), IN_PIECE(3, 0x100), IN_PIECE(2, 0x200)) ==
	    WALK_BAD_STACK, "... but not back there either");
	ok(WALK(0, IN_DUMP(0x400), IN_PIECE(4, 0x400), IN_DUMP(0x100)) == WALK_BAD_STACK,
	    "nor from another one amid the frames of the leaf's");
	test_undescribed();
	walker_close(walker);
	maps_clear(&maps);
	modules_release(&modules);
	free(walk.frames);
	return done_testing();
}
