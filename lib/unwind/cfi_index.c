#include <stdlib.h>

#include "base/mem.h"
#include "unwind/cfi_index.h"
#include "unwind/dwarf_reader.h"

/* Entries in a row that cover nothing (lld and mold leave one for each section they dropped). */
#define EMPTY_MAX 64
/* The usual encoding of the search table, the only one that linkers write: 4-byte signed, relative to
 * the header. */
#define TABLE_ENCODING 0x3b
#define DEBUG_FRAME_MAX (64u << 20)
/* Entries and words of padding that are looked at for an index: a sparse file has zeros without end. */
#define READ_MAX (4 * CFI_INDEX_MAX)

static const struct elf_segment *
executable_segment(const struct elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (s->executable && vaddr >= s->vaddr && vaddr - s->vaddr < s->memory_size)
			return s;
	}
	return NULL;
}

/* From vaddr to the end of its segment; narrowed to the section of that name if there are sections. */
static bool
place_section(struct cfi_section *section, uint64_t vaddr)
{
	struct elf *elf = section->elf;
	uint64_t offset;

	if (!elf_offset_of(elf, vaddr, &offset))
		return false;
	section->vaddr = vaddr;
	section->offset = offset;
	section->size = 0;
	section->size_guessed = true;
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->file_size) {
			section->size = s->file_size - (vaddr - s->vaddr);
			break;
		}
	}
	return true;
}

/* .eh_frame_hdr: version, encodings of three fields, the address of .eh_frame, the number of entries,
 * then pairs {code, entry} sorted by code. */
static bool
read_header(struct cfi_index *index)
{
	struct elf *elf = index->section.elf;
	unsigned char bytes[4 + 2 * 8] = { 0 };
	struct dwarf_reader reader = { bytes + 4, bytes + sizeof bytes, true };
	uint64_t eh_frame, offset, count, room;

	index->header = elf->eh_frame_header;
	if (!index->header || !elf_offset_of(elf, index->header, &offset) ||
	    elf_read_some(elf, offset, bytes, sizeof bytes) < 8 || bytes[0] != 1)
		return false;
	eh_frame = dwarf_address(&reader, bytes[1], index->header + 4, index->header);
	if (!reader.ok || !place_section(&index->section, eh_frame))
		return false;
	if (bytes[2] == DWARF_OMITTED || bytes[3] != TABLE_ENCODING)
		return true;
	count = dwarf_address(&reader, bytes[2], index->header + (uint64_t)(reader.at - bytes), index->header);
	index->table = offset + (uint64_t)(reader.at - bytes);
	room = elf->size > index->table ? (elf->size - index->table) / 8 : 0;
	if (reader.ok)
		index->table_count = count < room ? count : room;
	return true;
}

/* How much of a file without header and sections is searched: what such programs are is small. */
#define SEARCH_MAX (16u << 20)

/* No header and no sections (a static program, sections stripped): the first thing in a segment that
 * looks like the first entry of .eh_frame: a CIE, version 1, augmentation zR or zPLR, and the
 * alignments that every x86-64 compiler writes. */
static bool
search_section(struct cfi_section *section)
{
	enum { STEP = 4, WINDOW = 4096 };
	struct elf *elf = section->elf;
	unsigned char bytes[WINDOW + 24];
	uint64_t searched = 0;

	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		for (uint64_t done = 0; done < s->file_size && searched < SEARCH_MAX; done += WINDOW, searched += WINDOW) {
			size_t n = elf_read_some(elf, s->offset + done, bytes, sizeof bytes);

			for (size_t at = 0; at + 24 <= n && at < WINDOW; at += STEP) {
				const unsigned char *p = bytes + at;

				if (p[0] < 16 || p[0] > 64 || memcmp(p + 1, "\0\0\0\0\0\0\0\1z", 9) != 0)
					continue;
				if (memcmp(p + 10, "R\0\1\x78\x10", 5) != 0 &&
				    memcmp(p + 10, "PLR\0\1\x78\x10", 7) != 0)
					continue;
				return place_section(section, s->vaddr + done + at);
			}
			if (n < sizeof bytes)
				break;
		}
	}
	return false;
}

bool
cfi_index_open_eh_frame(struct cfi_index *index, struct elf *elf)
{
	const struct elf_section *section;

	*index = (struct cfi_index){ .section = { .elf = elf }, .code = elf };
	if (read_header(index) && index->table_count)
		return true;
	section = elf_section(elf, ".eh_frame");
	if (section && section->size) {
		index->section = (struct cfi_section){ .elf = elf, .offset = section->offset,
			.size = section->size, .vaddr = section->vaddr };
		return true;
	}
	if (index->section.size)
		return true;
	/* Sections that name no .eh_frame have none: Go's programs. */
	return !elf_section_at(elf, 0) && search_section(&index->section);
}

bool
cfi_index_open_debug_frame(struct cfi_index *index, struct elf *elf, const struct elf *code)
{
	const struct elf_section *section = elf_section(elf, ".debug_frame");
	size_t size;

	*index = (struct cfi_index){ .section = { .elf = elf, .is_debug_frame = true }, .code = code };
	if (!section)
		return false;
	index->section.offset = section->offset;
	index->section.size = section->size;
	if (section->flags & 0x800 /* SHF_COMPRESSED */) {
		index->section.bytes = elf_section_bytes(elf, section, DEBUG_FRAME_MAX, &size);
		index->section.size = size;
	}
	return index->section.size != 0;
}

void
cfi_index_release(struct cfi_index *index)
{
	free(index->section.bytes);
	free(index->list);
	free(index->cie.bytes);
	*index = (struct cfi_index){ 0 };
}

static int
by_start(const void *a, const void *b)
{
	const struct cfi_index_entry *x = a, *y = b;

	return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x->at > y->at) - (x->at < y->at);
}

/* Entries of dropped code (address 0, or none) are left out here. */
static void
make_index(struct cfi_index *index)
{
	const struct cfi_section *section = &index->section;
	struct cfi_fde fde;
	size_t read = 0;

	index->is_made = true;
	index->base = UINT64_MAX;
	for (size_t i = 0; i < index->code->segment_count; i++)
		if (index->code->segments[i].executable && index->code->segments[i].vaddr < index->base)
			index->base = index->code->segments[i].vaddr;
	for (uint64_t at = 0; at < section->size && at < UINT32_MAX && index->count < CFI_INDEX_MAX; at = fde.next) {
		if (read++ == READ_MAX || cfi_fde_read(section, at, &index->cie, &fde) < 0)
			break;
		if (fde.next == at) { /* a terminator: several files' frames may follow one another */
			if (section->size_guessed)
				break;
			fde.next = at + 4;
			continue;
		}
		if (fde.is_cie || fde.start == fde.end || !executable_segment(index->code, fde.start) ||
		    fde.start - index->base > UINT32_MAX)
			continue;
		mem_grow(&index->list, index->count, &index->room);
		index->list[index->count++] =
		    (struct cfi_index_entry){ (uint32_t)(fde.start - index->base), (uint32_t)at };
	}
	if (index->count)
		qsort(index->list, index->count, sizeof *index->list, by_start);
}

static bool
table_entry(const struct cfi_index *index, uint64_t i, uint64_t *start, uint64_t *at)
{
	int32_t pair[2];

	if (elf_read(index->section.elf, index->table + i * 8, pair, sizeof pair) < 0)
		return false;
	*start = index->header + (uint64_t)(int64_t)pair[0];
	*at = index->header + (uint64_t)(int64_t)pair[1] - index->section.vaddr;
	return true;
}

/* Entry i of the linker's table or of our index. */
static bool
entry_at(const struct cfi_index *index, uint64_t i, uint64_t *start, uint64_t *at)
{
	if (index->table_count)
		return table_entry(index, i, start, at);
	*start = index->base + index->list[i].start;
	*at = index->list[i].at;
	return true;
}

bool
cfi_index_find(struct cfi_index *index, uint64_t vaddr, struct cfi_fde *fde)
{
	uint64_t lo = 0, hi, start, at, hole_start = fde->start, hole_end = fde->end;
	struct cfi_fde found;

	if (!index->table_count && !index->is_made)
		make_index(index);
	for (hi = index->table_count ? index->table_count : index->count; lo < hi;) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (!entry_at(index, middle, &start, &at))
			return false;
		if (start <= vaddr) {
			lo = middle + 1;
		} else {
			hi = middle;
			if (start < hole_end)
				hole_end = start;
		}
	}
	for (size_t tries = 0; lo-- && tries < EMPTY_MAX; tries++) {
		if (!entry_at(index, lo, &start, &at))
			return false;
		if (cfi_fde_read(&index->section, at, &index->cie, &found) < 0) { /* nobody knows how far it goes */
			hole_start = start > hole_start ? start : hole_start;
			break;
		}
		if (found.is_cie || found.start == found.end)
			continue;
		if (vaddr >= found.start && vaddr < found.end) {
			*fde = found;
			return true;
		}
		if (found.end <= vaddr && found.end > hole_start)
			hole_start = found.end;
		break;
	}
	fde->start = hole_start;
	fde->end = hole_end;
	return false;
}
