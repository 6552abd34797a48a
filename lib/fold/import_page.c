#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/warn.h"
#include "fold/import_page.h"

#define BEGIN "<!DOCTYPE html>\n<html lang=\"en\" data-gp-profiles=\""
#define END "</html>\n"
#define BASE 47
/* More tabs than anybody can tell apart. */
#define PROFILES_MAX 10000
#define PIECE ((size_t)64 << 10)
/* Larger than any browser takes. */
#define PAGE_MAX ((size_t)4 << 30)
/* What a name or a stack shares with the one before takes no room in the page, but in memory: the sum of all
 * names' bytes and of all stacks' frames is bounded. */
#define NAMES_MAX ((uint64_t)4 << 30)
#define FRAMES_MAX ((uint64_t)1 << 30)
#define RECENT_MAX 9

struct text {
	const char *at, *end;
};

/* A profile that is being read. */
struct unpack {
	struct fold *fold;
	struct text names, rows;
	unsigned recent, columns;
	uint32_t *number; /* by line: in fold->names */
	size_t count, room;
	uint32_t *seen;	  /* by caller's line, recent each; the last are those without a caller */
	uint32_t *path;	  /* lines */
	size_t depth, path_room;
	uint32_t *frames; /* the same as numbers */
	size_t frames_room;
};

bool
import_page_is(const char *head, size_t size)
{
	return size >= strlen(BEGIN) && memcmp(head, BEGIN, strlen(BEGIN)) == 0;
}

static int
damaged(const struct import_page *page, const char *why)
{
	return warn("%s is damaged: %s; nothing of it is taken", page->file, why);
}

static int
read_all(struct import_page *page, struct input *input)
{
	ssize_t got;

	do {
		buf_reserve(&page->text, PIECE);
		got = input_read(input, page->text.data + page->text.length, PIECE);
		if (got < 0)
			return -1;
		page->text.length += (size_t)got;
		if (page->text.length > PAGE_MAX)
			return warn("%s is larger than any page of gp-flame", page->file);
	} while (got);
	return 0;
}

int
import_page_open(struct import_page *page, struct input *input)
{
	size_t length;

	*page = (struct import_page){ .file = input_name(input) };
	if (read_all(page, input) < 0)
		return -1;
	length = page->text.length;
	if (!import_page_is(page->text.data ? page->text.data : "", length))
		return warn("%s is no page of gp-flame", page->file);
	if (length < strlen(BEGIN END) || memcmp(page->text.data + length - strlen(END), END, strlen(END)) != 0)
		return damaged(page, "its end is missing");
	for (page->at = strlen(BEGIN); page->text.data[page->at] >= '0' && page->text.data[page->at] <= '9'; page->at++)
		if ((page->profiles = page->profiles * 10 + (size_t)(page->text.data[page->at] - '0')) > PROFILES_MAX)
			break;
	if (!page->profiles || page->profiles > PROFILES_MAX || page->text.data[page->at] != '"')
		return damaged(page, "it does not say how many profiles it holds");
	return 0;
}

void
import_page_close(struct import_page *page)
{
	buf_release(&page->text);
}

static const char *
find(struct text in, const char *what)
{
	return in.at < in.end ? memmem(in.at, (size_t)(in.end - in.at), what, strlen(what)) : NULL;
}

/* The content of the next element that begins so. */
static int
element(struct import_page *page, const char *begin, struct text *content)
{
	struct text left = { page->text.data + page->at, page->text.data + page->text.length };
	const char *start = find(left, begin);

	if (!start)
		return -1;
	*content = (struct text){ start + strlen(begin), left.end };
	content->end = find(*content, "</script>");
	if (!content->end)
		return -1;
	page->at = (size_t)(content->end - page->text.data);
	return 0;
}

/* The four elements of a profile, in order, and whether they are as they were written. */
static int
find_profile(struct import_page *page, struct unpack *unpack, struct text *header)
{
	char begin[128], sum[9];
	struct text rows, check;
	uLong crc = crc32(0, NULL, 0);

	snprintf(begin, sizeof begin, "<script type=\"application/json\" class=\"header\" data-tab=\"%zu\">", page->taken);
	if (element(page, begin, header) < 0)
		return damaged(page, "a header is missing");
	snprintf(begin, sizeof begin, "<script type=\"text/plain\" class=\"names\" data-tab=\"%zu\">", page->taken);
	if (element(page, begin, &unpack->names) < 0)
		return damaged(page, "names are missing");
	snprintf(begin, sizeof begin, "<script type=\"text/plain\" class=\"rows\" data-tab=\"%zu\" data-recent=\"", page->taken);
	if (element(page, begin, &rows) < 0 || rows.end - rows.at < 22 || memcmp(rows.at + 1, "\" data-columns=\"", 16) != 0 ||
	    memcmp(rows.at + 18, "\">", 2) != 0)
		return damaged(page, "stacks are missing");
	unpack->recent = (unsigned)(rows.at[0] - '0');
	unpack->columns = (unsigned)(rows.at[17] - '0');
	unpack->rows = (struct text){ rows.at + 20, rows.end };
	snprintf(begin, sizeof begin, "<script type=\"text/plain\" class=\"sum\" data-tab=\"%zu\">", page->taken);
	if (element(page, begin, &check) < 0)
		return damaged(page, "the sum of a profile is missing");
	crc = crc32_z(crc, (const Bytef *)header->at, (size_t)(header->end - header->at));
	crc = crc32_z(crc, (const Bytef *)unpack->names.at, (size_t)(unpack->names.end - unpack->names.at));
	crc = crc32_z(crc, (const Bytef *)unpack->rows.at, (size_t)(unpack->rows.end - unpack->rows.at));
	snprintf(sum, sizeof sum, "%08lx", crc & 0xffffffff);
	if (check.end - check.at != 8 || memcmp(check.at, sum, 8) != 0)
		return damaged(page, "its data is not what was written");
	if (unpack->recent < 1 || unpack->recent > RECENT_MAX || unpack->columns < 1 || unpack->columns > 2)
		return damaged(page, "it was written by a later version");
	return 0;
}

static bool
number(struct text *from, uint64_t *value)
{
	uint64_t unit = 1;

	for (*value = 0; from->at < from->end; unit *= BASE) {
		unsigned code = (unsigned char)*from->at++, digit = code - (code < '<' ? ' ' : ' ' + 1);
		uint64_t part;

		if (code < ' ' || code == '<' || digit >= 2 * BASE)
			return false;
		if (__builtin_mul_overflow((uint64_t)(digit % BASE), unit, &part) || __builtin_add_overflow(*value, part, value))
			return false;
		if (digit < BASE)
			return true;
		if (unit > UINT64_MAX / BASE)
			return false;
	}
	return false;
}

static int
hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A name from its packed text. No frame has a ';' or a newline in it. */
static bool
unescape(const struct buf *packed, struct buf *name)
{
	buf_clear(name);
	for (size_t i = 0; i < packed->length; i++) {
		char c = packed->data[i];

		if (c == '\\') {
			if (i + 2 >= packed->length || hex(packed->data[i + 1]) < 0 || hex(packed->data[i + 2]) < 0)
				return false;
			c = (char)(hex(packed->data[i + 1]) << 4 | hex(packed->data[i + 2]));
			i += 2;
		}
		if (c == ';' || c == '\n')
			return false;
		buf_char(name, c);
	}
	return true;
}

static bool
read_names(struct unpack *unpack)
{
	struct text *from = &unpack->names;
	struct buf packed = { 0 }, name = { 0 };
	uint64_t shared, colour, all = 0;
	bool ok = true;

	while (ok && from->at < from->end) {
		const char *end;

		ok = number(from, &shared) && number(from, &colour) && shared <= packed.length &&
		    (end = memchr(from->at, '\n', (size_t)(from->end - from->at))) != NULL;
		if (!ok)
			break;
		packed.length = shared;
		buf_add(&packed, from->at, (size_t)(end - from->at));
		from->at = end + 1;
		all += packed.length;
		ok = all <= NAMES_MAX && unescape(&packed, &name);
		mem_grow(&unpack->number, unpack->count, &unpack->room);
		unpack->number[unpack->count] = intern_add(&unpack->fold->names, name.data ? name.data : "", name.length);
		/* Each once: the numbers that they get are new ones. */
		ok = ok && unpack->number[unpack->count] == unpack->count;
		unpack->count++;
	}
	buf_release(&packed);
	buf_release(&name);
	return ok && unpack->count < UINT32_MAX - RECENT_MAX;
}

/* One frame on top of the path; the lists of callees seen last are kept as the writer kept them. */
static bool
read_frame(struct unpack *unpack)
{
	uint32_t *seen = unpack->seen + unpack->recent * (unpack->depth ? unpack->path[unpack->depth - 1] : unpack->count);
	uint32_t line;
	uint64_t code;
	size_t place;

	if (!number(&unpack->rows, &code) || code >= unpack->recent + (uint64_t)unpack->count)
		return false;
	place = code < unpack->recent ? (size_t)code : unpack->recent - 1;
	line = code < unpack->recent ? seen[code] : (uint32_t)(code - unpack->recent);
	if (line >= unpack->count)
		return false;
	memmove(seen + 1, seen, place * sizeof *seen);
	seen[0] = line;
	mem_grow(&unpack->path, unpack->depth, &unpack->path_room);
	mem_grow(&unpack->frames, unpack->depth, &unpack->frames_room);
	unpack->path[unpack->depth] = line;
	unpack->frames[unpack->depth++] = unpack->number[line];
	return true;
}

/* A stack whose frames were all hidden has a value all the same; folded text wants a name for it. */
static void
add_stack(struct unpack *unpack, uint64_t base, uint64_t value)
{
	const uint32_t *frames = unpack->frames;
	size_t depth = unpack->depth;
	uint32_t unnamed;

	if (!depth) {
		unnamed = intern_text(&unpack->fold->names, "[unnamed]");
		frames = &unnamed;
		depth = 1;
	}
	if (unpack->columns == 2)
		stacks_add_pair(&unpack->fold->stacks, frames, depth, base, value);
	else
		stacks_add(&unpack->fold->stacks, frames, depth, value);
}

static bool
read_rows(struct unpack *unpack)
{
	uint64_t frames, rows, all = 0, back, more, base = 0, value;
	size_t size = (unpack->count + 1) * unpack->recent;

	if (!number(&unpack->rows, &frames) || !number(&unpack->rows, &rows))
		return false;
	unpack->seen = mem_resize(NULL, size, sizeof *unpack->seen);
	memset(unpack->seen, 0xff, size * sizeof *unpack->seen);
	for (uint64_t row = 0; row < rows; row++) {
		if (!number(&unpack->rows, &back) || !number(&unpack->rows, &more) || back > unpack->depth || more > frames)
			return false;
		unpack->depth -= (size_t)back;
		frames -= more;
		for (; more; more--)
			if (!read_frame(unpack))
				return false;
		if ((unpack->columns == 2 && !number(&unpack->rows, &base)) || !number(&unpack->rows, &value) ||
		    !(base | value) || (all += unpack->depth) > FRAMES_MAX)
			return false;
		add_stack(unpack, base, value);
	}
	return !frames && unpack->rows.at == unpack->rows.end;
}

int
import_page_next(struct import_page *page, struct fold *fold)
{
	struct unpack unpack = { .fold = fold };
	struct text header;
	bool ok;

	if (page->taken == page->profiles)
		return 0;
	if (find_profile(page, &unpack, &header) < 0)
		return -1;
	page->taken++;
	ok = header.at == header.end || header_parse(&fold->header, header.at, (size_t)(header.end - header.at)) == 0;
	ok = ok && read_names(&unpack) && read_rows(&unpack);
	free(unpack.number);
	free(unpack.seen);
	free(unpack.path);
	free(unpack.frames);
	return ok ? 1 : damaged(page, "its stacks cannot be read");
}
