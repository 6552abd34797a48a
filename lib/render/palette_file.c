/* The colours that --cp keeps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/warn.h"
#include "render/palette.h"

/* "name->rgb(1,2,3)"; the name may hold arrows itself. */
static int
keep_line(struct palette *palette, const char *line, size_t length)
{
	const char *arrow = NULL;
	unsigned r, g, b;
	uint32_t number;
	int end = 0;

	for (const char *p = line; (p = memmem(p, length - (size_t)(p - line), "->rgb(", 6)); p++)
		arrow = p;
	if (!arrow || sscanf(arrow, "->rgb(%3u,%3u,%3u)%n", &r, &g, &b, &end) != 3 || !end || arrow[end] || r > 255 ||
	    g > 255 || b > 255)
		return -1;
	mem_grow(&palette->kept_rgb, palette->kept.count, &palette->kept_room);
	number = intern_add(&palette->kept, line, (size_t)(arrow - line));
	palette->kept_rgb[number] = r << 16 | g << 8 | b;
	return 0;
}

int
palette_read(struct palette *palette, const char *path)
{
	struct input *input;
	struct lines lines;
	size_t length;
	unsigned long bad = 0;
	char *line;
	int result;

	palette->keeps = true;
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	input = input_open(path);
	if (!input)
		return -1;
	result = input_next_member(input);
	if (result > 0) {
		lines_open(&lines, input);
		while (lines_next(&lines, &line, &length)) {
			line[length] = '\0';
			bad += length && keep_line(palette, line, length) < 0;
		}
		result = lines.failed ? -1 : 0;
		lines_close(&lines);
	}
	input_close(input);
	if (bad)
		warn("%s: %lu line%s skipped: not NAME->rgb(R,G,B)", path, bad, bad == 1 ? "" : "s");
	return result;
}

int
palette_write(const struct palette *palette, const char *path)
{
	uint32_t *rank = intern_ranks(&palette->kept), *order = mem_resize(NULL, palette->kept.count + 1, sizeof *order);
	struct out *out = out_open(path, false);

	for (uint32_t i = 0; i < palette->kept.count; i++)
		order[rank[i]] = i;
	for (size_t i = 0; out && i < palette->kept.count; i++) {
		uint32_t rgb = palette->kept_rgb[order[i]];

		out_add(out, intern_name(&palette->kept, order[i]), intern_length(&palette->kept, order[i]));
		out_print(out, "->rgb(%u,%u,%u)\n", rgb >> 16, rgb >> 8 & 255, rgb & 255);
	}
	free(rank);
	free(order);
	return out ? out_close(out) : -1;
}
