/* A function over all its places: who calls it above, itself, whom it calls below. */
#include <string.h>

#include "view/state.h"

void
page_callers_of(struct view *view, uint32_t name)
{
	const struct intern *names = &view_tree(view)->fold->names;

	if (name == FUNCTION_NONE)
		return;
	if (view->function.length) {
		buf_add(&view->walked, view->function.data, view->function.length);
		buf_char(&view->walked, '\0');
	}
	buf_clear(&view->function);
	buf_add(&view->function, intern_name(names, name), intern_length(names, name));
	view->is_walked = false;
}

/* To the function before this one. */
static void
go_back(struct view *view)
{
	struct buf *walked = &view->walked;
	size_t from;

	if (!walked->length)
		return;
	for (from = walked->length - 1; from && walked->data[from - 1];)
		from--;
	buf_clear(&view->function);
	buf_add(&view->function, walked->data + from, walked->length - 1 - from);
	walked->length = from;
	view->is_walked = false;
}

static void
count(struct view *view)
{
	const struct tree *tree = view_tree(view);
	struct intern_text text = { view->function.data, view->function.length };
	uint32_t name = FUNCTION_NONE;
	size_t from, to;

	if (view->is_walked)
		return;
	functions_release(&view->callers);
	functions_release(&view->callees);
	view->own = (struct function){ .name = FUNCTION_NONE };
	view->is_walked = true;
	if (text.length)
		intern_find(&tree->fold->names, &text, 1, &name);
	if (name == INTERN_NONE)
		return;
	place_range(tree, view->zoom, &from, &to);
	functions_around(tree, from, to, name, &view->callers, &view->callees, &view->own);
	list_fit(&view->around, view->callers.count + 1 + view->callees.count, view->around.rows);
	list_go(&view->around, view->callers.count);
}

/* A line of the list. */
static const struct function *
line(const struct view *view, size_t i)
{
	if (i < view->callers.count)
		return &view->callers.list[i];
	i -= view->callers.count;
	return i ? &view->callees.list[i - 1] : &view->own;
}

uint32_t
page_callers_chosen(struct view *view)
{
	count(view);
	return view->own.name == FUNCTION_NONE ? FUNCTION_NONE : line(view, view->around.at)->name;
}

void
page_callers_draw(struct view *view, size_t top, size_t rows)
{
	static const char *const before[] = { "called by ", "", "    calls " };
	static const char *const more[] = { "  of this caller", "", "  called from it" };
	struct list *list = &view->around;
	uint64_t whole;

	count(view);
	if (view->own.name == FUNCTION_NONE) {
		screen_words(&view->screen, top, 0, view->screen.columns, look_line(false),
		    view->function.length ? "This profile has not:" : "Choose a function in the graph or the table");
		screen_text(&view->screen, top + 1, 0, view->screen.columns, (struct style){ .attributes = STYLE_BOLD },
		    view->function.data, view->function.length);
		return;
	}
	whole = view->own.total ? view->own.total : 1;
	list_fit(list, view->callers.count + 1 + view->callees.count, rows - 1);
	look_function_head(view, top);
	for (size_t i = list->top; i < list->count && i < list->top + list->rows; i++)
		look_function(view, top + 1 + i - list->top, line(view, i), whole,
		    before[(i >= view->callers.count) + (i > view->callers.count)], i == list->at);
	look_function_status(view, top + rows, line(view, list->at),
	    more[(list->at >= view->callers.count) + (list->at > view->callers.count)]);
}

bool
page_callers_key(struct view *view, uint32_t key)
{
	count(view);
	if (list_key(&view->around, key))
		return true;
	switch (key) {
	case KEY_ENTER:
		if (view->own.name != FUNCTION_NONE && view->around.at != view->callers.count)
			page_callers_of(view, page_callers_chosen(view));
		return true;
	case KEY_BACKSPACE:
	case '-':
		go_back(view);
		return true;
	default:
		return false;
	}
}
