/* Labels: for every key its values with their shares, several of which may be chosen; and by which keys stacks are
 * grouped. Shares are of the whole profile, whatever is chosen. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fold/label.h"
#include "view/state.h"

struct label_line {
	const char *text; /* "key=value" as it is in the profile; of a key's own line its first value's */
	size_t length, key_length;
	bool is_key;
	uint64_t value;
	size_t values; /* of a key */
};

void
page_labels_release(struct view *view)
{
	free(view->labels);
	view->labels = NULL;
	view->label_count = view->label_room = 0;
}

static int
compare(const void *a, const void *b)
{
	const struct label_line *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->key_length < y->key_length ? x->key_length : y->key_length);
	/* Seconds go on, hosts are ranked. */
	bool by_text = x->key_length == 4 && memcmp(x->text, "time", 4) == 0;

	if (order || x->key_length != y->key_length)
		return order ? order : x->key_length < y->key_length ? -1 : 1;
	if (!by_text && x->value != y->value)
		return x->value > y->value ? -1 : 1;
	order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
	return order ? order : x->length < y->length ? -1 : x->length > y->length;
}

/* Every value's own value, by number of name. */
static uint64_t *
sum_up(const struct fold *fold, const bool *is_label)
{
	uint64_t *values = mem_alloc((fold->names.count + 1) * sizeof *values);
	bool by_base = tree_layout_of(&fold->header) == LAYOUT_BASE;

	for (size_t i = 0; i < fold->stacks.count; i++) {
		const struct stack *stack = &fold->stacks.list[i];
		unsigned __int128 base = stacks_base(&fold->stacks, stack);
		uint32_t labels = shown_labels(stack, is_label);

		for (uint32_t f = 0; f < labels; f++)
			values[stack->frames[f]] += (uint64_t)(by_base || base > stack->value ? base : stack->value);
	}
	return values;
}

static void
add(struct view *view, const struct label_line *line)
{
	mem_grow(&view->labels, view->label_count, &view->label_room);
	view->labels[view->label_count++] = *line;
}

/* A line for each key before its values. */
static void
add_keys(struct view *view)
{
	struct label_line *values = view->labels;
	size_t count = view->label_count;

	view->labels = NULL;
	view->label_count = view->label_room = 0;
	for (size_t i = 0, next; i < count; i = next) {
		struct label_line key = values[i];

		key.is_key = true;
		key.value = 0;
		for (next = i; next < count && values[next].key_length == key.key_length &&
		     memcmp(values[next].text, key.text, key.key_length) == 0; next++)
			key.value += values[next].value;
		key.values = next - i;
		add(view, &key);
		for (; i < next; i++)
			add(view, &values[i]);
	}
	free(values);
}

static void
find_labels(struct view *view)
{
	const struct fold *fold = view->shown->source;
	bool *is_label;
	uint64_t *values;

	if (view->labels)
		return;
	is_label = shown_label_names(fold);
	values = sum_up(fold, is_label);
	for (uint32_t i = 0; i < fold->names.count; i++)
		if (values[i]) {
			const char *text = intern_name(&fold->names, i);

			add(view, &(struct label_line){ text, intern_length(&fold->names, i),
				      (size_t)(strchr(text, '=') - text), false, values[i], 0 });
		}
	free(values);
	free(is_label);
	if (view->label_count)
		qsort(view->labels, view->label_count, sizeof *view->labels, compare);
	add_keys(view);
}

/* Where text stands in a list with ';' between, or NULL. */
static const char *
find_in(const char *list, const char *text, size_t length)
{
	for (const char *p = list; *p; p += strcspn(p, ";"), p += *p == ';')
		if (strcspn(p, ";") == length && memcmp(p, text, length) == 0)
			return p;
	return NULL;
}

static const char *
chosen_labels(const struct view *view)
{
	size_t step = steps_find(&view->steps, STEP_LABELS, NULL);

	return step == SIZE_MAX ? "" : view->steps.list[step].text;
}

static bool
is_grouped(const struct view *view, const struct label_line *line)
{
	char *key = mem_copy(line->text, line->key_length);
	bool is = steps_find(&view->steps, STEP_GROUP, key) != SIZE_MAX;

	free(key);
	return is;
}

static void
draw_line(struct view *view, size_t row, const struct label_line *line, bool is_chosen)
{
	struct style style = look_line(is_chosen);
	size_t columns = view->screen.columns;
	struct amounts whole = view->amounts;
	struct buf text = { 0 };

	whole.total = 0;
	for (size_t i = 0; i < view->label_count; i++) /* of its key, which may not be on every stack */
		if (view->labels[i].is_key && view->labels[i].key_length == line->key_length &&
		    memcmp(view->labels[i].text, line->text, line->key_length) == 0)
			whole.total = view->labels[i].value;
	screen_fill(&view->screen, row, 0, columns, style);
	if (line->is_key) {
		style.attributes |= STYLE_BOLD;
		buf_print(&text, "%.*s: %zu value%s%s", (int)line->key_length, line->text, line->values,
		    line->values == 1 ? "" : "s", is_grouped(view, line) ? ", grouped by it" : "");
		screen_text(&view->screen, row, 0, columns, style, text.data, text.length);
	} else {
		size_t column = screen_words(&view->screen, row, 0, columns, style,
		    find_in(chosen_labels(view), line->text, line->length) ? "  [x] " : "  [ ] ");

		amount_share(&whole, line->value, &text);
		column += text.length < 9 ? 9 - text.length : 0;
		column = screen_text(&view->screen, row, column, columns, style, text.data, text.length);
		screen_text(&view->screen, row, column + 2, columns, style, line->text + line->key_length + 1,
		    line->length - line->key_length - 1);
	}
	buf_release(&text);
}

void
page_labels_draw(struct view *view, size_t top, size_t rows)
{
	struct list *list = &view->label_list;
	const char *chosen = chosen_labels(view);
	struct buf text = { 0 };

	find_labels(view);
	list_fit(list, view->label_count, rows);
	for (size_t i = list->top; i < list->count && i < list->top + list->rows; i++)
		draw_line(view, top + i - list->top, &view->labels[i], i == list->at);
	if (!list->count) {
		screen_words(&view->screen, top, 0, view->screen.columns, look_line(false),
		    "There are no labels in this profile; gp-record --by and gp-merge --label put them in");
		return;
	}
	buf_text(&text, *chosen ? "only " : "all of them");
	for (; *chosen; chosen++)
		buf_char(&text, *chosen == ';' ? ' ' : *chosen);
	screen_text(&view->screen, top + rows, 0, view->screen.columns, (struct style){ .attributes = STYLE_BOLD },
	    text.data, text.length);
	buf_clear(&text);
	amount_print(&view->amounts, view_tree(view)->total, &text);
	buf_text(&text, " shown");
	screen_text(
	    &view->screen, top + rows + 1, 0, view->screen.columns, (struct style){ 0 }, text.data, text.length);
	buf_release(&text);
}

/* The labels chosen are others: one step in the place of that before. */
static void
set_chosen(struct view *view, const char *text)
{
	size_t step = steps_find(&view->steps, STEP_LABELS, NULL);

	if (step != SIZE_MAX)
		steps_remove(&view->steps, step);
	if (*text)
		view_add_step(view, STEP_LABELS, text);
	else
		view_rebuild(view);
}

/* Chosen or not any more; only: no other of its key. */
static void
choose(struct view *view, const struct label_line *line, bool only)
{
	const char *before = chosen_labels(view);
	bool was = find_in(before, line->text, line->length);
	struct buf text = { 0 };

	for (const char *p = before; *p; p += strcspn(p, ";"), p += *p == ';') {
		size_t length = strcspn(p, ";");
		bool same_key = length > line->key_length && memcmp(p, line->text, line->key_length + 1) == 0;

		if ((only && same_key) || (length == line->length && memcmp(p, line->text, length) == 0))
			continue;
		buf_print(&text, "%s%.*s", text.length ? ";" : "", (int)length, p);
	}
	if (only || !was) {
		if (text.length)
			buf_char(&text, ';');
		buf_add(&text, line->text, line->length);
	}
	set_chosen(view, text.data ? text.data : "");
	buf_release(&text);
}

bool
page_labels_key(struct view *view, uint32_t key)
{
	const struct label_line *line;
	char *name;

	find_labels(view);
	if (list_key(&view->label_list, key))
		return true;
	line = view->label_list.at < view->label_count ? &view->labels[view->label_list.at] : NULL;
	switch (key) {
	case ' ':
		if (line && !line->is_key)
			choose(view, line, false);
		return true;
	case KEY_ENTER:
		if (line && !line->is_key) {
			choose(view, line, true);
			view->page = PAGE_GRAPH;
		}
		return true;
	case 'g':
		if (line) {
			name = mem_copy(line->text, line->key_length);
			view_toggle_step(view, STEP_GROUP, name);
			free(name);
		}
		return true;
	case '*':
		set_chosen(view, "");
		return true;
	default:
		return false;
	}
}
