#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "render/paint.h"

/* Packages and modules looked at for the legend; and what of them is shown. */
#define GROUPS_MAX 256
#define GROUPS_SHOWN 12

static struct legend_entry *
legend_find(struct painter *painter, const char *text, size_t length)
{
	struct legend_entry *entry;

	for (size_t i = 0; i < painter->legend_count; i++) {
		entry = &painter->legend[i];
		if (strncmp(entry->text, text, length) == 0 && !entry->text[length])
			return entry;
	}
	if (painter->legend_count >= GROUPS_MAX)
		return NULL;
	mem_grow(&painter->legend, painter->legend_count, &painter->legend_room);
	entry = &painter->legend[painter->legend_count++];
	*entry = (struct legend_entry){ .text = mem_copy(text, length) };
	return entry;
}

static void
legend_add(struct painter *painter, unsigned rank, unsigned colour, enum change_mark mark, const char *text)
{
	struct legend_entry *entry = legend_find(painter, text, strlen(text));

	if (!entry)
		return;
	entry->rank = rank;
	entry->colour = colour;
	entry->mark = mark;
}

/* The steps of what two columns mean, named after their sides. */
static void
legend_of_changes(struct painter *painter)
{
	static const char *const ratio[] = { "a quarter of the whole's", "lower", "as the whole, or too few samples", "higher",
		"four times the whole's" };
	static const char *const diff[] = { "a quarter or less", "less", "unchanged, or by chance", "more",
		"four times or more" };
	static const char *const points[] = { "3 points less", "less", "unchanged, or by chance", "more", "3 points more" };
	const struct changes *changes = &painter->changes;
	const char *const *words = changes->is_ratio ? ratio : changes->by == CHANGE_POINTS ? points : diff;
	char *text;

	for (unsigned i = 0; i < 5; i++) {
		unsigned step = changes->negate ? 4 - i : i;

		legend_add(painter, i, COLOUR_CHANGE + step * CHANGE_STEPS / 2, MARK_NONE, words[i]);
	}
	if (changes->is_ratio)
		return;
	for (int i = 0; i < 2; i++) {
		text = mem_print("only in %s", changes->names[i]);
		legend_add(painter, 5 + (unsigned)i, COLOUR_CHANGE + (!i == !changes->negate ? 0 : 2 * CHANGE_STEPS),
		    i ? MARK_NEW : MARK_GONE, text);
		free(text);
	}
}

static bool
is_diff(const struct painter *painter)
{
	return painter->tree->pairs && painter->picture->colours != COLOURS_DIFFUSION;
}

void
painter_open(struct painter *painter, const struct tree *tree, struct picture *picture, const struct amounts *amounts)
{
	*painter = (struct painter){ .tree = tree, .picture = picture };
	painter->changes = changes_of(tree, amounts, picture->change_by, picture->negate);
	if (is_diff(painter) && picture->colours != COLOURS_PALETTE)
		legend_of_changes(painter);
	if (picture->colours == COLOURS_SELF && !is_diff(painter)) {
		legend_add(painter, 0, COLOUR_SELF, MARK_NONE, "all in callees");
		legend_add(painter, 1, COLOUR_SELF + SHADES / 2, MARK_NONE, "half its own");
		legend_add(painter, 2, COLOUR_SELF + SHADES - 1, MARK_NONE, "all its own");
	}
}

/* The part of a name that says where it comes from: what stands before a backquote, in square brackets, or the
 * file in brackets at the end. */
static const char *
module_of(const struct box_look *look, size_t *length)
{
	const char *quote = memchr(look->name, '`', look->length), *plus;

	if (quote) {
		*length = (size_t)(quote - look->name);
		return look->name;
	}
	if (look->length > 2 && look->name[0] == '[' && look->name[look->length - 1] == ']') {
		*length = look->length - 2;
		plus = memchr(look->name + 1, '+', *length);
		*length = plus ? (size_t)(plus - look->name - 1) : *length;
		return look->name + 1;
	}
	if (look->length && look->name[look->length - 1] == ')') {
		const char *open = memrchr(look->name, '(', look->length), *end;

		*length = open ? look->length - (size_t)(open - look->name) - 2 : 0;
		end = open ? memchr(open + 1, ':', *length) : NULL;
		if (end && end[1] >= '0' && end[1] <= '9') {
			*length = (size_t)(end - open - 1);
			return open + 1;
		}
	}
	*length = strlen(frame_kind_title(look->kind));
	return frame_kind_title(look->kind);
}

/* The namespace: up to the last '/', "::" or '.' before the name itself, arguments and template arguments left out. */
static const char *
package_of(const struct box_look *look, size_t *length)
{
	size_t end = 0, last = 0;

	while (end < look->length && !strchr("(<[ ", look->name[end]))
		end++;
	for (size_t i = 1; i < end; i++)
		if (look->name[i] == '/' || (look->name[i] == '.' && !memchr(look->name, '/', end)) ||
		    (look->name[i] == ':' && i + 1 < end && look->name[i + 1] == ':'))
			last = i;
	if (!last)
		return module_of(look, length);
	*length = last;
	return look->name;
}

/* A box's colour where it is one of ours, the words of its group and its place among them. */
static unsigned
own_colour(const struct painter *painter, const struct box *box, const struct box_look *look, const char **group,
    size_t *length, unsigned *rank)
{
	*rank = look->kind;
	*group = frame_kind_title(look->kind);
	*length = strlen(*group);
	switch (painter->picture->colours) {
	case COLOURS_MODULE:
	case COLOURS_PACKAGE:
		if (look->kind >= KIND_HUES && !(look->kind == KIND_MARK && box->kind == BOX_FRAME))
			break;
		*group = painter->picture->colours == COLOURS_MODULE ? module_of(look, length) : package_of(look, length);
		*rank = 0;
		return colour_hue(*group, *length) * SHADES + colour_shade(look->name, look->length);
	case COLOURS_RUNTIME:
		*rank = colour_runtime(look->kind, group);
		*length = strlen(*group);
		return (unsigned)*rank * SHADES + colour_shade(look->name, look->length);
	case COLOURS_SELF:
		*group = NULL;
		return COLOUR_SELF + (box->total ? (unsigned)((double)box->self / (double)box->total * (SHADES - 1) + 0.5) : 0);
	case COLOURS_SAFE:
		return colour_safe(look->kind, look->name, look->length);
	default:
		break;
	}
	return look->colour;
}

static void
see_palette(struct painter *painter, const struct pending *seen, size_t at)
{
	const struct intern *names = &painter->tree->fold->names;
	const char *means = NULL;
	struct legend_entry *entry;

	if (seen->kind == BOX_SMALL)
		painter->rgb[at] = 0xd3d1cc;
	else if (seen->kind == BOX_ROOT)
		painter->rgb[at] = palette_rgb(&painter->picture->palette, "", 0, &means);
	else
		painter->rgb[at] = palette_rgb(&painter->picture->palette, intern_name(names, seen->name),
		    intern_length(names, seen->name), &means);
	if (!means || seen->kind != BOX_FRAME)
		return;
	entry = legend_find(painter, means, strlen(means));
	if (entry) {
		entry->is_rgb = true;
		entry->rgb = painter->rgb[at];
		entry->weight += seen->weight;
	}
}

static void
see_pending(struct painter *painter)
{
	size_t first = painter->count - painter->pending_count;

	for (size_t i = painter->pending_count; i-- > 0;)
		see_palette(painter, &painter->pending[i], first + i);
	painter->pending_count = 0;
}

/* As inferno's softened scale: 250 where nothing changed, then 100 to 250. */
static uint32_t
inferno_change(double change)
{
	unsigned c = 100 + (unsigned)(150 * (1 - fabs(change)));

	return change == 0 ? 0xfafafa : change > 0 ? 0xff0000 | c << 8 | c : c << 16 | c << 8 | 0xff;
}

static uint32_t
perl_change(double change)
{
	unsigned c = (unsigned)(210 * (1 - fabs(change)) + 1e-9);

	return change == 0 ? 0xffffff : change > 0 ? 0xff0000 | c << 8 | c : c << 16 | c << 8 | 0xff;
}

void
painter_see(struct painter *painter, const struct box *box, const struct box_look *look)
{
	const struct picture *picture = painter->picture;
	struct legend_entry *entry;
	const char *group;
	unsigned rank, colour;
	size_t length;

	if (is_diff(painter) || picture->colours == COLOURS_DIFFUSION)
		return;
	if (picture->colours == COLOURS_PALETTE) {
		if (painter->pending_count && painter->pending_row != box->row)
			see_pending(painter);
		painter->pending_row = box->row;
		mem_grow(&painter->rgb, painter->count, &painter->room);
		painter->count++;
		mem_grow(&painter->pending, painter->pending_count, &painter->pending_room);
		painter->pending[painter->pending_count++] = (struct pending){ box->name, box->self, box->kind };
		return;
	}
	if (box->kind != BOX_FRAME)
		return;
	colour = own_colour(painter, box, look, &group, &length, &rank);
	entry = group ? legend_find(painter, group, length) : NULL;
	if (!entry)
		return;
	if (!entry->weight)
		entry->colour = colour;
	entry->rank = rank;
	entry->weight += box->self ? box->self : 1;
}

static int
compare(const void *a, const void *b)
{
	const struct legend_entry *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return strcmp(x->text, y->text);
}

void
painter_ready(struct painter *painter)
{
	see_pending(painter);
	if (painter->legend_count)
		qsort(painter->legend, painter->legend_count, sizeof *painter->legend, compare);
	while (painter->legend_count > GROUPS_SHOWN + KIND_COUNT ||
	    (painter->legend_count > GROUPS_SHOWN &&
		(painter->picture->colours == COLOURS_MODULE || painter->picture->colours == COLOURS_PACKAGE)))
		free(painter->legend[--painter->legend_count].text);
}

struct paint
painter_paint(struct painter *painter, const struct box *box, const struct box_look *look)
{
	const struct picture *picture = painter->picture;
	struct paint paint = { .is_rgb = true };
	const char *group;
	unsigned rank;
	size_t length;

	if (picture->colours == COLOURS_DIFFUSION) {
		/* Two thousand steps, as in inferno. */
		double share = (double)box->total / (double)painter->tree->total;

		paint.rgb = inferno_change(floor(sqrt(share) * 2000) / 2000);
	} else if (is_diff(painter) && picture->colours == COLOURS_PALETTE) {
		double change = box->kind == BOX_FRAME ? change_self(&painter->changes, box) : 0;

		paint.rgb = picture->palette.is_inferno ? inferno_change(change) : perl_change(change);
	} else if (is_diff(painter)) {
		paint.is_rgb = false;
		paint.colour = COLOUR_CHANGE + (unsigned)(change_step(&painter->changes, box) + CHANGE_STEPS);
		paint.mark = change_mark(&painter->changes, box);
	} else if (picture->colours == COLOURS_PALETTE) {
		paint.rgb = painter->rgb[painter->next++];
	} else {
		paint.is_rgb = false;
		paint.colour = own_colour(painter, box, look, &group, &length, &rank);
	}
	return paint;
}

void
painter_close(struct painter *painter)
{
	for (size_t i = 0; i < painter->legend_count; i++)
		free(painter->legend[i].text);
	free(painter->legend);
	free(painter->rgb);
	free(painter->pending);
}
