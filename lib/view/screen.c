#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "render/markup.h"
#include "view/screen.h"

/* More than any terminal; it bounds what a hostile size may cost. */
#define SIDE_MAX 1000

static const struct style plain;

/* Of a character; 0 if it stands on the one before. libc knows, whatever the user's locale is. */
static unsigned
width_of(uint32_t code)
{
	static locale_t utf8;
	locale_t own;
	int width;

	if (code >= 0x20 && code < 0x7f)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!utf8)
		return utf8_columns(code);
	own = uselocale(utf8);
	width = wcwidth((wchar_t)code);
	uselocale(own);
	return width < 0 || width > 2 ? 1 : (unsigned)width;
}

/* Nobody sees them: joiners, blanks without width, selectors of variants, tags. */
static bool
is_invisible(uint32_t code)
{
	return code == 0xad || (code >= 0x200b && code <= 0x200d) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfff9 && code <= 0xfffb) ||
	       code >= 0xe0000 || code == 0x180e || (code >= 0xe000 && code <= 0xf8ff) || code == 0x34f ||
	       (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef) || code == 0x115f || code == 0x1160 ||
	       code == 0x3164;
}

/* The next character as it is shown. */
struct glyph {
	const char *text;
	size_t length;
	unsigned width;
};

static struct glyph
glyph_next(const char *text, size_t left, size_t *taken)
{
	uint32_t code = utf8_next(text, left, taken);

	if (!utf8_is_harmless(code) || is_invisible(code))
		return (struct glyph){ "\xef\xbf\xbd", 3, 1 };
	return (struct glyph){ text, *taken, width_of(code) };
}

/* Up to limit, which is all that is asked. */
static size_t
width_up_to(const char *text, size_t length, size_t limit)
{
	size_t width = 0;

	for (size_t at = 0, taken; at < length && width <= limit; at += taken)
		width += glyph_next(text + at, length - at, &taken).width;
	return width;
}

size_t
screen_width(const char *text, size_t length)
{
	return width_up_to(text, length, SIDE_MAX);
}

void
screen_resize(struct screen *screen, size_t rows, size_t columns)
{
	screen->rows = rows < SIDE_MAX ? rows : SIDE_MAX;
	screen->columns = columns < SIDE_MAX ? columns : SIDE_MAX;
	free(screen->cells);
	free(screen->shown);
	screen->cells = mem_alloc((screen->rows * screen->columns + 1) * sizeof *screen->cells);
	screen->shown = mem_alloc((screen->rows * screen->columns + 1) * sizeof *screen->shown);
	screen->all = true;
	screen_clear(screen);
}

void
screen_release(struct screen *screen)
{
	free(screen->cells);
	free(screen->shown);
	buf_release(&screen->out);
}

static void
set_blank(struct cell *cell, struct style style)
{
	*cell = (struct cell){ .text = " ", .length = 1, .width = 1, .style = style };
}

void
screen_clear(struct screen *screen)
{
	for (size_t i = 0; i < screen->rows * screen->columns; i++)
		set_blank(&screen->cells[i], plain);
	screen->cursor_row = screen->rows;
}

/* A wide character of which one half is overwritten is no character any more. */
static void
free_place(struct screen *screen, size_t row, size_t column)
{
	struct cell *line = screen->cells + row * screen->columns;

	if (!line[column].length && column)
		set_blank(&line[column - 1], line[column - 1].style);
	if (line[column].width == 2 && column + 1 < screen->columns)
		set_blank(&line[column + 1], line[column + 1].style);
}

static void
put(struct screen *screen, size_t row, size_t column, struct style style, const struct glyph *glyph)
{
	struct cell *cell = &screen->cells[row * screen->columns + column];

	free_place(screen, row, column);
	if (glyph->width == 2) {
		free_place(screen, row, column + 1);
		cell[1] = (struct cell){ .style = style };
	}
	*cell = (struct cell){ .length = (uint8_t)glyph->length, .width = (uint8_t)glyph->width, .style = style };
	memcpy(cell->text, glyph->text, glyph->length);
}

/* A mark without width stands on the character before it, as many as there is room for. */
static void
put_mark(struct screen *screen, size_t row, size_t column, const struct glyph *glyph)
{
	struct cell *cell = &screen->cells[row * screen->columns + column];

	if (!cell->length && column)
		cell--;
	if (cell->length + glyph->length > CELL_BYTES)
		return;
	memcpy(cell->text + cell->length, glyph->text, glyph->length);
	cell->length = (uint8_t)(cell->length + glyph->length);
}

size_t
screen_text(struct screen *screen, size_t row, size_t column, size_t end, struct style style, const char *text,
    size_t length)
{
	static const struct glyph point = { ".", 1, 1 };
	size_t from = column, room;
	bool cut;

	end = end < screen->columns ? end : screen->columns;
	if (row >= screen->rows || column >= end)
		return column;
	room = end - column;
	cut = width_up_to(text, length, room) > room;
	if (cut && room >= 4)
		end -= 2;
	for (size_t at = 0, taken; at < length; at += taken) {
		struct glyph glyph = glyph_next(text + at, length - at, &taken);

		if (!glyph.width && column > from)
			put_mark(screen, row, column - 1, &glyph);
		if (!glyph.width)
			continue;
		if (column + glyph.width > end)
			break;
		put(screen, row, column, style, &glyph);
		column += glyph.width;
	}
	for (int i = 0; i < 2 && cut && room >= 4; i++)
		put(screen, row, column++, style, &point);
	return column;
}

size_t
screen_words(struct screen *screen, size_t row, size_t column, size_t end, struct style style, const char *text)
{
	return screen_text(screen, row, column, end, style, text, strlen(text));
}

void
screen_fill(struct screen *screen, size_t row, size_t column, size_t end, struct style style)
{
	static const struct glyph blank = { " ", 1, 1 };

	end = end < screen->columns ? end : screen->columns;
	for (; row < screen->rows && column < end; column++)
		put(screen, row, column, style, &blank);
}

void
screen_cursor(struct screen *screen, size_t row, size_t column)
{
	screen->cursor_row = row;
	screen->cursor_column = column;
}

/* One of the 6x6x6 colours, or of the 24 greys. */
static unsigned
colour_256(uint32_t rgb)
{
	static const unsigned levels[] = { 0, 95, 135, 175, 215, 255 };
	unsigned index = 16, factor = 36;

	for (int shift = 16; shift >= 0; shift -= 8, factor /= 6) {
		unsigned value = rgb >> shift & 255, best = 0;

		for (unsigned i = 1; i < 6; i++)
			if (abs((int)levels[i] - (int)value) < abs((int)levels[best] - (int)value))
				best = i;
		index += factor * best;
	}
	return index;
}

static bool
same_style(const struct style *a, const struct style *b)
{
	return a->attributes == b->attributes && a->has_colours == b->has_colours &&
	    (!a->has_colours || (a->back == b->back && a->text == b->text && a->ansi == b->ansi));
}

static void
write_style(struct screen *screen, const struct style *style)
{
	static const int codes[] = { 1, 4, 7, 2, 9 };
	struct buf *out = &screen->out;

	buf_text(out, "\033[0");
	for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
		if (style->attributes >> i & 1)
			buf_print(out, ";%d", codes[i]);
	if (style->has_colours && screen->depth == DEPTH_ALL)
		buf_print(out, ";48;2;%u;%u;%u;38;2;%u;%u;%u", style->back >> 16, style->back >> 8 & 255,
		    style->back & 255, style->text >> 16, style->text >> 8 & 255, style->text & 255);
	else if (style->has_colours && screen->depth == DEPTH_256)
		buf_print(out, ";48;5;%u;38;5;%u", colour_256(style->back), colour_256(style->text));
	else if (style->has_colours && screen->depth == DEPTH_16)
		buf_print(out, ";%u;%u", 40u + style->ansi, style->ansi == 5 || style->ansi == 4 ? 37u : 30u);
	buf_char(out, 'm');
}

static bool
same_cell(const struct cell *a, const struct cell *b)
{
	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0 && same_style(&a->style, &b->style);
}

/* A change of one half is a change of both. */
static bool
changed(const struct screen *screen, size_t i)
{
	if (screen->all || !same_cell(&screen->cells[i], &screen->shown[i]))
		return true;
	return screen->cells[i].width == 2 && !same_cell(&screen->cells[i + 1], &screen->shown[i + 1]);
}

int
screen_show(struct screen *screen)
{
	size_t at = SIZE_MAX; /* the cell that the cursor is before */
	struct style style = plain;
	struct buf *out = &screen->out;

	buf_clear(out);
	buf_text(out, "\033[?25l\033[0m");
	if (screen->all)
		buf_text(out, "\033[2J");
	for (size_t i = 0; i < screen->rows * screen->columns; i++) {
		const struct cell *cell = &screen->cells[i];

		if (!cell->length || !changed(screen, i))
			continue;
		if (at != i || i % screen->columns == 0)
			buf_print(out, "\033[%zu;%zuH", i / screen->columns + 1, i % screen->columns + 1);
		if (!same_style(&style, &cell->style))
			write_style(screen, &cell->style);
		style = cell->style;
		buf_add(out, cell->text, cell->length);
		at = cell->length == 1 ? i + 1 : SIZE_MAX;
	}
	if (screen->cursor_row < screen->rows)
		buf_print(out, "\033[%zu;%zuH\033[?25h", screen->cursor_row + 1, screen->cursor_column + 1);
	memcpy(screen->shown, screen->cells, screen->rows * screen->columns * sizeof *screen->cells);
	screen->all = false;
	return terminal_write(out->data, out->length);
}
