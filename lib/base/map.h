/* Numbers to numbers: a hash table with open addressing. Keys are any 64-bit numbers but UINT64_MAX. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map {
	struct map_slot {
		uint64_t key, value;
	} *slots;
	size_t slot_count, used;
};

/* The value's place, or NULL; valid until the next map_put() or map_remove(). */
uint64_t *map_get(const struct map *map, uint64_t key);
/* The same; a new key starts at 0. */
uint64_t *map_put(struct map *map, uint64_t key);
void map_remove(struct map *map, uint64_t key);
void map_release(struct map *map);

/* Every pair, in no order: for (slot = map_next(map, NULL); slot; slot = map_next(map, slot)) */
struct map_slot *map_next(const struct map *map, struct map_slot *slot);

#endif
