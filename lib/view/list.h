/* Lines of which one is chosen and as many are seen as there is room for. It must not know what they say. */
#ifndef VIEW_LIST_H
#define VIEW_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list {
	size_t count, at; /* at: the one chosen */
	size_t top, rows; /* seen: from top on, so many */
};

/* Lines there are, and room for them: what is chosen stays so and is seen. */
void list_fit(struct list *list, size_t count, size_t rows);
void list_go(struct list *list, size_t at);
/* Arrows and their kin. False: the key is no such. */
bool list_key(struct list *list, uint32_t key);

#endif
