/* cgroup.c and cgroup_mount.c by texts of hosts that are not this one: v1, v2, both at once, containers. */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/cgroup.h"
#include "target/cgroup_mount.h"
#include "tap.h"

static void
chosen(const char *text, const char *wanted, const char *name)
{
	char *copy = mem_print("%s", text);

	is_text(cgroup_choose(copy), wanted, name);
	free(copy);
}

static void
test_choice(void)
{
	char empty[] = "";

	chosen("0::/user.slice/a\n", "/user.slice/a", "v2");
	chosen("0::/\n", "/", "v2's root");
	chosen("2:memory:/m\n1:name=systemd:/s\n0::/v2\n", "/v2", "both: v2");
	chosen("0::/v2\n1:name=systemd:/s\n2:memory:/m\n", "/v2", "... in any order");
	chosen("2:memory:/m\n1:name=systemd:/s\n0::/\n", "/s", "both, in v2's root: systemd's");
	chosen("0::/\n1:name=systemd:/s\n2:memory:/m\n", "/s", "... in any order");
	chosen("7:pids:/p\n5:cpu,cpuacct:/c\n4:memory:/m\n1:name=systemd:/\n", "/m", "without systemd's: memory's");
	chosen("1:name=systemd:/\n4:memory:/m\n5:cpu,cpuacct:/c\n7:pids:/p\n", "/m", "... in any order");
	chosen("7:pids:/p\n5:cpuacct,cpu:/c\n4:memory:/\n", "/c", "then cpu's, whatever else it is");
	chosen("9:rdma:/r\n8:hugetlb:/h\n7:cpuset:/x\n", "/x", "then the others that are known");
	chosen("9:rdma:/r\n8:hugetlb:/h\n", "/h", "then any, by its name");
	chosen("8:hugetlb:/h\n9:rdma:/r\n", "/h", "... in any order");
	chosen("9:rdma:/\n8:hugetlb:/\n", "/", "the root of all");
	chosen("3:memory:/a:b\n", "/a:b", "a colon in the path");
	chosen("nonsense\n3:memory:/a", "/a", "lines that are none are passed over");
	ok(!cgroup_choose(empty), "no line, no group");
}

/* parse LINE: "controllers group outside" of the directory, or "no" */
static void
mounted(const char *line, const char *directory, const char *wanted, const char *name)
{
	char *copy = mem_print("%s", line), *controllers, *group, *got;
	struct cgroup_mount mount;

	if (!cgroup_mount_parse(copy, &mount)) {
		got = mem_print("no");
	} else {
		controllers = cgroup_mount_controllers(&mount);
		group = cgroup_mount_group(&mount, directory);
		got = mem_print("%s %s%s", controllers, group, cgroup_is_outside(mount.root) ? " outside" : "");
		free(controllers);
		free(group);
	}
	is_text(got, wanted, name);
	free(got);
	free(copy);
}

static void
test_mounts(void)
{
	mounted("41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n", "/sys/fs/cgroup/a/b", " /a/b", "v2");
	mounted("41 31 0:38 / /sys/fs/cgroup rw shared:9 master:1 - cgroup2 none rw\n", "/sys/fs/cgroup", " /",
	    "its root, optional fields");
	mounted("35 31 0:32 / /c/cpu rw - cgroup cgroup rw,xattr,cpu,cpuacct\n", "/c/cpu/a", "cpu,cpuacct /a", "v1");
	mounted("35 31 0:32 / /c/s rw - cgroup cgroup rw,xattr,release_agent=/x,name=systemd\n", "/c/s/a",
	    "name=systemd /a", "systemd's");
	mounted("35 31 0:32 /docker/1 /c/m rw - cgroup cgroup rw,memory\n", "/c/m/a", "memory /docker/1/a",
	    "a container's part of a hierarchy, mounted for it");
	mounted("35 31 0:32 /docker/1 /c/m rw - cgroup cgroup rw,memory\n", "/c/m", "memory /docker/1", "... and its root");
	mounted("35 31 0:32 /.. /c/m rw - cgroup cgroup rw,memory\n", "/c/m/a", "memory /../a outside",
	    "mounted outside our namespace");
	mounted("35 31 0:32 /..data /c/m rw - cgroup cgroup rw,memory\n", "/c/m/a", "memory /..data/a", "a name of dots is none");
	mounted("35 31 0:32 / /my\\040c\\134d rw - cgroup cgroup rw,memory\n", "/my c\\d/x", "memory /x", "a blank in the place");
	mounted("35 31 0:32 / /proc rw - proc proc rw\n", "/proc", "no", "other file systems");
	mounted("35 31 0:32 / /x rw - cgroup20 x rw\n", "/x", "no", "... also of such a name");
	mounted("35 31 0:32 / /x rw - cgroup2\n", "/x", "no", "a line that is cut");
	mounted("35 31 - cgroup2 cgroup2 rw\n", "/x", "no", "a line without a place");
	mounted("\n", "/x", "no", "an empty line");
}

/* A directory is as good as a group. */
static void
test_renewal(void)
{
	struct cgroup cgroup = { .fd = -1 };
	char name[] = "/tmp/gp-cgroups-XXXXXX";
	struct stat was, is;

	if (!mkdtemp(name)) {
		ok(true, "a group made again # SKIP no directory in /tmp");
		return;
	}
	cgroup.directory = mem_print("%s", name);
	cgroup.fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fstat(cgroup.fd, &was);
	ok(!cgroup_renew(&cgroup), "a group that is still there");
	rmdir(name);
	ok(!cgroup_renew(&cgroup) && cgroup.fd >= 0, "removed: the last one stays");
	mkdir(name, 0700);
	ok(cgroup_renew(&cgroup) && fstat(cgroup.fd, &is) == 0 && was.st_ino != is.st_ino, "made again: it is the new one");
	ok(!cgroup_renew(&cgroup), "once");
	rmdir(name);
	cgroup_close(&cgroup);
}

int
main(void)
{
	test_choice();
	test_mounts();
	test_renewal();
	return done_testing();
}
