#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

/* The longest list a person or a script types; ranges would otherwise eat memory. */
#define LIST_MAX 65536

int
number_u64(const char *text, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		if (__builtin_mul_overflow(sum, 10u, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum))
			return -1;
	}
	*value = sum;
	return 0;
}

int
number_real(const char *text, double *value)
{
	char *end;

	/* strtod() takes more than people should type, and a point only. */
	if (!*text || strspn(text, "0123456789.") != strlen(text) || strcmp(text, ".") == 0)
		return -1;
	*value = strtod(text, &end);
	return *end || !(*value > 0) || *value >= 1e15 ? -1 : 0;
}

/* digits[.digits] times unit, exact to the last digit of nine. */
static int
scaled(const char *text, const char *end, uint64_t unit, uint64_t *value)
{
	uint64_t whole = 0, part = 0, weight = unit;
	int digits = 0;

	for (; text < end && *text >= '0' && *text <= '9'; text++, digits++)
		if (__builtin_mul_overflow(whole, 10u, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(*text - '0'), &whole))
			return -1;
	if (text < end && *text == '.')
		for (text++; text < end && *text >= '0' && *text <= '9'; text++, digits++) {
			weight /= 10;
			part += weight * (uint64_t)(*text - '0');
		}
	if (text != end || !digits || __builtin_mul_overflow(whole, unit, &whole) ||
	    __builtin_add_overflow(whole, part, value))
		return -1;
	return 0;
}

struct unit {
	const char *name;
	uint64_t size;
};

static int
with_unit(const char *text, const struct unit *units, uint64_t *value)
{
	const char *end = text + strspn(text, "0123456789.");

	for (; units->name; units++)
		if (strcmp(end, units->name) == 0)
			return scaled(text, end, units->size, value);
	return -1;
}

int
number_duration(const char *text, uint64_t *nanoseconds)
{
	static const struct unit units[] = {
		{ "", 1000000000u }, { "s", 1000000000u }, { "ms", 1000000u }, { "us", 1000u },
		{ "ns", 1u }, { "m", 60000000000u }, { "min", 60000000000u },
		{ "h", 3600000000000u }, { "d", 86400000000000u }, { 0 },
	};

	return with_unit(text, units, nanoseconds);
}

int
number_size(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{ "", 1 }, { "k", 1u << 10 }, { "K", 1u << 10 }, { "KiB", 1u << 10 },
		{ "M", 1u << 20 }, { "MiB", 1u << 20 }, { "G", 1u << 30 }, { "GiB", 1u << 30 }, { 0 },
	};

	return with_unit(text, units, bytes);
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int
list_range(const char **text, uint32_t limit, uint32_t *first, uint32_t *last)
{
	char *end;
	unsigned long value;

	if (**text < '0' || **text > '9')
		return -1;
	value = strtoul(*text, &end, 10);
	if (value >= limit)
		return -1;
	*first = *last = (uint32_t)value;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
		value = strtoul(end + 1, &end, 10);
		if (value >= limit || value < *first)
			return -1;
		*last = (uint32_t)value;
	}
	*text = end;
	return 0;
}

int
number_list(const char *text, uint32_t limit, uint32_t **list, size_t *count)
{
	size_t room = 0, kept = 0;
	uint32_t first, last;

	*list = NULL;
	*count = 0;
	while (*(text += strspn(text, ", \n")))
		if (list_range(&text, limit, &first, &last) < 0 || last - first >= LIST_MAX ||
		    *count > LIST_MAX || (*text && !strchr(", \n", *text)))
			goto bad;
		else
			for (uint64_t n = first; n <= last; n++) {
				mem_grow(list, *count, &room);
				(*list)[(*count)++] = (uint32_t)n;
			}
	if (!*count)
		goto bad;
	qsort(*list, *count, sizeof **list, ascending);
	for (size_t i = 0; i < *count; i++)
		if (!kept || (*list)[kept - 1] != (*list)[i])
			(*list)[kept++] = (*list)[i];
	*count = kept;
	return 0;
bad:
	free(*list);
	*list = NULL;
	*count = 0;
	return -1;
}
