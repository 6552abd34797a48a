/* module.c: which file a mapping means, when names and inode numbers are used again, and what is not opened. */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <elf.h>
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

/* Changes one byte of a file at an offset, and sets its time back. */
static void
change(const char *path, uint64_t offset)
{
	struct stat st;
	char byte;
	int fd = open(path, O_RDWR);

	if (fd < 0 || fstat(fd, &st) < 0 || pread(fd, &byte, 1, (off_t)offset) != 1)
		exit(1);
	byte = (char)(byte ^ 1);
	if (pwrite(fd, &byte, 1, (off_t)offset) != 1 || futimens(fd, (struct timespec[]){ st.st_atim, st.st_mtim }) < 0)
		exit(1);
	close(fd);
}

/* Device, inode and size are the same throughout. held: by a mapping, not by a descriptor. */
static void
test_written_over(struct modules *modules, bool held)
{
	char *path = in_folder(held ? "held" : "over");
	const char *how = held ? "held by a mapping" : "open";
	struct module_place place;
	struct module *module;
	unsigned char now[ELF_BUILD_ID_MAX];
	int first = dup(0), last = first, fd;

	copy_self(path);
	while (held && last >= 0 && last < 40) /* the first half of 64 */
		last = dup(0);
	place = place_of(path, path);
	module = modules_find(modules, &place);
	for (; last > first; last--)
		close(last);
	close(first);
	if (!module->elf || !module->elf->build_id_size) {
		printf("# no build-id\n");
		return;
	}
	ok((module->elf->fd < 0) == held, "%s", how);
	utimensat(AT_FDCWD, path, NULL, 0);
	ok(modules_find(modules, &place) == module, "%s: touched, it is the same", how);
	fd = elf_descriptor(module->elf);
	ok(fd >= 0 && pread(fd, now, module->elf->build_id_size, (off_t)module->elf->build_id_at) > 0 &&
	    memcmp(now, module->elf->build_id, module->elf->build_id_size) == 0, "%s: who needs a descriptor gets one", how);
	close(fd);
	change(path, module->elf->build_id_at);
	ok(modules_find(modules, &place) != module && !module->elf, "%s: another build-id is another file", how);
	module = modules_find(modules, &place);
	if (truncate(path, 8192) < 0)
		exit(1);
	ok(elf_read_some(module->elf, 65536, now, sizeof now) == 0, "%s: cut short, it reads short", how);
}

/* As Go's linker writes it: the note is in a section, but in no PT_NOTE. */
static void
test_build_id(void)
{
	char *path = in_folder("noteless");
	struct elf *elf = elf_open(open("/proc/self/exe", O_RDONLY)), *noteless;
	Elf64_Ehdr header;
	Elf64_Phdr program;
	int fd;

	copy_self(path);
	fd = open(path, O_RDWR);
	if (!elf || pread(fd, &header, sizeof header, 0) != sizeof header)
		exit(1);
	for (unsigned i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + i * sizeof program);

		if (pread(fd, &program, sizeof program, at) != sizeof program)
			exit(1);
		program.p_type = program.p_type == PT_NOTE ? PT_NULL : program.p_type;
		if (pwrite(fd, &program, sizeof program, at) != sizeof program)
			exit(1);
	}
	noteless = elf_open(fd);
	/* Without one, where the linker makes none, there is none. */
	ok(noteless && noteless->build_id_size == elf->build_id_size &&
	    memcmp(noteless->build_id, elf->build_id, elf->build_id_size) == 0, "a build-id outside PT_NOTE");
	elf_close(noteless);
	elf_close(elf);
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
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 64, 64 });
	test_identity(&modules);
	test_fifo(&modules);
	test_build_id();
	test_written_over(&modules, false);
	test_written_over(&modules, true);
	modules_release(&modules);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || done_testing();
}
