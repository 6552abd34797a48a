#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "view/messages.h"
#include "view/state.h"
#include "view/terminal.h"

/* Less is no picture. */
#define ROWS_MIN 8
#define COLUMNS_MIN 30

#define CTRL(letter) ((letter) & 31)

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

static void
draw(struct view *view)
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

static void
freeze(struct view *view, bool freeze)
{
	view->is_frozen = freeze && view->follows;
	if (view->is_frozen || !history_waiting(&view->history))
		return;
	view->history.at = view->history.count - 1;
	view_switch(view);
}

static void
go_in_history(struct view *view, bool forth)
{
	struct history *history = &view->history;

	if (forth ? !history_waiting(history) : !history->at) {
		buf_clear(&view->message);
		buf_text(&view->message, forth ? "this is the latest" : "this is the first that is kept");
		return;
	}
	view->is_frozen = view->follows;
	history->at = forth ? history->at + 1 : history->at - 1;
	view_switch(view);
}

/* Keys that do a step with the chosen function, and with what is asked for. */
static bool
step_key(struct view *view, uint32_t key)
{
	static const struct {
		char key, asking;
		enum step_kind kind;
	} keys[] = { { 'h', 'H', STEP_HIDE }, { 'f', 'F', STEP_FOCUS }, { 'x', 'X', STEP_IGNORE },
		{ 'r', 'R', STEP_SHOW_FROM }, { 0, 'C', STEP_COLLAPSE } };
	const struct intern *names = &view_tree(view)->fold->names;
	struct buf text = { 0 };
	uint32_t name;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (key == (uint32_t)keys[i].asking) {
			prompt_open(view, PROMPT_STEP, keys[i].kind, "");
			return true;
		}
		if (key != (uint32_t)keys[i].key)
			continue;
		name = view_chosen_function(view);
		buf_clear(&view->message);
		if (name == FUNCTION_NONE) {
			buf_text(&view->message, "no function is chosen");
			return true;
		}
		step_quote(intern_name(names, name), intern_length(names, name), &text);
		view_add_step(view, keys[i].kind, text.data);
		buf_release(&text);
		return true;
	}
	return false;
}

static void
go_to_page(struct view *view, enum page page)
{
	if (page == PAGE_CALLERS && view->page != PAGE_CALLERS && view->shown)
		page_callers_of(view, view_chosen_function(view));
	view->page = page;
}

/* Keys that need a profile. */
static bool
profile_key(struct view *view, uint32_t key)
{
	if (pages[view->page].takes(view, key) || step_key(view, key))
		return true;
	switch (key) {
	case '/':
		view->search.which = CASE_BY_TEXT;
		prompt_open(view, PROMPT_SEARCH, 0, "");
		return true;
	case 'c':
		view->search.which = search_is_exact(&view->search) ? CASE_ANY : CASE_EXACT;
		if (view->search.text) {
			char *text = mem_copy(view->search.text, strlen(view->search.text));

			view_search(view, text);
			free(text);
		}
		return true;
	case KEY_ESCAPE:
		view_search(view, NULL);
		return true;
	case KEY_BACKSPACE:
	case '-':
		view_zoom_back(view);
		return true;
	case '0':
		view_zoom(view, (struct place){ 0 });
		return true;
	case 'm':
		view_toggle_step(view, STEP_MERGE_RECURSION, "");
		return true;
	case 'i':
		view_toggle_step(view, STEP_REVERSE, "");
		return true;
	case 'u':
		if (view->steps.count)
			view_remove_step(view, view->steps.count - 1);
		return true;
	case 'U':
		steps_release(&view->steps);
		view_rebuild(view);
		return true;
	case 'w':
		view->order = view->order == ORDER_NAME ? ORDER_WEIGHT : ORDER_NAME;
		view_rebuild(view);
		return true;
	default:
		return false;
	}
}

/* In the table what a search finds may be far from the screen: when it is entered, the first of it is chosen. In the
 * graph it is marked, and the chosen box stays. */
static void
go_to_found(struct view *view)
{
	if (view->page == PAGE_TABLE && view->search.names && !search_has(&view->search, page_table_chosen(view)))
		page_table_key(view, 'n');
}

static void
take_key(struct view *view, uint32_t key)
{
	bool searches = view->prompt.kind == PROMPT_SEARCH && key == KEY_ENTER;

	buf_clear(&view->message);
	if (view->prompt.kind != PROMPT_NONE) {
		prompt_key(view, key);
		if (searches && view->shown)
			go_to_found(view);
		return;
	}
	if (view->shown && profile_key(view, key))
		return;
	for (unsigned i = 0; i < PAGE_COUNT; i++)
		if (key == pages[i].key) {
			go_to_page(view, i);
			return;
		}
	switch (key) {
	case 'q':
		view->done = true;
		return;
	case KEY_TAB:
		go_to_page(view, (view->page + 1) % PAGE_COUNT);
		return;
	case KEY_BACK_TAB:
		go_to_page(view, (view->page + PAGE_COUNT - 1) % PAGE_COUNT);
		return;
	case ' ':
	case 'p':
		freeze(view, !view->is_frozen);
		return;
	case '[':
	case ']':
		go_in_history(view, key == ']');
		return;
	case CTRL('l'):
		view->screen.all = true;
		return;
	default:
		if (view->page == PAGE_HELP)
			page_text_key(view, key);
	}
}

static void
add_profile(struct view *view, struct fold *fold)
{
	if (view->options->period_count)
		period_keep(fold, view->options->periods, view->options->period_count);
	history_add(&view->history, fold);
	if (view->is_frozen && view->shown)
		return;
	view->history.at = view->history.count - 1;
	view_switch(view);
	if (view->history.number == 1 && view->options->search)
		view_search(view, view->options->search);
}

static void
take_profiles(struct view *view)
{
	struct fold *fold;
	bool failed;

	while ((fold = feed_take(&view->feed)))
		add_profile(view, fold);
	if (view->has_ended || !feed_ended(&view->feed, &failed))
		return;
	view->has_ended = true;
	terminal_spare(false);
	if (failed && !view->history.number) { /* said, and there is nothing to look at */
		view->status = -1;
		view->done = true;
	}
}

static void
resize(struct view *view)
{
	size_t rows, columns;

	terminal_size(&rows, &columns);
	screen_resize(&view->screen, rows, columns);
}

/* By a signal, or because the terminal has gone. */
static void
end(struct view *view)
{
	view->done = true;
	if (!terminal_signal())
		view->status = warn("the terminal has gone");
}

static void
take_event(struct view *view)
{
	char bytes[KEYS_ROOM];
	size_t length = keys_room(&view->keys);
	bool is_late = false;
	uint32_t key;

	switch (terminal_wait(view->follows && !view->has_ended ? view->feed.fd : -1,
	    keys_wait(&view->keys) ? KEYS_ESCAPE_MS : -1, bytes, &length)) {
	case TERMINAL_KEYS:
		keys_add(&view->keys, bytes, length);
		break;
	case TERMINAL_QUIET:
		is_late = true;
		break;
	case TERMINAL_CHANGED:
		resize(view);
		return;
	case TERMINAL_OTHER:
		take_profiles(view);
		return;
	case TERMINAL_SPARED:
		buf_clear(&view->message);
		buf_text(&view->message, "Ctrl-C is left to the program that feeds gp-view; once more ends gp-view");
		return;
	case TERMINAL_ENDED:
		end(view);
		return;
	}
	while (!view->done && (key = keys_next(&view->keys, is_late)) != KEY_NONE)
		take_key(view, key);
}

static void
look(struct view *view)
{
	while (!view->done) {
		struct buf said = { 0 };

		if (messages_take(&said)) {
			buf_release(&view->message);
			view->message = said;
		}
		draw(view);
		if (screen_show(&view->screen) < 0)
			end(view);
		else
			take_event(view);
	}
}

static void
release(struct view *view)
{
	view_release_profile(view);
	history_release(&view->history);
	screen_release(&view->screen);
	search_release(&view->search);
	prompt_release(&view->prompt);
	steps_release(&view->steps);
	buf_release(&view->function);
	buf_release(&view->walked);
	buf_release(&view->listed);
	buf_release(&view->message);
}

static bool
is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

int
view_run(const struct view_options *options, struct fold *fold, int *signal)
{
	/* The thread that reads may outlive us, in the middle of a profile. */
	static struct view view;

	view = (struct view){ .options = options, .steps = options->steps, .order = options->order, .follows = !fold };
	atexit(messages_say); /* after the terminal is back */
	if (terminal_open() < 0 || (view.follows && feed_open(&view.feed, &options->reading) < 0)) {
		feed_release(fold);
		view.status = -1;
	} else {
		messages_keep();
		terminal_spare(view.follows && is_pipe(STDIN_FILENO));
		view.screen.depth = terminal_depth();
		resize(&view);
		if (fold)
			add_profile(&view, fold);
		look(&view);
		terminal_close();
		messages_say();
	}
	release(&view);
	*signal = terminal_signal();
	return view.status;
}
