#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/rest.h"
#include "target/memory.h"

/* As much as BPF copies. */
#define PART_BYTES ((size_t)2 << 20)

/* By address, as a sample wants its pieces. */
static void
insert(struct rest *rest, struct stack_piece part)
{
	size_t i = rest->count++;

	for (; i > 0 && rest->parts[i - 1].address > part.address; i--)
		rest->parts[i] = rest->parts[i - 1];
	rest->parts[i] = part;
}

bool
rest_walk(struct rest *rest, struct walker *walker, struct maps *maps, const struct sample *sample, struct walk *walk)
{
	struct sample whole = *sample;

	if (!rest->bytes)
		rest->bytes = mem_resize(NULL, REST_PARTS, PART_BYTES);
	rest->count = 0;
	while (walk->end == WALK_TRUNCATED && rest->count < REST_PARTS) {
		unsigned char *bytes = rest->bytes + rest->count * PART_BYTES;
		uint64_t from = walk->missed & ~UINT64_C(7);
		size_t size = memory_read(sample->pid, from, bytes, PART_BYTES);

		if (!size)
			break;
		insert(rest, (struct stack_piece){ from, bytes, size });
		whole.pieces = rest->parts;
		whole.piece_count = rest->count;
		walker_walk(walker, maps, &whole, walk);
	}
	if (walk->end == WALK_ROOT)
		return true;
	if (rest->count) /* it led nowhere: nothing of it is to be trusted */
		walker_walk(walker, maps, sample, walk);
	return false;
}

void
rest_release(struct rest *rest)
{
	free(rest->bytes);
	*rest = (struct rest){ 0 };
}
