/* Folded text drawn in every way: four bytes of options, then the text. Boxes lie inside their parents, an SVG is
 * well-formed XML of allowed characters, a page gives back what it was made of, text has no controls. */
#include <sys/mman.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "fold/import_page.h"
#include "render/html.h"
#include "render/markup.h"
#include "render/svg.h"
#include "render/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* --- what is written, in memory */

static int
memory_file(const void *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, bytes, size) != (ssize_t)size))
		abort();
	return fd;
}

static char *
content(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *bytes = mem_alloc((size_t)end + 1);

	*size = (size_t)end;
	if (end < 0 || pread(fd, bytes, *size, 0) != end)
		abort();
	return bytes;
}

/* Standard output goes into a file in memory until end_output(). */
static int saved;

static struct out *
begin_output(int *to)
{
	struct out *out;

	*to = memory_file("", 0);
	saved = dup(STDOUT_FILENO);
	if (dup2(*to, STDOUT_FILENO) < 0 || !(out = out_open(NULL, false)))
		abort();
	return out;
}

static void
end_output(struct out *out)
{
	if (out_close(out) < 0 || dup2(saved, STDOUT_FILENO) < 0)
		abort();
	close(saved);
}

static char *
written(const struct fold *fold, size_t *size)
{
	int fd;
	struct out *out = begin_output(&fd);
	char *text;

	folded_write(fold, out, false);
	end_output(out);
	text = content(fd, size);
	close(fd);
	return text;
}

/* --- boxes */

#define DEPTHS 4096u

struct level {
	uint64_t first, end, sum; /* of the boxes of a depth that have no parent yet */
	bool any;
};

static void
check_box(void *context, const struct box *box)
{
	struct level *levels = context, *own, *below;

	if (box->depth + 1 >= DEPTHS)
		return;
	own = &levels[box->depth];
	below = &levels[box->depth + 1];
	if (below->any && (below->first < box->left || below->end > box->left + box->total || below->sum > box->total))
		abort();
	if (below->any && box->kind == BOX_SMALL)
		abort();
	if (own->any && box->left < own->end)
		abort();
	*below = (struct level){ 0 };
	if (!own->any)
		own->first = box->left;
	own->any = true;
	own->end = box->left + box->total;
	own->sum += box->total;
}

static void
check_boxes(const struct tree *tree, uint64_t least)
{
	static struct level levels[DEPTHS];
	struct tree_cut cut = { 0 };

	memset(levels, 0, sizeof levels);
	tree_walk(tree, least, check_box, levels, &cut);
	if (levels[0].any && (levels[0].first != 0 || levels[0].end > tree->total))
		abort();
}

/* --- XML: tags nest, attributes are quoted and there once, references and characters are allowed ones */

static void
check_characters(const char *at, const char *end, bool is_xml)
{
	while (at < end) {
		size_t taken;
		uint32_t code = utf8_next(at, (size_t)(end - at), &taken);

		/* The script has tabs. */
		if ((code < ' ' && code != '\n' && !(is_xml && code == '\t')) || (code >= 0x7f && code < 0xa0) ||
		    (is_xml && (code & 0xfffe) == 0xfffe))
			abort();
		if (code == 0xfffd && memcmp(at, "\xef\xbf\xbd", 3) != 0)
			abort();
		at += taken;
	}
}

static void
check_references(const char *at, const char *end)
{
	static const char *const names[] = { "amp;", "lt;", "gt;", "quot;", "apos;", "#" };

	while ((at = memchr(at, '&', (size_t)(end - at)))) {
		bool ok = false;

		at++;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			ok |= strncmp(at, names[i], strlen(names[i])) == 0;
		if (!ok)
			abort();
	}
}

static const char *
past(const char *at, const char *what)
{
	const char *found = strstr(at, what);

	if (!found)
		abort();
	return found + strlen(what);
}

/* Of a tag behind its name: to its '>' or "/>". */
static const char *
check_attributes(const char *at)
{
	const char *names[64], *value;
	size_t lengths[64], count = 0;

	for (;;) {
		at += strspn(at, " \n");
		if (*at == '>' || (*at == '/' && at[1] == '>'))
			return at;
		names[count] = at;
		lengths[count] = strcspn(at, "= \n<>\"'");
		at += lengths[count];
		if (!lengths[count] || *at != '=' || at[1] != '"')
			abort();
		for (size_t i = 0; i < count; i++)
			if (lengths[i] == lengths[count] && memcmp(names[i], names[count], lengths[i]) == 0)
				abort();
		if (++count == 64)
			abort();
		value = at + 2;
		at = strchr(value, '"');
		if (!at || memchr(value, '<', (size_t)(at - value)))
			abort();
		check_references(value, at);
		at++;
	}
}

static void
check_xml(const char *at, size_t size)
{
	const char *end = at + size, *open[64], *tag;
	size_t lengths[64], depth = 0, length;

	if (strlen(at) != size)
		abort();
	check_characters(at, end, true);
	while (at < end) {
		if (*at != '<') {
			tag = strchr(at, '<');
			check_references(at, tag ? tag : end);
			at = tag ? tag : end;
		} else if (strncmp(at, "<?", 2) == 0) {
			at = past(at, "?>");
		} else if (strncmp(at, "<!--", 4) == 0) {
			at = past(at, "-->");
		} else if (strncmp(at, "<![CDATA[", 9) == 0) {
			at = past(at, "]]>");
		} else if (at[1] == '/') {
			tag = at + 2;
			length = strcspn(tag, ">");
			if (!depth-- || lengths[depth] != length || memcmp(open[depth], tag, length) != 0)
				abort();
			at = tag + length + 1;
		} else {
			tag = at + 1;
			length = strcspn(tag, " \n/>");
			if (!length || depth == 64)
				abort();
			open[depth] = tag;
			lengths[depth++] = length;
			at = check_attributes(tag + length);
			depth -= *at == '/';
			at += 1 + (*at == '/');
		}
	}
	if (depth)
		abort();
}

/* --- each way */

static void
draw_svg(const struct tree *tree, struct picture *picture)
{
	int fd;
	struct out *out = begin_output(&fd);
	size_t size;
	char *svg;

	svg_write(tree, picture, out);
	end_output(out);
	svg = content(fd, &size);
	check_xml(svg, size);
	free(svg);
	close(fd);
}

static void
draw_text(const struct tree *tree, struct picture *picture)
{
	int fd;
	struct out *out = begin_output(&fd);
	size_t size;
	char *text;

	text_write(tree, picture, out, false);
	end_output(out);
	text = content(fd, &size);
	check_characters(text, text + size, false);
	free(text);
	close(fd);
}

static void
draw_page(const struct tree *tree, struct picture *picture)
{
	static const char *const titles[] = { "" };
	const struct html html = { .trees = tree, .titles = titles, .count = 1, .script = "x.js", .style = "x.css" };
	struct import_page page = { 0 };
	struct input *input;
	struct fold fold;
	size_t size, size_then;
	char path[32], *text, *then;
	int fd;
	struct out *out = begin_output(&fd);

	html_write(&html, picture, out);
	end_output(out);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	input = input_open(path);
	fold_init(&fold);
	if (!input || input_next_member(input) <= 0 || import_page_open(&page, input) < 0 || import_page_next(&page, &fold) <= 0)
		abort();
	text = written(tree->fold, &size);
	then = written(&fold, &size_then);
	if (size != size_then || memcmp(text, then, size) != 0) {
		fprintf(stderr, "drawn:\n%.*s\nread:\n%.*s\n", (int)size, text, (int)size_then, then);
		abort();
	}
	free(text);
	free(then);
	import_page_close(&page);
	fold_release(&fold);
	input_close(input);
	close(fd);
}

static void
choose(struct picture *picture, const uint8_t option[static 4])
{
	static const char *const colours[] = { "kind", "module", "package", "runtime", "self", "safe", "hot", "java", "js",
		"perl", "chain", "wakeup", "red", "io", "rust", "python" };

	*picture = (struct picture){ .width = 100 + option[3] * 8u, .narrowest = 0.1 };
	if (picture_set_colours(picture, colours[option[1] % 16]) < 0)
		picture_set_colours(picture, "kind");
	picture->palette.values = option[1] >> 4 & 3;
	picture->inverted = option[2] & 1;
	picture->no_script = !(option[2] & 2);
	picture->indented = option[2] & 4;
	picture->cuts_left = option[2] & 8;
	picture->leaves_small = option[2] & 16;
	picture->change_by = (option[2] >> 5) % 3;
	picture->negate = option[2] & 128;
}

static void
draw(struct fold *fold, const uint8_t option[static 4])
{
	struct picture picture;
	struct tree tree;

	choose(&picture, option);
	if (tree_open(&tree, fold, option[0] & 3, (option[0] >> 2 & 3) % 3) < 0)
		return;
	if (tree.total) {
		check_boxes(&tree, 1);
		check_boxes(&tree, tree.total / 50 + 1);
	}
	draw_svg(&tree, &picture);
	if (option[0] & 16)
		draw_text(&tree, &picture);
	/* A chart's label time has become the order of its rows. */
	if (option[0] & 32 && (option[0] & 3) != ORDER_TIME)
		draw_page(&tree, &picture);
	tree_close(&tree);
	palette_release(&picture.palette);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct folded_options options = { 0 };
	char path[32], *operands[] = { path };
	struct fold fold;
	int fd;

	if (size < 4)
		return 0;
	warn_quiet = true;
	options.each_line = (bytes[0] & 3) == ORDER_TIME;
	fd = memory_file(bytes + 4, size - 4);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	fold_init(&fold);
	if (folded_read(&fold, operands, 1, &options) == 0) {
		header_set_number(&fold.header, "gp", 1);
		draw(&fold, bytes);
	}
	fold_release(&fold);
	close(fd);
	return 0;
}
