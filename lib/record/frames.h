/* Frames as small numbers while recording, names at the end. A frame is an address in a module, in code that a
 * program made itself, a kernel address, or a text (process names, labels, reasons). It must not know stacks. */
#ifndef RECORD_FRAMES_H
#define RECORD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "symbol/kernel.h"
#include "target/module.h"

struct kernel_modules;

enum frame_kind { FRAME_TEXT, FRAME_USER, FRAME_MADE, FRAME_KERNEL };

struct frame_entry {
	uint64_t address;	 /* of the module's ELF, or of the kernel; FRAME_TEXT: number of the text */
	struct module *module;	 /* FRAME_USER, FRAME_MADE; NULL: no mapping was there */
	enum frame_kind kind;
	uint32_t program;	 /* FRAME_MADE: whose */
	uint32_t next;		 /* FRAME_MADE: another one of the program, + 1; 0: no more */
	uint32_t name;		 /* after naming: in names; before, if it is settled: in texts */
	uint32_t inlined, inlined_count; /* after naming: calls inside it, from outside inwards, in frames' inlined */
	bool is_named;		 /* by a symbol */
	bool is_settled;	 /* named when what it was vanished: the address may mean something else since */
	bool is_expected;	 /* name (in texts) is all that it may be called, else nobody knows */
};

struct frames {
	struct frame_entry *list;
	size_t count, room;
	struct frame_slot {	 /* all that a search looks at, in one place */
		uint64_t address;
		uint32_t space;	 /* module and kind */
		uint32_t number; /* + 1; 0 is free */
	} *slots;
	size_t slot_count;
	struct intern texts;
	size_t limit;		 /* of addresses; 0: none */
	size_t text_limit;	 /* of all; 0: none */
	uint32_t too_many;	 /* the frame of those beyond */
	uint32_t *inlined;	 /* after naming: names */
	size_t inlined_count, inlined_room;
};

uint32_t frames_text(struct frames *frames, const char *text);
uint32_t frames_user(struct frames *frames, struct module *module, uint64_t vaddr);
uint32_t frames_kernel(struct frames *frames, uint64_t address);
/* Code of one program alone; module says what it is where nothing names it. */
uint32_t frames_made(struct frames *frames, uint32_t program, struct module *module, uint64_t address);

/* Gives a frame its name before the end; is_named: it is a symbol's. The next one of a kernel address is then another
 * frame. */
void frames_settle(struct frames *frames, uint32_t frame, const char *name, size_t length, bool is_named);

/* The frame of a kernel address that has no name yet, INTERN_NONE if there is none. */
uint32_t frames_find_kernel(const struct frames *frames, uint64_t address);

/* A kernel frame's name that may be out of date: it is right if at the end the kernel says so too. */
void frames_expect(struct frames *frames, uint32_t frame, const char *name);

struct frames_options {
	bool addresses;	 /* [libfoo.so+0x1234] */
	bool allow_bpf;
	bool kernel_is_ours;
	bool lines;	 /* name (file:line), and inlined calls */
	struct kernel_modules *modules; /* that were there, to be looked at once more */
};

/* Gives every frame its name, suffix included, raw: not yet as gp-folded(5) writes it. */
enum kernel_source frames_name(struct frames *frames, const struct frames_options *options, struct intern *names);

/* Of memory, with what naming them will take: names are there three times then. */
size_t frames_bytes(const struct frames *frames);

void frames_release(struct frames *frames);

#endif
