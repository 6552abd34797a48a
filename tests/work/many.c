/* Much of everything: many maps|jit|rewrite|fork [how many [seconds]]. Code pages of a file, in no two of which the
 * next goes on; pages of a JIT that change their protection all the time; code that is mapped over other code, moved
 * and unmapped, without end; processes that end at once. Then, or meanwhile, work. */
#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "work.h"

WORK_FUNCTION void
burn_many(double seconds)
{
	work_burn(seconds);
	WORK_STAY();
}

/* Mappings that the kernel cannot join. */
static int
map_pages(int count, double seconds)
{
	int fd = open("/proc/self/exe", O_RDONLY), made = 0;

	while (made < count && mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED)
		made++;
	close(fd);
	burn_many(seconds);
	printf("%d\n", made);
	return made == 0;
}

static int
flip_pages(int count, double seconds)
{
	char *pages = mmap(NULL, 256 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < count; i++) {
		char *page = pages + (size_t)(i * 37 % 256) * 4096;

		mprotect(page, 4096, PROT_READ | PROT_WRITE);
		mprotect(page, 4096, PROT_READ | PROT_EXEC);
		if (i % 2000 == 0)
			burn_many(seconds * 2000 / count);
	}
	return 0;
}

/* Whoever reads the list of mappings reads parts of many. */
static int
rewrite_pages(int count, double seconds)
{
	static const size_t page = 4096;
	char *place = mmap(NULL, 512 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double begin = work_thread_cpu();
	int fd = open("/proc/self/exe", O_RDONLY);
	unsigned seed = 1;

	if (place == MAP_FAILED || fd < 0)
		return 1;
	while (work_thread_cpu() - begin < seconds) {
		for (int i = 0; i < count; i++) {
			char *one, *other;

			seed = seed * 1103515245u + 12345u;
			one = place + (seed >> 16) % 512 * page;
			other = place + (seed >> 8) % 512 * page;
			if (i % 3 == 0)
				mmap(one, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
			else if (i % 3 == 1 && one != other)
				mremap(one, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, other);
			else
				munmap(one, page);
		}
		burn_many(0.0002);
	}
	return 0;
}

static int
end_at_once(int count)
{
	double begin = work_thread_cpu();
	int failed = 0;

	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		failed += pid < 0 || waitpid(pid, NULL, 0) != pid;
	}
	printf("%.3f\n", work_thread_cpu() - begin);
	return failed != 0;
}

int
main(int argc, char *argv[])
{
	const char *what = argc > 1 ? argv[1] : "";
	int count = (int)work_argument(argc, argv, 2, 1000);
	double seconds = work_argument(argc, argv, 3, 0.5);

	if (strcmp(what, "maps") == 0)
		return map_pages(count, seconds);
	if (strcmp(what, "jit") == 0)
		return flip_pages(count, seconds);
	if (strcmp(what, "rewrite") == 0)
		return rewrite_pages(count, seconds);
	return end_at_once(count);
}
