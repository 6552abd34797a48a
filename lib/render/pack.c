#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "render/colour.h"
#include "render/markup.h"
#include "render/pack.h"
#include "render/picture.h"

#define BASE 47
/* Digits of 2^64 - 1 to that base. */
#define DIGITS_MAX 12
#define FLUSH ((size_t)64 << 10)

struct pack {
	const struct tree *tree;
	uint32_t *rank;	 /* by number in fold->names: place among all names, then line among those in use */
	uint32_t *order; /* by line: number in fold->names */
	size_t names;
	uint64_t frames;
	unsigned long crc; /* of what was written */
};

static char
digit(unsigned d)
{
	return (char)(d + ' ' < '<' ? d + ' ' : d + ' ' + 1);
}

static void
number(struct buf *to, uint64_t value)
{
	char *p;

	buf_reserve(to, DIGITS_MAX);
	p = to->data + to->length;
	for (; value >= BASE; value /= BASE)
		*p++ = digit((unsigned)(value % BASE) + BASE);
	*p++ = digit((unsigned)value);
	to->length = (size_t)(p - to->data);
}

static void
pass_on(struct pack *pack, struct buf *text, struct out *out)
{
	if (!text->length) /* of NULL zlib begins the sum anew */
		return;
	out_add(out, text->data, text->length);
	pack->crc = crc32_z(pack->crc, (const unsigned char *)text->data, text->length);
	buf_clear(text);
}

/* Only the names of rows that are drawn: a stack of value 0 leaves no trace. */
static void
mark_used(struct pack *pack, bool *used)
{
	for (size_t i = 0; i < pack->tree->count; i++) {
		const struct stack *row = pack->tree->rows[i];
		uint32_t shared = pack->tree->shared[i];

		pack->frames += row->count - shared;
		for (uint32_t frame = shared; frame < row->count; frame++)
			used[row->frames[frame]] = true;
	}
}

static void
open_pack(struct pack *pack, const struct tree *tree)
{
	size_t all = tree->fold->names.count;
	bool *used = mem_alloc(all * sizeof *used);
	uint32_t *by_rank = mem_alloc(all * sizeof *by_rank);

	*pack = (struct pack){ .tree = tree, .rank = intern_ranks(&tree->fold->names), .crc = crc32(0, NULL, 0) };
	mark_used(pack, used);
	for (uint32_t name = 0; name < all; name++)
		by_rank[pack->rank[name]] = name;
	for (size_t i = 0; i < all; i++)
		if (used[by_rank[i]]) {
			pack->rank[by_rank[i]] = (uint32_t)pack->names;
			by_rank[pack->names++] = by_rank[i];
		}
	pack->order = by_rank;
	free(used);
}

static void
close_pack(struct pack *pack)
{
	free(pack->rank);
	free(pack->order);
}

static void
escape(const char *text, size_t length, struct buf *to)
{
	buf_clear(to);
	for (size_t at = 0, taken; at < length; at += taken) {
		unsigned char c = (unsigned char)text[at];
		uint32_t code = utf8_next(text + at, length - at, &taken);

		/* One byte of 128 and more is what utf8_next() could not read. */
		if (code < ' ' || code == '<' || code == '\\' || code == 0x7f || (taken == 1 && c >= 0x80))
			buf_print(to, "\\%02x", c);
		else
			buf_add(to, text + at, taken);
	}
}

/* Only ASCII is shared: bytes are then characters to a reader that counts in those. */
static size_t
shared_prefix(const struct buf *a, const struct buf *b)
{
	size_t n = 0, shorter = a->length < b->length ? a->length : b->length;

	while (n < shorter && a->data[n] == b->data[n] && (unsigned char)a->data[n] < 0x80)
		n++;
	return n;
}

static void
write_names(struct pack *pack, struct out *out)
{
	const struct fold *fold = pack->tree->fold;
	struct buf text = { 0 }, names[2] = { { 0 }, { 0 } };

	for (size_t i = 0; i < pack->names; i++) {
		struct box box = { .kind = BOX_FRAME, .name = pack->order[i] };
		struct buf *name = &names[i & 1];
		size_t shared;

		escape(intern_name(&fold->names, box.name), intern_length(&fold->names, box.name), name);
		shared = shared_prefix(name, &names[~i & 1]);
		number(&text, shared);
		number(&text, picture_look(fold, &box).colour);
		buf_add(&text, name->data ? name->data + shared : "", name->length - shared);
		buf_char(&text, '\n');
		if (text.length > FLUSH)
			pass_on(pack, &text, out);
	}
	pass_on(pack, &text, out);
	buf_release(&text);
	buf_release(&names[0]);
	buf_release(&names[1]);
}

/* Writes one frame and makes it the one seen last after its caller. */
static void
write_frame(struct buf *text, uint32_t *recent, uint32_t name)
{
	unsigned place = 0;

	while (place < PACK_RECENT && recent[place] != name)
		place++;
	number(text, place < PACK_RECENT ? place : (uint64_t)name + PACK_RECENT);
	if (place == PACK_RECENT)
		place--;
	memmove(recent + 1, recent, place * sizeof *recent);
	recent[0] = name;
}

static void
write_rows(struct pack *pack, struct out *out)
{
	/* By caller; the last one is that of frames without a caller. */
	size_t size = (pack->names + 1) * PACK_RECENT;
	const struct pair *pairs = pack->tree->pairs;
	uint32_t *recent = mem_alloc(size * sizeof *recent);
	struct buf text = { 0 };
	uint32_t depth = 0;

	memset(recent, 0xff, size * sizeof *recent);
	number(&text, pack->frames);
	number(&text, pack->tree->count);
	for (size_t i = 0; i < pack->tree->count; i++) {
		const struct stack *row = pack->tree->rows[i];
		uint32_t shared = pack->tree->shared[i];
		size_t caller = shared ? pack->rank[row->frames[shared - 1]] : pack->names;

		number(&text, depth - shared);
		number(&text, row->count - shared);
		for (uint32_t frame = shared; frame < row->count; frame++) {
			uint32_t name = pack->rank[row->frames[frame]];

			write_frame(&text, recent + caller * PACK_RECENT, name);
			caller = name;
		}
		if (pairs)
			number(&text, pairs[i].base);
		number(&text, pairs ? pairs[i].new : (uint64_t)row->value);
		depth = row->count;
		if (text.length > FLUSH)
			pass_on(pack, &text, out);
	}
	pass_on(pack, &text, out);
	free(recent);
	buf_release(&text);
}

/* Without '#' and newline. In JSON a '<' is only inside strings, where it may be written so. */
static void
write_header(struct pack *pack, struct out *out)
{
	const struct header *header = &pack->tree->fold->header;
	struct buf line = { 0 }, text = { 0 };

	if (header->json)
		header_print(header, &line);
	for (size_t i = 1; i + 1 < line.length; i++)
		if (line.data[i] == '<')
			buf_text(&text, "\\u003c");
		else
			buf_char(&text, line.data[i]);
	if (text.length)
		pass_on(pack, &text, out);
	buf_release(&line);
	buf_release(&text);
}

/* What the palette gives to each name, in their order. */
static void
write_paints(struct pack *pack, size_t tab, struct palette *palette, struct out *out)
{
	const struct intern *names = &pack->tree->fold->names;
	struct buf text = { 0 };
	const char *means;

	out_print(out, "<script type=\"text/plain\" class=\"paints\" data-tab=\"%zu\">", tab);
	for (size_t i = 0; i < pack->names; i++) {
		uint32_t name = pack->order[i];

		number(&text, palette_rgb(palette, intern_name(names, name), intern_length(names, name), &means));
		if (text.length > FLUSH)
			pass_on(pack, &text, out);
	}
	pass_on(pack, &text, out);
	out_text(out, "</script>\n");
	buf_release(&text);
}

static void
write_tree(const struct tree *tree, size_t tab, struct picture *picture, struct out *out)
{
	struct pack pack;

	open_pack(&pack, tree);
	out_print(out, "<script type=\"application/json\" class=\"header\" data-tab=\"%zu\">", tab);
	write_header(&pack, out);
	out_print(out, "</script>\n<script type=\"text/plain\" class=\"names\" data-tab=\"%zu\">", tab);
	write_names(&pack, out);
	out_print(out, "</script>\n<script type=\"text/plain\" class=\"rows\" data-tab=\"%zu\" data-recent=\"%d\" "
	    "data-columns=\"%d\">", tab, PACK_RECENT, tree->pairs ? 2 : 1);
	write_rows(&pack, out);
	out_print(out, "</script>\n<script type=\"text/plain\" class=\"sum\" data-tab=\"%zu\">%08lx</script>\n", tab,
	    pack.crc);
	if (picture->colours == COLOURS_PALETTE)
		write_paints(&pack, tab, &picture->palette, out);
	close_pack(&pack);
}

void
pack_write(const struct tree *tree, size_t tab, struct picture *picture, struct out *out)
{
	struct tree whole;

	/* A chart's rows have lost their labels, which the profile has. */
	if (!tree->own) {
		write_tree(tree, tab, picture, out);
	} else if (tree_open(&whole, tree->fold, ORDER_NAME, tree->layout) == 0) {
		write_tree(&whole, tab, picture, out);
		tree_close(&whole);
	}
}
