/* Two header lines, a newline between: what is printed reads as itself, and a sum is the same from both sides where it
 * is of numbers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "fold/header.h"
#include "render/amount.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
print(const struct header *header, struct buf *text)
{
	buf_clear(text);
	header_print(header, text);
	/* "#{...}\n", one line without a blank: other readers see no stack in it. */
	if (text->length < 4 || memcmp(text->data, "#{", 2) != 0 || memcmp(text->data + text->length - 2, "}\n", 2) != 0 ||
	    strcspn(text->data, " \n") != text->length - 1)
		abort();
}

static void
check_again(const struct header *header)
{
	struct buf text = { 0 }, again = { 0 };
	struct header read = { 0 };

	print(header, &text);
	if (header_parse(&read, text.data + 1, text.length - 2) < 0)
		abort();
	print(&read, &again);
	if (text.length != again.length || memcmp(text.data, again.data, text.length) != 0)
		abort();
	header_release(&read);
	buf_release(&text);
	buf_release(&again);
}

static void
check_sum(const struct header *one, const struct header *other)
{
	static const char *const numbers[] = { "samples", "lost", "truncated", "unresolved", "self_rss_kb", "work" };
	struct header sum = { 0 }, reverse = { 0 };

	header_copy(&sum, one);
	header_merge(&sum, other);
	header_copy(&reverse, other);
	header_merge(&reverse, one);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (header_has(&sum, numbers[i]) != header_has(&reverse, numbers[i]) ||
		    header_number(&sum, numbers[i], 7) != header_number(&reverse, numbers[i], 7))
			abort();
	if (header_list_count(&sum, "notes") != header_list_count(&reverse, "notes") ||
	    header_list_count(&sum, "labels") != header_list_count(&reverse, "labels"))
		abort();
	if (sum.json)
		check_again(&sum);
	header_release(&sum);
	header_release(&reverse);
}

static void
use(const struct header *header)
{
	struct amounts amounts = amounts_of(header, header_number(header, "samples", 1));
	const char *start = header_text(header, "start");
	struct buf text = { 0 };
	uint64_t time;

	if (start)
		clock_read(start, &time);
	amount_print(&amounts, 12345, &text);
	buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size ? memchr(bytes, '\n', size) : NULL;
	size_t length = newline ? (size_t)(newline - bytes) : size;
	struct header one = { 0 }, other = { 0 };

	if (header_parse(&one, (const char *)bytes, length) == 0) {
		check_again(&one);
		use(&one);
		if (newline && header_parse(&other, (const char *)newline + 1, size - length - 1) == 0)
			check_sum(&one, &other);
	}
	header_release(&one);
	header_release(&other);
	return 0;
}
