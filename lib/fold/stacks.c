#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/warn.h"
#include "fold/stacks.h"

/* Slots hold index + 1; half of them stay free, so that a search is short. */
static void
rehash(struct stacks *stacks)
{
	size_t count = stacks->slot_count ? stacks->slot_count * 2 : 1024;

	free(stacks->slots);
	stacks->slots = mem_alloc(count * sizeof *stacks->slots);
	stacks->slot_count = count;
	for (size_t i = 0; i < stacks->count; i++) {
		size_t slot = stacks->list[i].hash & (count - 1);

		while (stacks->slots[slot])
			slot = (slot + 1) & (count - 1);
		stacks->slots[slot] = (uint32_t)i + 1;
	}
}

static void
grow(struct stacks *stacks)
{
	size_t before = stacks->room;

	mem_grow(&stacks->list, stacks->count, &stacks->room);
	if (stacks->base && stacks->room != before)
		stacks->base = mem_resize(stacks->base, stacks->room, sizeof *stacks->base);
}

static size_t
append(struct stacks *stacks, const uint32_t *frames, size_t count, uint32_t hash, unsigned __int128 value)
{
	uint32_t *copy;

	if (stacks->count == UINT32_MAX - 1)
		die("more than %u distinct stacks", UINT32_MAX - 1);
	copy = arena_alloc(&stacks->rows, count * sizeof *frames, sizeof *frames);
	memcpy(copy, frames, count * sizeof *frames);
	grow(stacks);
	stacks->list[stacks->count] = (struct stack){ copy, (uint32_t)count, hash, value };
	if (stacks->base)
		stacks->base[stacks->count] = 0;
	return stacks->count++;
}

size_t
stacks_add(struct stacks *stacks, const uint32_t *frames, size_t count, unsigned __int128 value)
{
	static const uint32_t none;
	uint32_t hash;
	size_t slot, i;

	/* The row of a stack that lost all its frames may never have had an address. */
	frames = count ? frames : &none;
	hash = (uint32_t)hash_bytes(frames, count * sizeof *frames);
	if (stacks->each)
		return append(stacks, frames, count, hash, value);
	if (stacks->count * 2 >= stacks->slot_count)
		rehash(stacks);
	for (slot = hash & (stacks->slot_count - 1); stacks->slots[slot]; slot = (slot + 1) & (stacks->slot_count - 1)) {
		struct stack *old = &stacks->list[stacks->slots[slot] - 1];

		if (old->hash == hash && old->count == count &&
		    memcmp(old->frames, frames, count * sizeof *frames) == 0) {
			old->value += value;
			return stacks->slots[slot] - 1;
		}
	}
	if (stacks->limit && stacks->count >= stacks->limit)
		return SIZE_MAX;
	i = append(stacks, frames, count, hash, value);
	stacks->slots[slot] = (uint32_t)i + 1;
	return i;
}

size_t
stacks_add_pair(struct stacks *stacks, const uint32_t *frames, size_t count, unsigned __int128 base,
    unsigned __int128 value)
{
	size_t i = stacks_add(stacks, frames, count, value);

	if (!stacks->base)
		stacks->base = mem_alloc(stacks->room * sizeof *stacks->base);
	stacks->base[i] += base;
	return i;
}

void
stacks_release(struct stacks *stacks)
{
	arena_release(&stacks->rows);
	free(stacks->list);
	free(stacks->base);
	free(stacks->slots);
	*stacks = (struct stacks){ 0 };
}
