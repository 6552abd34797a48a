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

struct perf_map {
	struct symbol_query *queries;
	size_t count, unnamed;
	size_t *next; /* the first at or after i without a name: followed, and shortened on the way */
	struct intern *names;
	struct buf text;
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

static uint32_t
add_name(struct perf_map *map, const char *name, size_t length)
{
	char *mangled;

	if (length < 3 || (memcmp(name, "_Z", 2) != 0 && memcmp(name, "_R", 2) != 0))
		return intern_add(map->names, name, length);
	mangled = mem_copy(name, length);
	demangle(mangled, &map->text);
	free(mangled);
	return intern_add(map->names, map->text.data, map->text.length);
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

/* Piece by piece towards the beginning; what a piece begins with belongs to the one before. */
static uint64_t
read_backwards(struct perf_map *map, int fd, uint64_t size)
{
	char *bytes = mem_alloc(PIECE + LINE_LENGTH_MAX + 1), *newline;
	uint64_t stop = size > PERF_MAP_MAX ? size - PERF_MAP_MAX : 0, at = size;
	size_t have = 0, end, n;
	bool is_last = true;

	for (; at > stop && map->unnamed; have = end < LINE_LENGTH_MAX ? end : LINE_LENGTH_MAX) {
		n = at - stop < PIECE ? (size_t)(at - stop) : PIECE;
		at -= n;
		memmove(bytes + n, bytes, have);
		if (read_at(fd, bytes, n, at) < n) /* cut short meanwhile: nothing fits together any more */
			break;
		for (end = n + have; (newline = memrchr(bytes, '\n', end)); end = (size_t)(newline - bytes)) {
			if (!is_last)
				take_line(map, newline + 1, end - (size_t)(newline + 1 - bytes));
			is_last = false;
		}
		if (at == 0 && !is_last)
			take_line(map, bytes, end);
	}
	free(bytes);
	return size - at;
}

uint64_t
perf_map_find(int fd, struct symbol_query *queries, size_t count, struct intern *names)
{
	struct perf_map map = { .queries = queries, .count = count, .names = names };
	uint64_t done;
	struct stat st;

	if (!count || fstat(fd, &st) < 0 || st.st_size <= 0)
		return 0;
	map.next = mem_resize(NULL, count + 1, sizeof *map.next);
	map.next[count] = count;
	for (size_t i = count; i-- > 0;) {
		map.next[i] = queries[i].name == SYMBOL_NONE ? i : i + 1;
		map.unnamed += queries[i].name == SYMBOL_NONE;
	}
	done = read_backwards(&map, fd, (uint64_t)st.st_size);
	free(map.next);
	buf_release(&map.text);
	return done;
}
