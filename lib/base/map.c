#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

#define FREE UINT64_MAX

static size_t
home(const struct map *map, uint64_t key)
{
	return hash_u64(key) & (map->slot_count - 1);
}

/* Where the key is, or the free slot where it would be. */
static size_t
find(const struct map *map, uint64_t key)
{
	size_t i = home(map, key);

	while (map->slots[i].key != FREE && map->slots[i].key != key)
		i = (i + 1) & (map->slot_count - 1);
	return i;
}

static void
grow(struct map *map)
{
	struct map old = *map;

	map->slot_count = old.slot_count ? old.slot_count * 2 : 64;
	map->slots = mem_resize(NULL, map->slot_count, sizeof *map->slots);
	memset(map->slots, 0xff, map->slot_count * sizeof *map->slots);
	for (size_t i = 0; i < old.slot_count; i++)
		if (old.slots[i].key != FREE)
			map->slots[find(map, old.slots[i].key)] = old.slots[i];
	free(old.slots);
}

uint64_t *
map_get(const struct map *map, uint64_t key)
{
	size_t i;

	if (!map->used)
		return NULL;
	i = find(map, key);
	return map->slots[i].key == key ? &map->slots[i].value : NULL;
}

uint64_t *
map_put(struct map *map, uint64_t key)
{
	size_t i;

	if (map->used * 2 >= map->slot_count)
		grow(map);
	i = find(map, key);
	if (map->slots[i].key == FREE) {
		map->slots[i] = (struct map_slot){ key, 0 };
		map->used++;
	}
	return &map->slots[i].value;
}

/* Later keys of the run move up, so that no search meets a hole. */
void
map_remove(struct map *map, uint64_t key)
{
	size_t hole, i;

	if (!map->used || map->slots[hole = find(map, key)].key == FREE)
		return;
	for (i = (hole + 1) & (map->slot_count - 1); map->slots[i].key != FREE; i = (i + 1) & (map->slot_count - 1)) {
		size_t distance = (i - home(map, map->slots[i].key)) & (map->slot_count - 1);

		if (distance >= ((i - hole) & (map->slot_count - 1))) {
			map->slots[hole] = map->slots[i];
			hole = i;
		}
	}
	map->slots[hole].key = FREE;
	map->used--;
}

struct map_slot *
map_next(const struct map *map, struct map_slot *slot)
{
	for (slot = slot ? slot + 1 : map->slots; slot && slot < map->slots + map->slot_count; slot++)
		if (slot->key != FREE)
			return slot;
	return NULL;
}

void
map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
