#include <string.h>

#include "view/state.h"

void
page_steps_draw(struct view *view, size_t top, size_t rows)
{
	struct list *list = &view->step_list;
	struct screen *screen = &view->screen;
	struct buf text = { 0 };

	list_fit(list, view->steps.count, rows);
	for (size_t i = list->top; i < list->count && i < list->top + list->rows; i++) {
		buf_clear(&text);
		buf_print(&text, "%3zu  ", i + 1);
		step_print(&view->steps.list[i], &text);
		screen_fill(screen, top + i - list->top, 0, screen->columns, look_line(i == list->at));
		screen_text(
		    screen, top + i - list->top, 0, screen->columns, look_line(i == list->at), text.data, text.length);
	}
	if (!list->count)
		screen_words(screen, top, 0, screen->columns, look_line(false),
		    "No steps: all of the profile is shown. h hides the chosen function, ? tells the others");
	buf_clear(&text);
	if (view->shown) {
		amount_print(&view->amounts, view_tree(view)->total, &text);
		buf_text(&text, " shown");
		screen_text(screen, top + rows, 0, screen->columns, (struct style){ .attributes = STYLE_BOLD },
		    text.data, text.length);
	}
	buf_release(&text);
}

bool
page_steps_key(struct view *view, uint32_t key)
{
	if (list_key(&view->step_list, key))
		return true;
	switch (key) {
	case 'd':
	case KEY_DELETE:
	case KEY_ENTER:
		if (view->step_list.at < view->steps.count)
			view_remove_step(view, view->step_list.at);
		return true;
	default:
		return false;
	}
}
