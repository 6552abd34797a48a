/* module.c: which file a mapping means, when names and inode numbers are used again, and what is not opened. */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "target/module.h"
#include "tap.h"

static char folder[] = "/tmp/gp-modules.XXXXXX";

static char *
in_folder(const char *name)
{
	static char paths[8][64];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static void
copy_self(const char *to)
{
	char block[65536];
	int from = open("/proc/self/exe", O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0755);
	ssize_t n;

	while ((n = read(from, block, sizeof block)) > 0)
		if (write(out, block, (size_t)n) != n)
			exit(1);
	close(from);
	close(out);
}

static struct module_place
place_of(const char *path, const char *identity)
{
	struct module_place place = { .path = path, .pid = (uint32_t)getpid() };
	struct stat st;

	if (stat(identity, &st) == 0) {
		place.device = st.st_dev;
		place.inode = st.st_ino;
	}
	return place;
}

static void
test_identity(struct modules *modules)
{
	char *first = in_folder("first"), *second = in_folder("second"), *link_path = in_folder("link");
	struct module_place place;
	struct module *module, *gone;

	copy_self(second);
	/* What was at first had the number that second's file has now, and was gone before it was opened. */
	place = place_of(first, second);
	gone = modules_find(modules, &place);
	ok(!gone->elf && gone->trouble == ENOENT, "a file that is gone");
	place = place_of(second, second);
	module = modules_find(modules, &place);
	ok(module != gone && module->elf, "its inode number used again is another file");
	is_text(module->base, "second", "under its own name");
	ok(modules_find(modules, &place) == module, "and found again");
	if (symlink(second, link_path) == 0) {
		place = place_of(link_path, second);
		ok(modules_find(modules, &place) == module, "by any name, as long as it is held open");
	}
	place = place_of(first, second);
	ok(modules_find(modules, &place) == module, "the open file is what the number means now");

	place = place_of(in_folder("late"), second);
	place.inode += 1000000;
	gone = modules_find(modules, &place);
	ok(modules_find(modules, &place) == gone, "what cannot be opened is one module");
	copy_self(place.path);
	place = place_of(place.path, place.path);
	ok(modules_find(modules, &place)->elf != NULL, "and opened when it can be");
}

/* Opening a fifo lets its writer go on: nothing but a regular file must be opened, were it for a moment. */
static void
test_fifo(struct modules *modules)
{
	char *fifo = in_folder("fifo");
	struct timespec moment = { 0, 50000000 };
	struct module_place place;
	pid_t writer;

	if (mkfifo(fifo, 0600) < 0)
		exit(1);
	writer = fork();
	if (writer == 0) {
		int fd = open(fifo, O_WRONLY);

		_exit(fd < 0);
	}
	nanosleep(&moment, NULL);
	place = place_of(fifo, fifo);
	ok(!modules_find(modules, &place)->elf, "a fifo is no file");
	nanosleep(&moment, NULL);
	ok(waitpid(writer, NULL, WNOHANG) == 0, "and is not opened");
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
}

int
main(void)
{
	struct modules modules = { 0 };
	char command[64];

	if (!mkdtemp(folder))
		skip_all("no /tmp");
	test_identity(&modules);
	test_fifo(&modules);
	modules_release(&modules);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || done_testing();
}
