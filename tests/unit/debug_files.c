/* debug_file.c: what a debug file without a build-id may cost, and holes that cost nothing to make. */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/warn.h"
#include "target/debug_file.h"
#include "tap.h"

#define LIBRARIES 8u
#define DEBUG_SIZE (32u << 20)

/* Their section headers are of before. */
static const char make[] =
	"exec 2>/dev/null; echo 'int f(void) { return 1; }' |"
	"	${CC:-cc} -shared -fPIC -Wl,--build-id=none -o lib.so -xc - &&"
	"cp lib.so big.debug && head -c 33554432 /dev/zero >>big.debug && cp big.debug other.debug &&"
	"cp lib.so hollow.debug && truncate -s 512M hollow.debug &&"
	"cp lib.so small.debug && truncate -s 60M small.debug &&"
	"for i in 0 1 2 3 4 5 6 7; do objcopy --add-gnu-debuglink=big.debug lib.so lib$i.so || exit 1; done &&"
	"for i in other hollow small; do objcopy --add-gnu-debuglink=$i.debug lib.so $i.so || exit 1; done";

/* What this process has read by system calls until now. */
static unsigned long long
bytes_read(void)
{
	FILE *file = fopen("/proc/self/io", "r");
	unsigned long long bytes = 0;

	if (!file || fscanf(file, "rchar: %llu", &bytes) != 1)
		skip_all("no /proc/self/io");
	fclose(file);
	return bytes;
}

static bool
has_debug_file(struct modules *modules, const char *folder, const char *name)
{
	char path[128];
	struct elf *debug;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	debug = debug_file_open(modules_find(modules, &(struct module_place){ .path = path }));
	elf_close(debug);
	return debug != NULL;
}

static void
test_once(struct modules *modules, const char *folder)
{
	unsigned long long before = bytes_read(), first;
	unsigned found = 0;

	ok(has_debug_file(modules, folder, "lib0.so"), "a debug file of this checksum");
	first = bytes_read() - before;
	ok(first >= DEBUG_SIZE, "is read to its end: %llu bytes", first);
	before = bytes_read();
	for (unsigned i = 1; i < LIBRARIES; i++) {
		char name[16];

		snprintf(name, sizeof name, "lib%u.so", i);
		found += has_debug_file(modules, folder, name);
	}
	ok(found == LIBRARIES - 1, "by others that link to it, too");
	ok(bytes_read() - before < DEBUG_SIZE, "and not read again: %llu bytes", bytes_read() - before);
}

static void
test_limit(struct modules *modules, const char *folder)
{
	unsigned long long before = bytes_read();

	warn_quiet = true;
	debug_file_begin(DEBUG_SIZE / 2);
	ok(!has_debug_file(modules, folder, "other.so"), "beyond the limit it is not used");
	ok(bytes_read() - before < DEBUG_SIZE, "nor read");
	ok(has_debug_file(modules, folder, "lib0.so"), "what is known is");
	debug_file_begin(DEBUG_FILE_SUMS);
	ok(has_debug_file(modules, folder, "other.so"), "and the next time it is");
}

static void
test_hollow(struct modules *modules, const char *folder)
{
	char path[128];
	struct module *module;

	snprintf(path, sizeof path, "%s/hollow.debug", folder);
	ok(has_debug_file(modules, folder, "small.so"), "a small file may have holes");
	ok(!has_debug_file(modules, folder, "hollow.so"), "one that is little but holes is no debug file");
	module = modules_find(modules, &(struct module_place){ .path = path });
	ok(!module->elf && module->trouble == ENOEXEC, "nor any file of use");
}

/* Another of the same size, written over. */
static void
test_changed(struct modules *modules, const char *folder)
{
	char path[128];
	int fd;

	snprintf(path, sizeof path, "%s/big.debug", folder);
	usleep(50000); /* times of change are those of a clock's ticks */
	fd = open(path, O_WRONLY);
	ok(fd >= 0 && pwrite(fd, "x", 1, DEBUG_SIZE) == 1, "a debug file changes");
	close(fd);
	ok(!has_debug_file(modules, folder, "lib1.so"), "then its checksum is not what it was");
}

int
main(void)
{
	char folder[] = "/tmp/gp-debug-files.XXXXXX", command[64 + sizeof make];
	struct modules modules = { 0 };
	struct stat st;

	if (!mkdtemp(folder))
		skip_all("no /tmp");
	snprintf(command, sizeof command, "cd %s && { %s; }", folder, make);
	if (system(command) == 0) {
		test_once(&modules, folder);
		test_limit(&modules, folder);
		snprintf(command, sizeof command, "%s/hollow.debug", folder);
		if (stat(command, &st) == 0 && st.st_blocks * 512 < st.st_size / 16)
			test_hollow(&modules, folder);
		test_changed(&modules, folder);
	} else {
		ok(true, "debug files # SKIP no compiler or objcopy");
	}
	modules_release(&modules);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || done_testing();
}
