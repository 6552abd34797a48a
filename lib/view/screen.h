/* What stands on the terminal, as a grid of cells: drawn anew each time, and only what differs is written. No byte of
 * a name reaches the terminal but as a character that cannot be taken for a command; and wherever a terminal and we may
 * not agree on how wide a character is, the cursor is placed again. */
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "view/terminal.h"

/* How a cell looks. Colours are for eyes that have them: what must be told apart has an attribute too. */
enum { STYLE_BOLD = 1, STYLE_UNDERLINE = 2, STYLE_REVERSE = 4, STYLE_DIM = 8, STYLE_STRIKE = 16 };
struct style {
	uint32_t back, text; /* 0xrrggbb, where has_colours */
	uint8_t ansi;	     /* of the background where there are 16 colours: 0 to 7; the text is black */
	bool has_colours;
	uint8_t attributes;
};

/* A character and its marks. */
#define CELL_BYTES 14
struct cell {
	char text[CELL_BYTES];
	uint8_t length; /* 0: the right half of a wide character */
	uint8_t width;
	struct style style;
};

struct screen {
	size_t rows, columns;
	struct cell *cells, *shown;
	enum colour_depth depth;
	bool all; /* everything is to be written */
	size_t cursor_row, cursor_column; /* where it is shown; cursor_row == rows: nowhere */
	struct buf out;
};

/* Empty, of that size; forgets what was shown. */
void screen_resize(struct screen *screen, size_t rows, size_t columns);
void screen_release(struct screen *screen);
void screen_clear(struct screen *screen);

/* Text of any origin from a column on, at most up to the column end, where it ends in ".." if it is cut. The column
 * behind it. Places that are not on the screen are left out. */
size_t screen_text(struct screen *screen, size_t row, size_t column, size_t end, struct style style, const char *text,
    size_t length);
size_t screen_words(struct screen *screen, size_t row, size_t column, size_t end, struct style style, const char *text);
/* Blanks up to the column end. */
void screen_fill(struct screen *screen, size_t row, size_t column, size_t end, struct style style);
void screen_cursor(struct screen *screen, size_t row, size_t column);

/* Writes what changed. -1: the terminal is gone. */
int screen_show(struct screen *screen);

/* Columns of text, as screen_text() would use them. */
size_t screen_width(const char *text, size_t length);

#endif
