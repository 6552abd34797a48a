/* DWARF by libdw: each compilation unit that has one of the addresses is walked once, its calls noted for the
 * addresses they cover, and forgotten. Runs in a process of its own (symbol/source_lines.h): it may crash, loop or
 * grow with a file that was made to do that. */
#ifndef SYMBOL_SOURCE_UNITS_H
#define SYMBOL_SOURCE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* A function at an address or a call inlined there, in the order of struct source_query. Text may be NULL; it holds
 * until take() returns; names are those of the linker where there is one. */
struct source_call {
	const char *name, *file;
	uint32_t line;
};

struct source_sink {
	/* Once for an address, number i of those asked for; those of which nothing is known are left out. */
	void (*take)(void *context, size_t i, const struct source_call *calls, size_t count);
	void *context;
};

/* addresses sorted. fd: of an ELF file with .debug_info. -1: libdw cannot read it. */
int source_units_find(int fd, const uint64_t *addresses, size_t count, const struct source_sink *sink);

#endif
