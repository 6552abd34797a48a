/* The code of one address space: which file lies where. Filled from /proc and kept up by mmap records. */
#ifndef TARGET_MAPS_H
#define TARGET_MAPS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "target/module.h"

/* Of code: as many mappings as Linux gives a process unless it is told otherwise. What goes beyond is left out, and
 * counted. */
#define MAPS_MAX 65536

struct mapping {
	uint64_t start, end; /* end is exclusive */
	uint64_t offset;     /* of start, in the file */
	struct module *module;
	/* Worked out by maps_add(): from plain_start to plain_end, vaddr = address + bias. */
	uint64_t plain_start, plain_end, bias;
};

struct maps {
	struct mapping *list; /* sorted, not overlapping; to be looked at, since copies share it */
	size_t count;
	struct maps_store *store;
	size_t last;	      /* the one found last */
	unsigned long refused; /* beyond MAPS_MAX, perhaps for others that are gone: no record tells of those */
};

/* A new mapping; what lay there before is cut away, also if there is no room for the new one. */
void maps_add(struct maps *maps, const struct mapping *mapping);
const struct mapping *maps_find(struct maps *maps, uint64_t address);

/* address - start + offset, then through PT_LOAD; false without an ELF file or outside its segments. */
bool mapping_vaddr(const struct mapping *mapping, uint64_t address, uint64_t *vaddr);

/* The executable mappings of a living process, read through any thread of it (tid) since the maps of
 * one whose leader has exited are empty. -1 in silence if it is gone or not ours to read: if it went meanwhile, what
 * was read until then is in maps, and may lack the rest. */
int maps_read(struct maps *maps, struct modules *modules, uint32_t pid, uint32_t tid);
/* The same from lines as /proc/PID/maps has them. -1: there are none. */
int maps_read_lines(struct maps *maps, struct modules *modules, uint32_t pid, FILE *file);

/* Code without a file that was put in the place of a file's, copied, onto huge pages for instance: if it has the same
 * bytes still, it is the file's, and mapping becomes so. from: what was, or lies, there or before it. */
bool mapping_recall(struct mapping *mapping, const struct mapping *from, uint32_t pid);

void maps_copy(struct maps *to, const struct maps *from); /* fork */
void maps_clear(struct maps *maps);			   /* exec; memory goes too */

#endif
