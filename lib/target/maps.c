#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/maps.h"
#include "target/memory.h"
#include "target/root.h"

/* Lines of /proc/PID/maps that are read, most of which show no code: as many as distributions let a process have. */
#define LINES_MAX (16u * MAPS_MAX)
/* So many pieces of copied code, of so many bytes, are compared with the file. */
#define PROBES 8u
#define PROBE_SIZE 256u
/* Less may be equal by chance. */
#define PROBE_LEAST 16u

/* The first mapping that ends above address. */
static size_t
lower(const struct maps *maps, uint64_t address)
{
	size_t lo = 0, hi = maps->count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (maps->list[middle].end <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* --- the list: room at both ends, since mmap() goes downwards and a mapping that goes up or down by one is the usual
 * one; shared by a process and its children until one of them changes it. */

struct maps_store {
	uint32_t users;
	size_t room;
	struct mapping first[];
};

/* The same mappings in a store of our own, in its middle. */
static void
move_to(struct maps *maps, size_t room)
{
	struct maps_store *store = mem_alloc(sizeof *store + room * sizeof *store->first), *old = maps->store;
	struct mapping *list = store->first + (room - maps->count) / 2;

	store->users = 1;
	store->room = room;
	if (maps->count)
		memcpy(list, maps->list, maps->count * sizeof *list);
	if (old && --old->users == 0)
		free(old);
	maps->store = store;
	maps->list = list;
}

static void
own(struct maps *maps)
{
	if (!maps->store || maps->store->users > 1)
		move_to(maps, maps->count + maps->count / 2 + 16);
}

/* The shorter side moves. */
static void
insert(struct maps *maps, size_t at, struct mapping mapping)
{
	bool downwards = at < maps->count / 2;
	size_t before = (size_t)(maps->list - maps->store->first), behind = maps->store->room - before - maps->count;

	if ((downwards ? before : behind) == 0) {
		move_to(maps, maps->count * 2 + 16);
		insert(maps, at, mapping); /* once: now there is room */
		return;
	}
	if (downwards)
		memmove(maps->list - 1, maps->list, at * sizeof *maps->list);
	else
		memmove(maps->list + at + 1, maps->list + at, (maps->count - at) * sizeof *maps->list);
	maps->list -= downwards;
	maps->list[at] = mapping;
	maps->count++;
}

static bool
insert_if_room(struct maps *maps, size_t at, struct mapping mapping)
{
	if (maps->count < MAPS_MAX) {
		insert(maps, at, mapping);
		return true;
	}
	maps->refused++;
	return false;
}

static void
cut_out(struct maps *maps, size_t from, size_t to)
{
	memmove(maps->list + from, maps->list + to, (maps->count - to) * sizeof *maps->list);
	maps->count -= to - from;
}

/* Do they make one piece of code without a file? A JIT that changes page after page has but one. */
static bool
are_one(const struct mapping *low, const struct mapping *high)
{
	return low->module == high->module && low->module->kind == MODULE_ANONYMOUS && low->end == high->start;
}

static void
join(struct maps *maps, size_t at)
{
	if (at + 1 < maps->count && are_one(&maps->list[at], &maps->list[at + 1])) {
		maps->list[at].end = maps->list[at + 1].end;
		cut_out(maps, at + 1, at + 2);
	}
	if (at && are_one(&maps->list[at - 1], &maps->list[at])) {
		maps->list[at - 1].end = maps->list[at].end;
		cut_out(maps, at, at + 1);
	}
}

/* The segment that most of a mapping's addresses fall into: what lies at a page's edge is looked up. */
static void
work_out(struct mapping *mapping)
{
	const struct elf *elf = mapping->module->elf;
	uint64_t length = mapping->end - mapping->start;

	mapping->plain_start = mapping->plain_end = 0;
	for (size_t i = 0; elf && i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		uint64_t skip = s->offset > mapping->offset ? s->offset - mapping->offset : 0;
		uint64_t end = s->offset + s->file_size;

		if (!s->executable || end < s->offset || skip >= length || end <= mapping->offset)
			continue;
		mapping->plain_start = mapping->start + skip;
		mapping->plain_end = end - mapping->offset < length ? mapping->start + (end - mapping->offset) : mapping->end;
		mapping->bias = s->vaddr - s->offset + mapping->offset - mapping->start;
		return;
	}
}

void
maps_add(struct maps *maps, const struct mapping *wanted)
{
	struct mapping added = *wanted;
	const struct mapping *mapping = &added;
	size_t at = lower(maps, mapping->start), gone;

	if (mapping->start >= mapping->end)
		return;
	if (mapping->module->kind == MODULE_ANONYMOUS && at < maps->count && maps->list[at].start <= mapping->start &&
	    maps->list[at].end >= mapping->end && maps->list[at].module == mapping->module)
		return;
	own(maps);
	work_out(&added);
	maps->last = 0;
	if (at < maps->count && maps->list[at].start < mapping->start) {
		struct mapping tail = maps->list[at];

		maps->list[at++].end = mapping->start;
		if (tail.end > mapping->end) { /* cut out of the middle */
			tail.offset += mapping->end - tail.start;
			tail.start = mapping->end;
			insert_if_room(maps, at, tail);
		}
	}
	for (gone = at; gone < maps->count && maps->list[gone].end <= mapping->end; gone++)
		continue;
	if (gone < maps->count && maps->list[gone].start < mapping->end) {
		maps->list[gone].offset += mapping->end - maps->list[gone].start;
		maps->list[gone].start = mapping->end;
	}
	if (gone > at) {
		maps->list[at] = *mapping;
		cut_out(maps, at + 1, gone);
	} else if (!insert_if_room(maps, at, *mapping)) {
		return; /* what lay there is gone all the same */
	}
	join(maps, at);
}

const struct mapping *
maps_find(struct maps *maps, uint64_t address)
{
	size_t at;

	if (maps->last < maps->count && address >= maps->list[maps->last].start &&
	    address < maps->list[maps->last].end)
		return &maps->list[maps->last];
	at = lower(maps, address);
	if (at == maps->count || address < maps->list[at].start)
		return NULL;
	maps->last = at;
	return &maps->list[at];
}

bool
mapping_vaddr(const struct mapping *mapping, uint64_t address, uint64_t *vaddr)
{
	if (address >= mapping->plain_start && address < mapping->plain_end) {
		*vaddr = address + mapping->bias;
		return true;
	}
	return mapping->module->elf &&
	    elf_vaddr_of(mapping->module->elf, address - mapping->start + mapping->offset, vaddr);
}

/* Is it code of a file? */
static bool
has_file(const struct mapping *mapping)
{
	return mapping->module && mapping->module->elf;
}

/* Are the bytes at this part of mapping those of the file? */
static bool
is_equal_at(const struct mapping *mapping, struct elf *elf, uint64_t offset, uint64_t part, size_t size, uint32_t pid)
{
	unsigned char ours[PROBE_SIZE], theirs[PROBE_SIZE];

	return elf_read(elf, offset + part, ours, size) == 0 &&
	    memory_read(pid, mapping->start + part, theirs, size) == size && memcmp(ours, theirs, size) == 0;
}

/* The executable segment that a virtual address of the file lies in, or on the first page of. */
static const struct elf_segment *
segment_at(const struct elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (s->executable && vaddr >= (s->vaddr & ~(uint64_t)4095) && vaddr < s->vaddr + s->file_size)
			return s;
	}
	return NULL;
}

/* If from was mapped by this segment, what should be at mapping? */
static bool
recall_by(struct mapping *mapping, const struct mapping *from, const struct elf_segment *segment, uint32_t pid)
{
	struct elf *elf = from->module->elf;
	uint64_t vaddr = mapping->start - from->start + from->offset - segment->offset + segment->vaddr, offset;
	uint64_t length = mapping->end - mapping->start, probe;
	const struct elf_segment *text = segment_at(elf, vaddr);

	if (!text)
		return false;
	offset = vaddr - text->vaddr + text->offset;
	/* Huge pages may go beyond the end of the text. */
	if (length > text->vaddr + text->file_size - vaddr)
		length = text->vaddr + text->file_size - vaddr;
	if (length < PROBE_LEAST)
		return false;
	probe = length < PROBE_SIZE ? length : PROBE_SIZE;
	for (uint64_t i = 0; i < PROBES; i++)
		if (!is_equal_at(mapping, elf, offset, (length - probe) / (PROBES - 1) * i, (size_t)probe, pid))
			return false;
	mapping->module = from->module;
	mapping->offset = offset;
	return true;
}

bool
mapping_recall(struct mapping *mapping, const struct mapping *from, uint32_t pid)
{
	const struct elf *elf;

	if (has_file(mapping) || !from || !has_file(from) || mapping->start < from->start)
		return false;
	elf = from->module->elf;
	/* A page that two segments share is mapped by both. */
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (from->offset >= (s->offset & ~(uint64_t)4095) && from->offset < s->offset + s->file_size &&
		    recall_by(mapping, from, s, pid))
			return true;
	}
	return false;
}

/* The kernel writes a newline in a path as \012, and a backslash as itself: which is meant, only the file tells. */
static void
unescape(char *path, const struct module_place *place)
{
	char *at = strstr(path, "\\012");
	struct stat st;
	bool is_literal;
	int found;

	if (!at || path[0] != '/')
		return;
	found = root_find(*place->root, path, O_NOFOLLOW);
	is_literal = found >= 0 && fstat(found, &st) == 0 && st.st_ino == place->inode;
	if (found >= 0)
		close(found);
	for (; at && !is_literal; at = strstr(at, "\\012")) {
		*at++ = '\n';
		memmove(at, at + 3, strlen(at + 3) + 1);
	}
}

/* A line of /proc/PID/maps: start-end perms offset major:minor inode   path. perms: "r-xp". The path may hold anything
 * but a newline. */
static bool
parse_line(char *line, char perms[static 5], struct mapping *mapping, struct module_place *place)
{
	unsigned major_number, minor_number;
	int path = 0;
	char *newline = strchr(line, '\n');

	if (newline)
		*newline = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &mapping->start,
		&mapping->end, perms, &mapping->offset, &major_number, &minor_number, &place->inode, &path) < 7)
		return false;
	place->device = makedev(major_number, minor_number);
	if (path)
		unescape(line + path, place);
	place->path = path ? line + path : "";
	place->start = mapping->start;
	place->end = mapping->end;
	return true;
}

int
maps_read_lines(struct maps *maps, struct modules *modules, uint32_t pid, FILE *file)
{
	struct mapping before = { 0 }; /* of a file, whatever it may be */
	char *line = NULL, *before_path = NULL;
	struct module_place before_place = { 0 };
	size_t room = 0, lines = 0;
	char perms[5] = "";
	int root = root_open(pid, pid);

	while (getline(&line, &room, file) > 0 && lines++ < LINES_MAX) {
		struct module_place place = { .pid = pid, .root = &root };
		struct mapping mapping;

		mapping.module = NULL;
		if (!parse_line(line, perms, &mapping, &place))
			continue;
		if (perms[2] != 'x' && place.inode && place.path[0] == '/') {
			before = mapping;
			before_place = place;
			free(before_path);
			before_place.path = before_path = mem_print("%s", place.path);
		}
		if (perms[2] != 'x')
			continue;
		if (strcmp(place.path, "[vdso]") == 0)
			mapping.module = modules_vdso(modules);
		else if (place.inode && place.path[0] == '/')
			mapping.module = modules_find(modules, &place);
		else
			mapping.module = modules_anonymous(modules, *place.path ? place.path : "//anon");
		if (!has_file(&mapping) && before_path && !before.module)
			before.module = modules_find(modules, &before_place);
		if (perms[1] != 'w') /* what stays writable may be other code at any time */
			mapping_recall(&mapping, &before, pid);
		if (has_file(&mapping))
			before = mapping;
		maps_add(maps, &mapping);
	}
	maps->refused += lines > LINES_MAX;
	root_drop(root);
	free(before_path);
	free(line);
	return lines ? 0 : -1;
}

int
maps_read(struct maps *maps, struct modules *modules, uint32_t pid, uint32_t tid)
{
	char name[64];
	FILE *file;
	int result;

	snprintf(name, sizeof name, "/proc/%u/task/%u/maps", pid, tid);
	file = fopen(name, "re");
	if (!file)
		return -1;
	result = maps_read_lines(maps, modules, pid, file);
	/* The list ends without a word where the memory goes meanwhile: then it does not begin again either. */
	rewind(file);
	if (getc(file) == EOF)
		result = -1;
	fclose(file);
	return result;
}

void
maps_copy(struct maps *to, const struct maps *from)
{
	maps_clear(to);
	if (!from->count)
		return;
	*to = *from;
	to->store->users++;
}

void
maps_clear(struct maps *maps)
{
	if (maps->store && --maps->store->users == 0)
		free(maps->store);
	*maps = (struct maps){ 0 };
}
