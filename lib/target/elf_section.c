#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/unpack.h"
#include "target/elf.h"

#ifndef ELFCOMPRESS_ZSTD /* glibc 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif

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
