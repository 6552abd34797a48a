/* Frames as small numbers while recording, names at the end. A frame is an address in a module, a kernel
 * address, or a text (process names, labels, reasons). It must not know stacks. */
#ifndef RECORD_FRAMES_H
#define RECORD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "symbol/kernel.h"
#include "target/module.h"

enum frame_kind { FRAME_TEXT, FRAME_USER, FRAME_KERNEL };

struct frame_entry {
	uint64_t address;	 /* of the module's ELF, or of the kernel; FRAME_TEXT: number of the text */
	struct module *module;	 /* FRAME_USER; NULL: no mapping was there */
	enum frame_kind kind;
	uint32_t name;		 /* after naming: in names */
	bool is_named;		 /* by a symbol */
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
};

uint32_t frames_text(struct frames *frames, const char *text);
uint32_t frames_user(struct frames *frames, struct module *module, uint64_t vaddr);
uint32_t frames_kernel(struct frames *frames, uint64_t address);

struct frames_options {
	bool addresses;	 /* [libfoo.so+0x1234] */
	bool allow_bpf;
	bool kernel_is_ours;
};

/* Gives every frame its name, suffix included, raw: not yet as gp-folded(5) writes it. */
enum kernel_source frames_name(struct frames *frames, const struct frames_options *options, struct intern *names);

void frames_release(struct frames *frames);

#endif
