#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>

#include <sys/stat.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/source_units.h"
#include "target/debug_file.h"

/* Deeper than compilers nest calls and blocks. */
#define DEPTH_MAX 512
#define NESTING_MAX 256
/* libdw keeps the line table of every unit that was asked for; so many rows later it is opened anew. */
#define ROWS_MAX (1u << 20)

struct call {
	const char *name;
	uint32_t line, file; /* of the call: where its caller was */
	uint32_t outer;	     /* the call around it, + 1; 0: none */
};

/* An address of the unit at hand. */
struct place {
	uint64_t address;
	size_t number;	  /* as asked for */
	Dwarf_Off unit;
	bool has_unit;
	uint32_t innermost; /* of calls, + 1 */
	uint32_t nesting;
};

struct units {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	int alternative; /* fd of .gnu_debugaltlink's file, -1 */
	Dwarf *alternative_dwarf;
	size_t rows;
	struct place *places;
	size_t count;
	struct call *calls; /* of the unit at hand */
	size_t call_count, call_room;
	const struct source_sink *sink;
};

static size_t
place_at(const struct place *places, size_t count, uint64_t address)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (places[middle].address < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* --- opening */

/* libdw opens other files by paths that are in this one: to open a fifo waits for ever, and a device may start. */
static bool
is_harmless(const char *folder, const char *name)
{
	char *path = *name == '/' ? mem_print("%s", name) : mem_print("%s/%s", folder, name);
	struct stat st;
	bool good = stat(path, &st) < 0 || S_ISREG(st.st_mode);

	free(path);
	return good;
}

/* Beside the file, and where it was compiled. */
static bool
is_harmless_near(const struct units *units, const char *folder, const char *name)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", units->fd);
	length = readlink(link, path, sizeof path - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	*strrchr(path, '/') = '\0';
	return is_harmless(path, name) && (!folder || is_harmless(folder, name));
}

/* What dwz moved out of many files into one: by its build-id. */
static bool
open_alternative(struct units *units)
{
	const char *name;
	const void *build_id;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(units->dwarf, &name, &build_id);

	units->alternative = -1;
	if (size <= 0)
		return true;
	units->alternative = debug_file_find(build_id, (size_t)size);
	if (units->alternative >= 0)
		units->alternative_dwarf = dwarf_begin(units->alternative, DWARF_C_READ);
	if (!units->alternative_dwarf)
		return is_harmless_near(units, NULL, name);
	dwarf_setalt(units->dwarf, units->alternative_dwarf);
	return true;
}

static int
open_dwarf(struct units *units)
{
	units->rows = 0;
	/* Mapped: of a large file only what is looked at takes memory. */
	units->elf = elf_begin(units->fd, ELF_C_READ_MMAP, NULL);
	units->dwarf = units->elf ? dwarf_begin_elf(units->elf, DWARF_C_READ, NULL) : NULL;
	if (!units->dwarf) {
		elf_end(units->elf);
		return -1;
	}
	return open_alternative(units) ? 0 : -1;
}

static void
close_dwarf(struct units *units)
{
	dwarf_end(units->dwarf);
	dwarf_end(units->alternative_dwarf);
	units->alternative_dwarf = NULL;
	elf_end(units->elf);
	if (units->alternative >= 0)
		close(units->alternative);
}

/* --- which unit has an address */

static void
claim(struct units *units, Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit);
	Dwarf_Addr base, start, end;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0;)
		for (size_t i = place_at(units->places, units->count, start);
		     i < units->count && units->places[i].address < end; i++)
			if (!units->places[i].has_unit) {
				units->places[i].unit = offset;
				units->places[i].has_unit = true;
			}
}

static void
claim_all(struct units *units)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	while (dwarf_get_units(units->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			claim(units, &unit);
}

static int
by_unit(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->has_unit != y->has_unit)
		return x->has_unit ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* --- a unit */

struct walk {
	struct units *units;
	struct place *places; /* of this unit */
	size_t count;
	bool everywhere;      /* also where compilers seldom put code: inside types, and inside other functions */
	struct {
		Dwarf_Die die;
		uint32_t nesting; /* of functions and inlined calls around it */
	} levels[DEPTH_MAX];
	size_t depth;
};

static const char *
name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_name, &attribute))
		return dwarf_formstring(&attribute);
	return NULL;
}

static uint32_t
number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0 || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

/* Does the DIE cover one of the addresses? A function or call is noted for those it is next to. */
static bool
covers(struct walk *walk, Dwarf_Die *die, bool is_call, uint32_t nesting, bool *has_ranges)
{
	Dwarf_Addr base, start, end;
	struct call call = { 0 };
	bool any = false;

	*has_ranges = false;
	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
		*has_ranges = true;
		for (size_t i = place_at(walk->places, walk->count, start);
		     i < walk->count && walk->places[i].address < end; i++) {
			struct place *place = &walk->places[i];

			any = true;
			if (!is_call || place->nesting != nesting || nesting >= NESTING_MAX)
				continue;
			if (!call.name && !call.line) {
				call.name = name_of(die);
				call.line = number_of(die, DW_AT_call_line);
				call.file = number_of(die, DW_AT_call_file);
			}
			call.outer = place->innermost;
			mem_grow(&walk->units->calls, walk->units->call_count, &walk->units->call_room);
			walk->units->calls[walk->units->call_count++] = call;
			place->innermost = (uint32_t)walk->units->call_count;
			place->nesting = nesting + 1;
		}
	}
	return any;
}

/* Is there something below the DIE at hand that may cover an address? */
static bool
visit(struct walk *walk, uint32_t *nesting)
{
	Dwarf_Die *die = &walk->levels[walk->depth].die;
	uint32_t around = walk->levels[walk->depth].nesting;
	bool has_ranges;

	*nesting = around;
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram: /* inside another one it is a function of its own */
		*nesting = 1;
		return covers(walk, die, true, 0, &has_ranges) || walk->everywhere;
	case DW_TAG_inlined_subroutine:
		*nesting = around + 1;
		return covers(walk, die, true, around, &has_ranges);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return covers(walk, die, false, 0, &has_ranges) || !has_ranges || walk->everywhere;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return walk->everywhere;
	default:
		return false;
	}
}

static void
walk_unit(struct walk *walk, Dwarf_Die *unit)
{
	walk->depth = 0;
	walk->levels[0].nesting = 0;
	if (dwarf_child(unit, &walk->levels[0].die) != 0)
		return;
	for (;;) {
		uint32_t nesting;
		bool below = visit(walk, &nesting);

		if (below && walk->depth + 1 < DEPTH_MAX &&
		    dwarf_child(&walk->levels[walk->depth].die, &walk->levels[walk->depth + 1].die) == 0) {
			walk->levels[++walk->depth].nesting = nesting;
			continue;
		}
		while (dwarf_siblingof(&walk->levels[walk->depth].die, &walk->levels[walk->depth].die) != 0)
			if (walk->depth-- == 0)
				return;
	}
}

static const char *
text_of(Dwarf_Die *die, unsigned name, unsigned old_name)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr(die, name, &attribute) && !dwarf_attr(die, old_name, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

/* Of split DWARF the unit's skeleton is here and the rest in a .dwo file. */
static bool
open_split(struct units *units, Dwarf_Die *unit, Dwarf_Die *split)
{
	const char *name = text_of(unit, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	uint8_t type;

	return name && is_harmless_near(units, text_of(unit, DW_AT_comp_dir, DW_AT_comp_dir), name) &&
	    dwarf_cu_info(unit->cu, NULL, &type, NULL, split, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton && split->addr;
}

static void
find_calls(struct units *units, Dwarf_Die *unit, struct place *places, size_t count)
{
	struct walk *walk = mem_alloc(sizeof *walk);
	Dwarf_Die split;
	bool all = true;

	walk->units = units;
	walk->places = places;
	walk->count = count;
	if (open_split(units, unit, &split))
		unit = &split;
	walk_unit(walk, unit);
	for (size_t i = 0; i < count; i++)
		all &= places[i].nesting > 0;
	walk->everywhere = true;
	if (!all)
		walk_unit(walk, unit);
	free(walk);
}

static const char *
base_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path;
}

/* From outside inwards: each function is where it called the next one, the innermost where the address is. */
static void
give(struct units *units, Dwarf_Die *unit, const struct place *place)
{
	struct source_call calls[NESTING_MAX + 1] = { { 0 } };
	Dwarf_Files *files = NULL;
	Dwarf_Line *line = dwarf_getsrc_die(unit, place->address);
	size_t count = place->nesting ? place->nesting : 1, file_count = 0, i = count - 1;
	int number = 0;

	dwarf_getsrcfiles(unit, &files, &file_count);
	if (line) {
		calls[i].file = base_of(dwarf_linesrc(line, NULL, NULL));
		dwarf_lineno(line, &number);
		calls[i].line = number > 0 ? (uint32_t)number : 0;
	}
	for (uint32_t c = place->innermost; c; c = units->calls[c - 1].outer, i--) {
		const struct call *call = &units->calls[c - 1];

		calls[i].name = call->name;
		if (i == 0)
			break;
		calls[i - 1].line = call->line;
		calls[i - 1].file = call->file < file_count ? base_of(dwarf_filesrc(files, call->file, NULL, NULL)) : NULL;
	}
	if (place->nesting || line)
		units->sink->take(units->sink->context, place->number, calls, count);
}

static int
find_in_unit(struct units *units, struct place *places, size_t count)
{
	Dwarf_Lines *lines;
	Dwarf_Die unit;
	size_t rows;

	if (units->rows > ROWS_MAX) {
		close_dwarf(units);
		if (open_dwarf(units) < 0)
			return -1;
	}
	if (!dwarf_offdie(units->dwarf, places[0].unit, &unit))
		return 0;
	units->call_count = 0;
	find_calls(units, &unit, places, count);
	if (dwarf_getsrclines(&unit, &lines, &rows) == 0)
		units->rows += rows;
	for (size_t i = 0; i < count; i++)
		give(units, &unit, &places[i]);
	return 0;
}

int
source_units_find(int fd, const uint64_t *addresses, size_t count, const struct source_sink *sink)
{
	struct units units = { .fd = fd, .count = count, .sink = sink };
	int result = 0;

	elf_version(EV_CURRENT);
	if (open_dwarf(&units) < 0)
		return -1;
	units.places = mem_alloc((count + 1) * sizeof *units.places);
	for (size_t i = 0; i < count; i++)
		units.places[i] = (struct place){ .address = addresses[i], .number = i };
	claim_all(&units);
	qsort(units.places, count, sizeof *units.places, by_unit);
	for (size_t from = 0, to; from < count && units.places[from].has_unit && result == 0; from = to) {
		for (to = from + 1; to < count && units.places[to].has_unit && units.places[to].unit == units.places[from].unit; to++)
			continue;
		result = find_in_unit(&units, units.places + from, to - from);
	}
	if (result == 0)
		close_dwarf(&units);
	free(units.places);
	free(units.calls);
	return result;
}
