/* One entry's instructions → rows. It must not know where entries come from or where rows are kept. */
#ifndef UNWIND_CFI_COMPILE_H
#define UNWIND_CFI_COMPILE_H

#include "unwind/cfi.h"
#include "unwind/cfi_entry.h"

/* Rows of one entry: more than the largest interpreter loop has. */
#define CFI_ROWS_MAX 65536

struct cfi_rows {
	struct row *list;
	size_t count, room;
	bool is_wild; /* rows go by what they can express; libunwind, which interprets all, would come to harm */
};

/* Replaces what is in rows; sorted, without gaps, from fde->start to fde->end. -1 if the instructions
 * cannot be understood: then nothing of the entry is to be trusted. */
int cfi_compile(const struct cfi_cie *cie, const struct cfi_fde *fde, struct cfi_rows *rows);

#endif
