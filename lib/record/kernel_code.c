#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
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

static void
settle(struct frames *frames, uint32_t frame, const struct kernel_piece *piece, struct buf *text)
{
	buf_clear(text);
	buf_print(text, "%s_[k]", piece->is_doubtful ? "[kernel]" : piece->name);
	frames_settle(frames, frame, text->data, text->length);
}

void
kernel_code_name(const struct kernel_code *code, struct frames *frames)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < frames->count && code->count; i++) {
		const struct frame_entry *e = &frames->list[i];
		size_t at;

		if (e->kind != FRAME_KERNEL || e->is_settled)
			continue;
		at = lower(code, e->address);
		if (at < code->count && code->list[at].start <= e->address && !code->list[at].is_doubtful)
			settle(frames, (uint32_t)i, &code->list[at], &text);
	}
	buf_release(&text);
}

void
kernel_code_doubt(struct kernel_code *code, struct frames *frames)
{
	bool is_new = false;

	for (size_t i = 0; i < code->count && !is_new; i++)
		is_new = !code->list[i].is_doubtful;
	if (!is_new) /* where much is lost, it is told often */
		return;
	kernel_code_name(code, frames);
	for (size_t i = 0; i < code->count; i++)
		code->list[i].is_doubtful = true;
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
	struct buf text = { 0 };

	for (size_t at = lower(code, from); at < code->count && code->list[at].start < to;) {
		const struct kernel_piece *piece = &code->list[at];

		for (size_t i = 0; i < frames->count; i++) {
			const struct frame_entry *e = &frames->list[i];

			if (e->kind == FRAME_KERNEL && !e->is_settled && e->address - piece->start < piece->end - piece->start)
				settle(frames, (uint32_t)i, piece, &text);
		}
		remove_piece(code, at);
	}
	buf_release(&text);
}

void
kernel_code_follow(struct kernel_code *code, struct frames *frames, const struct record *record)
{
	uint64_t start = record->symbol.address, to = start + record->symbol.length;
	size_t at;

	if (to <= start)
		return;
	if (record->symbol.gone && *record->symbol.name) {
		at = lower(code, start);
		/* It was there before we came: now is the last time that its name is told. */
		if ((at == code->count || code->list[at].start >= to) && code->count < PIECES_MAX)
			kernel_code_follow(code, frames, &(struct record){ .kind = RECORD_SYMBOL, .time = record->time,
			    .symbol = { start, record->symbol.length, false, record->symbol.name } });
		else if (at < code->count && code->list[at].is_doubtful && code->list[at].start == start) {
			free(code->list[at].name);
			code->list[at].name = mem_print("%s", record->symbol.name);
			code->list[at].is_doubtful = false;
		}
	}
	end(code, frames, start, to);
	if (record->symbol.gone || !*record->symbol.name || code->count >= PIECES_MAX)
		return;
	at = lower(code, start);
	mem_grow(&code->list, code->count, &code->room);
	memmove(code->list + at + 1, code->list + at, (code->count++ - at) * sizeof *code->list);
	code->list[at] = (struct kernel_piece){ start, to, mem_print("%s", record->symbol.name), false };
}

void
kernel_code_release(struct kernel_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		free(code->list[i].name);
	free(code->list);
	*code = (struct kernel_code){ 0 };
}
