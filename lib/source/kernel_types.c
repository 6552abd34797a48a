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

/* Types are numbered from 1, in order, and have no index. Leaves the file behind the head of this one. */
static bool
go_to_type(FILE *file, const struct btf_header *header, uint32_t number, struct btf_type *type)
{
	long at = 0, behind;

	for (uint32_t i = 1; number && at < (long)header->type_len; i++) {
		if (fseek(file, (long)(header->hdr_len + header->type_off) + at, SEEK_SET) < 0 ||
		    fread(type, sizeof *type, 1, file) != 1 || (behind = size_behind(type)) < 0)
			return false;
		if (i == number)
			return true;
		at += (long)sizeof *type + behind;
	}
	return false;
}

/* What is looked for in one struct, and how much of it was found. */
struct search {
	FILE *file;
	const struct btf_header *header;
	const uint32_t *names;
	uint32_t *offsets;
	size_t count, found;
};

/* Structs in structs, as the kernel writes them; ours are at most two deep. */
#define NESTED_MAX 3

/* The file stands at the members. Those of structs and unions without a name are the outer one's. */
static bool
read_members(struct search *search, const struct btf_type *type, uint32_t base, int depth)
{
	uint32_t nested[16][2];
	size_t nested_count = 0;
	struct btf_member member;
	struct btf_type inner;

	for (unsigned i = 0; i < BTF_INFO_VLEN(type->info) && search->found < search->count; i++) {
		uint32_t offset;

		if (fread(&member, sizeof member, 1, search->file) != 1)
			return false;
		offset = base + (BTF_INFO_KFLAG(type->info) ? BTF_MEMBER_BIT_OFFSET(member.offset) : member.offset) / 8;
		for (size_t n = 0; n < search->count; n++)
			if (search->names[n] == member.name_off) {
				search->offsets[n] = offset;
				search->found++;
			}
		if (!member.name_off && nested_count < 16) {
			nested[nested_count][0] = member.type;
			nested[nested_count++][1] = offset;
		}
	}
	for (size_t i = 0; i < nested_count && search->found < search->count && depth < NESTED_MAX; i++) {
		unsigned kind;

		if (!go_to_type(search->file, search->header, nested[i][0], &inner))
			return false;
		kind = BTF_INFO_KIND(inner.info);
		if ((kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION) &&
		    !read_members(search, &inner, nested[i][1], depth + 1))
			return false;
	}
	return true;
}

static bool
find_fields(FILE *file, const char *structure, const char *const fields[], uint32_t offsets[], size_t count)
{
	struct btf_header header;
	struct btf_type type;
	uint32_t wanted, *names;
	struct search search = { .file = file, .header = &header, .offsets = offsets, .count = count };
	long at = 0, behind;

	if (fread(&header, sizeof header, 1, file) != 1 || header.magic != BTF_MAGIC)
		return false;
	search.names = names = mem_alloc(count * sizeof *names);
	wanted = find_string(file, &header, structure);
	for (size_t n = 0; n < count; n++) {
		names[n] = find_string(file, &header, fields[n]);
		wanted = names[n] ? wanted : 0;
	}
	while (wanted && at < (long)header.type_len &&
	    fseek(file, (long)(header.hdr_len + header.type_off) + at, SEEK_SET) == 0 &&
	    fread(&type, sizeof type, 1, file) == 1 && (behind = size_behind(&type)) >= 0) {
		if (type.name_off == wanted && BTF_INFO_KIND(type.info) == BTF_KIND_STRUCT) {
			read_members(&search, &type, 0, 0);
			break;
		}
		at += (long)sizeof type + behind;
	}
	free(names);
	return search.found == count;
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
