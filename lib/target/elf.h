/* An ELF file as a place to read from: segments, sections, identity. It must not know what the
 * unwinder or the symboliser make of it.
 *
 * Files are read by system calls, never by touching a mapping: a file cut short under one is a SIGBUS, and the
 * pages of ten large binaries would count as our memory. Everything in the file is distrusted: every read is
 * checked against the file's end, every count against a bound.
 *
 * An open file takes a descriptor. Where those are few, the later half of them is left to others: a file is then
 * held by a mapping of it instead, which keeps its inode as well, and read as another process's memory would be. */
#ifndef TARGET_ELF_H
#define TARGET_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_SEGMENTS_MAX 64
#define ELF_SECTIONS_MAX 65536
#define ELF_BUILD_ID_MAX 64
#define ELF_HEADER_MAX 64

struct elf_segment { /* PT_LOAD */
	uint64_t vaddr, offset, file_size, memory_size;
	bool executable;
};

struct elf_section {
	const char *name; /* lives as long as the elf */
	uint32_t type, link;
	uint64_t flags, vaddr, offset, size, entry_size;
};

struct elf {
	int fd;			     /* -1: the image is in memory, or the file held by a mapping */
	const unsigned char *image;
	void *held;		     /* that mapping: not to be touched */
	uint64_t size;
	uint64_t device, inode, changed_ns; /* as stat() has them; the last its ctime */
	unsigned char ident[ELF_HEADER_MAX]; /* the file's first bytes */
	uint64_t build_id_at;
	uint64_t ends;		     /* hash of what a file without a build-id begins and ends with */
	bool is_64, is_x86_64, is_dynamic; /* is_dynamic: ET_DYN, loaded anywhere */
	uint64_t entry;
	struct elf_segment segments[ELF_SEGMENTS_MAX];
	size_t segment_count;
	uint64_t eh_frame_header, eh_frame_header_size; /* vaddr of PT_GNU_EH_FRAME, 0: none */
	bool has_interpreter;	     /* PT_INTERP */
	unsigned char build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;	     /* 0: none */
	struct elf_section *sections; /* read when first asked for */
	size_t section_count;
	char *section_names;
	bool sections_read;
};

/* Opens a regular file for reading; -1 with errno, ENOEXEC for anything else. That is looked at without being
 * opened: opening alone may let the writer of a fifo go on, or start a device. */
int elf_open_file(const char *path);
/* The same of what a descriptor of O_PATH, taken over, stands for, whatever is at its path by now. -1 is -1. */
int elf_open_found(int found);

/* Takes fd over. NULL, in silence, if it is not an ELF file that can be read (errno says why;
 * ENOEXEC: not ELF, or little but holes): most mappings of odd files are no news. */
struct elf *elf_open(int fd);
struct elf *elf_open_memory(const void *image, size_t size); /* copied */
void elf_close(struct elf *elf);

/* Is the file under the same inode, of the same size, another one by now: another header, or another build-id,
 * or without one another beginning or end? */
bool elf_is_rewritten(const struct elf *elf);

/* Is fd of the later half, which is left to others? */
bool elf_is_scarce(int fd);

/* A descriptor of the file for those who need one, to be closed; -1: there is none. */
int elf_descriptor(const struct elf *elf);

/* Exactly size bytes at a file offset; -1 beyond the end. Small reads go through a cache of pages. */
int elf_read(struct elf *elf, uint64_t offset, void *to, size_t size);
/* As many bytes as there are, up to size. */
size_t elf_read_some(struct elf *elf, uint64_t offset, void *to, size_t size);
/* The same by virtual address, inside one PT_LOAD. */
int elf_read_vaddr(struct elf *elf, uint64_t vaddr, void *to, size_t size);

/* vaddr = offset - p_offset + p_vaddr of the segment that holds it; false if none does. */
bool elf_vaddr_of(const struct elf *elf, uint64_t offset, uint64_t *vaddr);
bool elf_offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset);

/* By name, or NULL. SHT_NOBITS is not found. */
const struct elf_section *elf_section(struct elf *elf, const char *name);
/* Section i, or NULL. */
const struct elf_section *elf_section_at(struct elf *elf, size_t i);

/* A whole section, free() it; NULL if it is absent, larger than limit, or cannot be read. Compressed
 * sections (SHF_COMPRESSED: zlib, zstd) are inflated. */
unsigned char *elf_section_bytes(struct elf *elf, const struct elf_section *section, size_t limit, size_t *size);

#endif
