/* Kernel modules that come and go: /proc/modules as it may look, whose an address was, and a whole recording. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/kernel_modules.h"
#include "record/recording.h"
#include "target/running_kernel.h"
#include "leaves.h"
#include "tap.h"

#define EXT4 "ext4 942080 2 - Live 0xffffffffc0100000\n"
#define OLD "old 16384 0 - Live 0xffffffffc0300000 (OE)\n"
#define NEW "new 20480 1 other,more, Live 0xffffffffc0301000 (POE)\n"
#define IN_OLD 0xffffffffc0301800u /* and in new */
#define MANY 250

static char path[] = "/tmp/gp-modules.XXXXXX";

static void
there_are(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		note("cannot write %s", path);
	close(fd);
}

/* --- the text */

static bool
print_one(void *context, const struct running_module *module)
{
	buf_print(context, "%s%s %llx+%llx%s", ((struct buf *)context)->length ? ", " : "", module->name,
	    (unsigned long long)module->start, (unsigned long long)module->size, module->is_going ? " going" : "");
	return true;
}

static void
reads(const char *text, const char *wanted, const char *what)
{
	struct buf got = { 0 };

	there_are(text);
	buf_text(&got, "");
	if (running_kernel_modules(path, print_one, &got) < 0)
		buf_text(&got, "nothing");
	is_text(got.data, wanted, what);
	buf_release(&got);
}

static void
test_texts(void)
{
	struct buf text = { 0 };

	reads(EXT4 OLD NEW, "ext4 ffffffffc0100000+e6000, old ffffffffc0300000+4000, new ffffffffc0301000+5000",
	    "modules, used by others, tainted");
	reads("a 4096 -1 - Unloading 0xffffffffc0100000\nb 8192 1 [permanent], Loading 0xffffffffc0200000 (+)\n",
	    "a ffffffffc0100000+1000 going, b ffffffffc0200000+2000", "those that come and go");
	reads("a 4096 - - Live 0xffffffffc0100000\n", "a ffffffffc0100000+1000", "a kernel that cannot unload");
	reads("a 4096 0 - Live 0x0000000000000000\nb 4096 0 - Live 0x0000000000000000\n", "nothing", "hidden addresses");
	reads("", "", "no modules");
	buf_text(&text, "x\n\n     \nx 1 2 3 Live\nx -4096 0 - Live 0xffffffffc0100000\nx 0 0 - Live 0xffffffffc0100000\n"
	    "x 99999999999999999999 0 - Live 0xffffffffc0100000\nx 4096 0 - Dead 0xffffffffc0100000\n"
	    "x 4096 0 - Live ffffffffc0100000\nx 4096 0 - Live 0xffffffffffffff00\nx 4096 0 - Live 0xzz\n"
	    "x 4096 0 - Live 0xffffffffffffffffffff\nx 4096 0 - Live -0x10\n");
	for (unsigned i = 0; i < 5000; i++)
		buf_char(&text, 'n');
	buf_text(&text, " 4096 0 - Live 0xffffffffc0100000\n");
	for (unsigned i = 0; i < 5000; i++)
		buf_text(&text, "y,");
	buf_text(&text, "\n\001\377 4096 0 - Live 0xffffffffc0100000");
	reads(text.data, "\001\377 ffffffffc0100000+1000", "lines that are none");
	ok(running_kernel_modules("/nonexistent/modules", print_one, &text) < 0, "no such file");
	buf_release(&text);
}

/* This machine's own, by lines. */
static void
test_here(void)
{
	FILE *file = fopen("/proc/modules", "re");
	struct buf got = { 0 };
	size_t lines = 0, found = 0;

	if (!file) {
		ok(true, "this kernel's modules # SKIP it has none");
		return;
	}
	for (int c; (c = getc(file)) != EOF;)
		lines += c == '\n';
	fclose(file);
	buf_text(&got, "");
	if (running_kernel_modules("/proc/modules", print_one, &got) < 0) {
		ok(true, "this kernel's modules # SKIP it hides where they are");
	} else {
		found = got.length > 0;
		for (const char *at = got.data; (at = strstr(at, ", ")); at += 2)
			found++;
		ok(found == lines, "this kernel's modules: %zu of %zu", found, lines);
	}
	buf_release(&got);
}

/* --- whose it was */

static struct kernel_modules modules = { .path = path };

static void
look(const char *text)
{
	there_are(text);
	kernel_modules_look(&modules);
}

static void
is_judged(uint64_t address, const struct kernel_answer *answer, const char *wanted, const char *what)
{
	static const char *const words[] = { "as named", "nobody", "of", "replaced" };
	const struct kernel_module *owner;
	enum kernel_owner judged = kernel_modules_judge(&modules, address, answer, &owner);
	char got[128];

	snprintf(got, sizeof got, "%s%s%s", words[judged], judged == KERNEL_MODULE ? " " : "",
	    judged == KERNEL_MODULE ? owner->name : "");
	is_text(got, wanted, what);
}

static void
test_judgement(void)
{
	static const struct kernel_answer no_name = { .is_known = true }, hidden = { .is_known = false },
		by_old = { true, "f", "old" }, by_new = { true, "f", "new" }, by_ext4 = { true, "f", "ext4" },
		by_bpf = { true, "bpf_prog_x", "bpf" }, by_kernel = { true, "f", NULL };

	is_judged(IN_OLD, &by_new, "as named", "where nothing is known the kernel is right");
	look(EXT4 OLD);
	is_judged(IN_OLD, &by_old, "as named", "a module that stays");
	is_judged(0xffffffffc0100010, &by_ext4, "as named", "... another");
	is_judged(0xffffffff81000010, &by_kernel, "as named", "the kernel itself");
	is_judged(IN_OLD, &no_name, "as named", "what its own module does not name is not its code");
	is_judged(IN_OLD, &hidden, "of old", "... but where names are hidden it is");
	is_judged(0xffffffffc01e6010, &by_ext4, "nobody", "behind a module is nobody, though its last function seems to be");
	look(EXT4);
	is_judged(IN_OLD, &no_name, "of old", "a module that has gone");
	is_judged(IN_OLD, &hidden, "of old", "... also where names are hidden");
	is_judged(IN_OLD, &by_ext4, "of old", "... though the last function before it seems to reach there");
	is_judged(IN_OLD, &by_bpf, "replaced", "... and something is there that is no module");
	is_judged(0xffffffffc0100010, &by_ext4, "as named", "... the other is there");
	is_judged(0xffffffffc0304000, &no_name, "as named", "behind what has gone");
	look(EXT4 NEW);
	is_judged(IN_OLD, &by_new, "replaced", "another in its place: it may be of either");
	is_judged(0xffffffffc0300010, &no_name, "of old", "... but where the other is not");
	is_judged(0xffffffffc0305010, &by_new, "as named", "... and where it never was");
	look(EXT4 "new 20480 1 - Unloading 0xffffffffc0301000\n");
	is_judged(IN_OLD, &no_name, "replaced", "both have gone");
	is_judged(0xffffffffc0305010, &no_name, "of new", "... where only one was");
	look(EXT4 OLD);
	is_judged(IN_OLD, &by_old, "replaced", "the first is there again, with the second between");
	is_judged(0xffffffffc0300010, &by_old, "as named", "... where that was not");
	there_are("old 16384 0 - Live 0x0000000000000000\n");
	kernel_modules_look(&modules);
	is_judged(0xffffffffc0300010, &by_old, "as named", "what is hidden later is not gone");
	kernel_modules_release(&modules);

	look("a 65536 0 - Live 0xffffffffc0100000\nb 65536 0 - Live 0xffffffffc0104000\n");
	look("a 65536 0 - Live 0xffffffffc0100000\n");
	is_judged(0xffffffffc0105000, &(struct kernel_answer){ true, "f", "a" }, "of b",
	    "of two whose sizes overlap the first ends where the second begins, for ever");
	kernel_modules_release(&modules);
	look(OLD);
	look("old 16384 0 - Live 0xffffffffc0301000\n");
	is_judged(IN_OLD, &by_old, "of old", "loaded anew, somewhat elsewhere: of it, but no function of it");
	kernel_modules_release(&modules);
	look("init 65536 0 - Loading 0xffffffffc0100000 (+)\n");
	look("init 4096 0 - Live 0xffffffffc0100000\n");
	look("");
	is_judged(0xffffffffc0101000, &no_name, "as named", "what it needed to be loaded is not of its size");
	kernel_modules_release(&modules);
}

static void
test_forgetting(void)
{
	struct buf text = { 0 };
	size_t most = 0;

	for (unsigned i = 0; i < 10000; i++) {
		buf_clear(&text);
		buf_print(&text, EXT4 "m%u 4096 0 - Live 0x%llx\n", i, 0xffffffffc0800000 + i * 4096ull);
		there_are(text.data);
		if (i % 2)
			kernel_modules_look(&modules);
		else
			kernel_modules_restart(&modules);
		most = modules.count > most ? modules.count : most;
	}
	ok(most <= 6, "10,000 modules come and go: %zu are known at a time", most);
	kernel_modules_release(&modules);
	for (unsigned i = 0; i < 10000; i++) {
		buf_clear(&text);
		buf_print(&text, "m%u 4096 0 - Live 0x%llx\n", i, 0xffffffffc0800000 + i * 4096ull);
		there_are(text.data);
		kernel_modules_look(&modules);
	}
	ok(modules.count <= 4096, "... and in one interval %zu", modules.count);
	kernel_modules_release(&modules);
	buf_release(&text);
}

/* As many as a large machine has. */
static void
test_time(void)
{
	struct buf text = { 0 };
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < MANY; i++)
		buf_print(&text, "module_%u %u 1 some_module,another_module, Live 0x%llx\n", i, 16384 + i * 4096,
		    0xffffffffc0100000 + i * 0x200000ull);
	there_are(text.data);
	for (unsigned i = 0; i < 20; i++) {
		uint64_t start = clock_cpu(), took;

		kernel_modules_look(&modules);
		took = clock_cpu() - start;
		best = took < best ? took : best;
	}
	note("%u modules: %.3f ms", MANY, (double)best / 1e6);
	ok(modules.count == MANY && best < 20000000, "looking at many modules");
	kernel_modules_release(&modules);
	buf_release(&text);
}

/* --- a recording */

static void
sample(struct recording *recording, uint64_t address)
{
	recording_take(recording, &(struct record){ .kind = RECORD_SAMPLE, .time = 1000, .sample = {
	    .pid = 5000001, .tid = 5000001, .weight = 1, .kernel = &address, .kernel_count = 1 } });
}

static void
has_leaves(struct recording *recording, const char *wanted, const char *what)
{
	struct recording_counts counts;
	char *got = leaves(recording, &counts);

	is_text(got, wanted, what);
	ok(counts.unnamed_leaf == counts.total && !counts.unresolved, "... and is counted as without a symbol");
	free(got);
}

static void
test_recording(bool addresses)
{
	struct recording *recording;

	there_are(EXT4 OLD);
	recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 64, .modules = path,
	    .addresses = addresses });
	sample(recording, 0xffffffffc0300010);
	sample(recording, 0xffffffffc0100020);
	there_are(EXT4);
	recording_caught_up(recording);
	there_are(EXT4 "brief 4096 0 - Live 0xffffffffc0500000\n");
	sample(recording, 0xffffffffc0500030);
	sample(recording, 0xffffffffc0500030);
	recording_caught_up(recording);
	there_are(EXT4);
	sample(recording, 0xffffffffc0500030);
	sample(recording, 0xffffffffd0000000);
	has_leaves(recording, addresses ? "[brief+0x30]_[k] 3, [ext4+0x20]_[k] 1, [kernel]_[k] 1, [old+0x10]_[k] 1" :
	    "[brief]_[k] 3, [ext4]_[k] 1, [kernel]_[k] 1, [old]_[k] 1", "what went, and what came and went");
	sample(recording, IN_OLD);
	there_are(EXT4 NEW);
	has_leaves(recording, "[unknown:replaced]_[k] 1", "one that went, and another that came");
	recording_restart(recording, 2000);
	recording_restart(recording, 3000);
	sample(recording, IN_OLD);
	has_leaves(recording, addresses ? "[new+0x800]_[k] 1" : "[new]_[k] 1", "... is alone in the profiles after");
	recording_close(recording);
}

int
main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		skip_all("no file in /tmp");
	close(fd);
	test_texts();
	test_here();
	test_judgement();
	test_forgetting();
	test_time();
	test_recording(false);
	test_recording(true);
	unlink(path);
	return done_testing();
}
