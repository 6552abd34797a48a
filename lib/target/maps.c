#include <sys/sysmacros.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/maps.h"

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

static void
make_room(struct maps *maps)
{
	size_t front = maps->count / 2 + 2, room = maps->count + maps->count / 2 + 14;
	struct mapping *list = mem_resize(NULL, front + room, sizeof *list);

	if (maps->count)
		memcpy(list + front, maps->list, maps->count * sizeof *list);
	if (maps->list)
		free(maps->list - maps->front);
	maps->list = list + front;
	maps->front = front;
	maps->room = room;
}

/* The shorter side moves. */
static void
insert(struct maps *maps, size_t at, struct mapping mapping)
{
	bool lower_half = at < maps->count / 2;

	if (lower_half ? maps->front == 0 : maps->count == maps->room)
		make_room(maps);
	if (lower_half) {
		maps->list--;
		maps->front--;
		maps->room++;
		memmove(maps->list, maps->list + 1, at * sizeof *maps->list);
	} else {
		memmove(maps->list + at + 1, maps->list + at, (maps->count - at) * sizeof *maps->list);
	}
	maps->list[at] = mapping;
	maps->count++;
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
	work_out(&added);
	if (maps->count >= MAPS_MAX) {
		maps->refused++;
		return;
	}
	maps->last = 0;
	if (at < maps->count && maps->list[at].start < mapping->start) {
		struct mapping tail = maps->list[at];

		maps->list[at++].end = mapping->start;
		if (tail.end > mapping->end) { /* cut out of the middle */
			tail.offset += mapping->end - tail.start;
			tail.start = mapping->end;
			insert(maps, at, tail);
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
		memmove(maps->list + at + 1, maps->list + gone, (maps->count - gone) * sizeof *maps->list);
		maps->count -= gone - at - 1;
	} else {
		insert(maps, at, *mapping);
	}
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

/* A line of /proc/PID/maps: start-end perms offset major:minor inode   path. The path may hold
 * anything but a newline, which the kernel writes as \012. */
static bool
parse_line(char *line, struct mapping *mapping, struct module_place *place)
{
	char perms[5];
	unsigned major_number, minor_number;
	int path = 0;
	char *newline = strchr(line, '\n');

	if (newline)
		*newline = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &mapping->start,
		&mapping->end, perms, &mapping->offset, &major_number, &minor_number, &place->inode, &path) < 7 ||
	    perms[2] != 'x')
		return false;
	place->device = makedev(major_number, minor_number);
	place->path = path ? line + path : "";
	place->start = mapping->start;
	place->end = mapping->end;
	return true;
}

int
maps_read(struct maps *maps, struct modules *modules, uint32_t pid, uint32_t tid)
{
	char name[64], *line = NULL;
	size_t room = 0, lines = 0;
	FILE *file;

	snprintf(name, sizeof name, "/proc/%u/task/%u/maps", pid, tid);
	file = fopen(name, "re");
	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0 && lines++ < MAPS_MAX) {
		struct module_place place = { .pid = pid };
		struct mapping mapping;

		if (!parse_line(line, &mapping, &place))
			continue;
		if (strcmp(place.path, "[vdso]") == 0)
			mapping.module = modules_vdso(modules);
		else if (place.inode && place.path[0] == '/')
			mapping.module = modules_find(modules, &place);
		else
			mapping.module = modules_anonymous(modules, *place.path ? place.path : "//anon");
		maps_add(maps, &mapping);
	}
	free(line);
	fclose(file);
	return lines ? 0 : -1;
}

void
maps_copy(struct maps *to, const struct maps *from)
{
	maps_clear(to);
	if (!from->count)
		return;
	to->list = mem_resize(NULL, from->count, sizeof *to->list);
	memcpy(to->list, from->list, from->count * sizeof *to->list);
	to->count = to->room = from->count;
}

void
maps_clear(struct maps *maps)
{
	if (maps->list)
		free(maps->list - maps->front);
	*maps = (struct maps){ 0 };
}
