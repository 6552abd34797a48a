/* DWARF's numbers, read from bytes that may lie: once something is missing ok is false, everything read
 * is 0 and the reader stands at its end, so that a loop over it ends too. */
#ifndef UNWIND_DWARF_READER_H
#define UNWIND_DWARF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_reader {
	const unsigned char *at, *end;
	bool ok;
};

static inline const unsigned char *
dwarf_bytes(struct dwarf_reader *reader, uint64_t size)
{
	const unsigned char *bytes = reader->at;

	if (size > (uint64_t)(reader->end - reader->at)) {
		reader->ok = false;
		reader->at = reader->end;
		return NULL;
	}
	reader->at += size;
	return bytes;
}

/* Little-endian, of 1, 2, 4 or 8 bytes. */
static inline uint64_t
dwarf_fixed(struct dwarf_reader *reader, size_t size)
{
	const unsigned char *bytes = dwarf_bytes(reader, size);
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, size);
	return value;
}

/* LEB128; bits beyond 64 are lost, the length is bounded by the reader. */
static inline uint64_t
dwarf_uleb(struct dwarf_reader *reader)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = dwarf_fixed(reader, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static inline int64_t
dwarf_sleb(struct dwarf_reader *reader)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = dwarf_fixed(reader, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

/* How .eh_frame writes addresses (LSB Core, 10.5.1): the low half is the format, the high half what it
 * is relative to. */
enum {
	DWARF_ABSOLUTE = 0x00,
	DWARF_RELATIVE_PC = 0x10,
	DWARF_RELATIVE_DATA = 0x30,
	DWARF_OMITTED = 0xff,
	DWARF_FORMAT = 0x0f,
	DWARF_RELATIVE = 0x70,
	DWARF_INDIRECT = 0x80,
};

/* A number in one of those formats, sign extended, before anything is added. */
static inline uint64_t
dwarf_formatted(struct dwarf_reader *reader, unsigned encoding)
{
	switch (encoding & DWARF_FORMAT) {
	case 0x00: /* the size of an address */
	case 0x04:
	case 0x0c:
		return dwarf_fixed(reader, 8);
	case 0x01:
		return dwarf_uleb(reader);
	case 0x02:
		return dwarf_fixed(reader, 2);
	case 0x03:
		return dwarf_fixed(reader, 4);
	case 0x09:
		return (uint64_t)dwarf_sleb(reader);
	case 0x0a:
		return (uint64_t)(int16_t)dwarf_fixed(reader, 2);
	case 0x0b:
		return (uint64_t)(int32_t)dwarf_fixed(reader, 4);
	default:
		reader->ok = false;
		return 0;
	}
}

/* An address whose own bytes lie at vaddr; data is what DWARF_RELATIVE_DATA adds. */
static inline uint64_t
dwarf_address(struct dwarf_reader *reader, unsigned encoding, uint64_t vaddr, uint64_t data)
{
	uint64_t value = dwarf_formatted(reader, encoding);

	switch (encoding & (DWARF_RELATIVE | DWARF_INDIRECT)) {
	case DWARF_ABSOLUTE:
		return value;
	case DWARF_RELATIVE_PC:
		return value + vaddr;
	case DWARF_RELATIVE_DATA:
		return value + data;
	default: /* relative to text or function, or indirect: no linker writes these for FDEs */
		reader->ok = false;
		return 0;
	}
}

#endif
