#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/kernel_code.h"

/* More than a kernel has; a file may claim more. */
#define PIECES_MAX 65536u

/* The first piece that ends above address. */
static size_t
lower(const struct kernel_code *code, uint64_t address)
{
	size_t lo = 0, hi = code->count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (code->list[middle].end <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* name NULL: nobody's. */
static void
settle(struct frames *frames, uint32_t frame, const char *name)
{
	char *text = mem_print("%s_[k]", name ? name : "[kernel]");

	frames_settle(frames, frame, text, strlen(text), name);
	free(text);
}

static void
settle_between(struct frames *frames, uint64_t from, uint64_t to, const char *name)
{
	uint32_t frame;

	if (to - from < frames->count) { /* few frames lie in a program, but a frame may be at each byte */
		for (; from < to; from++)
			if ((frame = frames_find_kernel(frames, from)) != INTERN_NONE)
				settle(frames, frame, name);
		return;
	}
	for (size_t i = 0; i < frames->count; i++) {
		const struct frame_entry *e = &frames->list[i];

		if (e->kind == FRAME_KERNEL && !e->is_settled && e->address - from < to - from)
			settle(frames, (uint32_t)i, name);
	}
}

void
kernel_code_name(const struct kernel_code *code, struct frames *frames)
{
	for (size_t i = 0; i < frames->count && code->count; i++) {
		const struct frame_entry *e = &frames->list[i];
		const struct kernel_piece *piece;
		size_t at;

		if (e->kind != FRAME_KERNEL || e->is_settled)
			continue;
		at = lower(code, e->address);
		piece = at < code->count && code->list[at].start <= e->address ? &code->list[at] : NULL;
		if (piece && piece->state == PIECE_CERTAIN)
			settle(frames, (uint32_t)i, piece->name);
		else if (piece && piece->state == PIECE_MIXED)
			frames_expect(frames, (uint32_t)i, piece->name);
	}
}

void
kernel_code_doubt(struct kernel_code *code, struct frames *frames)
{
	bool is_new = false;

	for (size_t i = 0; i < code->count; i++)
		is_new |= code->list[i].state == PIECE_CERTAIN;
	if (is_new) /* where much is lost, it is told often */
		kernel_code_name(code, frames);
	for (size_t i = 0; i < code->count; i++)
		code->list[i].state = code->list[i].state == PIECE_CERTAIN ? PIECE_DOUBTFUL : PIECE_MIXED;
}

void
kernel_code_restart(struct kernel_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		if (code->list[i].state == PIECE_MIXED)
			code->list[i].state = PIECE_DOUBTFUL;
}

static void
remove_piece(struct kernel_code *code, size_t at)
{
	free(code->list[at].name);
	memmove(code->list + at, code->list + at + 1, (--code->count - at) * sizeof *code->list);
}

/* Whatever lies between two addresses is no more. */
static void
end(struct kernel_code *code, struct frames *frames, uint64_t from, uint64_t to)
{
	for (size_t at = lower(code, from); at < code->count && code->list[at].start < to;) {
		const struct kernel_piece *piece = &code->list[at];

		settle_between(frames, piece->start, piece->end, piece->state == PIECE_CERTAIN ? piece->name : NULL);
		remove_piece(code, at);
	}
}

/* What goes tells its name for the last time: also of what was there before we came, or came while records were lost. */
static void
go(struct kernel_code *code, struct frames *frames, uint64_t start, uint64_t to, const char *name)
{
	size_t at = lower(code, start);

	if (at == code->count || code->list[at].start >= to)
		settle_between(frames, start, to, name);
	for (; at < code->count && code->list[at].start < to; at++) {
		const struct kernel_piece *piece = &code->list[at];
		bool is_same = piece->start == start && piece->end == to && strcmp(piece->name, name) == 0;

		if (piece->state == PIECE_DOUBTFUL || (piece->state == PIECE_MIXED && is_same))
			settle_between(frames, piece->start > start ? piece->start : start, piece->end < to ? piece->end : to,
			    name);
	}
}

void
kernel_code_follow(struct kernel_code *code, struct frames *frames, const struct record *record)
{
	uint64_t start = record->symbol.address, to = start + record->symbol.length;
	const char *name = record->symbol.name;
	size_t at;

	if (to <= start)
		return;
	if (record->symbol.gone && *name)
		go(code, frames, start, to, name);
	end(code, frames, start, to);
	settle_between(frames, start, to, NULL); /* who was there before nobody told */
	if (record->symbol.gone || !*name || code->count >= PIECES_MAX)
		return;
	at = lower(code, start);
	mem_grow(&code->list, code->count, &code->room);
	memmove(code->list + at + 1, code->list + at, (code->count++ - at) * sizeof *code->list);
	code->list[at] = (struct kernel_piece){ start, to, mem_print("%s", name), PIECE_CERTAIN };
}

void
kernel_code_release(struct kernel_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		free(code->list[i].name);
	free(code->list);
	*code = (struct kernel_code){ 0 };
}
