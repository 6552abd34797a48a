#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fold/period.h"

/* strtod() takes more than people should type. */
static int
seconds(const char *text, size_t length, double *value)
{
	char digits[32], *end;

	if (!length || length >= sizeof digits || strspn(text, "0123456789.") < length)
		return -1;
	memcpy(digits, text, length);
	digits[length] = '\0';
	*value = strtod(digits, &end);
	return *end ? -1 : 0;
}

int
period_parse(struct period *period, const char *text)
{
	const char *dots = strstr(text, "..");

	if (!dots || seconds(text, (size_t)(dots - text), &period->from) < 0 ||
	    seconds(dots + 2, strlen(dots + 2), &period->to) < 0)
		return -1;
	return period->from < period->to ? 0 : -1;
}

static bool
is_within(const struct fold *fold, const struct stack *stack, const struct period *periods, size_t count)
{
	const char *name = stack->count ? intern_name(&fold->names, stack->frames[0]) : "";
	double time;

	if (strncmp(name, "time=", 5) != 0 || seconds(name + 5, strlen(name + 5), &time) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		/* Slices are whole: a millionth of a second is less than any. */
		if (time > periods[i].from - 1e-6 && time < periods[i].to - 1e-6)
			return true;
	return false;
}

void
period_keep(struct fold *fold, const struct period *periods, size_t count)
{
	struct stacks *stacks = &fold->stacks;

	for (size_t i = 0; i < stacks->count; i++) {
		if (is_within(fold, &stacks->list[i], periods, count))
			continue;
		stacks->list[i].value = 0;
		if (stacks->base)
			stacks->base[i] = 0;
	}
}
