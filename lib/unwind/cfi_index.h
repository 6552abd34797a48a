/* Which entry of .eh_frame or .debug_frame covers an address: by the linker's search table where there
 * is one, else by an index of our own, made on the first question. It must not know what entries say. */
#ifndef UNWIND_CFI_INDEX_H
#define UNWIND_CFI_INDEX_H

#include "unwind/cfi_entry.h"

/* Entries of an index of our own: 8 MiB. A file with more has a search table. */
#define CFI_INDEX_MAX (1u << 20)

struct cfi_index {
	struct cfi_section section;
	const struct elf *code;	   /* whose executable segments entries must lie in */
	uint64_t header;	   /* vaddr of .eh_frame_hdr, which its table is relative to */
	uint64_t table, table_count; /* the linker's table: its offset in the file */
	struct cfi_index_entry {
		uint32_t start, at; /* from base; in the section */
	} *list;
	size_t count, room;
	uint64_t base;
	bool is_made;
	struct cfi_cie cie;	   /* the one read last */
};

/* False: elf has no such section. */
bool cfi_index_open_eh_frame(struct cfi_index *index, struct elf *elf);
bool cfi_index_open_debug_frame(struct cfi_index *index, struct elf *elf, const struct elf *code);
void cfi_index_release(struct cfi_index *index);

/* The entry that covers vaddr; entries that cover nothing do not hide one that does. If none does, fde's
 * start and end are narrowed to the hole that vaddr is in: set them to 0 and UINT64_MAX before. */
bool cfi_index_find(struct cfi_index *index, uint64_t vaddr, struct cfi_fde *fde);

#endif
