/* What is looked at: the profile that is chosen, with the steps done, and how far into it. What people chose stays
 * chosen by its name. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/state.h"

static void
count_search(struct view *view)
{
	size_t from, to;

	place_range(view_tree(view), view->zoom, &from, &to);
	search_count(&view->search, view_tree(view), from, to);
}

/* Another part of the tree: what was counted of it is so no more. */
static void
forget_counts(struct view *view)
{
	view->is_counted = view->is_walked = false;
}

static void
close_shown(struct view *view)
{
	graph_release(&view->graph);
	functions_release(&view->functions);
	functions_release(&view->callers);
	functions_release(&view->callees);
	page_labels_release(view);
	forget_counts(view);
	if (view->shown)
		shown_close(view->shown);
	free(view->shown);
	view->shown = NULL;
}

static void
keep_listed(struct view *view)
{
	uint32_t name = page_table_chosen(view);
	const struct intern *names = &view_tree(view)->fold->names;

	if (name == FUNCTION_NONE || view->table.at == 0) /* who looks at the first wants to see the first */
		return;
	buf_clear(&view->listed);
	buf_add(&view->listed, intern_name(names, name), intern_length(names, name));
}

static void
find_again(struct view *view, const struct buf *zoom, const struct buf *chosen)
{
	const struct tree *tree = view_tree(view);
	size_t from, to;

	view->zoom = place_find(tree, zoom->data, zoom->length);
	place_range(tree, view->zoom, &from, &to);
	search_again(&view->search, tree, from, to);
	graph_open(&view->graph, tree, view->zoom, view->screen.columns);
	if (chosen->length)
		graph_choose(&view->graph, place_find(tree, chosen->data, chosen->length));
}

bool
view_rebuild(struct view *view)
{
	struct fold *source = history_fold(&view->history);
	struct shown *shown;
	struct buf zoom = { 0 }, chosen = { 0 };
	size_t top = view->graph.top;

	if (!source)
		return true;
	shown = mem_alloc(sizeof *shown);
	if (shown_open(shown, source, &view->steps, view->order) < 0) {
		free(shown);
		return false;
	}
	if (view->shown) {
		place_print(view_tree(view), view->zoom, &zoom);
		place_print(view_tree(view), graph_place(&view->graph), &chosen);
		keep_listed(view);
	}
	close_shown(view);
	view->shown = shown;
	view->amounts = picture_amounts(&view->picture, &shown->fold.header, shown->tree.total);
	view->changes = changes_of(&shown->tree, &view->amounts, CHANGE_TOTAL, false);
	find_again(view, &zoom, &chosen);
	view->graph.top = top;
	buf_release(&zoom);
	buf_release(&chosen);
	return true;
}

void
view_switch(struct view *view)
{
	/* What cannot be drawn is not replaced by what it is not. */
	if (!view_rebuild(view))
		close_shown(view);
}

void
view_release_profile(struct view *view)
{
	close_shown(view);
	while (view->back_count)
		free(view->back[--view->back_count]);
}

void
view_add_step(struct view *view, enum step_kind kind, const char *text)
{
	steps_add(&view->steps, kind, text);
	if (!view_rebuild(view))
		steps_remove(&view->steps, view->steps.count - 1);
}

void
view_remove_step(struct view *view, size_t i)
{
	steps_remove(&view->steps, i);
	view_rebuild(view);
}

void
view_toggle_step(struct view *view, enum step_kind kind, const char *text)
{
	size_t i = steps_find(&view->steps, kind, text);

	if (i == SIZE_MAX)
		view_add_step(view, kind, text);
	else
		view_remove_step(view, i);
}

static void
set_zoom(struct view *view, struct place place)
{
	view->zoom = place;
	view->graph.top = place.depth;
	forget_counts(view);
	count_search(view);
	graph_open(&view->graph, view_tree(view), place, view->screen.columns);
}

void
view_zoom(struct view *view, struct place place)
{
	struct buf text = { 0 };

	if (place_same(view_tree(view), place, view->zoom))
		return;
	place_print(view_tree(view), view->zoom, &text);
	if (view->back_count == BACK_MAX) {
		free(view->back[0]);
		memmove(&view->back[0], &view->back[1], (BACK_MAX - 1) * sizeof *view->back);
		view->back_count--;
	}
	view->back[view->back_count++] = mem_copy(text.data ? text.data : "", text.length);
	buf_release(&text);
	set_zoom(view, place);
}

void
view_zoom_back(struct view *view)
{
	const struct tree *tree = view_tree(view);
	struct place chosen = graph_place(&view->graph), to = { 0 };

	/* A zoom that is not there any more is passed over. */
	do {
		if (!view->back_count)
			return;
		view->back_count--;
		to = place_find(tree, view->back[view->back_count], strlen(view->back[view->back_count]));
		free(view->back[view->back_count]);
	} while (place_same(tree, to, view->zoom) && view->back_count);
	set_zoom(view, to);
	if (place_within(tree, chosen, to))
		graph_choose(&view->graph, chosen);
}

uint32_t
view_chosen_function(struct view *view)
{
	const struct graph_box *box;

	switch (view->page) {
	case PAGE_TABLE:
		return page_table_chosen(view);
	case PAGE_CALLERS:
		return page_callers_chosen(view);
	case PAGE_GRAPH:
		box = graph_chosen(&view->graph);
		return box && box->box.kind == BOX_FRAME ? box->box.name : FUNCTION_NONE;
	default:
		return FUNCTION_NONE;
	}
}

void
view_search(struct view *view, const char *text)
{
	size_t from, to;

	if (!view->shown)
		return;
	place_range(view_tree(view), view->zoom, &from, &to);
	search_set(&view->search, text, view_tree(view), from, to);
}
