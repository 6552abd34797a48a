#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"

/* Small enough that a short run stays small, large enough that malloc does not matter. */
#define ARENA_CHUNK (256u << 10)
#define ARENA_FIRST 1024u

struct arena_chunk {
	struct arena_chunk *next;
	char *end;
	char bytes[];
};

void *
mem_alloc(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory)
		die("out of memory (%zu bytes asked)", bytes);
	return memory;
}

void *
mem_resize(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count ? count : 1, size);
	if (!memory)
		die("out of memory (%zu times %zu bytes asked)", count, size);
	return memory;
}

char *
mem_copy(const char *text, size_t length)
{
	char *copy = mem_alloc(length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *
mem_print(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		die("out of memory");
	return text;
}

void *
mem_grown(void *array, size_t *room, size_t size)
{
	*room = *room ? *room * 2 : 16;
	return mem_resize(array, *room, size);
}

/* Small at first, since many arenas stay so, then twice as much each time. */
static size_t
next_room(const struct arena *arena, size_t least)
{
	size_t room = arena->chunks ? 2 * (size_t)(arena->end - arena->chunks->bytes) : ARENA_FIRST;

	if (room > ARENA_CHUNK)
		room = ARENA_CHUNK;
	return room > least ? room : least;
}

void *
arena_alloc(struct arena *arena, size_t bytes, size_t align)
{
	size_t pad = -(size_t)arena->free & (align - 1);
	char *piece;

	if (!arena->free || bytes + pad > (size_t)(arena->end - arena->free)) {
		size_t room = next_room(arena, bytes + align);
		struct arena_chunk *chunk = malloc(sizeof *chunk + room);

		if (!chunk)
			die("out of memory (%zu bytes asked)", room);
		chunk->next = arena->chunks;
		arena->chunks = chunk;
		arena->free = chunk->bytes;
		arena->end = chunk->end = chunk->bytes + room;
		arena->bytes += sizeof *chunk + room;
		pad = -(size_t)arena->free & (align - 1);
	}
	piece = arena->free + pad;
	arena->free = piece + bytes;
	return piece;
}

static void
drop_chunk(struct arena *arena)
{
	struct arena_chunk *chunk = arena->chunks;

	arena->chunks = chunk->next;
	arena->end = chunk->next ? chunk->next->end : NULL;
	arena->bytes -= sizeof *chunk + (size_t)(chunk->end - chunk->bytes);
	free(chunk);
}

void
arena_cut(struct arena *arena, const void *piece)
{
	uintptr_t at = (uintptr_t)piece;

	while (at < (uintptr_t)arena->chunks->bytes || at > (uintptr_t)arena->end)
		drop_chunk(arena);
	arena->free = arena->chunks->bytes + (at - (uintptr_t)arena->chunks->bytes);
}

void
arena_release(struct arena *arena)
{
	while (arena->chunks)
		drop_chunk(arena);
	arena->free = NULL;
}
