/* Addresses of an ELF file → where they are in the source, and which calls were inlined there: by libdw, from the
 * file's own DWARF or that of its debug file. In batches, in a child process that ends with the batch: DWARF is the
 * hardest thing to read that a target can hand us, and what it does to libdw is not done to us. */
#ifndef SYMBOL_SOURCE_LINES_H
#define SYMBOL_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "target/module.h"

/* A function at an address, or a call inlined there. */
struct source_place {
	uint32_t name; /* demangled; SYMBOL_NONE: DWARF has none */
	uint32_t file; /* the last part of its path; SYMBOL_NONE: not known */
	uint32_t line; /* 0: of no line */
};

struct source_query {
	uint64_t vaddr;
	/* Out: the function, then what is inlined in it from outside inwards, each where it was when it called the
	 * next; places first to first + count - 1. count 0: nothing is known. */
	uint32_t first, count;
};

struct source_lines {
	struct source_place *places;
	size_t count, room;
	uint64_t deadline; /* CLOCK_MONOTONIC of when no more is read, set by the first batch */
	uint64_t answered; /* bytes of all answers: they have a bound */
};

/* queries sorted by vaddr. */
void source_lines_find(struct source_lines *lines, struct module *module, struct source_query *queries, size_t count,
    struct intern *names);
void source_lines_release(struct source_lines *lines);

/* What this build lacks, or NULL. */
const char *source_lines_lack(void);

#endif
