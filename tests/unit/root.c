/* root.c: paths of a process whose root is another one lead nowhere outside; and maps.c, read while a process dies. */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "target/maps.h"
#include "target/root.h"
#include "tap.h"

static char folder[] = "/tmp/gp-root.XXXXXX";

/* A child that has done what it shall do, and waits to be killed. */
static pid_t
start(bool (*act)(void))
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!act() || write(ends[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(ends[0]);
	return pid;
}

static void
end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool
enter_jail(void)
{
	return chroot("jail") == 0 && chdir("/") == 0;
}

/* The inode that is found at path, 0: nothing, or a link itself. */
static ino_t
inode_at(int root, const char *path)
{
	int fd = root_find(root, path, 0);
	bool found;
	struct stat st;

	if (fd < 0)
		return 0;
	found = fstat(fd, &st) == 0 && !S_ISLNK(st.st_mode);
	ok((fcntl(fd, F_GETFL) & O_PATH) != 0, "%s: found without being opened", path);
	close(fd);
	return found ? st.st_ino : 0;
}

static ino_t
inode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_ino : 0;
}

static void
test_links(int root, bool follows, const char *how)
{
	ok(inode_at(root, "/file") == inode_of("jail/file"), "%s: a file in a root", how);
	ok(inode_at(root, "/folder/../file") == (follows ? inode_of("jail/file") : 0), "%s: a path with ..", how);
	ok(inode_at(root, "/link") == (follows ? inode_of("jail/file") : 0), "%s: a link inside it", how);
	ok(inode_at(root, "/same") == (follows ? inode_of("jail/tmp/gp-file") : 0),
	    "%s: a link to a path that we have, too", how);
	ok(inode_at(root, "/out") == 0, "%s: a link to what we have alone", how);
	ok(inode_at(root, "/up") == 0, "%s: a link upwards", how);
	ok(inode_at(root, "/through/self/exe") == 0, "%s: a link before the end", how);
	ok(inode_at(-1, "/proc/self/exe") == 0 && inode_at(-1, "/proc/self/fd/0") == 0,
	    "%s: of a root unknown no link", how);
	ok(inode_at(-1, "/proc/version") == inode_of("/proc/version"), "%s: but a file", how);
}

static bool
forbid_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void
test_roots(void)
{
	pid_t jailed, other, free_one;
	int root, again, ours, self;

	if (system("mkdir -p jail/tmp jail/folder && echo >jail/file && echo >jail/tmp/gp-file && "
	    "ln -s /file jail/link && ln -s /proc/version jail/out && ln -s ../../../../../proc/version jail/up && ln -s /proc jail/through && "
	    "ln -s /tmp/gp-file jail/same") != 0)
		exit(1);
	jailed = start(enter_jail);
	other = start(enter_jail);
	if (jailed < 0 || other < 0) {
		ok(true, "another root # SKIP not for us");
		return;
	}
	root = root_open((uint32_t)jailed, (uint32_t)jailed);
	again = root_open((uint32_t)other, (uint32_t)other);
	ours = root_open_ours();
	self = root_open((uint32_t)getpid(), (uint32_t)getpid());
	ok(root >= 0 && again == root, "one descriptor for two who have one root");
	ok(ours >= 0 && self == ours && ours != root, "another for ours");
	root_drop(again);
	end(other);
	test_links(root, true, "openat2");
	if (!fork()) {
		dup2(2, 1); /* its tests count here as one */
		tap_failures = 0;
		if (forbid_openat2())
			test_links(root, false, "without openat2");
		_exit(tap_failures != 0);
	}
	wait(&self);
	ok(self == 0, "the same where there is no openat2");
	end(jailed);
	ok(inode_at(root, "/file") == inode_of("jail/file"), "it stays when the process has gone");
	root_drop(root);
	free_one = (pid_t)fcntl(root, F_GETFD);
	ok(free_one < 0 && errno == EBADF, "and is closed by the last");
	ok(root_open((uint32_t)jailed, (uint32_t)jailed) < 0, "whoever has gone has none");
	root_drop(ours);
	root_drop(ours);
}

/* --- maps, of a process with many mappings that ends while they are read */

#define PIECES 8000u

static bool
map_pieces(void)
{
	for (unsigned i = 0; i < PIECES; i++) {
		char *two = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (two == MAP_FAILED || mprotect(two, 4096, PROT_READ | PROT_EXEC) < 0)
			return false;
	}
	return true;
}

static void
test_half_read(void)
{
	unsigned whole = 0, cut = 0, gone = 0;

	for (unsigned i = 0; i < 30; i++) {
		struct modules modules = { 0 };
		struct maps maps = { 0 };
		pid_t pid = start(map_pieces);
		pid_t killer = pid < 0 ? -1 : fork();

		if (pid < 0)
			break;
		if (killer == 0) {
			usleep(i * 1000);
			kill(pid, SIGKILL);
			_exit(0);
		}
		if (maps_read(&maps, &modules, (uint32_t)pid, (uint32_t)pid) < 0)
			gone++;
		else if (maps.count >= PIECES)
			whole++;
		else
			cut++;
		maps_clear(&maps);
		modules_release(&modules);
		waitpid(killer, NULL, 0);
		end(pid);
	}
	note("%u lists were whole, %u processes gone before the end", whole, gone);
	ok(cut == 0, "a list that ended with its process is not said to be whole");
}

int
main(void)
{
	char command[64];

	if (!mkdtemp(folder) || chdir(folder) < 0)
		skip_all("no /tmp");
	setvbuf(stdout, NULL, _IOLBF, 0);
	test_roots();
	test_half_read();
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) != 0 || done_testing();
}
