#include <stdlib.h>

#include "base/mem.h"
#include "unwind/cfi_entry.h"
#include "unwind/dwarf_reader.h"

/* Length, CIE pointer, two addresses: the longest head of an FDE (64-bit DWARF, 8-byte addresses). */
#define HEAD_MAX 36u
#define CIE_MAX 4096u

int
cfi_section_read(const struct cfi_section *section, uint64_t at, void *to, size_t size)
{
	if (at > section->size || size > section->size - at)
		return -1;
	if (!section->bytes)
		return elf_read(section->elf, section->offset + at, to, size);
	memcpy(to, section->bytes + at, size);
	return 0;
}

/* What every entry begins with. body: where its own fields begin. */
struct head {
	uint64_t end, body, cie_at;
	bool is_cie;
};

/* -1: not an entry; 1: the terminator, a length of 0. */
static int
read_head(const struct cfi_section *section, uint64_t at, struct head *head)
{
	uint32_t length, id;
	uint64_t wide_length = 0, wide_id = 0, id_at = at + 4;
	bool is_wide;

	if (cfi_section_read(section, at, &length, 4) < 0)
		return -1;
	if (length == 0)
		return 1;
	is_wide = length == UINT32_MAX;
	if (is_wide) {
		if (cfi_section_read(section, at + 4, &wide_length, 8) < 0 ||
		    cfi_section_read(section, at + 12, &wide_id, 8) < 0)
			return -1;
		id_at = at + 12;
	} else {
		if (cfi_section_read(section, at + 4, &id, 4) < 0)
			return -1;
		wide_length = length;
		wide_id = id;
	}
	head->body = id_at + (is_wide ? 8 : 4);
	if (wide_length > section->size - id_at || id_at + wide_length < head->body)
		return -1;
	head->end = id_at + wide_length;
	if (section->is_debug_frame) {
		head->is_cie = wide_id == (is_wide ? UINT64_MAX : UINT32_MAX);
		head->cie_at = wide_id;
	} else {
		head->is_cie = wide_id == 0;
		head->cie_at = id_at - wide_id; /* backwards from the pointer itself */
	}
	if (head->is_cie)
		head->cie_at = at;
	return head->cie_at < section->size ? 0 : -1;
}

/* What follows 'z': L and P are skipped, R is how FDEs write addresses, S marks a signal's trampoline,
 * B is arm64's. An unknown letter ends what can be understood, but its data has a length. */
static void
read_augmentation(struct dwarf_reader *reader, const char *letters, struct cfi_cie *cie)
{
	uint64_t length = dwarf_uleb(reader);
	const unsigned char *bytes = dwarf_bytes(reader, length);
	struct dwarf_reader data = { bytes, bytes ? bytes + length : NULL, bytes != NULL };

	cie->has_length = true;
	for (; *letters && data.ok; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = (uint8_t)dwarf_fixed(&data, 1);
			break;
		case 'L':
			dwarf_fixed(&data, 1);
			break;
		case 'P':
			dwarf_formatted(&data, (unsigned)dwarf_fixed(&data, 1));
			break;
		case 'S':
			cie->is_signal = true;
			break;
		default:
			return;
		}
	}
}

static void
parse_cie(struct dwarf_reader *reader, const struct cfi_section *section, struct cfi_cie *cie)
{
	uint64_t version = dwarf_fixed(reader, 1), reg;
	const char *letters = (const char *)reader->at;
	const unsigned char *nul = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));

	if (!nul || version < 1 || version > 4 || version == 2)
		return;
	dwarf_bytes(reader, (uint64_t)(nul - reader->at) + 1);
	if (version == 4 && section->is_debug_frame) { /* sizes of an address and of a segment selector */
		if (dwarf_fixed(reader, 1) != 8 || dwarf_fixed(reader, 1) != 0)
			return;
	}
	cie->code_align = dwarf_uleb(reader);
	cie->data_align = dwarf_sleb(reader);
	reg = version == 1 ? dwarf_fixed(reader, 1) : dwarf_uleb(reader);
	cie->return_register = (uint8_t)(reg < UINT8_MAX ? reg : UINT8_MAX);
	if (letters[0] == 'z')
		read_augmentation(reader, letters + 1, cie);
	else if (letters[0])
		return;
	cie->instructions = reader->at;
	cie->end = reader->end;
	cie->ok = reader->ok;
}

static int
read_cie(const struct cfi_section *section, uint64_t at, struct cfi_cie *cie)
{
	struct head head;
	struct dwarf_reader reader = { .ok = true };
	size_t length;

	if (cie->ok && cie->at == at)
		return 0;
	cie->ok = cie->is_signal = cie->has_length = false;
	cie->encoding = DWARF_ABSOLUTE;
	cie->at = at;
	if (read_head(section, at, &head) != 0 || !head.is_cie || head.end == head.body ||
	    head.end - head.body > CIE_MAX)
		return -1;
	length = (size_t)(head.end - head.body);
	if (length > cie->room) {
		cie->bytes = mem_resize(cie->bytes, length, 1);
		cie->room = length;
	}
	if (cfi_section_read(section, head.body, cie->bytes, length) < 0)
		return -1;
	reader.at = cie->bytes;
	reader.end = cie->bytes + length;
	parse_cie(&reader, section, cie);
	return cie->ok ? 0 : -1;
}

int
cfi_fde_read(const struct cfi_section *section, uint64_t at, struct cfi_cie *cie, struct cfi_fde *fde)
{
	unsigned char bytes[HEAD_MAX];
	struct head head;
	struct dwarf_reader reader = { bytes, bytes, true };
	size_t length;
	int status = read_head(section, at, &head);

	*fde = (struct cfi_fde){ .at = at, .next = at };
	if (status != 0)
		return status < 0 ? -1 : 0;
	fde->next = head.end;
	fde->cie_at = head.cie_at;
	fde->is_cie = head.is_cie;
	if (head.is_cie)
		return 0;
	length = head.end - head.body < sizeof bytes ? (size_t)(head.end - head.body) : sizeof bytes;
	if (read_cie(section, head.cie_at, cie) < 0 || cfi_section_read(section, head.body, bytes, length) < 0)
		return 0; /* covers nothing; what follows may be sound */
	reader.end = bytes + length;
	fde->start = dwarf_address(&reader, cie->encoding, section->vaddr + head.body, 0);
	fde->end = fde->start + dwarf_formatted(&reader, cie->encoding);
	if (!reader.ok || fde->end < fde->start)
		fde->start = fde->end = 0;
	return 0;
}

int
cfi_fde_read_whole(const struct cfi_section *section, struct cfi_buffer *buffer, struct cfi_cie *cie,
    struct cfi_fde *fde)
{
	struct head head;
	struct dwarf_reader reader = { .ok = true };
	size_t length;

	if (read_head(section, fde->at, &head) != 0 || head.is_cie || read_cie(section, head.cie_at, cie) < 0 ||
	    head.end == head.body || head.end - head.body > CFI_ENTRY_MAX)
		return -1;
	length = (size_t)(head.end - head.body);
	if (length > buffer->room) {
		buffer->bytes = mem_resize(buffer->bytes, length, 1);
		buffer->room = length;
	}
	if (cfi_section_read(section, head.body, buffer->bytes, length) < 0)
		return -1;
	reader.at = buffer->bytes;
	reader.end = buffer->bytes + length;
	dwarf_formatted(&reader, cie->encoding);
	dwarf_formatted(&reader, cie->encoding);
	if (cie->has_length)
		dwarf_bytes(&reader, dwarf_uleb(&reader));
	fde->instructions = reader.at;
	fde->instructions_end = reader.end;
	return reader.ok ? 0 : -1;
}
