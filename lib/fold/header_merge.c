#include <string.h>

#include "base/clock.h"
#include "fold/header.h"

/* Seconds are kept to the nanosecond. */
#define DECIMALS 9

/* What was seen and did not fit: absent means none. */
static const char *const losses[] = { "lost", "truncated", "unresolved" };
/* Amounts: absent in one, unknown in the sum. */
static const char *const amounts[] = { "samples", "work" };
static const char *const seconds[] = { "duration_s", "cpu_s", "sampled_s", "self_cpu_s" };
static const char *const lists[] = { "labels", "notes" };
/* What values mean: a side that does not say it takes the other's. */
static const char *const meanings[] = { "unit", "period", "period_ns" };

#define EACH(i, array) (size_t i = 0; i < sizeof(array) / sizeof *(array); i++)

static bool
is_earlier(const char *one, const char *other)
{
	uint64_t a, b;

	if (clock_read(one, &a) < 0 || clock_read(other, &b) < 0)
		return strcmp(one, other) < 0;
	return a < b;
}

static void
merge_numbers(struct header *result, const struct header *one, const struct header *other)
{
	for EACH(i, losses)
		if (header_has(one, losses[i]) || header_has(other, losses[i]))
			header_set_number(result, losses[i],
			    header_number(one, losses[i], 0) + header_number(other, losses[i], 0));
	for EACH(i, amounts) {
		header_remove(result, amounts[i]);
		if (header_has(one, amounts[i]) && header_has(other, amounts[i]))
			header_set_number(result, amounts[i],
			    header_number(one, amounts[i], 0) + header_number(other, amounts[i], 0));
	}
	for EACH(i, seconds) {
		header_remove(result, seconds[i]);
		if (header_has(one, seconds[i]) && header_has(other, seconds[i]))
			header_set_real(result, seconds[i],
			    header_real(one, seconds[i], 0) + header_real(other, seconds[i], 0), DECIMALS);
	}
}

static void
add_list(struct header *result, const struct header *from, const char *key)
{
	const char *text;

	for (size_t k = 0; k < header_list_count(from, key); k++)
		if ((text = header_list_at(from, key, k)))
			header_add_to_list(result, key, text);
}

void
header_merge(struct header *header, const struct header *other)
{
	struct header one = *header, result = { 0 };
	const char *a = header_text(&one, "start"), *b = header_text(other, "start");
	uint64_t rss = header_number(&one, "self_rss_kb", 0), rss_other = header_number(other, "self_rss_kb", 0);

	header_copy(&result, &one);
	header_keep_common(&result, other);
	for EACH(i, meanings)
		if (!header_has(&one, meanings[i]) || !header_has(other, meanings[i]))
			header_copy_key(&result, header_has(&one, meanings[i]) ? &one : other, meanings[i]);
	for EACH(i, lists) {
		header_remove(&result, lists[i]);
		add_list(&result, &one, lists[i]);
		add_list(&result, other, lists[i]);
	}
	merge_numbers(&result, &one, other);
	if (a && b)
		header_set_text(&result, "start", is_earlier(b, a) ? b : a);
	if (rss || rss_other)
		header_set_number(&result, "self_rss_kb", rss > rss_other ? rss : rss_other);
	header_release(&one);
	*header = result;
}
