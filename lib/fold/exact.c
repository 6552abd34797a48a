#include "base/warn.h"
#include "fold/reader.h"

/* Where a file has fractions and nothing says how fine they are: three decimals at least. */
#define DECIMALS_MIN 3
/* Of a stack that is named in a message. */
#define SHOWN 200

static int
too_large(const struct fold *fold, const struct stack *stack)
{
	struct buf text = { 0 };

	for (uint32_t i = 0; i < stack->count && text.length < SHOWN; i++) {
		size_t length = intern_length(&fold->names, stack->frames[i]);

		buf_text(&text, i ? ";" : "");
		buf_add(&text, intern_name(&fold->names, stack->frames[i]), length < SHOWN ? length : SHOWN);
	}
	warn("the sum does not fit into 64 bits: %.*s", SHOWN, text.data);
	buf_release(&text);
	return -1;
}

int
exact_check(const struct fold *fold, const struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->list[i].value > UINT64_MAX || stacks_base(stacks, &stacks->list[i]) > UINT64_MAX)
			return too_large(fold, &stacks->list[i]);
	return 0;
}

int
exact_refine(struct reader *reader, unsigned decimals)
{
	struct stacks *all[] = { &reader->fold->stacks, &reader->staged, &reader->pairs };
	unsigned __int128 factor = value_power(decimals - reader->decimals);

	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		/* What is beyond 64 bits now would be so at the end: said here, nothing overflows. */
		if (exact_check(reader->fold, all[k]) < 0)
			return -1;
		for (size_t i = 0; i < all[k]->count; i++) {
			all[k]->list[i].value *= factor;
			if (all[k]->base)
				all[k]->base[i] *= factor;
		}
		if (exact_check(reader->fold, all[k]) < 0)
			return warn("%s: its values have %u decimals", reader->file, decimals);
	}
	reader->decimals = decimals;
	return 0;
}

int
exact_value(struct reader *reader, const struct value *value, unsigned long line, unsigned __int128 *result)
{
	unsigned decimals = reader->own_decimals + value->decimals;

	*result = 0;
	if (!value->digits)
		return 0;
	if (decimals > VALUE_DECIMALS_MAX)
		return warn("%s: line %lu: more than %d decimals", reader->file, line, VALUE_DECIMALS_MAX);
	if (value->decimals && decimals < DECIMALS_MIN)
		decimals = DECIMALS_MIN;
	if (decimals > reader->decimals && exact_refine(reader, decimals) < 0)
		return -1;
	*result = value->digits * value_power(reader->decimals - reader->own_decimals - value->decimals);
	if (*result > UINT64_MAX)
		return warn("%s: line %lu: the value does not fit into 64 bits with %u decimals", reader->file, line,
		    reader->decimals);
	return 0;
}
