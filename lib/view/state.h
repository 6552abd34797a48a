/* What view.c (events, keys) shares with the pages, a file each. For no one else. */
#ifndef VIEW_STATE_H
#define VIEW_STATE_H

#include "render/functions.h"
#include "render/picture.h"
#include "view/feed.h"
#include "view/graph.h"
#include "view/history.h"
#include "view/keys.h"
#include "view/list.h"
#include "view/screen.h"
#include "view/search.h"
#include "view/steps.h"
#include "view/view.h"

enum page { PAGE_GRAPH, PAGE_TABLE, PAGE_CALLERS, PAGE_LABELS, PAGE_STEPS, PAGE_INFO, PAGE_HELP, PAGE_COUNT };

/* Zooms that can be gone back to. */
#define BACK_MAX 100

/* A question at the foot of the screen. */
enum prompt_kind { PROMPT_NONE, PROMPT_SEARCH, PROMPT_STEP };
struct prompt {
	enum prompt_kind kind;
	enum step_kind step;
	struct buf text;
	bool is_slow; /* searching takes too long to be done at every key */
	char *before; /* the search that Escape goes back to */
};

struct view {
	const struct view_options *options;
	struct screen screen;
	struct keys keys;
	bool done;
	int status; /* of view_run() */

	/* Where profiles come from. */
	struct feed feed;
	bool follows, has_ended, is_frozen;
	struct history history;

	/* What is looked at. */
	struct steps steps;
	enum tree_order order;
	struct shown *shown; /* NULL: no profile yet */
	struct picture picture;
	struct amounts amounts;
	struct changes changes;
	struct place zoom;
	char *back[BACK_MAX]; /* where zooms were, as text, the last one last */
	size_t back_count;

	/* The pages. */
	enum page page;
	struct graph graph;
	struct functions functions; /* of the table */
	bool is_counted;
	enum functions_order by;
	struct list table;
	struct buf listed; /* the function that was chosen in it before the profile changed */
	struct buf function; /* whose callers are shown: its name; and those before it, a NUL after each */
	struct buf walked;
	struct functions callers, callees;
	struct function own;
	struct list around;
	bool is_walked;
	struct label_line *labels;
	size_t label_count, label_room;
	struct list label_list, step_list, text_list;
	enum page text_page; /* whose lines text_list stands in */

	struct search search;
	struct prompt prompt;
	struct buf message;
};

/* The tree; only while there is a profile. */
static inline const struct tree *
view_tree(const struct view *view)
{
	return &view->shown->tree;
}

/* ---- view_profile.c: what is looked at */

/* The steps, the order or the profile are others. False: they cannot be done (said); all is as it was. */
bool view_rebuild(struct view *view);
/* The one of the history that is chosen. */
void view_switch(struct view *view);
/* Adds a step, or does nothing but say what is wrong with it. */
void view_add_step(struct view *view, enum step_kind kind, const char *text);
void view_remove_step(struct view *view, size_t i);
/* Adds it, or takes it back if it is there. */
void view_toggle_step(struct view *view, enum step_kind kind, const char *text);
void view_zoom(struct view *view, struct place place);
void view_zoom_back(struct view *view);
/* The function that the page has chosen, FUNCTION_NONE if none. */
uint32_t view_chosen_function(struct view *view);
void view_search(struct view *view, const char *text);
void view_release_profile(struct view *view);

/* ---- pages.c: the page that is open, and what is around it */

void page_draw(struct view *view);
bool page_take_key(struct view *view, uint32_t key);
/* The page that a key goes to, PAGE_COUNT if none. */
enum page page_of_key(uint32_t key);

/* ---- a file each: draws on lines [top, top + rows), which are empty; takes a key, false: it is not the page's. Then
 * what is said of what is chosen, in two lines. */

void page_graph_draw(struct view *view, size_t top, size_t rows);
bool page_graph_key(struct view *view, uint32_t key);
void page_table_draw(struct view *view, size_t top, size_t rows);
bool page_table_key(struct view *view, uint32_t key);
uint32_t page_table_chosen(struct view *view);
void page_callers_draw(struct view *view, size_t top, size_t rows);
bool page_callers_key(struct view *view, uint32_t key);
/* Of that function from now on. */
void page_callers_of(struct view *view, uint32_t name);
uint32_t page_callers_chosen(struct view *view);
void page_labels_draw(struct view *view, size_t top, size_t rows);
bool page_labels_key(struct view *view, uint32_t key);
void page_labels_release(struct view *view);
void page_steps_draw(struct view *view, size_t top, size_t rows);
bool page_steps_key(struct view *view, uint32_t key);
/* PAGE_INFO and PAGE_HELP. */
void page_text_draw(struct view *view, size_t top, size_t rows);
bool page_text_key(struct view *view, uint32_t key);

/* ---- prompt.c */

void prompt_open(struct view *view, enum prompt_kind kind, enum step_kind step, const char *text);
void prompt_key(struct view *view, uint32_t key);
void prompt_draw(struct view *view, size_t row);
void prompt_release(struct prompt *prompt);

/* ---- look.c */

struct style look_box(const struct view *view, const struct box *box, const struct box_look *look, bool is_chosen,
    bool is_found);
struct style look_line(bool is_chosen);
/* A function as it is listed: its self, or where whole is not 0 what part of that its total is; total, the change if
 * there are two columns, its kind's colour, what stands before the name, the name. */
void look_function(struct view *view, size_t row, const struct function *function, uint64_t whole, const char *before,
    bool is_chosen);
void look_function_head(struct view *view, size_t row);
/* Two lines of what is known of a box or a function. more is put behind the first. */
void look_status(struct view *view, size_t row, const struct box *box, const char *more);
void look_function_status(struct view *view, size_t row, const struct function *function, const char *more);

#endif
