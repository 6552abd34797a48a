/* Kernel code that comes and goes, through a whole recording: the names that it had when it was sampled. */
#include <stdlib.h>
#include <string.h>

#include "record/recording.h"
#include "leaves.h"
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

/* A leaf that nobody can name is counted, whenever that was found. */
static void
test_counts(void)
{
	struct recording_counts counts;
	struct fold fold;

	symbol(PLACE, 0x100, false, "one");
	sample(PLACE + 0x10);
	lost();
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, false, "two");
	sample(PLACE + 0x10);
	sample(PLACE + 0x5000);
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	ok(counts.unnamed_leaf == 2 && counts.unresolved == 0 && counts.truncated == 0 && counts.total == 4,
	    "what is nobody's is counted: %llu of %llu", (unsigned long long)counts.unnamed_leaf,
	    (unsigned long long)counts.total);
	fold_release(&fold);
}

static void
is_named(const char *wanted, const char *what)
{
	struct recording_counts counts;
	char *got = leaves(recording, &counts);

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
	symbol(PLACE, 0x100, true, "lost_two");
	is_named("lost_one_[k] 1, lost_two_[k] 1", "records lost between two at one address: the end tells who it was");
	symbol(PLACE, 0x100, false, "lost_one");
	lost();
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, false, "lost_three");
	sample(PLACE + 0x10);
	is_named("[kernel]_[k] 1, lost_three_[k] 1", "... and where nobody tells it is nobody's");
	/* Both records of a change were lost, somewhere between two losses: what was sampled there is of one or of the other. */
	symbol(PLACE, 0x100, false, "old");
	lost();
	sample(PLACE + 0x10);
	lost();
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, true, "new");
	is_named("[kernel]_[k] 2", "two losses, and another at the end: nobody's");
	symbol(PLACE, 0x100, false, "old");
	sample(PLACE + 0x10);
	for (unsigned i = 0; i < 3; i++) {
		lost();
		sample(PLACE + 0x10);
	}
	symbol(PLACE, 0x100, true, "old");
	is_named("old_[k] 4", "... and the same at the end: its own");
	symbol(PLACE, 0x100, false, "old");
	lost();
	sample(PLACE + 0x10);
	sample(PLACE + 0x90);
	symbol(PLACE, 0x80, true, "shorter");
	is_named("[kernel]_[k] 1, shorter_[k] 1", "another at the end, which is shorter: what lay behind it is nobody's");
	symbol(PLACE, 0x100, false, "old");
	lost();
	lost();
	sample(PLACE + 0x10);
	is_named("[kernel]_[k] 1", "two losses, and nobody tells: nobody's");
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, true, "new");
	is_named("new_[k] 1", "... but in the next profile there was only one");
	sample(PLACE + 0x10);
	symbol(PLACE, 0x100, false, "later");
	sample(PLACE + 0x10);
	is_named("[kernel]_[k] 1, later_[k] 1", "what comes later was not there before");
	sample(PLACE + 0x1010);
	symbol(PLACE + 0x1000, 0x100, true, "");
	sample(PLACE + 0x1010);
	symbol(PLACE + 0x1000, 0x100, true, "last");
	is_named("[kernel]_[k] 1, last_[k] 1", "what goes without a name");
	for (uint64_t i = 0; i < 300; i++)
		sample(PLACE + 0x2000 + i);
	symbol(PLACE + 0x2000, 0x100, true, "each");
	symbol(PLACE + 0x2000, 0x1000, true, "rest");
	is_named("each_[k] 256, rest_[k] 44", "a frame at every byte");
	test_counts();
	recording_close(recording);
	recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 64 });
	for (uint32_t i = 0; i < 70000; i++)
		symbol(PLACE + (uint64_t)(i * 7919 % 70000) * 16, 16, false, "many");
	sample(PLACE + 16);
	is_named("many_[k] 1", "too many are no trouble");
	recording_close(recording);
	return done_testing();
}
