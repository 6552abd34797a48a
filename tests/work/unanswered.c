/* Memory that does not come: unanswered KIND [seconds [processes]] burns, as an ordinary user, with pages of a file of
 * its own file system (FUSE), whose server answers everything but READ. Whoever touches one of these waits until the
 * server ends; it never does itself.
 *
 *	text	where a library's text goes on they are code that no file has: to be compared with the library's
 *	late	the same, and they come, one by one, 60 ms later
 *	stack	they follow on the stack it burns on, deep
 *
 * "ready PID" for each process on stdout. Status 3: no such file system here. */
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <linux/fuse.h>

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>
#include <unistd.h>

#include "work.h"

#define PAGE ((size_t)4096)
#define USER 65534
#define FILE_NODE 2
#define FILE_SIZE (64 * PAGE)

static double seconds;

static int
refuse(const char *what)
{
	perror(what);
	return 3;
}

static int
fail(const char *what)
{
	perror(what);
	return 1;
}

/* --- the file system: a directory in which every name is one file */

static struct fuse_attr
attributes(uint64_t node)
{
	bool is_file = node == FILE_NODE;

	return (struct fuse_attr){ .ino = node, .nlink = 1, .uid = USER, .gid = USER, .blksize = PAGE,
		.mode = is_file ? S_IFREG | 0755 : S_IFDIR | 0755, .size = is_file ? FILE_SIZE : 0 };
}

static void
serve(int device, bool late)
{
	static union {
		struct fuse_in_header header;
		char room[1 << 17];
	} in;
	struct {
		struct fuse_out_header header;
		union {
			struct fuse_init_out init;
			struct fuse_entry_out entry;
			struct fuse_attr_out attr;
			struct fuse_open_out open;
			char page[PAGE];
		};
	} out;

	while (read(device, &in, sizeof in) > 0) {
		size_t size = 0;

		memset(&out, 0, sizeof out);
		out.header.unique = in.header.unique;
		switch (in.header.opcode) {
		case FUSE_READ: /* a page: nothing is read ahead */
			if (!late)
				continue;
			usleep(60000);
			size = sizeof out.page;
			break;
		case FUSE_FORGET:
		case FUSE_BATCH_FORGET:
		case FUSE_INTERRUPT:
			continue;
		case FUSE_INIT:
			out.init = (struct fuse_init_out){ .major = 7, .minor = 31, .max_write = 65536 };
			size = sizeof out.init;
			break;
		case FUSE_LOOKUP:
			out.entry = (struct fuse_entry_out){ .nodeid = FILE_NODE, .entry_valid = 60, .attr_valid = 60 };
			out.entry.attr = attributes(FILE_NODE);
			size = sizeof out.entry;
			break;
		case FUSE_GETATTR:
			out.attr = (struct fuse_attr_out){ .attr_valid = 60, .attr = attributes(in.header.nodeid) };
			size = sizeof out.attr;
			break;
		case FUSE_OPEN:
			size = sizeof out.open;
			break;
		case FUSE_FLUSH:
		case FUSE_RELEASE:
			break;
		default:
			out.header.error = -ENOSYS;
		}
		out.header.len = (uint32_t)(sizeof out.header + size);
		if (write(device, &out, out.header.len) < 0)
			perror("unanswered: write");
	}
}

/* --- who has its pages */

static int
find_libc(struct dl_phdr_info *info, size_t size, void *to)
{
	(void)size;
	for (int i = 0; strstr(info->dlpi_name, "libc.so") && i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			*(off_t *)to = (off_t)(info->dlpi_phdr[i].p_offset & ~(PAGE - 1));
			return open(info->dlpi_name, O_RDONLY);
		}
	return 0;
}

/* Of two halves the second becomes pages of ours, none of which follows its neighbour. */
static int
put_behind(char *first, int rights, int ours)
{
	for (size_t i = 0, from = FILE_SIZE - PAGE; i < FILE_SIZE; i += PAGE, from -= PAGE)
		if (mmap(first + FILE_SIZE + i, PAGE, rights, MAP_PRIVATE | MAP_FIXED, ours, (off_t)from) == MAP_FAILED)
			return -1;
	return 0;
}

/* A library's text, and behind its first half what is in place of the other. */
static int
put_text(int ours)
{
	off_t text = 0;
	int library = dl_iterate_phdr(find_libc, &text);
	char *at = mmap(NULL, 2 * FILE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, library, text);

	return at == MAP_FAILED ? -1 : put_behind(at, PROT_READ | PROT_EXEC, ours);
}

WORK_FUNCTION void
burn_deep(int n)
{
	char room[200];

	__asm__ volatile("" ::"r"(room) : "memory");
	if (n)
		burn_deep(n - 1);
	else
		work_burn(seconds);
	WORK_STAY();
}

static void
burn_on_stack(void)
{
	burn_deep(100);
}

static int
burn_before(int ours)
{
	char *at = mmap(NULL, 2 * FILE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ucontext_t here, there;

	if (at == MAP_FAILED || put_behind(at, PROT_READ | PROT_WRITE, ours) < 0 || getcontext(&there) < 0)
		return -1;
	there.uc_stack = (stack_t){ .ss_sp = at, .ss_size = FILE_SIZE };
	there.uc_link = &here;
	makecontext(&there, burn_on_stack, 0);
	return swapcontext(&here, &there);
}

static int
be_target(const char *kind)
{
	int ours;

	if (setgid(USER) < 0 || setuid(USER) < 0)
		return fail("unanswered: setuid");
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* setuid() takes it back */
	ours = open("unanswered/file", O_RDONLY);
	if (ours < 0)
		return fail("unanswered: open");
	if (strcmp(kind, "stack") != 0 && put_text(ours) < 0)
		return fail("unanswered: mmap");
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	if (strcmp(kind, "stack") != 0)
		work_burn(seconds);
	else if (burn_before(ours) < 0)
		return fail("unanswered: stack");
	return 0;
}

int
main(int argc, char *argv[])
{
	const char *kind = argc > 1 ? argv[1] : "text";
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC), targets = (int)work_argument(argc, argv, 3, 1), status;
	int worst = 0;
	char options[128];
	pid_t server;

	seconds = work_argument(argc, argv, 2, 60);
	if (device < 0)
		return refuse("/dev/fuse");
	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%d,group_id=%d", device, USER, USER);
	mkdir("unanswered", 0755);
	/* The mount ends with us. */
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("unanswered", "unanswered", "fuse", MS_NOSUID | MS_NODEV, options) < 0)
		return refuse("mount of type fuse");
	server = fork();
	if (server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(device, strcmp(kind, "late") == 0);
		_exit(0);
	}
	close(device);
	for (int i = 0; i < targets; i++)
		if (fork() == 0)
			_exit(be_target(kind));
	for (int i = 0; i < targets && wait(&status) != server; i++)
		if (WEXITSTATUS(status) > worst)
			worst = WEXITSTATUS(status);
	kill(server, SIGKILL);
	return worst;
}
