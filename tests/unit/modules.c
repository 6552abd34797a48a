/* module.c: which file a mapping means, when names and inode numbers are used again, and what is not opened. */
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "target/module.h"
#include "tap.h"

static bool has_build_id; /* this program itself */
static char folder[] = "/tmp/gp-modules.XXXXXX";

static char *
in_folder(const char *name)
{
	static char paths[8][96];
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

/* held: where descriptors are few, so that it is by a mapping. */
static struct module *
find_as(struct modules *modules, const struct module_place *place, bool held)
{
	int first = dup(0), last = first;
	struct module *module;

	while (held && last >= 0 && last < 40) /* the first half of 64 */
		last = dup(0);
	module = modules_find(modules, place);
	for (; last > first; last--)
		close(last);
	close(first);
	return module;
}

/* Device, inode and size are the same throughout. */
static void
test_written_over(struct modules *modules, bool held, const char *how)
{
	char *path = in_folder(how);
	struct module_place place;
	struct module *module;
	unsigned char now[ELF_BUILD_ID_MAX];
	int fd;

	copy_self(path);
	place = place_of(path, path);
	module = find_as(modules, &place, held);
	if (!has_build_id) {
		note("this linker makes no build-id");
		return;
	}
	if (!ok(module->elf && module->elf->build_id_size, "%s: it is read", how))
		return;
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

/* A copy that nothing names; where its symbols are, which are the last before the section headers. */
static uint64_t
copy_unnamed(const char *path)
{
	struct elf *elf;
	uint64_t symbols;

	copy_self(path);
	elf = elf_open(open(path, O_RDONLY));
	if (elf && elf->build_id_size)
		change(path, elf->build_id_at - 2); /* "GNU" is its name */
	elf_close(elf);
	elf = elf_open(open(path, O_RDONLY));
	if (!elf || elf->build_id_size || !elf_section(elf, ".symtab"))
		exit(1);
	symbols = elf_section(elf, ".symtab")->offset;
	elf_close(elf);
	return symbols;
}

/* Without a build-id, written over by a file that begins alike, its time set back. */
static void
test_unnamed(struct modules *modules, bool held, const char *how)
{
	char *path = in_folder(how);
	uint64_t symbols = copy_unnamed(path);
	struct module_place place = place_of(path, path);
	struct module *module = find_as(modules, &place, held);

	ok(module->elf && (module->elf->fd < 0) == held, "%s", how);
	chmod(path, 0700);
	ok(modules_find(modules, &place) == module && module->elf, "%s: with other rights it is the same", how);
	change(path, symbols + 32);
	ok(modules_find(modules, &place) != module && !module->elf, "%s: other symbols are another file", how);
}

/* Written over so soon that no time of it differs: where the kernel's clock for files is coarse. */
static void
test_same_tick(struct modules *modules)
{
	unsigned seen = 0, noticed = 0;
	char *mount_point = in_folder("coarse");
	/* Of those that everybody has, the one whose times are still so. */
	bool mounted = mkdir(mount_point, 0700) == 0 && unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("none", mount_point, "ramfs", 0, NULL) == 0;

	for (unsigned i = 0; i < 100; i++) {
		char name[32], *path;
		struct stat before, after;
		struct module_place place;
		struct module *module;
		uint64_t symbols;

		snprintf(name, sizeof name, "coarse/tick%u", i);
		path = in_folder(name);
		symbols = copy_unnamed(path);
		place = place_of(path, path);
		change(path, symbols + 33);
		module = modules_find(modules, &place);
		stat(path, &before);
		change(path, symbols + 32);
		stat(path, &after);
		if (before.st_ctim.tv_sec != after.st_ctim.tv_sec || before.st_ctim.tv_nsec != after.st_ctim.tv_nsec)
			continue;
		seen++;
		noticed += modules_find(modules, &place) != module;
	}
	if (mounted)
		umount2(in_folder("coarse"), MNT_DETACH);
	note("written over within a tick of the clock: %u times of 100", seen);
	ok(noticed == seen, "written over within one tick it is another file");
}

/* As some containers have it: a system call that is refused to us. */
static bool
forbid(int number, int reason)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)reason),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
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
	has_build_id = elf->build_id_size > 0;
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
	test_written_over(&modules, false, "open");
	test_written_over(&modules, true, "held by a mapping");
	test_unnamed(&modules, false, "unnamed");
	test_unnamed(&modules, true, "unnamed, held");
	test_same_tick(&modules);
	if (forbid(SYS_process_vm_readv, EPERM)) { /* the last test: it stays so */
		test_written_over(&modules, true, "held where process_vm_readv is refused");
		test_unnamed(&modules, true, "unnamed, held where it is refused");
	} else {
		ok(true, "where process_vm_readv is refused # SKIP no seccomp");
	}
	modules_release(&modules);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || done_testing();
}
