/* The entries of .eh_frame or .debug_frame, read from the file one at a time. It must not know how the
 * entry for an address is found, nor what the instructions mean. */
#ifndef UNWIND_CFI_ENTRY_H
#define UNWIND_CFI_ENTRY_H

#include "target/elf.h"

/* Longest entry read: those of node, the JVM, LLVM are below 4 KiB, and a target may have its own for every frame. */
#define CFI_ENTRY_MAX (1u << 16)

struct cfi_section {
	struct elf *elf;
	unsigned char *bytes;	/* inflated, ours; NULL: in the file at offset */
	uint64_t offset, size;
	uint64_t vaddr;		/* of .eh_frame: its addresses are relative to where they stand */
	bool is_debug_frame;
	bool size_guessed;	/* no section header: it ends at its terminator */
};

struct cfi_cie {
	uint64_t at;		/* in the section */
	bool ok, is_signal, has_length; /* has_length: FDEs have augmentation data (z) */
	uint8_t encoding, return_register;
	uint64_t code_align;
	int64_t data_align;
	unsigned char *bytes;	/* the entry; its instructions are a part of it */
	size_t room;
	const unsigned char *instructions, *end;
};

struct cfi_fde {
	uint64_t at, next;	/* in the section */
	uint64_t cie_at;
	bool is_cie;		/* not an FDE: only at, next and cie_at (itself) are set */
	uint64_t start, end;	/* the code, vaddr; equal: zero-length */
	const unsigned char *instructions, *instructions_end; /* after cfi_fde_read_whole */
};

struct cfi_buffer {
	unsigned char *bytes;
	size_t room;
};

int cfi_section_read(const struct cfi_section *section, uint64_t at, void *to, size_t size);

/* The head of the entry at a place: what it covers. cie is read anew if it is not the right one.
 * -1: nothing that can be read, and no next; 0 with next == at: the terminator. */
int cfi_fde_read(const struct cfi_section *section, uint64_t at, struct cfi_cie *cie, struct cfi_fde *fde);

/* The instructions too, into buffer, for as long as it is not used again. */
int cfi_fde_read_whole(const struct cfi_section *section, struct cfi_buffer *buffer, struct cfi_cie *cie,
    struct cfi_fde *fde);

#endif
