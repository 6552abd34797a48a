/* Registers and a copy of the stack → frames, all of one instant. It must not know names.
 * Rows first; libunwind from the leaf for what rows cannot hold; frame pointers where there is no CFI. */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/sample.h"
#include "target/maps.h"

enum walk_mode { WALK_AUTO, WALK_CFI, WALK_FP };

/* Why the walk ended. Only WALK_ROOT is a whole stack. */
enum walk_end {
	WALK_ROOT,	/* undefined return address, entry point of program or interpreter, clone child */
	WALK_TRUNCATED, /* the stack goes on beyond the copy */
	WALK_TOO_DEEP,	/* more frames than were asked for */
	WALK_NO_CFI,	/* code of a file, nothing says how to go on */
	WALK_NO_FILE,	/* code whose file could not be read */
	WALK_JIT,	/* code without a file, and no frame pointer that holds */
	WALK_NO_CODE,	/* an address outside every mapping */
	WALK_BAD_STACK,	/* a frame lies amid those that it called */
	WALK_OTHER_STACK, /* code that has changed the stack, and nothing says from which */
	WALK_32BIT,	/* an i386 task: only its leaf is known */
	WALK_NO_STACK,	/* nothing was copied: inside execve or exit the memory is gone */
};

struct frame {
	struct module *module; /* NULL: outside every mapping */
	uint64_t vaddr;	       /* in the module's ELF, exact for the leaf and above signal frames, else the
				* return address - 1: inside the call; without ELF the file offset or address */
	uint64_t pc;
	bool guessed;	       /* found by the frame pointer where nothing vouches for it */
};

struct walk {
	struct frame *frames; /* leaf first */
	size_t count, room;
	bool guessed; /* one of them, or more */
	enum walk_end end;
	uint64_t sp; /* of the frame where it ended */
	uint64_t missed; /* WALK_TRUNCATED: the address that the copy did not have */
	bool used_libunwind;
};

struct walker;

/* max_depth: frames taken at most (what is beyond is at the root's side and counted WALK_TOO_DEEP). */
struct walker *walker_open(enum walk_mode mode, size_t max_depth);
void walker_close(struct walker *walker);

/* A chain that the kernel walked (USER_CHAIN) is taken as it is and called whole: nobody can tell. Of
 * USER_NONE there are no frames.
 * Frames stay in the walk until the next call with it. Allocates only when the walk grows and on the
 * first sight of an address. */
void walker_walk(struct walker *walker, struct maps *maps, const struct sample *sample, struct walk *walk);

/* The same by libunwind alone: the second opinion of the tests. */
void walker_walk_libunwind(struct walker *walker, struct maps *maps, const struct sample *sample,
    struct walk *walk);

/* The CFI of a module, opened when first needed; NULL if it has none. */
struct cfi *walker_cfi(struct module *module);

#endif
