#include <string.h>

#include "view/state.h"

static void
draw_box(struct view *view, size_t row, const struct graph_box *at, bool is_chosen)
{
	struct screen *screen = &view->screen;
	struct box_look look = picture_look(&view->shown->fold, &at->box);
	bool is_found = at->box.kind == BOX_FRAME && search_has(&view->search, at->box.name);
	struct style style = look_box(view, &at->box, &look, is_chosen, is_found);
	bool coloured = style.has_colours;
	size_t to = at->to, column = at->from;
	struct buf words = { 0 };

	buf_add(&words, look.name, look.length < NAME_SHOWN_MAX ? look.length : NAME_SHOWN_MAX);
	if (view_tree(view)->pairs && !view->changes.is_ratio && change_step(&view->changes, &at->box)) {
		buf_char(&words, ' ');
		change_brief(&view->changes, &at->box.totals, &words);
	}
	if (to - column < 2) {
		screen_words(screen, row, column, to, style, coloured && !is_found ? " " : "|");
	} else if (coloured) {
		/* A gap tells it from its neighbour, where there is room for one. */
		to -= to - column > 2 && !is_chosen && to < screen->columns;
		screen_fill(screen, row, column, to, style);
		screen_text(screen, row, column, to, style, words.data, words.length);
	} else {
		screen_fill(screen, row, column, to, style);
		screen_words(screen, row, column, to, style, "[");
		screen_text(screen, row, column + 1, to - 1, style, words.data, words.length);
		screen_words(screen, row, to - 1, to, style, "]");
	}
	buf_release(&words);
}

static void
draw_status(struct view *view, size_t row)
{
	const struct graph_box *chosen = graph_chosen(&view->graph);
	struct buf more = { 0 };

	if (chosen->box.kind == BOX_SMALL)
		buf_print(
		    &more, "  %u small frames of %s", chosen->box.small, "one caller, each narrower than a column");
	look_status(view, row, &chosen->box, more.data ? more.data : "");
	buf_release(&more);
}

void
page_graph_draw(struct view *view, size_t top, size_t rows)
{
	struct graph *graph = &view->graph;
	const struct tree *tree = view_tree(view);

	if (graph->tree != tree || graph->columns != view->screen.columns || !place_same(tree, graph->zoom, view->zoom))
		graph_open(graph, tree, view->zoom, view->screen.columns);
	if (!graph->count) {
		screen_words(&view->screen, top, 0, view->screen.columns, look_line(false),
		    "No samples: there is nothing to draw");
		return;
	}
	graph_scroll(graph, rows);
	for (size_t i = 0; i < graph->count; i++) {
		size_t depth = graph->boxes[i].box.depth;

		if (depth >= graph->top && depth < graph->top + rows && graph->boxes[i].to > graph->boxes[i].from)
			draw_box(view, top + depth - graph->top, &graph->boxes[i], i == graph->chosen);
	}
	draw_status(view, top + rows);
}

static bool
is_wanted(const void *context, const struct box *box)
{
	return box->kind == BOX_FRAME && search_has(context, box->name);
}

static void
find_next(struct view *view, bool backwards)
{
	const struct graph_box *chosen = graph_chosen(&view->graph);

	if (!view->search.text || graph_next(&view->graph, backwards, is_wanted, &view->search))
		return;
	buf_clear(&view->message);
	if (chosen && is_wanted(&view->search, &chosen->box))
		buf_text(&view->message, "there is no other that is wide enough to be seen");
	else if (view->search.names)
		buf_text(&view->message, "what is found is too narrow to be seen here: the table has it");
	else
		buf_text(&view->message, "nothing is found");
}

static void
move_page(struct view *view, enum graph_move move)
{
	for (size_t i = 0; i + 7 < view->screen.rows; i++)
		graph_move(&view->graph, move);
}

bool
page_graph_key(struct view *view, uint32_t key)
{
	switch (key) {
	case KEY_UP:
		graph_move(&view->graph, MOVE_UP);
		return true;
	case KEY_DOWN:
		graph_move(&view->graph, MOVE_DOWN);
		return true;
	case KEY_LEFT:
		graph_move(&view->graph, MOVE_LEFT);
		return true;
	case KEY_RIGHT:
		graph_move(&view->graph, MOVE_RIGHT);
		return true;
	case KEY_HOME:
		graph_move(&view->graph, MOVE_FIRST);
		return true;
	case KEY_END:
		graph_move(&view->graph, MOVE_LAST);
		return true;
	case KEY_PAGE_UP:
		move_page(view, MOVE_UP);
		return true;
	case KEY_PAGE_DOWN:
		move_page(view, MOVE_DOWN);
		return true;
	case KEY_ENTER:
		view_zoom(view, graph_place(&view->graph));
		return true;
	case 'n':
	case 'N':
		find_next(view, key == 'N');
		return true;
	default:
		return false;
	}
}
