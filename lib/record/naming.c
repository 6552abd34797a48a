#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/naming.h"

/* What a frame means for the stack it is in. */
enum role { ROLE_NONE, ROLE_BORN, ROLE_CALLS_EXEC, ROLE_EXEC, ROLE_EXIT };

/* Values of enum fold_position, joined. */
#define POSITIONS 8u

/* What is kept while stacks are written. */
struct writing {
	const struct naming *naming;
	uint32_t *written;	   /* frame or, behind them, inlined call, and position → name as gp-folded(5) writes it, + 1 */
	unsigned char *roles;
	uint32_t exec, exit;
	uint32_t *row;
};

/* Inside execve, once the old program is gone, and inside exit, once the memory is, user registers mean nothing. Before
 * that they are the old program's, which may be gone before its mappings were read.
 * A task on its way out of the kernel for the first time may not have a page of stack yet: clone's child, a root. */
static enum role
role_of(const char *name)
{
	if (strcmp(name, "load_elf_binary_[k]") == 0)
		return ROLE_EXEC;
	if (strstr(name, "_sys_execve"))
		return ROLE_CALLS_EXEC;
	if (strncmp(name, "ret_from_fork", 13) == 0)
		return ROLE_BORN;
	return strcmp(name, "do_exit_[k]") == 0 ? ROLE_EXIT : ROLE_NONE;
}

static uint32_t
written_name(struct writing *w, uint32_t frame, unsigned position)
{
	const struct frames *frames = w->naming->frames;
	uint32_t *known = &w->written[frame * POSITIONS + position];
	uint32_t raw = frame < frames->count ? frames->list[frame].name : frames->inlined[frame - frames->count];

	if (!*known)
		*known = fold_name(w->naming->fold, (enum fold_position)position, intern_name(w->naming->raw, raw),
			     intern_length(w->naming->raw, raw)) + 1;
	return *known - 1;
}

/* What a pooled stack was nobody knows: it has been counted as that. */
static void
count_stack(const struct naming *naming, uint32_t marker, bool leaf_named, uint64_t value)
{
	struct recording_counts *counts = naming->counts;

	counts->total += value;
	if (marker == naming->markers[WALK_TRUNCATED])
		counts->truncated += value;
	else if (marker != UINT32_MAX && marker != naming->frames->too_many)
		counts->unresolved += value;
	if (marker == naming->markers[WALK_32BIT])
		counts->bits32 += value;
	if (!leaf_named)
		counts->unnamed_leaf += value;
}

/* A frame, and the calls inlined in it; position is that of the last. */
static size_t
write_frame(struct writing *w, uint32_t frame, unsigned position, size_t n)
{
	const struct frames *frames = w->naming->frames;
	const struct frame_entry *e = &frames->list[frame];

	w->row[n++] = written_name(w, frame, e->inlined_count ? position & ~(unsigned)FOLD_LEAF : position);
	for (uint32_t i = 0; i < e->inlined_count; i++)
		w->row[n++] = written_name(w, (uint32_t)frames->count + e->inlined + i,
		    i + 1 == e->inlined_count ? position : position & ~(unsigned)FOLD_LEAF);
	return n;
}

static void
write_stack(struct writing *w, const struct stack *stack)
{
	const struct naming *naming = w->naming;
	const struct frame_entry *list = naming->frames->list;
	size_t labels = naming->labels, user = labels + 1, kernel = stack->count, skipped, n = 0;
	uint32_t marker = UINT32_MAX, instead = UINT32_MAX;
	enum role role = ROLE_NONE;
	uint32_t leaf = stack->frames[stack->count - 1];

	while (kernel > user && list[stack->frames[kernel - 1]].kind == FRAME_KERNEL) {
		enum role r = w->roles[stack->frames[--kernel]];

		if (r > role || (r == ROLE_EXEC && role == ROLE_EXIT))
			role = r;
	}
	if (user < kernel && list[stack->frames[user]].kind == FRAME_TEXT)
		marker = stack->frames[user];
	if (role == ROLE_EXEC || (role == ROLE_CALLS_EXEC && marker == naming->markers[WALK_NO_CODE]))
		instead = w->exec;
	else if (role == ROLE_EXIT && (user == kernel || (marker != UINT32_MAX &&
	    marker != naming->markers[WALK_TRUNCATED] && marker != naming->markers[WALK_32BIT])))
		instead = w->exit;
	skipped = role == ROLE_BORN && marker == naming->markers[WALK_NO_STACK] ? user : SIZE_MAX;
	if (instead != UINT32_MAX || skipped == user)
		marker = UINT32_MAX;
	for (size_t i = 0; i < stack->count; i++) {
		unsigned position = i < labels ? FOLD_LABEL : i == labels ? FOLD_PROCESS : FOLD_FRAME;

		if (i + 1 == stack->count)
			position |= FOLD_LEAF;

		if (instead != UINT32_MAX && i == user)
			w->row[n++] = instead;
		if (i == skipped || (instead != UINT32_MAX && i >= user && i < kernel))
			continue;
		n = write_frame(w, stack->frames[i], position, n);
	}
	count_stack(naming, marker, list[leaf].is_named && leaf != naming->markers[WALK_NO_CODE], (uint64_t)stack->value);
	if (strcmp(intern_name(naming->raw, list[stack->frames[labels]].name), NAMING_OTHER_NAMESPACE) == 0)
		naming->counts->other_namespace += (uint64_t)stack->value;
	stacks_add(&naming->fold->stacks, w->row, n, stack->value);
}

static size_t
written_length(const struct frames *frames, const struct stack *stack)
{
	size_t length = stack->count;

	for (size_t i = 0; i < stack->count && frames->inlined_count; i++)
		length += frames->list[stack->frames[i]].inlined_count;
	return length;
}

void
naming_fold(const struct naming *naming, struct stacks *stacks)
{
	const struct frames *frames = naming->frames;
	struct writing w = { .naming = naming };
	size_t longest = 0;

	w.written = mem_alloc((frames->count + frames->inlined_count) * POSITIONS * sizeof *w.written);
	w.roles = mem_alloc(frames->count);
	w.exec = fold_name(naming->fold, FOLD_FRAME, "[exec]", 6);
	w.exit = fold_name(naming->fold, FOLD_FRAME, "[exit]", 6);
	for (size_t i = 0; i < frames->count; i++)
		if (frames->list[i].kind == FRAME_KERNEL)
			w.roles[i] = (unsigned char)role_of(intern_name(naming->raw, frames->list[i].name));
	for (size_t i = 0; i < stacks->count; i++)
		if (written_length(frames, &stacks->list[i]) > longest)
			longest = written_length(frames, &stacks->list[i]);
	w.row = mem_alloc((longest + 1) * sizeof *w.row);
	for (size_t i = stacks->count; i-- > 0;) {
		write_stack(&w, &stacks->list[i]);
		arena_cut(&stacks->rows, stacks->list[i].frames);
	}
	stacks->count = 0;
	free(w.written);
	free(w.roles);
	free(w.row);
}
