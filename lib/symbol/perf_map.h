/* A perf map, what a process says of the code it made: lines "start size name", start and size hexadecimal.
 * A place is named again and again; what was written last holds. */
#ifndef SYMBOL_PERF_MAP_H
#define SYMBOL_PERF_MAP_H

#include <stdbool.h>

#include "symbol/elf_symbols.h"

/* The last part of a map that is read: JITs append without end. */
#define PERF_MAP_MAX ((uint64_t)256 << 20)

/* What may still be read of files, and kept of names, in bytes. A short line counts for as much as it takes time. */
struct perf_map_room {
	uint64_t bytes, names;
};

/* queries sorted by vaddr; those with a name keep it. Read from the end of the file, in pieces, until all have
 * one; nothing is kept but their names. Lines that are none, and a last one without newline, which may be half a line,
 * are left out; holes are not read. What is read and kept is taken off room. False: that, or PERF_MAP_MAX, was too
 * little to look for all. fd: a regular file. */
bool perf_map_find(int fd, struct symbol_query *queries, size_t count, struct intern *names,
    struct perf_map_room *room);

#endif
