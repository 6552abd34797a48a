/* The pages, and what is drawn around them: title, tabs, foot. */
#include "view/messages.h"
#include "view/state.h"

/* Less is no picture. */
#define ROWS_MIN 8
#define COLUMNS_MIN 30

static const struct page_entry {
	const char *title;
	uint32_t key;
	void (*draw)(struct view *view, size_t top, size_t rows);
	bool (*takes)(struct view *view, uint32_t key);
	const char *hints;
} pages[PAGE_COUNT] = {
	[PAGE_GRAPH] = { "Graph", '1', page_graph_draw, page_graph_key,
	    "Enter zoom  Bksp back  / search  3 callers  h hide  u undo  ? keys  q quit" },
	[PAGE_TABLE] = { "Table", '2', page_table_draw, page_table_key,
	    "s self  t total  a name  Enter callers  / search  h hide  u undo  ? keys  q quit" },
	[PAGE_CALLERS] = { "Callers", '3', page_callers_draw, page_callers_key,
	    "Enter that function  Bksp the one before  1 graph  2 table  ? keys  q quit" },
	[PAGE_LABELS] = { "Labels", '4', page_labels_draw, page_labels_key,
	    "Space choose  Enter only this  g group by  * all  1 graph  ? keys  q quit" },
	[PAGE_STEPS] = { "Steps", '5', page_steps_draw, page_steps_key,
	    "d take it back  u the last one  U all of them  1 graph  ? keys  q quit" },
	[PAGE_INFO] = { "About", '6', page_text_draw, page_text_key, "1 graph  2 table  ? keys  q quit" },
	[PAGE_HELP] = { "Keys", '?', page_text_draw, page_text_key, "Up Down more  1 graph  2 table  q quit" },
};

/* "frozen, 3 waiting" */
static void
print_state(const struct view *view, struct buf *to)
{
	unsigned long long waiting = history_waiting(&view->history);

	if (!view->follows || !view->history.count)
		return;
	buf_print(to, "profile %llu", (unsigned long long)view->history.number - waiting);
	if (view->is_frozen)
		buf_print(to, ", frozen, %llu waiting", waiting);
	if (view->has_ended && !view->is_frozen)
		buf_text(to, view->history.number > 1 ? ", the last: the stream has ended" : ", the only one");
}

static void
draw_title(struct view *view)
{
	struct screen *screen = &view->screen;
	struct style bold = { .attributes = STYLE_BOLD };
	size_t columns = screen->columns, used;
	struct buf text = { 0 }, state = { 0 }, more = { 0 };

	print_state(view, &state);
	used = screen_width(state.data, state.length);
	if (view->shown) {
		const struct header *header = &view->shown->fold.header;

		picture_title(&view->picture, header, &text);
		picture_subtitle(&view->picture, header, &view->amounts, &more);
		if (more.length)
			buf_print(&text, " · %s", more.data);
	} else {
		buf_text(&text, "gp-view");
	}
	screen_text(screen, 0, 0,
	    !used	       ? columns :
	    columns > used + 2 ? columns - used - 2 :
				 columns / 2,
	    bold, text.data, text.length);
	screen_text(screen, 0, columns > used ? columns - used : 0, columns, bold, state.data, state.length);
	buf_release(&text);
	buf_release(&state);
	buf_release(&more);
}

static void
draw_tabs(struct view *view)
{
	struct screen *screen = &view->screen;
	size_t column = 0, columns = screen->columns, used;
	struct buf text = { 0 };

	for (unsigned i = 0; i < PAGE_COUNT; i++) {
		buf_clear(&text);
		buf_print(&text, " %c %s", (char)pages[i].key, pages[i].title);
		if (i == PAGE_STEPS && view->steps.count)
			buf_print(&text, "(%zu)", view->steps.count);
		buf_char(&text, ' ');
		column = screen_text(screen, 1, column, columns, look_line(i == view->page), text.data, text.length);
	}
	buf_clear(&text);
	if (view->page == PAGE_GRAPH && view->graph.cut.frames) {
		amount_group(view->graph.cut.frames, &text);
		buf_text(&text, view->graph.cut.frames == 1 ? " small frame" : " small frames");
	}
	used = text.length;
	if (used && column + used < columns)
		screen_text(screen, 1, columns - used, columns, (struct style){ 0 }, text.data, text.length);
	buf_release(&text);
}

/* "/read: 2 functions, total 12.34 %, self 3.20 %" */
static void
print_search(const struct view *view, struct buf *to)
{
	struct amounts amounts = view->amounts;

	if (!view->search.text || !view->shown)
		return;
	if (view->zoom.depth)
		amounts.total = view->graph.total;
	buf_print(to, "/%s: %llu function%s, total ", view->search.text, (unsigned long long)view->search.names,
	    view->search.names == 1 ? "" : "s");
	amount_share(&amounts, view->search.total, to);
	buf_text(to, ", self ");
	amount_share(&amounts, view->search.self, to);
	buf_text(to, view->zoom.depth ? " of the zoom" : "");
	buf_text(to, search_is_exact(&view->search) ? ", case as written" : "");
}

static void
draw_foot(struct view *view)
{
	struct screen *screen = &view->screen;
	size_t row = screen->rows - 1, columns = screen->columns, column;
	struct buf text = { 0 };

	if (view->prompt.kind != PROMPT_NONE) {
		prompt_draw(view, row);
		return;
	}
	if (view->message.length) {
		screen_text(screen, row, 0, columns, (struct style){ .attributes = STYLE_BOLD }, view->message.data,
		    view->message.length);
		return;
	}
	print_search(view, &text);
	column = screen_text(
	    screen, row, 0, columns, (struct style){ .attributes = STYLE_UNDERLINE }, text.data, text.length);
	screen_words(screen, row, column ? column + 2 : 0, columns, (struct style){ .attributes = STYLE_DIM },
	    pages[view->page].hints);
	buf_release(&text);
}

static void
draw_waiting(struct view *view, size_t row)
{
	screen_words(&view->screen, row, 0, view->screen.columns, (struct style){ 0 },
	    view->history.count ? "This profile cannot be shown" :
	    view->has_ended	? "The input has ended without a profile" :
				  "Waiting for the first profile; q ends");
}

enum page
page_of_key(uint32_t key)
{
	unsigned i = 0;

	while (i < PAGE_COUNT && pages[i].key != key)
		i++;
	return (enum page)i;
}

bool
page_take_key(struct view *view, uint32_t key)
{
	return pages[view->page].takes(view, key);
}

void
page_draw(struct view *view)
{
	struct screen *screen = &view->screen;
	size_t rows = screen->rows;

	screen_clear(screen);
	if (rows < ROWS_MIN || screen->columns < COLUMNS_MIN) {
		screen_words(screen, 0, 0, screen->columns, (struct style){ 0 }, "too small: 30x8 will do");
		return;
	}
	draw_title(view);
	if (view->shown || view->page == PAGE_HELP)
		pages[view->page].draw(view, 2, rows - 5);
	else
		draw_waiting(view, 2);
	draw_tabs(view); /* which say of the graph what is known once it is drawn */
	draw_foot(view);
}
