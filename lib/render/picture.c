#include <stdlib.h>
#include <string.h>

#include "base/warn.h"
#include "render/picture.h"

int
picture_set_narrowest(struct picture *picture, const char *text)
{
	size_t digits = strspn(text, "0123456789.");
	const char *unit = text + digits;
	char *end;

	/* strtod() takes more than people should type. */
	picture->narrowest = strtod(text, &end);
	if (digits == 0 || end != unit)
		return -1;
	picture->is_percent = strcmp(unit, "%") == 0;
	if (*unit && !picture->is_percent && strcmp(unit, "px") != 0)
		return -1;
	return picture->is_percent && picture->narrowest > 100 ? -1 : 0;
}

uint64_t
picture_least(const struct picture *picture, uint64_t total, double pixels)
{
	double share = picture->is_percent ? picture->narrowest / 100 : picture->narrowest / pixels;
	double least = share * (double)total;

	if (least >= (double)total)
		return total;
	/* Rounded up: what is drawn is at least as wide as asked. */
	return least <= 1 ? 1 : (uint64_t)least + ((double)(uint64_t)least < least);
}

/* Our own, then what takes other options. */
static const char *const colourings[] = {
	[COLOURS_KIND] = "kind", [COLOURS_MODULE] = "module", [COLOURS_PACKAGE] = "package", [COLOURS_RUNTIME] = "runtime",
	[COLOURS_SELF] = "self", [COLOURS_SAFE] = "safe", [COLOURS_PALETTE] = "palette", [COLOURS_DIFFUSION] = "diffusion",
};

const char *
colouring_name(enum colouring colouring)
{
	return colourings[colouring];
}

int
picture_set_colours(struct picture *picture, const char *name)
{
	for (unsigned i = 0; !picture->is_reference && i < COLOURS_PALETTE; i++)
		if (strcmp(colourings[i], name) == 0) {
			picture->colours = i;
			return 0;
		}
	picture->colours = COLOURS_PALETTE;
	return palette_choose(&picture->palette, name);
}

void
picture_colours(const struct picture *picture, struct buf *to)
{
	for (size_t i = 0; !picture->is_reference && i < COLOURS_PALETTE; i++)
		buf_print(to, "%s, ", colourings[i]);
	palette_names(&picture->palette, to);
}

struct amounts
picture_amounts(const struct picture *picture, const struct header *header, uint64_t total)
{
	struct amounts amounts = amounts_of(header, total);

	if (picture->unit)
		amounts.unit = picture->unit;
	amounts.factor = picture->factor;
	return amounts;
}

void
picture_notes(const struct picture *picture, const struct header *header, struct buf *to)
{
	if (picture->notes) {
		buf_text(to, picture->notes);
		return;
	}
	for (size_t i = 0; i < header_list_count(header, "notes"); i++)
		buf_print(to, "%s%s", i ? "\n" : "", header_list_at(header, "notes", i));
}

void
picture_title(const struct picture *picture, const struct header *header, struct buf *to)
{
	const char *event = header_text(header, "event"), *target = header_text(header, "target");
	const char *host = header_text(header, "host");

	if (picture->title) {
		buf_text(to, picture->title);
		return;
	}
	buf_text(to, event ? event : "Flame graph");
	if (target && strcmp(target, "-a") == 0)
		target = "the whole machine";
	if (target)
		buf_print(to, " of %s", target);
	if (host)
		buf_print(to, " on %s", host);
}

static void
part(struct buf *to)
{
	if (to->length)
		buf_text(to, " · ");
}

/* "12 lost" */
static void
count_part(const struct header *header, const char *key, const char *word, struct buf *to)
{
	if (!header_has(header, key))
		return;
	part(to);
	amount_group(header_number(header, key, 0), to);
	buf_print(to, " %s", word);
}

void
picture_subtitle(const struct picture *picture, const struct header *header, const struct amounts *amounts,
    struct buf *to)
{
	const char *start = header_text(header, "start");
	double duration = header_real(header, "duration_s", -1);

	if (picture->subtitle) {
		buf_text(to, picture->subtitle);
		return;
	}
	/* RFC 3339 in UTC: 2026-01-31T12:00:00.123Z */
	if (start && strlen(start) >= 19 && start[10] == 'T')
		buf_print(to, "%.10s %.8s UTC", start, start + 11);
	if (duration >= 0) {
		part(to);
		buf_print(to, "%.1f s", duration);
	}
	part(to);
	if (header_number(header, "columns", 1) == 2)
		buf_print(to, "%s, %s", header_list_at(header, "names", 0) ? header_list_at(header, "names", 0) : "base",
		    header_list_at(header, "names", 1) ? header_list_at(header, "names", 1) : "new");
	else
		amount_print(amounts, amounts->total, to);
	if (strcmp(amounts->unit, "samples") != 0)
		count_part(header, "samples", "samples", to);
	count_part(header, "lost", "lost", to);
	if (header_number(header, "truncated", 0))
		count_part(header, "truncated", "truncated", to);
}

void
picture_tell_cut(const struct picture *picture, const struct amounts *amounts, const struct tree_cut *cut,
    const char *than)
{
	struct buf words = { 0 };

	if (!cut->frames)
		return;
	amount_group(cut->frames, &words);
	buf_print(&words, " frame%s narrower than %s: ", cut->frames == 1 ? "" : "s", than);
	if (picture->leaves_small) {
		amount_share(amounts, cut->gathered + cut->lost, &words);
	} else {
		amount_share(amounts, cut->gathered, &words);
		buf_text(&words, " in boxes [small], ");
		amount_share(amounts, cut->lost, &words);
	}
	tell("%s not drawn", words.data);
	buf_release(&words);
}

struct box_look
picture_look(const struct fold *fold, const struct box *box)
{
	struct box_look look = { .kind = KIND_MARK };

	switch (box->kind) {
	case BOX_ROOT:
		look.name = "all";
		break;
	case BOX_SMALL:
		look.name = "[small]";
		break;
	case BOX_FRAME:
		look.name = intern_name(&fold->names, box->name);
		look.length = intern_length(&fold->names, box->name);
		look.kind = frame_kind(look.name, look.length, fold_is_label(fold, look.name, look.length),
		    &look.length);
		look.colour = colour_of(look.kind, look.name, look.length);
		if (!look.length)
			look.name = "(empty)";
		else
			return look;
		break;
	}
	look.length = strlen(look.name);
	look.colour = colour_of(look.kind, look.name, look.length);
	return look;
}
