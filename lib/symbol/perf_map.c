#include <sys/stat.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbol/demangle.h"
#include "symbol/perf_map.h"

#define PIECE 65536u
/* Longer lines are cut, and names with them. Scripts' names hold whole paths, generated code whole types. */
#define LINE_LENGTH_MAX 8192u
/* So much is asked for at once whether it is a hole: a quarter of a GB costs nothing to make, nor to pass over. */
#define STRIDE ((uint64_t)16 << 20)
/* To find that costs as much as to read so much. */
#define HOLE_BYTES 512u
/* A line takes as long as so many bytes, be it empty. */
#define LINE_BYTES 64u
/* What the table takes for a name, beside its bytes. */
#define NAME_BYTES 48u

struct perf_map {
	struct symbol_query *queries;
	size_t count, unnamed;
	size_t *next; /* the first at or after i without a name: followed, and shortened on the way */
	struct intern *names;
	struct buf text;
	struct perf_map_room *room;
	bool is_refused; /* for want of room */
};

static size_t
next_unnamed(struct perf_map *map, size_t i)
{
	size_t last = i, after;

	while (map->next[last] != last)
		last = map->next[last];
	for (; map->next[i] != last; i = after) {
		after = map->next[i];
		map->next[i] = last;
	}
	return last;
}

static size_t
query_at(const struct perf_map *map, uint64_t address)
{
	size_t lo = 0, hi = map->count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (map->queries[middle].vaddr < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* Hexadecimal with or without 0x and the blanks behind it; false if that is not what is there. */
static bool
take_number(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at, *digits;

	if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	digits = p;
	for (*value = 0; p < end; p++) {
		unsigned char c = (unsigned char)(*p | 0x20);
		unsigned digit = c >= 'a' && c <= 'f' ? c - 'a' + 10u : c >= '0' && c <= '9' && *p == c ? c - '0' + 0u : 16;

		if (digit > 15)
			break;
		*value = *value << 4 | digit;
	}
	if (p == digits || p - digits > 16 || p == end || (*p != ' ' && *p != '\t'))
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*at = p;
	return true;
}

/* SYMBOL_NONE: there is no room. */
static uint32_t
add_name(struct perf_map *map, const char *name, size_t length)
{
	size_t known = map->names->count;
	uint32_t number;
	char *mangled;

	if (length > 2 && (memcmp(name, "_Z", 2) == 0 || memcmp(name, "_R", 2) == 0)) {
		mangled = mem_copy(name, length);
		demangle(mangled, &map->text);
		free(mangled);
		name = map->text.data;
		length = map->text.length;
	}
	if (length + NAME_BYTES > map->room->names) {
		map->is_refused = true;
		return SYMBOL_NONE;
	}
	number = intern_add(map->names, name, length);
	if (map->names->count > known)
		map->room->names -= length + NAME_BYTES;
	return number;
}

static void
take_line(struct perf_map *map, const char *line, size_t length)
{
	const char *end = line + length;
	uint64_t start, size, last;
	uint32_t name = SYMBOL_NONE;

	while (end > line && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	if (!take_number(&line, end, &start) || !take_number(&line, end, &size) || line == end ||
	    memchr(line, '\0', (size_t)(end - line)))
		return;
	last = size && start + (size - 1) >= start ? start + (size - 1) : size ? UINT64_MAX : start;
	for (size_t i = next_unnamed(map, query_at(map, start)); i < map->count && map->queries[i].vaddr <= last;
	     i = next_unnamed(map, i)) {
		if (name == SYMBOL_NONE)
			name = add_name(map, line, (size_t)(end - line));
		if (name == SYMBOL_NONE)
			return;
		map->queries[i].name = name;
		map->next[i] = i + 1;
		map->unnamed--;
	}
}

static size_t
read_at(int fd, char *to, size_t size, uint64_t offset)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = pread(fd, to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static bool
is_hole(int fd, uint64_t from, uint64_t to)
{
	off_t data = lseek(fd, (off_t)from, SEEK_DATA);

	return data < 0 ? errno == ENXIO : (uint64_t)data >= to;
}

/* The beginning of what is to be read before at. A hole is passed over: no line goes through it. */
static uint64_t
before(int fd, uint64_t at, uint64_t stop, bool *hole)
{
	uint64_t stride = at - stop < STRIDE ? stop : at - STRIDE, piece = at - stop < PIECE ? stop : at - PIECE;

	*hole = is_hole(fd, stride, at);
	if (*hole)
		return stride;
	*hole = is_hole(fd, piece, at);
	return piece;
}

/* The lines of a piece, the last first; *rest: the bytes before them, which belong to the piece before. The number of
 * lines. */
static size_t
take_lines(struct perf_map *map, const char *bytes, size_t *rest, bool *is_last)
{
	const char *newline;
	size_t lines = 0;

	for (; (newline = memrchr(bytes, '\n', *rest)); lines++) {
		if (!*is_last)
			take_line(map, newline + 1, *rest - (size_t)(newline + 1 - bytes));
		*is_last = false;
		*rest = (size_t)(newline - bytes);
	}
	return lines;
}

static void
pay(struct perf_map *map, uint64_t bytes)
{
	map->is_refused |= bytes > map->room->bytes;
	map->room->bytes -= bytes < map->room->bytes ? bytes : map->room->bytes;
}

/* Piece by piece towards the beginning. */
static void
read_backwards(struct perf_map *map, int fd, uint64_t size)
{
	char *bytes = mem_alloc(PIECE + LINE_LENGTH_MAX + 1);
	uint64_t stop = size > PERF_MAP_MAX ? size - PERF_MAP_MAX : 0, at = size, from;
	size_t have = 0, n, lines;
	bool is_last = true, hole;

	for (; at > stop && map->unnamed && !map->is_refused; at = from) {
		from = before(fd, at, stop, &hole);
		n = hole ? HOLE_BYTES : (size_t)(at - from);
		pay(map, n);
		if (map->is_refused)
			break;
		if (hole) {
			is_last = true;
			have = 0;
			continue;
		}
		memmove(bytes + n, bytes, have);
		if (read_at(fd, bytes, n, from) < n) /* cut short meanwhile: nothing fits together any more */
			break;
		have += n;
		lines = take_lines(map, bytes, &have, &is_last);
		if (from == 0 && !is_last)
			take_line(map, bytes, have);
		if (lines * LINE_BYTES > n && map->unnamed && from > stop)
			pay(map, lines * LINE_BYTES - n);
		have = have < LINE_LENGTH_MAX ? have : LINE_LENGTH_MAX;
	}
	map->is_refused |= at == stop && stop && map->unnamed;
	free(bytes);
}

bool
perf_map_find(int fd, struct symbol_query *queries, size_t count, struct intern *names, struct perf_map_room *room)
{
	struct perf_map map = { .queries = queries, .count = count, .names = names, .room = room };
	struct stat st;

	if (!count || fstat(fd, &st) < 0 || st.st_size <= 0)
		return true;
	map.next = mem_resize(NULL, count + 1, sizeof *map.next);
	map.next[count] = count;
	for (size_t i = count; i-- > 0;) {
		map.next[i] = queries[i].name == SYMBOL_NONE ? i : i + 1;
		map.unnamed += queries[i].name == SYMBOL_NONE;
	}
	read_backwards(&map, fd, (uint64_t)st.st_size);
	free(map.next);
	buf_release(&map.text);
	return !map.is_refused;
}
