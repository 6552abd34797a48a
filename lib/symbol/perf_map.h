/* A perf map, what a process says of the code it made: lines "start size name", start and size hexadecimal.
 * A place is named again and again; what was written last holds. */
#ifndef SYMBOL_PERF_MAP_H
#define SYMBOL_PERF_MAP_H

#include "symbol/elf_symbols.h"

/* The last part of a map that is read: JITs append without end. */
#define PERF_MAP_MAX ((uint64_t)256 << 20)

/* queries sorted by vaddr; those with a name keep it. Read from the end of the file, in pieces, until all have
 * one; nothing is kept. Lines that are none, and a last one without newline, which may be half a line, are
 * left out. fd: a regular file. Returns how many bytes were read. */
uint64_t perf_map_find(int fd, struct symbol_query *queries, size_t count, struct intern *names);

#endif
