#include <string.h>

#include "view/state.h"

/* What was chosen before the profile changed stays chosen, wherever it is now. */
static void
find_listed(struct view *view)
{
	struct intern_text text = { view->listed.data, view->listed.length };
	uint32_t name;

	if (!text.length)
		return;
	intern_find(&view_tree(view)->fold->names, &text, 1, &name);
	for (size_t i = 0; i < view->functions.count && name != INTERN_NONE; i++)
		if (view->functions.list[i].name == name)
			list_go(&view->table, i);
	buf_clear(&view->listed);
}

/* Of the zoom. */
static void
count(struct view *view)
{
	const struct tree *tree = view_tree(view);
	size_t from, to;

	if (view->is_counted)
		return;
	place_range(tree, view->zoom, &from, &to);
	functions_release(&view->functions);
	view->functions = functions_of(tree, from, to);
	functions_sort(&view->functions, &tree->fold->names, view->by);
	view->is_counted = true;
	list_fit(&view->table, view->functions.count, view->table.rows);
	find_listed(view);
}

uint32_t
page_table_chosen(struct view *view)
{
	return view->is_counted && view->table.at < view->functions.count ? view->functions.list[view->table.at].name :
									    FUNCTION_NONE;
}

void
page_table_draw(struct view *view, size_t top, size_t rows)
{
	struct list *list = &view->table;

	count(view);
	list_fit(list, view->functions.count, rows - 1);
	look_function_head(view, top);
	for (size_t i = list->top; i < list->count && i < list->top + list->rows; i++)
		look_function(view, top + 1 + i - list->top, &view->functions.list[i], 0, "", i == list->at);
	if (!list->count) {
		screen_words(
		    &view->screen, top + 1, 0, view->screen.columns, look_line(false), "No function has a value");
		return;
	}
	look_function_status(view, top + rows, &view->functions.list[list->at], "");
}

static void
sort(struct view *view, enum functions_order by)
{
	view->by = by;
	functions_sort(&view->functions, &view_tree(view)->fold->names, by);
	list_go(&view->table, 0);
}

static void
find_next(struct view *view, bool backwards)
{
	struct list *list = &view->table;

	for (size_t i = 1; i <= list->count; i++) {
		size_t at = backwards ? (list->at + list->count - i) % list->count : (list->at + i) % list->count;

		if (search_has(&view->search, view->functions.list[at].name)) {
			list_go(list, at);
			return;
		}
	}
	buf_clear(&view->message);
	buf_text(&view->message, view->search.text ? "nothing is found" : "there is no search: / begins one");
}

bool
page_table_key(struct view *view, uint32_t key)
{
	count(view);
	if (list_key(&view->table, key))
		return true;
	switch (key) {
	case 's':
		sort(view, BY_SELF);
		return true;
	case 't':
		sort(view, BY_TOTAL);
		return true;
	case 'a':
		sort(view, BY_NAME);
		return true;
	case 'd':
		if (view_tree(view)->pairs)
			sort(view, BY_CHANGE);
		return true;
	case 'n':
	case 'N':
		find_next(view, key == 'N');
		return true;
	case KEY_ENTER:
		if (view->functions.count) {
			page_callers_of(view, page_table_chosen(view));
			view->page = PAGE_CALLERS;
		}
		return true;
	default:
		return false;
	}
}
