#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/kernel_types.h"

/* Where a string begins in the section; equal strings are there once. 0: nowhere, as the empty one. */
static uint32_t
find_string(FILE *file, const struct btf_header *header, const char *wanted)
{
	uint32_t at = 0, found = 0;
	char *string = NULL;
	size_t room = 0;
	ssize_t length;

	if (fseek(file, (long)(header->hdr_len + header->str_off), SEEK_SET) < 0)
		return 0;
	while (!found && at < header->str_len && (length = getdelim(&string, &room, '\0', file)) > 0) {
		if (strcmp(string, wanted) == 0)
			found = at;
		at += (uint32_t)length;
	}
	free(string);
	return found;
}

/* What follows the head of a type, in bytes. -1: a kind that we do not know. */
static long
size_behind(const struct btf_type *type)
{
	static const struct {
		int8_t once, each;
	} sizes[] = { [BTF_KIND_INT] = { 4, 0 }, [BTF_KIND_ARRAY] = { 12, 0 }, [BTF_KIND_STRUCT] = { 0, 12 },
		[BTF_KIND_UNION] = { 0, 12 }, [BTF_KIND_ENUM] = { 0, 8 }, [BTF_KIND_FUNC_PROTO] = { 0, 8 },
		[BTF_KIND_VAR] = { 4, 0 }, [BTF_KIND_DATASEC] = { 0, 12 }, [17] = { 4, 0 }, /* DECL_TAG */
		[19] = { 0, 12 } }; /* ENUM64 */
	unsigned kind = BTF_INFO_KIND(type->info);

	if (kind >= sizeof sizes / sizeof sizes[0])
		return -1;
	return sizes[kind].once + (long)sizes[kind].each * BTF_INFO_VLEN(type->info);
}

static bool
read_members(FILE *file, const struct btf_type *type, const uint32_t names[], uint32_t offsets[], size_t count)
{
	struct btf_member member;
	size_t found = 0;

	for (unsigned i = 0; i < BTF_INFO_VLEN(type->info) && found < count; i++) {
		if (fread(&member, sizeof member, 1, file) != 1)
			return false;
		for (size_t n = 0; n < count; n++) {
			if (names[n] != member.name_off)
				continue;
			offsets[n] = (BTF_INFO_KFLAG(type->info) ? BTF_MEMBER_BIT_OFFSET(member.offset) : member.offset) / 8;
			found++;
		}
	}
	return found == count;
}

static bool
find_fields(FILE *file, const char *structure, const char *const fields[], uint32_t offsets[], size_t count)
{
	struct btf_header header;
	struct btf_type type;
	uint32_t wanted, *names;
	bool found = false;
	long at = 0, behind;

	if (fread(&header, sizeof header, 1, file) != 1 || header.magic != BTF_MAGIC)
		return false;
	names = mem_alloc(count * sizeof *names);
	wanted = find_string(file, &header, structure);
	for (size_t n = 0; n < count; n++) {
		names[n] = find_string(file, &header, fields[n]);
		wanted = names[n] ? wanted : 0;
	}
	while (wanted && at < (long)header.type_len &&
	    fseek(file, (long)(header.hdr_len + header.type_off) + at, SEEK_SET) == 0 &&
	    fread(&type, sizeof type, 1, file) == 1 && (behind = size_behind(&type)) >= 0) {
		if (type.name_off == wanted && BTF_INFO_KIND(type.info) == BTF_KIND_STRUCT) {
			found = read_members(file, &type, names, offsets, count);
			break;
		}
		at += (long)sizeof type + behind;
	}
	free(names);
	return found;
}

int
kernel_fields_find(const char *structure, const char *const fields[], uint32_t offsets[], size_t count)
{
	FILE *file = fopen("/sys/kernel/btf/vmlinux", "re");
	bool found;

	if (!file)
		return -1;
	found = find_fields(file, structure, fields, offsets, count);
	fclose(file);
	return found ? 0 : -1;
}
