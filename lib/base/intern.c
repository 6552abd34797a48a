#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"

static void
rehash(struct intern *intern)
{
	size_t count = intern->slot_count ? intern->slot_count * 2 : 1024;

	free(intern->slots);
	intern->slots = mem_alloc(count * sizeof *intern->slots);
	intern->slot_count = count;
	for (size_t i = 0; i < intern->count; i++) {
		size_t slot = intern->names[i].hash & (count - 1);

		while (intern->slots[slot])
			slot = (slot + 1) & (count - 1);
		intern->slots[slot] = (uint32_t)i + 1;
	}
}

uint32_t
intern_add(struct intern *intern, const char *text, size_t length)
{
	uint32_t hash = (uint32_t)hash_bytes(text, length);
	struct intern_name *name;
	char *copy;
	size_t slot;

	if (intern->count * 2 >= intern->slot_count)
		rehash(intern);
	for (slot = hash & (intern->slot_count - 1); intern->slots[slot];
	     slot = (slot + 1) & (intern->slot_count - 1)) {
		name = &intern->names[intern->slots[slot] - 1];
		if (name->hash == hash && name->length == length &&
		    memcmp(name->text, text, length) == 0)
			return intern->slots[slot] - 1;
	}
	copy = arena_alloc(&intern->text, length + 1, 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	mem_grow(&intern->names, intern->count, &intern->room);
	intern->names[intern->count] =
	    (struct intern_name){ copy, (uint32_t)length, hash };
	intern->slots[slot] = (uint32_t)++intern->count;
	return (uint32_t)intern->count - 1;
}

uint32_t
intern_text(struct intern *intern, const char *text)
{
	return intern_add(intern, text, strlen(text));
}

static int
by_name(const void *a, const void *b, void *context)
{
	const struct intern *intern = context;
	const struct intern_name *x = &intern->names[*(const uint32_t *)a];
	const struct intern_name *y = &intern->names[*(const uint32_t *)b];
	size_t shorter = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->text, y->text, shorter);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

uint32_t *
intern_ranks(const struct intern *intern)
{
	uint32_t *order = mem_alloc(intern->count * sizeof *order);
	uint32_t *rank = mem_alloc(intern->count * sizeof *rank);

	for (size_t i = 0; i < intern->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, intern->count, sizeof *order, by_name, (void *)(uintptr_t)intern);
	for (size_t i = 0; i < intern->count; i++)
		rank[order[i]] = (uint32_t)i;
	free(order);
	return rank;
}

void
intern_release(struct intern *intern)
{
	arena_release(&intern->text);
	free(intern->names);
	free(intern->slots);
	*intern = (struct intern){ 0 };
}
