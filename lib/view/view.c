#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "view/messages.h"
#include "view/state.h"
#include "view/terminal.h"

#define CTRL(letter) ((letter) & 31)

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
	if (page_take_key(view, key) || step_key(view, key))
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
	if (page_of_key(key) != PAGE_COUNT) {
		go_to_page(view, page_of_key(key));
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
		page_draw(view);
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
