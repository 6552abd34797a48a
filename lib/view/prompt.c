#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "view/messages.h"
#include "view/state.h"

/* A search at every key must not be felt. */
#define SEARCH_NS 50000000u
/* An expression longer than this was not typed. */
#define TEXT_MAX 4096

void
prompt_open(struct view *view, enum prompt_kind kind, enum step_kind step, const char *text)
{
	struct prompt *prompt = &view->prompt;

	prompt->kind = kind;
	prompt->step = step;
	prompt->is_slow = false;
	free(prompt->before);
	prompt->before = view->search.text ? mem_copy(view->search.text, strlen(view->search.text)) : NULL;
	buf_clear(&prompt->text);
	buf_text(&prompt->text, text);
}

void
prompt_release(struct prompt *prompt)
{
	buf_release(&prompt->text);
	free(prompt->before);
	prompt->before = NULL;
}

static void
close_prompt(struct view *view)
{
	view->prompt.kind = PROMPT_NONE;
	free(view->prompt.before);
	view->prompt.before = NULL;
}

static void
look_already(struct view *view)
{
	struct prompt *prompt = &view->prompt;
	uint64_t begin = clock_now();

	if (prompt->kind != PROMPT_SEARCH || prompt->is_slow)
		return;
	messages_drop(true); /* what is half typed may well be wrong */
	view_search(view, prompt->text.data ? prompt->text.data : "");
	messages_drop(false);
	prompt->is_slow = clock_now() - begin > SEARCH_NS;
}

static void
enter(struct view *view)
{
	struct prompt *prompt = &view->prompt;
	char *text = mem_copy(prompt->text.data ? prompt->text.data : "", prompt->text.length);
	enum prompt_kind kind = prompt->kind;

	close_prompt(view);
	if (kind == PROMPT_SEARCH)
		view_search(view, text);
	else if (*text)
		view_add_step(view, prompt->step, text);
	free(text);
}

static void
cancel(struct view *view)
{
	char *before = view->prompt.before;
	bool searched = view->prompt.kind == PROMPT_SEARCH;

	view->prompt.before = NULL;
	close_prompt(view);
	if (searched)
		view_search(view, before);
	free(before);
}

static void
put_character(struct buf *to, uint32_t code)
{
	if (code < 0x80) {
		buf_char(to, (char)code);
		return;
	}
	if (code < 0x800) {
		buf_char(to, (char)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			buf_char(to, (char)(0xe0 | code >> 12));
		} else {
			buf_char(to, (char)(0xf0 | code >> 18));
			buf_char(to, (char)(0x80 | (code >> 12 & 0x3f)));
		}
		buf_char(to, (char)(0x80 | (code >> 6 & 0x3f)));
	}
	buf_char(to, (char)(0x80 | (code & 0x3f)));
}

static void
drop_character(struct buf *text)
{
	while (text->length && ((unsigned char)text->data[text->length - 1] & 0xc0) == 0x80)
		text->length--;
	text->length -= text->length > 0;
	if (text->data)
		text->data[text->length] = '\0';
}

void
prompt_key(struct view *view, uint32_t key)
{
	struct buf *text = &view->prompt.text;

	switch (key) {
	case KEY_ENTER:
		enter(view);
		return;
	case KEY_ESCAPE:
	case 7: /* Ctrl-G */
		cancel(view);
		return;
	case KEY_BACKSPACE:
		if (!text->length) {
			cancel(view);
			return;
		}
		drop_character(text);
		break;
	case 21: /* Ctrl-U */
		buf_clear(text);
		break;
	default:
		if (key < ' ' || key >= KEY_UP || text->length >= TEXT_MAX)
			return;
		put_character(text, key);
		break;
	}
	look_already(view);
}

void
prompt_draw(struct view *view, size_t row)
{
	static const char *const words[] = {
		"only stacks with: ", "no stacks with: ", "stacks from: ", "hide: ", "collapse: "
	};
	const struct prompt *prompt = &view->prompt;
	struct screen *screen = &view->screen;
	size_t column = screen_words(screen, row, 0, screen->columns, (struct style){ .attributes = STYLE_BOLD },
	    prompt->kind == PROMPT_SEARCH ? "/" : words[prompt->step]);
	const char *text = prompt->text.data ? prompt->text.data : "";
	size_t length = prompt->text.length, room = screen->columns > column + 1 ? screen->columns - column - 1 : 1;

	/* Of what is long the end is seen, where it is typed. */
	while (length && screen_width(text, length) > room) {
		do {
			text++;
			length--;
		} while (length && ((unsigned char)*text & 0xc0) == 0x80);
	}
	column = screen_text(screen, row, column, screen->columns, (struct style){ 0 }, text, length);
	screen_cursor(screen, row, column < screen->columns ? column : screen->columns - 1);
}
