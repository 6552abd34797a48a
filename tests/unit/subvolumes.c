/* Files that have one device and one inode number in mappings, as those of subvolumes of btrfs: each is itself. Two
 * file systems in memory, which count inodes from the same number on, play the subvolumes. */
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "target/module.h"
#include "tap.h"

static char folder[] = "/tmp/gp-unit.XXXXXX";

/* In libc's place. */
int
fstatfs(int fd, struct statfs *fs)
{
	(void)fd;
	*fs = (struct statfs){ .f_type = BTRFS_SUPER_MAGIC };
	return 0;
}

/* A program on a file system of its own; its inode, 0: that is not possible here. */
static uint64_t
make(const char *name, char path[static 64])
{
	char command[256];
	struct stat st;

	snprintf(path, 64, "%s/%s", folder, name);
	if (mkdir(path, 0755) < 0 || mount("none", path, "tmpfs", 0, NULL) < 0)
		return 0;
	snprintf(path, 64, "%s/%s/program", folder, name);
	snprintf(command, sizeof command, "cp /proc/%d/exe %s", (int)getpid(), path);
	return system(command) == 0 && stat(path, &st) == 0 ? st.st_ino : 0;
}

static void
clean(void)
{
	char path[64];

	for (const char *name = "abc"; *name; name++) {
		snprintf(path, sizeof path, "%s/%c", folder, *name);
		umount2(path, MNT_DETACH);
		rmdir(path);
	}
	rmdir(folder);
}

int
main(void)
{
	struct modules modules = { 0 };
	struct module_place place = { .pid = (uint32_t)getpid(), .device = 77, .start = 4096, .end = 8192 };
	struct module *one, *other;
	char a[64], b[64];

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || !mkdtemp(folder))
		skip_all("no mount namespaces");
	place.inode = make("a", a);
	if (!place.inode || make("b", b) != place.inode) {
		clean();
		skip_all("the two do not count alike");
	}
	place.path = a;
	one = modules_find(&modules, &place);
	place.path = b;
	other = modules_find(&modules, &place);
	ok(one->elf && other->elf && one != other, "two files of one number are two");
	is_text(other->path, b, "the second is called as it is");
	ok(modules_find(&modules, &place) == other, "and found again");
	place.path = a;
	ok(modules_find(&modules, &place) == one, "as is the first");
	unlink(a);
	ok(modules_find(&modules, &place) == one, "of one that is gone nobody can tell: it is what it was");
	modules_release(&modules);
	clean();
	return done_testing();
}
