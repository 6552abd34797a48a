#include <sys/stat.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/unpack.h"
#include "target/elf.h"

#ifndef ELFCOMPRESS_ZSTD /* glibc 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif
#define PAGE 4096u
/* Pages kept of all files together: the upper levels of binary searches, and neighbours. 512 KiB. */
#define CACHE_PAGES 128u

static struct {
	const struct elf *elf;
	uint64_t page;
	uint32_t length;
} tags[CACHE_PAGES];
static unsigned char (*pages)[PAGE];

static size_t
read_direct(const struct elf *elf, uint64_t offset, void *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	if (offset >= elf->size)
		return 0;
	if (size > elf->size - offset)
		size = (size_t)(elf->size - offset);
	if (elf->image) {
		memcpy(to, elf->image + offset, size);
		return size;
	}
	while (done < size) {
		n = pread(elf->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static size_t
read_cached(const struct elf *elf, uint64_t offset, unsigned char *to, size_t size)
{
	size_t done = 0;

	if (!pages)
		pages = mem_alloc(CACHE_PAGES * sizeof *pages);
	while (done < size) {
		uint64_t page = (offset + done) / PAGE;
		size_t at = (offset + done) % PAGE, n = size - done;
		size_t slot = (page * 31 + (uintptr_t)elf / 64) % CACHE_PAGES;

		if (tags[slot].elf != elf || tags[slot].page != page) {
			tags[slot].length = (uint32_t)read_direct(elf, page * PAGE, pages[slot], PAGE);
			tags[slot].elf = elf;
			tags[slot].page = page;
		}
		if (at >= tags[slot].length)
			break;
		if (n > tags[slot].length - at)
			n = tags[slot].length - at;
		memcpy(to + done, pages[slot] + at, n);
		done += n;
	}
	return done;
}

size_t
elf_read_some(struct elf *elf, uint64_t offset, void *to, size_t size)
{
	if (offset > elf->size)
		return 0;
	return elf->image || size > 2 * PAGE ? read_direct(elf, offset, to, size) :
					       read_cached(elf, offset, to, size);
}

int
elf_read(struct elf *elf, uint64_t offset, void *to, size_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return -1;
	return elf_read_some(elf, offset, to, size) == size ? 0 : -1;
}

bool
elf_vaddr_of(const struct elf *elf, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (offset >= s->offset && offset - s->offset < s->file_size) {
			*vaddr = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}

bool
elf_offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->file_size) {
			*offset = vaddr - s->vaddr + s->offset;
			return true;
		}
	}
	return false;
}

int
elf_read_vaddr(struct elf *elf, uint64_t vaddr, void *to, size_t size)
{
	uint64_t offset, last;

	if (!size)
		return 0;
	if (!elf_offset_of(elf, vaddr, &offset) || !elf_offset_of(elf, vaddr + size - 1, &last) ||
	    last - offset != size - 1)
		return -1;
	return elf_read(elf, offset, to, size);
}

/* The note that names the build: NT_GNU_BUILD_ID of "GNU". Notes are 4-aligned but in PT_NOTE of 8. */
static void
find_build_id(struct elf *elf, uint64_t offset, uint64_t size, uint64_t align)
{
	Elf64_Nhdr note;
	char name[4];

	align = align == 8 ? 8 : 4;
	if (size > 65536)
		size = 65536;
	for (uint64_t at = 0; at + sizeof note <= size;) {
		uint64_t description;

		if (elf_read(elf, offset + at, &note, sizeof note) < 0)
			return;
		description = (at + sizeof note + note.n_namesz + align - 1) & ~(align - 1);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    elf_read(elf, offset + at + sizeof note, name, 4) == 0 && memcmp(name, "GNU", 4) == 0 &&
		    note.n_descsz && note.n_descsz <= ELF_BUILD_ID_MAX && description + note.n_descsz <= size &&
		    elf_read(elf, offset + description, elf->build_id, note.n_descsz) == 0) {
			elf->build_id_size = note.n_descsz;
			return;
		}
		at = (description + note.n_descsz + align - 1) & ~(align - 1);
	}
}

static void
add_program_header(struct elf *elf, const Elf64_Phdr *p)
{
	switch (p->p_type) {
	case PT_LOAD:
		if (elf->segment_count < ELF_SEGMENTS_MAX)
			elf->segments[elf->segment_count++] = (struct elf_segment){ p->p_vaddr, p->p_offset,
				p->p_filesz, p->p_memsz, (p->p_flags & PF_X) != 0 };
		break;
	case PT_GNU_EH_FRAME:
		elf->eh_frame_header = p->p_vaddr;
		elf->eh_frame_header_size = p->p_memsz;
		break;
	case PT_INTERP:
		elf->has_interpreter = true;
		break;
	case PT_NOTE:
		if (!elf->build_id_size)
			find_build_id(elf, p->p_offset, p->p_filesz, p->p_align);
		break;
	}
}

static int
read_headers_64(struct elf *elf)
{
	Elf64_Ehdr header;
	Elf64_Phdr program;

	if (elf_read(elf, 0, &header, sizeof header) < 0)
		return -1;
	elf->entry = header.e_entry;
	elf->is_dynamic = header.e_type == ET_DYN;
	elf->is_x86_64 = header.e_machine == EM_X86_64;
	for (unsigned i = 0; i < header.e_phnum && i < 4 * ELF_SEGMENTS_MAX; i++)
		if (elf_read(elf, header.e_phoff + (uint64_t)i * sizeof program, &program, sizeof program) == 0)
			add_program_header(elf, &program);
	return 0;
}

static int
read_headers_32(struct elf *elf)
{
	Elf32_Ehdr header;
	Elf32_Phdr p;

	if (elf_read(elf, 0, &header, sizeof header) < 0)
		return -1;
	elf->entry = header.e_entry;
	elf->is_dynamic = header.e_type == ET_DYN;
	for (unsigned i = 0; i < header.e_phnum && i < 4 * ELF_SEGMENTS_MAX; i++)
		if (elf_read(elf, header.e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) == 0)
			add_program_header(elf, &(Elf64_Phdr){ .p_type = p.p_type, .p_flags = p.p_flags,
			    .p_offset = p.p_offset, .p_vaddr = p.p_vaddr, .p_filesz = p.p_filesz,
			    .p_memsz = p.p_memsz, .p_align = p.p_align });
	return 0;
}

/* Go's linker (1.24) leaves it out of its PT_NOTE; perf goes by the section's name. */
static void
find_build_id_section(struct elf *elf)
{
	const struct elf_section *section = elf_section(elf, ".note.gnu.build-id");

	if (section)
		find_build_id(elf, section->offset, section->size, 4);
}

static struct elf *
open_common(struct elf *elf)
{
	unsigned char ident[EI_NIDENT];

	if (elf_read(elf, 0, ident, sizeof ident) < 0 || memcmp(ident, ELFMAG, SELFMAG) != 0 ||
	    ident[EI_DATA] != ELFDATA2LSB || (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32))
		goto fail;
	elf->is_64 = ident[EI_CLASS] == ELFCLASS64;
	if ((elf->is_64 ? read_headers_64(elf) : read_headers_32(elf)) < 0)
		goto fail;
	if (!elf->build_id_size)
		find_build_id_section(elf);
	return elf;
fail:
	elf_close(elf);
	errno = ENOEXEC;
	return NULL;
}

int
elf_open_file(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC), opened = -1;
	char self[64];
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		errno = ENOEXEC;
	} else { /* the very same, whatever is at the path by now */
		snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
		opened = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	close(fd);
	return opened;
}

struct elf *
elf_open(int fd)
{
	struct elf *elf = mem_alloc(sizeof *elf);
	struct stat st;

	elf->fd = fd;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		elf_close(elf);
		errno = ENOEXEC;
		return NULL;
	}
	elf->size = (uint64_t)st.st_size;
	return open_common(elf);
}

struct elf *
elf_open_memory(const void *image, size_t size)
{
	struct elf *elf = mem_alloc(sizeof *elf);

	elf->fd = -1;
	elf->image = (unsigned char *)mem_copy(image, size);
	elf->size = size;
	return open_common(elf);
}

void
elf_close(struct elf *elf)
{
	if (!elf)
		return;
	for (size_t i = 0; i < CACHE_PAGES; i++)
		if (tags[i].elf == elf)
			tags[i].elf = NULL;
	if (elf->fd >= 0)
		close(elf->fd);
	free((void *)(uintptr_t)elf->image);
	free(elf->sections);
	free(elf->section_names);
	free(elf);
}

static Elf64_Shdr
widen(const Elf32_Shdr *s)
{
	return (Elf64_Shdr){ .sh_name = s->sh_name, .sh_type = s->sh_type, .sh_flags = s->sh_flags,
		.sh_addr = s->sh_addr, .sh_offset = s->sh_offset, .sh_size = s->sh_size,
		.sh_link = s->sh_link, .sh_info = s->sh_info, .sh_entsize = s->sh_entsize };
}

static int
read_section_header(struct elf *elf, uint64_t table, uint64_t i, Elf64_Shdr *section)
{
	Elf32_Shdr narrow;

	if (elf->is_64)
		return elf_read(elf, table + i * sizeof *section, section, sizeof *section);
	if (elf_read(elf, table + i * sizeof narrow, &narrow, sizeof narrow) < 0)
		return -1;
	*section = widen(&narrow);
	return 0;
}

static void
read_sections(struct elf *elf)
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;
	Elf64_Shdr s, strings;
	uint64_t table, count, names, names_size;

	elf->sections_read = true;
	if (elf->is_64 ? elf_read(elf, 0, &wide, sizeof wide) : elf_read(elf, 0, &narrow, sizeof narrow))
		return;
	table = elf->is_64 ? wide.e_shoff : narrow.e_shoff;
	count = elf->is_64 ? wide.e_shnum : narrow.e_shnum;
	names = elf->is_64 ? wide.e_shstrndx : narrow.e_shstrndx;
	if (!table || read_section_header(elf, table, 0, &s) < 0)
		return;
	if (count == 0) /* more than 0xff00: section 0 has the number */
		count = s.sh_size;
	if (names == SHN_XINDEX)
		names = s.sh_link;
	if (count > ELF_SECTIONS_MAX || names >= count || read_section_header(elf, table, names, &strings) < 0)
		return;
	names_size = strings.sh_size < (4u << 20) ? strings.sh_size : 0;
	elf->section_names = mem_alloc(names_size + 1);
	names_size = elf_read_some(elf, strings.sh_offset, elf->section_names, names_size);
	elf->section_names[names_size] = '\0';
	elf->sections = mem_alloc(count * sizeof *elf->sections);
	for (uint64_t i = 0; i < count && read_section_header(elf, table, i, &s) == 0; i++)
		elf->sections[elf->section_count++] = (struct elf_section){
			s.sh_name < names_size ? elf->section_names + s.sh_name : "", s.sh_type, s.sh_link,
			s.sh_flags, s.sh_addr, s.sh_offset, s.sh_size, s.sh_entsize };
}

const struct elf_section *
elf_section_at(struct elf *elf, size_t i)
{
	if (!elf->sections_read)
		read_sections(elf);
	return i < elf->section_count ? &elf->sections[i] : NULL;
}

const struct elf_section *
elf_section(struct elf *elf, const char *name)
{
	const struct elf_section *section;

	for (size_t i = 0; (section = elf_section_at(elf, i)); i++)
		if (section->type != SHT_NOBITS && strcmp(section->name, name) == 0)
			return section;
	return NULL;
}

/* Exactly full bytes; NULL if that is not what they are. */
static unsigned char *
expand(const unsigned char *packed, size_t size, uint64_t type, size_t full)
{
	unsigned char *bytes = NULL;
	uLongf length = full;
	size_t got = 0;

	if (type == ELFCOMPRESS_ZLIB) {
		bytes = mem_alloc(full);
		got = uncompress(bytes, &length, packed, size) == Z_OK ? length : full + 1;
	} else if (type == ELFCOMPRESS_ZSTD) {
		bytes = unpack(packed, size, full, &got);
	}
	if (got == full)
		return bytes;
	free(bytes);
	return NULL;
}

static unsigned char *
inflate_section(struct elf *elf, unsigned char *packed, size_t packed_size, size_t limit, size_t *size)
{
	Elf64_Chdr wide;
	Elf32_Chdr narrow;
	size_t header = elf->is_64 ? sizeof wide : sizeof narrow;
	uint64_t type = 0, full = 0;
	unsigned char *bytes = NULL;

	if (packed_size > header && elf->is_64) {
		memcpy(&wide, packed, header);
		type = wide.ch_type;
		full = wide.ch_size;
	} else if (packed_size > header) {
		memcpy(&narrow, packed, header);
		type = narrow.ch_type;
		full = narrow.ch_size;
	}
	if (full && full <= limit)
		bytes = expand(packed + header, packed_size - header, type, full);
	free(packed);
	*size = full;
	return bytes;
}

unsigned char *
elf_section_bytes(struct elf *elf, const struct elf_section *section, size_t limit, size_t *size)
{
	unsigned char *bytes;

	*size = 0;
	if (!section || section->type == SHT_NOBITS || section->size > limit || section->size > elf->size)
		return NULL;
	bytes = mem_alloc(section->size);
	if (elf_read(elf, section->offset, bytes, section->size) < 0) {
		free(bytes);
		return NULL;
	}
	*size = section->size;
	return section->flags & SHF_COMPRESSED ? inflate_section(elf, bytes, section->size, limit, size) : bytes;
}
