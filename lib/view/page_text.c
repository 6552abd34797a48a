/* Pages of text: what the header knows, and the keys. */
#include <string.h>

#include "view/state.h"

static const char *const help[] = {
	"Moving and zooming",
	"  arrows       to the caller, the callee, the neighbour; lists: k and j too",
	"  PgUp PgDn    as many as the screen has;  Home End  first and last of the line",
	"  Enter        zoom into the box; in lists: that function, that label only",
	"  Backspace -  zoom back out, one by one;  0  all of it again",
	"Pages",
	"  1 graph  2 table  3 callers and callees of the chosen function",
	"  4 labels  5 steps  6 about the profile  ? these keys;  Tab  the next one",
	"Searching",
	"  /            regular expression; small letters find capitals too",
	"  n N          next and previous;  c  case: as written, or any;  Esc  no search",
	"Steps: what is left out, of the chosen function or (capital) what is asked for",
	"  h H          hide such frames, their value stays",
	"  f F          only stacks with it;  x X  no stacks with it",
	"  r R          stacks from it on;  C  runs of such frames as one",
	"  m            direct recursion as one frame;  i  callers above callees",
	"  u            take the last step back;  U  all of them; 5  shows them",
	"Lists",
	"  s t a d      table by self, total, name, change (of two columns)",
	"  Space g *    labels: choose several, group by the key, all of them",
	"  w            graph: the widest box first, or by name",
	"A stream of profiles",
	"  Space p      freeze, and go on with the latest;  [ ]  the one before, after",
	"Others",
	"  Ctrl-L  draw again;  Ctrl-Z  the shell, fg comes back;  q  end",
};

/* Lines as they come, of which the list shows some. */
struct writer {
	struct view *view;
	size_t top;
	size_t count;
};

static void
write_line(struct writer *writer, const char *text, size_t length, bool is_head)
{
	const struct list *list = &writer->view->text_list;
	size_t i = writer->count++;

	if (i >= list->top && i < list->top + list->rows)
		screen_text(&writer->view->screen, writer->top + i - list->top, 0, writer->view->screen.columns,
		    (struct style){ .attributes = is_head ? STYLE_BOLD : 0 }, text, length);
}

/* Cut at blanks into lines that fit. What follows the first is indented. */
static void
write_words(struct writer *writer, const struct buf *text)
{
	size_t columns = writer->view->screen.columns, indent = 15, from = 0;
	struct buf line = { 0 };

	while (from < text->length) {
		size_t room = columns - (from ? indent : 0), end = from, last = from;

		if (columns < indent + 20)
			room = columns;
		while (end < text->length && end - from < room) {
			last = text->data[end] == ' ' ? end : last;
			end++;
		}
		if (end < text->length && last > from)
			end = last;
		buf_clear(&line);
		buf_print(&line, "%*s", from && columns >= indent + 20 ? (int)indent : 0, "");
		buf_add(&line, text->data + from, end - from);
		write_line(writer, line.data, line.length, false);
		from = end;
		while (from < text->length && text->data[from] == ' ')
			from++;
	}
	buf_release(&line);
}

static void
write_help(struct writer *writer)
{
	for (size_t i = 0; i < sizeof help / sizeof *help; i++)
		write_line(writer, help[i], strlen(help[i]), help[i][0] != ' ');
}

static void
write_pair(struct writer *writer, const char *name, const char *text)
{
	struct buf line = { 0 };

	if (!text || !*text)
		return;
	buf_print(&line, "  %-13s", name);
	buf_text(&line, text);
	write_words(writer, &line);
	buf_release(&line);
}

static void
write_number(struct writer *writer, const struct header *header, const char *key, const char *name)
{
	struct buf text = { 0 };

	if (!header_has(header, key))
		return;
	amount_group(header_number(header, key, 0), &text);
	write_pair(writer, name, text.data);
	buf_release(&text);
}

static void
write_real(struct writer *writer, const struct header *header, const char *key, const char *name, const char *unit)
{
	struct buf text = { 0 };

	if (!header_has(header, key))
		return;
	buf_print(&text, "%.3f %s", header_real(header, key, 0), unit);
	write_pair(writer, name, text.data);
	buf_release(&text);
}

static void
write_list(struct writer *writer, const struct header *header, const char *key, const char *name)
{
	for (size_t i = 0; i < header_list_count(header, key); i++)
		write_pair(writer, i ? "" : name, header_list_at(header, key, i));
}

static void
write_counts(struct writer *writer)
{
	const struct shown *shown = writer->view->shown;
	struct buf text = { 0 };

	amount_print(&writer->view->amounts, shown->tree.total, &text);
	write_pair(writer, "shown", text.data);
	buf_clear(&text);
	amount_group(shown->tree.count, &text);
	buf_text(&text, " of ");
	amount_group(shown->source->stacks.count, &text);
	write_pair(writer, "stacks", text.data);
	buf_release(&text);
}

static void
write_info(struct writer *writer)
{
	static const char *const texts[][2] = { { "event", "event" }, { "target", "target" }, { "host", "host" },
		{ "start", "start" }, { "tool", "made by" }, { "version", "version" }, { "unit", "unit" },
		{ "kind", "kind" } };
	static const char *const numbers[][2] = { { "freq_hz", "hertz" }, { "period", "period" },
		{ "period_ns", "period, ns" }, { "cpus", "CPUs" }, { "samples", "samples" }, { "lost", "lost" },
		{ "truncated", "truncated" }, { "unresolved", "unresolved" }, { "work", "work" },
		{ "sources", "sum of" } };
	const struct header *header = &writer->view->shown->fold.header;

	write_line(writer, "What was counted", 16, true);
	if (!header->json)
		write_pair(writer, "header", "there is none: what is counted, and where, is not known");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		write_pair(writer, texts[i][1], header_text(header, texts[i][0]));
	write_list(writer, header, "names", "columns");
	write_real(writer, header, "duration_s", "duration", "s");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		write_number(writer, header, numbers[i][0], numbers[i][1]);
	write_real(writer, header, "cpu_s", "CPU time", "s");
	write_real(writer, header, "self_cpu_s", "its cost", "s of CPU");
	write_list(writer, header, "labels", "labels");
	write_list(writer, header, "notes", "notes");
	write_line(writer, "What is shown", 13, true);
	write_counts(writer);
}

void
page_text_draw(struct view *view, size_t top, size_t rows)
{
	struct writer writer = { view, top, 0 };
	struct list *list = &view->text_list;

	if (view->text_page != view->page)
		*list = (struct list){ 0 };
	view->text_page = view->page;
	list->rows = rows + 2; /* nothing is said below */
	if (view->page == PAGE_HELP)
		write_help(&writer);
	else
		write_info(&writer);
	/* A page that scrolls: the line chosen is the first one seen. */
	list->count = writer.count > list->rows ? writer.count - list->rows + 1 : 1;
}

bool
page_text_key(struct view *view, uint32_t key)
{
	struct list *list = &view->text_list;
	size_t rows = list->rows;
	bool taken;

	taken = list_key(list, key);
	list->rows = rows;
	list->top = list->at;
	return taken;
}
