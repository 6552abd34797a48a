#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "symbol/demangle.h"
#include "symbol/kallsyms.h"

#define READ_SIZE 65536u
/* kallsyms has no sizes. Beyond this a symbol is not believed: there are gaps behind modules. */
#define REACH_MAX (1u << 20)

/* The greatest symbol at or below a query but above the query before it: later the greatest of those
 * to its left is its own. So every line of the file costs one look-up and no symbol is kept but hits. */
struct nearest {
	uint64_t start; /* 0: none */
	const char *name, *module; /* module: "" is the kernel itself */
};

struct scan {
	const struct symbol_query *queries;
	size_t count, last; /* last: query of the line before */
	struct nearest *nearest;
	struct arena text;
	/* The line before, not copied until a line for another query comes. */
	uint64_t start;
	char name[512]; /* KSYM_NAME_LEN */
	char module[64]; /* MODULE_NAME_LEN */
	bool pending;
	bool any;    /* an address was there */
	bool hidden; /* it was zero */
};

static const char *
keep_text(struct scan *scan, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(&scan->text, size, 1), text, size);
}

static void
keep(struct scan *scan)
{
	struct nearest *nearest = &scan->nearest[scan->last];

	if (!scan->pending)
		return;
	scan->pending = false;
	if (nearest->start >= scan->start)
		return;
	*nearest = (struct nearest){ scan->start, keep_text(scan, scan->name),
		*scan->module ? keep_text(scan, scan->module) : "" };
}

/* The first query at or above an address; the file is mostly sorted, so near the last one. */
static size_t
query_at(const struct scan *scan, uint64_t address)
{
	size_t lo = 0, hi = scan->count;

	if (scan->last < scan->count && scan->queries[scan->last].vaddr >= address &&
	    (scan->last == 0 || scan->queries[scan->last - 1].vaddr < address))
		return scan->last;
	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (scan->queries[middle].vaddr < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static void
copy_text(char *to, size_t room, const char *text, size_t length)
{
	if (length >= room)
		length = room - 1;
	memcpy(to, text, length);
	to[length] = '\0';
}

/* "ffffffff81000000 T _stext", a module's with a tab and "[module]". Of several names of one address
 * the first stays, as with %pS. */
static void
take_line(struct scan *scan, const char *line, size_t length)
{
	uint64_t address = 0;
	size_t i, query, end, after;

	for (i = 0; i < length && i < 16 && line[i] != ' '; i++) {
		unsigned char c = (unsigned char)line[i];
		unsigned digit = c >= 'a' ? c - 'a' + 10u : c - '0' + 0u;

		if (digit > 15)
			return;
		address = address << 4 | digit;
	}
	if (i + 3 >= length || line[i] != ' ' || line[i + 2] != ' ' || !strchr("tTwW", line[i + 1]))
		return;
	scan->any = true;
	if (!address)
		scan->hidden = true;
	query = query_at(scan, address);
	if (query == scan->count)
		return;
	if (query != scan->last)
		keep(scan);
	scan->last = query;
	if (scan->pending && address <= scan->start)
		return;
	for (i += 3, end = i; end < length && line[end] != '\t'; end++)
		continue;
	after = end + 2 < length && line[end + 1] == '[' ? end + 2 : length;
	copy_text(scan->name, sizeof scan->name, line + i, end - i);
	copy_text(scan->module, sizeof scan->module, line + after, length - after - (after < length));
	scan->start = address;
	scan->pending = true;
}

static int
read_lines(struct scan *scan, int fd)
{
	char *chunk = mem_alloc(READ_SIZE), *line, *newline;
	size_t have = 0;
	ssize_t got;

	while (!scan->hidden) {
		got = read(fd, chunk + have, READ_SIZE - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		have += (size_t)got;
		for (line = chunk; (newline = memchr(line, '\n', have - (size_t)(line - chunk))); line = newline + 1)
			take_line(scan, line, (size_t)(newline - line));
		have -= (size_t)(line - chunk);
		memmove(chunk, line, have);
		if (have == READ_SIZE)
			have = 0; /* no line is that long */
	}
	take_line(scan, chunk, have);
	keep(scan);
	free(chunk);
	errno = scan->hidden ? EPERM : ENODATA;
	return scan->hidden || !scan->any ? -1 : 0;
}

static void
name_all(const struct scan *scan, struct symbol_query *queries, struct intern *names)
{
	struct nearest best = { 0, NULL, NULL };
	struct buf text = { 0 };
	uint32_t name = SYMBOL_NONE, module = 0;

	for (size_t i = 0; i < scan->count; i++) {
		if (scan->nearest[i].start > best.start) {
			best = scan->nearest[i];
			demangle(best.name, &text);
			name = intern_add(names, text.data, text.length);
			module = *best.module ? intern_text(names, best.module) + 1 : 0;
		}
		if (best.start && queries[i].vaddr - best.start < REACH_MAX) {
			queries[i].name = name;
			queries[i].module = module;
		}
	}
	buf_release(&text);
}

int
kallsyms_find(const char *path, struct symbol_query *queries, size_t count, struct intern *names)
{
	struct scan scan = { .queries = queries, .count = count };
	int fd = open(path, O_RDONLY | O_CLOEXEC), result, reason;

	for (size_t i = 0; i < count; i++) {
		queries[i].name = SYMBOL_NONE;
		queries[i].module = 0;
	}
	if (fd < 0)
		return -1;
	scan.nearest = mem_alloc((count + 1) * sizeof *scan.nearest);
	result = read_lines(&scan, fd);
	reason = errno;
	if (result == 0)
		name_all(&scan, queries, names);
	close(fd);
	free(scan.nearest);
	arena_release(&scan.text);
	errno = reason;
	return result;
}
