/* Memory that is there or the program is not: a profiler without memory has nothing to say. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t bytes);				 /* zeroed; free() it */
void *mem_resize(void *memory, size_t count, size_t size); /* as reallocarray */
char *mem_copy(const char *text, size_t length);	 /* with a NUL after it; free() it */
char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2))); /* free() it */

/* Room for one more in an array that doubles: mem_grow(&list, count, &room). */
#define mem_grow(array, count, room) \
	((count) < *(room) ? (void)0 : (void)(*(array) = mem_grown(*(array), (room), sizeof **(array))))
void *mem_grown(void *array, size_t *room, size_t size);

/* An arena: many small pieces that live as long as the whole. Pieces never move. */
struct arena {
	struct arena_chunk *chunks;
	char *free, *end;
	size_t bytes; /* of memory that it has */
};
void *arena_alloc(struct arena *arena, size_t bytes, size_t align);
/* Gives a piece back, with all that were taken after it. */
void arena_cut(struct arena *arena, const void *piece);
void arena_release(struct arena *arena);

#endif
