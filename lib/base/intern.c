#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/order.h"

/* A slot knows the name's hash: the names themselves, memory away, are looked at when it fits. */
struct intern_slot {
	uint32_t number; /* + 1, 0 is free */
	uint32_t hash;
};

static void
rehash(struct intern *intern)
{
	size_t count = intern->slot_count ? intern->slot_count * 2 : 64;

	free(intern->slots);
	intern->slots = mem_alloc(count * sizeof *intern->slots);
	intern->slot_count = count;
	for (size_t i = 0; i < intern->count; i++) {
		uint32_t hash = intern->names[i].hash;
		size_t slot = hash & (count - 1);

		while (intern->slots[slot].number)
			slot = (slot + 1) & (count - 1);
		intern->slots[slot] = (struct intern_slot){ (uint32_t)i + 1, hash };
	}
}

/* The slot that has the name, or the free one where it would be. */
static struct intern_slot *
find(const struct intern *intern, const char *text, size_t length, uint32_t hash)
{
	for (size_t i = hash;; i++) {
		struct intern_slot *slot = &intern->slots[i & (intern->slot_count - 1)];
		const struct intern_name *name;

		if (!slot->number)
			return slot;
		if (slot->hash != hash)
			continue;
		name = &intern->names[slot->number - 1];
		if (name->length == length && memcmp(name->text, text, length) == 0)
			return slot;
	}
}

/* The name that the hash leads to first: nearly always the one. */
static uint32_t
guess(const struct intern *intern, uint32_t hash)
{
	for (size_t i = hash;; i++) {
		const struct intern_slot *slot = &intern->slots[i & (intern->slot_count - 1)];

		if (!slot->number || slot->hash == hash)
			return slot->number - 1;
	}
}

static void
find_batch(const struct intern *intern, const struct intern_text *texts, size_t count, uint32_t *numbers)
{
	uint32_t hashes[INTERN_BATCH];

	for (size_t i = 0; i < count; i++) {
		hashes[i] = (uint32_t)hash_bytes(texts[i].text, texts[i].length);
		__builtin_prefetch(&intern->slots[hashes[i] & (intern->slot_count - 1)]);
	}
	for (size_t i = 0; i < count; i++) {
		numbers[i] = guess(intern, hashes[i]);
		if (numbers[i] != INTERN_NONE)
			__builtin_prefetch(&intern->names[numbers[i]]);
	}
	for (size_t i = 0; i < count; i++)
		if (numbers[i] != INTERN_NONE) {
			const struct intern_name *name = &intern->names[numbers[i]];

			__builtin_prefetch(name->text);
			__builtin_prefetch(name->text + name->length);
		}
	for (size_t i = 0; i < count; i++)
		if (numbers[i] != INTERN_NONE) {
			const struct intern_name *name = &intern->names[numbers[i]];

			if (name->length != texts[i].length || memcmp(name->text, texts[i].text, name->length) != 0)
				numbers[i] = find(intern, texts[i].text, texts[i].length, hashes[i])->number - 1;
		}
}

void
intern_find(const struct intern *intern, const struct intern_text *texts, size_t count, uint32_t *numbers)
{
	for (size_t i = 0; i < count; i += INTERN_BATCH)
		if (intern->count)
			find_batch(intern, texts + i, count - i < INTERN_BATCH ? count - i : INTERN_BATCH, numbers + i);
		else
			memset(numbers + i, 0xff, (count - i) * sizeof *numbers);
}

uint32_t
intern_add(struct intern *intern, const char *text, size_t length)
{
	uint32_t hash = (uint32_t)hash_bytes(text, length);
	struct intern_slot *slot;
	char *copy;

	if (intern->count * 2 >= intern->slot_count)
		rehash(intern);
	slot = find(intern, text, length, hash);
	if (slot->number)
		return slot->number - 1;
	copy = arena_alloc(&intern->text, length + 1, 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	mem_grow(&intern->names, intern->count, &intern->room);
	intern->names[intern->count] = (struct intern_name){ copy, (uint32_t)length, hash };
	*slot = (struct intern_slot){ (uint32_t)++intern->count, hash };
	return slot->number - 1;
}

uint32_t
intern_text(struct intern *intern, const char *text)
{
	return intern_add(intern, text, strlen(text));
}

/* Seven bytes of a name and how many of them there are, so that an end comes before a NUL. */
static uint64_t
word(const void *context, uint32_t number, uint32_t depth)
{
	const struct intern_name *name = &((const struct intern *)context)->names[number];
	size_t from = (size_t)depth * 7, left = name->length - from, n = left < 7 ? left : 7;
	uint64_t bytes = 0;

	memcpy(&bytes, name->text + from, n);
	return (htobe64(bytes) & ~(uint64_t)0xff) | n << 1 | (left > 7);
}

uint32_t *
intern_ranks(const struct intern *intern)
{
	uint32_t *order = mem_resize(NULL, intern->count, sizeof *order);
	uint32_t *rank = mem_resize(NULL, intern->count, sizeof *rank);

	for (size_t i = 0; i < intern->count; i++)
		order[i] = (uint32_t)i;
	order_by_words(order, intern->count, word, intern);
	for (size_t i = 0; i < intern->count; i++)
		rank[order[i]] = (uint32_t)i;
	free(order);
	return rank;
}

size_t
intern_bytes(const struct intern *intern)
{
	return intern->text.bytes + intern->count * sizeof *intern->names + intern->slot_count * sizeof *intern->slots;
}

void
intern_release(struct intern *intern)
{
	arena_release(&intern->text);
	free(intern->names);
	free(intern->slots);
	*intern = (struct intern){ 0 };
}
