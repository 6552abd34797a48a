/* Kernel code that comes and goes, through a whole recording: the names that it had when it was sampled. */
#include <stdlib.h>
#include <string.h>

#include "record/recording.h"
#include "tap.h"

#define PLACE 0xffffffffc0123000u

static struct recording *recording;
static uint64_t now = 1000;

static void
symbol(uint64_t address, uint32_t length, bool gone, const char *name)
{
	recording_take(recording, &(struct record){ .kind = RECORD_SYMBOL, .time = now++,
	    .symbol = { address, length, gone, name } });
}

static void
sample(uint64_t address)
{
	recording_take(recording, &(struct record){ .kind = RECORD_SAMPLE, .time = now++, .sample = {
	    .pid = 5000001, .tid = 5000001, .weight = 1, .kernel = &address, .kernel_count = 1 } });
}

static void
lost(void)
{
	recording_take(recording, &(struct record){ .kind = RECORD_LOST, .time = now++, .lost = 3 });
}

/* The leaves of the stacks in order, a blank and their counts. */
static char *
leaves(void)
{
	struct recording_counts counts;
	struct buf text = { 0 };
	const struct stack **list;
	struct fold fold;
	size_t count;

	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	list = fold_sorted(&fold, &count);
	buf_text(&text, "");
	for (size_t i = 0; i < count; i++)
		buf_print(&text, "%s%s %u", i ? ", " : "", intern_name(&fold.names, list[i]->frames[list[i]->count - 1]),
		    (unsigned)list[i]->value);
	free(list);
	fold_release(&fold);
	return text.data;
}

static void
is_named(const char *wanted, const char *what)
{
	char *got = leaves();

	is_text(got, wanted, what);
	free(got);
}

int
main(void)
{
	recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 64 });
	symbol(PLACE, 0x100, false, "bpf_prog_one");
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, true, "bpf_prog_one");
	symbol(PLACE + 8, 0x80, false, "bpf_prog_two");
	sample(PLACE + 0x10);
	sample(PLACE + 0x10);
	sample(PLACE);
	is_named("[kernel]_[k] 1, bpf_prog_one_[k] 1, bpf_prog_two_[k] 2", "one after another at one address");
	sample(PLACE + 0x10);
	is_named("bpf_prog_two_[k] 1", "what is still there keeps its name in the next profile");
	sample(PLACE + 0x1000);
	symbol(PLACE + 0x1000, 0x100, true, "bpf_prog_early");
	sample(PLACE + 0x1000);
	is_named("[kernel]_[k] 1, bpf_prog_early_[k] 1", "what was there before is named when it goes, and nothing after");
	symbol(PLACE, 0x1000, false, "over");
	sample(PLACE + 0x10);
	symbol(PLACE + 0x800, 0, false, "nothing");
	symbol(UINT64_MAX - 8, 64, false, "wraps");
	sample(UINT64_MAX - 4);
	is_named("[kernel]_[k] 1, over_[k] 1", "one over others, without length, around the end");
	symbol(PLACE, 0x100, false, "lost_one");
	sample(PLACE + 0x10);
	lost();
	sample(PLACE + 0x10);
	lost();
	symbol(PLACE, 0x100, true, "lost_two");
	is_named("lost_one_[k] 1, lost_two_[k] 1", "records lost between two at one address: the end tells who it was");
	symbol(PLACE, 0x100, false, "lost_one");
	lost();
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, false, "lost_three");
	sample(PLACE + 0x10);
	is_named("[kernel]_[k] 1, lost_three_[k] 1", "... and where nobody tells it is nobody's");
	recording_close(recording);
	recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 64 });
	for (uint32_t i = 0; i < 70000; i++)
		symbol(PLACE + (uint64_t)(i * 7919 % 70000) * 16, 16, false, "many");
	sample(PLACE + 16);
	is_named("many_[k] 1", "too many are no trouble");
	recording_close(recording);
	return done_testing();
}
