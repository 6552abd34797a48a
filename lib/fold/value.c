#include <stdbool.h>

#include "fold/value.h"

/* As many digits as 128 bits hold for sure; a number below 2^64 with VALUE_DECIMALS_MAX decimals has 38. */
#define DIGITS_MAX 38
/* An exponent beyond this is too large or too small whatever stands before it. */
#define EXPONENT_MAX 10000000000

static const char no_value[] = "no value";
static const char too_large[] = "value of 2^64 or more";
static const char too_fine[] = "value with more than 18 decimals";

unsigned __int128
value_power(unsigned power)
{
	unsigned __int128 result = 1;

	while (power--)
		result *= 10;
	return result;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The number is digits * 10^exponent. Digits are taken up to the last that is not 0, so that neither
 * 0.5000 nor 5000000000000000000000000000000000000000e-39 is more than it says. */
struct number {
	unsigned __int128 digits;
	int count; /* of digits, without leading zeros */
	long exponent;
};

static void
number_add(struct number *number, char c)
{
	if (number->count == 0 && c == '0')
		return;
	if (++number->count <= DIGITS_MAX) /* with more it is out of bounds, one way or the other */
		number->digits = number->digits * 10 + (unsigned)(c - '0');
}

/* text is digits with at most one point; the last digit that counts is found first. */
static const char *
number_read(struct number *number, const char *text, const char *end)
{
	const char *p, *point = NULL, *last = NULL, *q;
	bool any = false;

	for (p = text; p < end && (is_digit(*p) || (*p == '.' && !point)); p++)
		if (*p == '.') {
			point = p;
		} else {
			any = true;
			if (*p != '0')
				last = p;
		}
	if (!any)
		return NULL;
	for (q = text; last && q <= last; q++)
		if (q != point)
			number_add(number, *q);
	if (!last)
		return p;
	if (!point)
		point = p;
	/* Zeros between the last digit and the point, or digits behind the point. */
	number->exponent = point > last ? point - last - 1 : point - last;
	return p;
}

static const char *
exponent_read(const char *p, const char *end, long *exponent)
{
	bool negative = false;
	long value = 0;

	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	if (p == end || !is_digit(*p))
		return NULL;
	for (; p < end && is_digit(*p); p++)
		if (value < EXPONENT_MAX)
			value = value * 10 + (*p - '0');
	*exponent += negative ? -value : value;
	return p;
}

const char *
value_read(const char *text, size_t length, struct value *value)
{
	const char *end = text + length, *p;
	struct number number = { 0 };

	if (length > 1 && (*text == '-' || *text == '+') && (is_digit(text[1]) || text[1] == '.'))
		return *text == '-' ? "negative value" : "value with a sign";
	p = number_read(&number, text, end);
	if (p && p < end && (*p == 'e' || *p == 'E'))
		p = exponent_read(p + 1, end, &number.exponent);
	if (p != end)
		return no_value;
	*value = (struct value){ 0 };
	if (!number.count)
		return NULL;
	if (number.count + number.exponent > 20)
		return too_large;
	if (number.exponent < -VALUE_DECIMALS_MAX)
		return too_fine;
	value->digits = number.digits;
	if (number.exponent > 0)
		value->digits *= value_power((unsigned)number.exponent);
	else
		value->decimals = (unsigned)-number.exponent;
	return value->digits / value_power(value->decimals) > UINT64_MAX ? too_large : NULL;
}
