#include <stdlib.h>

#include "fold/folded.h"
#include "fold/value.h"

/* value / scale: as many decimals as the scale has, those that are 0 at the end left out. */
static void
write_value(struct out *out, unsigned __int128 value, uint64_t scale)
{
	uint64_t part = (uint64_t)(value % scale);

	out_number(out, (uint64_t)(value / scale));
	if (!part)
		return;
	out_char(out, '.');
	while (part) {
		scale /= 10;
		out_char(out, (char)('0' + part / scale));
		part %= scale;
	}
}

void
folded_write(const struct fold *fold, struct out *out, bool no_header)
{
	size_t count;
	const struct stack **sorted = fold_sorted(fold, &count);
	uint64_t scale = no_header ? header_number(&fold->header, "scale", 1) : 1;
	struct buf line = { 0 };

	if (fold->header.json && !no_header) {
		header_print(&fold->header, &line);
		out_add(out, line.data, line.length);
	}
	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < sorted[i]->count; k++) {
			if (k)
				out_char(out, ';');
			out_add(out, intern_name(&fold->names, sorted[i]->frames[k]),
			    intern_length(&fold->names, sorted[i]->frames[k]));
		}
		if (fold->stacks.base) {
			out_char(out, ' ');
			write_value(out, stacks_base(&fold->stacks, sorted[i]), scale);
		}
		out_char(out, ' ');
		write_value(out, sorted[i]->value, scale);
		out_char(out, '\n');
	}
	buf_release(&line);
	free(sorted);
}
