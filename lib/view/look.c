/* What things look like: colours by kind or by change, and the lines that say numbers. */
#include <string.h>

#include "view/state.h"

/* Columns of the numbers in a list. */
#define SHARE_COLUMNS 9
#define CHANGE_COLUMNS 11

/* The eight colours of a terminal that has no more: a group of kinds each. */
static uint8_t
ansi_of(enum frame_kind kind)
{
	switch (kind) {
	case KIND_NATIVE:
	case KIND_CPP:
		return 3;
	case KIND_KERNEL:
		return 6;
	case KIND_INLINED:
	case KIND_WAKER:
	case KIND_LABEL:
	case KIND_MARK:
		return 7;
	default:
		return 2;
	}
}

struct style
look_box(const struct view *view, const struct box *box, const struct box_look *look, bool is_chosen, bool is_found)
{
	struct style style = {
		.has_colours = view->screen.depth != DEPTH_NONE, .text = 0x000000, .ansi = ansi_of(look->kind)
	};

	if (is_found) {
		style.back = 0x8700af;
		style.text = 0xffffff;
		style.ansi = 5;
		style.attributes = STYLE_BOLD | STYLE_UNDERLINE;
	} else if (view_tree(view)->pairs) {
		int step = change_step(&view->changes, box);

		style.back = colour_rgb(COLOUR_CHANGE + (unsigned)(step + CHANGE_STEPS), false);
		style.ansi = step < 0 ? 6 : step > 0 ? 3 : 7;
	} else {
		style.back = colour_rgb(look->colour, false);
	}
	if (is_chosen)
		style.attributes |= STYLE_REVERSE | STYLE_BOLD;
	return style;
}

struct style
look_line(bool is_chosen)
{
	return (struct style){ .attributes = is_chosen ? STYLE_REVERSE | STYLE_BOLD : 0 };
}

static size_t
put_right(struct view *view, size_t row, size_t column, size_t width, struct style style, const struct buf *text)
{
	size_t used = screen_width(text->data, text->length);

	return screen_text(&view->screen, row, column + (used < width ? width - used : 0), column + width, style,
	    text->data, text->length);
}

static struct box
box_of(const struct function *function)
{
	return (struct box){ .kind = function->name == FUNCTION_NONE ? BOX_ROOT : BOX_FRAME,
		.name = function->name,
		.depth = 1,
		.total = function->total,
		.self = function->self,
		.totals = function->totals,
		.selves = function->selves };
}

static void
put_head(struct view *view, size_t row, size_t column, size_t width, bool is_order, const char *text)
{
	struct buf words = { 0 };

	buf_text(&words, text);
	put_right(view, row, column, width,
	    (struct style){ .attributes = is_order ? STYLE_BOLD | STYLE_UNDERLINE : STYLE_BOLD }, &words);
	buf_release(&words);
}

void
look_function_head(struct view *view, size_t row)
{
	bool sorted = view->page == PAGE_TABLE;
	size_t column = 0;

	put_head(view, row, column, SHARE_COLUMNS, sorted && view->by == BY_SELF, sorted ? "SELF" : "SHARE");
	column += SHARE_COLUMNS;
	put_head(view, row, column, SHARE_COLUMNS, sorted && view->by == BY_TOTAL, "TOTAL");
	column += SHARE_COLUMNS;
	if (view_tree(view)->pairs) {
		put_head(view, row, column, CHANGE_COLUMNS, sorted && view->by == BY_CHANGE,
		    view->changes.is_ratio ? "RATIO" : "CHANGE");
		column += CHANGE_COLUMNS;
	}
	put_head(view, row, column + 4, 8, sorted && view->by == BY_NAME, "FUNCTION");
}

void
look_function(struct view *view, size_t row, const struct function *function, uint64_t whole, const char *before,
    bool is_chosen)
{
	struct box box = box_of(function);
	struct box_look look = picture_look(&view->shown->fold, &box);
	bool is_found = box.kind == BOX_FRAME && search_has(&view->search, function->name);
	struct style line = look_line(is_chosen), name = line;
	size_t column = 0, columns = view->screen.columns;
	struct buf text = { 0 };

	if (function->name == FUNCTION_NONE) {
		look.name = "(nobody: it is a root)";
		look.length = strlen(look.name);
	}
	screen_fill(&view->screen, row, 0, columns, line);
	if (whole)
		amount_share(&(struct amounts){ .total = whole }, function->total, &text);
	else
		amount_share(&view->amounts, function->self, &text);
	put_right(view, row, column, SHARE_COLUMNS, line, &text);
	column += SHARE_COLUMNS;
	buf_clear(&text);
	amount_share(&view->amounts, function->total, &text);
	put_right(view, row, column, SHARE_COLUMNS, line, &text);
	column += SHARE_COLUMNS;
	if (view_tree(view)->pairs) {
		buf_clear(&text);
		change_brief(&view->changes, &function->totals, &text);
		put_right(view, row, column, CHANGE_COLUMNS, line, &text);
		column += CHANGE_COLUMNS;
	}
	screen_fill(&view->screen, row, column + 1, column + 3, look_box(view, &box, &look, false, false));
	name.attributes |= is_found ? STYLE_BOLD | STYLE_UNDERLINE : 0;
	column = screen_words(&view->screen, row, column + 4, columns, line, before);
	screen_text(&view->screen, row, column, columns, name, look.name, look.length);
	buf_release(&text);
}

/* "12.34 %, 1,234 samples" */
static void
add_value(const struct view *view, uint64_t value, struct buf *to)
{
	amount_share(&view->amounts, value, to);
	buf_text(to, ", ");
	amount_print(&view->amounts, value, to);
}

/* What two columns say, as lines: the first into head, the others into rest. */
static void
add_changes(const struct view *view, const struct box *box, struct buf *head, struct buf *rest)
{
	struct buf words = { 0 };
	size_t line = 0;

	change_words(&view->changes, box, &words);
	for (size_t i = 0; i < words.length; i++) {
		struct buf *to = line < 2 ? head : rest;

		if (words.data[i] != '\n')
			buf_char(to, words.data[i]);
		else if (line++ > 1)
			buf_text(rest, rest->length ? " · " : "");
		else
			buf_text(head, line == 1 ? "  " : "");
	}
	buf_release(&words);
}

void
look_status(struct view *view, size_t row, const struct box *box, const char *more)
{
	struct box_look look = picture_look(&view->shown->fold, box);
	struct style bold = { .attributes = STYLE_BOLD }, none = { 0 };
	uint64_t zoomed = view->graph.total;
	struct buf text = { 0 }, changes = { 0 };
	size_t column, columns = view->screen.columns, room;

	if (view_tree(view)->pairs)
		add_changes(view, box, &text, &changes);
	else if (box->kind == BOX_FRAME)
		buf_print(&text, "  %s", frame_kind_title(look.kind));
	buf_text(&text, more);
	room = screen_width(text.data, text.length);
	column = screen_text(
	    &view->screen, row, 0, columns > room ? columns - room : columns / 2, bold, look.name, look.length);
	screen_text(&view->screen, row, column, columns, none, text.data, text.length);
	buf_clear(&text);
	if (view_tree(view)->pairs) {
		buf_add(&text, changes.data, changes.length);
	} else {
		buf_text(&text, "total ");
		add_value(view, box->total, &text);
		if (view->zoom.depth && zoomed && box->total <= zoomed) {
			buf_text(&text, ", ");
			amount_share(&(struct amounts){ .total = zoomed }, box->total, &text);
			buf_text(&text, " of the zoom");
		}
		if (box->kind != BOX_SMALL) {
			buf_text(&text, " · self ");
			add_value(view, box->self, &text);
		}
	}
	screen_text(&view->screen, row + 1, 0, columns, none, text.data, text.length);
	buf_release(&text);
	buf_release(&changes);
}

void
look_function_status(struct view *view, size_t row, const struct function *function, const char *more)
{
	struct box box = box_of(function);

	look_status(view, row, &box, more);
}
