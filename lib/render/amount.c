#include <stdbool.h>
#include <string.h>

#include "render/amount.h"

struct amounts
amounts_of(const struct header *header, uint64_t total)
{
	const char *unit = header_text(header, "unit");
	uint64_t scale = header_number(header, "scale", 1), power = 1;

	while (power < scale && power < 1000000000)
		power *= 10;
	return (struct amounts){ unit && *unit ? unit : "samples", power == scale ? scale : 1, total, 0 };
}

void
amount_group(uint64_t number, struct buf *to)
{
	char digits[32];
	size_t at = sizeof digits, count = 0;

	do {
		if (count && count % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + number % 10);
		count++;
	} while (number /= 10);
	buf_add(to, digits + at, sizeof digits - at);
}

/* value / scale without trailing zeros. */
static void
print_scaled(uint64_t value, uint64_t scale, struct buf *to)
{
	uint64_t rest = value % scale;

	amount_group(value / scale, to);
	if (rest)
		buf_char(to, '.');
	while (rest && scale > 1) {
		scale /= 10;
		buf_char(to, (char)('0' + rest / scale));
		rest %= scale;
	}
}

/* Three digits that count: 1.23, 12.3, 123. */
static void
print_rounded(double value, const char *unit, struct buf *to)
{
	if (value >= 999.5)
		amount_group((uint64_t)(value + 0.5), to);
	else
		buf_print(to, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
	buf_print(to, " %s", unit);
}

/* A larger unit in which the value is at least 1, or false: it is said best as it is. */
static bool
print_larger(double value, const char *unit, struct buf *to)
{
	static const struct {
		const char *unit, *larger;
		double size;
	} steps[] = {
		{ "ns", "s", 1e9 }, { "ns", "ms", 1e6 }, { "ns", "µs", 1e3 },
		{ "us", "s", 1e6 }, { "us", "ms", 1e3 },
		{ "bytes", "TiB", 0x1p40 }, { "bytes", "GiB", 0x1p30 }, { "bytes", "MiB", 0x1p20 },
		{ "bytes", "KiB", 0x1p10 },
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (strcmp(steps[i].unit, unit) == 0 && value >= steps[i].size) {
			print_rounded(value / steps[i].size, steps[i].larger, to);
			return true;
		}
	return false;
}

/* The number of a value times a factor, to two decimals where it is not whole. */
static void
print_real(double value, struct buf *to)
{
	size_t from = to->length;

	if (value < 0x1p63 && value == (double)(uint64_t)value) {
		amount_group((uint64_t)value, to);
		return;
	}
	buf_print(to, "%.2f", value);
	while (to->length > from && to->data[to->length - 1] == '0')
		to->data[--to->length] = '\0';
	if (to->data[to->length - 1] == '.')
		to->data[--to->length] = '\0';
}

void
amount_print(const struct amounts *amounts, uint64_t value, struct buf *to)
{
	size_t length = strlen(amounts->unit);
	double real = (double)value / (double)amounts->scale * (amounts->factor > 0 ? amounts->factor : 1);
	bool larger = print_larger(real, amounts->unit, to);

	if (larger)
		buf_text(to, " (");
	if (amounts->factor > 0)
		print_real(real, to);
	else
		print_scaled(value, amounts->scale, to);
	/* "1 sample" */
	if ((amounts->factor > 0 ? real == 1 : value == amounts->scale) && length > 2 && amounts->unit[length - 1] == 's')
		length--;
	buf_char(to, ' ');
	buf_add(to, amounts->unit, length);
	if (larger)
		buf_char(to, ')');
}

void
amount_share(const struct amounts *amounts, uint64_t value, struct buf *to)
{
	unsigned __int128 total = amounts->total ? amounts->total : 1;
	unsigned hundredths = (unsigned)(((unsigned __int128)value * 10000 + total / 2) / total);

	buf_print(to, "%u.%02u %%", hundredths / 100, hundredths % 100);
}
