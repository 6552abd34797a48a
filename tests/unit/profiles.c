/* profiles.c: whatever the clock does, each interval has a file of its own; and a stream into a file has what could be
 * written whole, and nothing else. */
#include <sys/resource.h>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/profiles.h"
#include "tap.h"

#define SECOND 1000000000ull
#define BEGIN (1700000000 * SECOND)

static void
make(void *context, struct out *out)
{
	size_t *lines = context;

	for (size_t i = 0; i < *lines; i++)
		out_text(out, "a;b;c 1\n");
}

/* Removes them. */
static size_t
count_files(void)
{
	DIR *list = opendir("files");
	struct dirent *file;
	size_t count = 0;

	while (list && (file = readdir(list)))
		count += unlinkat(dirfd(list), file->d_name, 0) == 0;
	if (list)
		closedir(list);
	rmdir("files");
	return count;
}

/* Seconds from the beginning, as the clock tells them when each interval of one begins. */
static void
name_all(const char *name, const uint64_t *seconds, size_t count, const char *what)
{
	struct profiles profiles = { .output = name, .every = SECOND };
	size_t lines = 1, files;

	ok(mkdir("files", 0777) == 0 && profiles_open(&profiles, BEGIN) == 0, "%s", what);
	for (size_t i = 0; i < count; i++)
		while (profiles_write(&profiles, BEGIN + seconds[i] * SECOND, i + 1 == count, make, &lines) > 0)
			profiles_reap(&profiles, true);
	ok(profiles_close(&profiles) == 0 && profiles.written == count, "... all are written");
	files = count_files();
	ok(files == count, "... %zu files of %zu intervals", files, count);
}

static void
test_names(void)
{
	static const uint64_t set_back[] = { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, often[] = { 5, 4, 3, 2, 1, 0, 5, 4, 7 },
			 forward[] = { 0, 1, 100, 101, 100, 101, 102 };

	name_all("files/%s", set_back, 14, "a clock set back once");
	name_all("files/%s", often, 9, "again and again");
	name_all("files/%s", forward, 7, "forward, and back");
}

/* So many lines each; an interval of more than the file may have is lost alone. */
static void
stream(int flags, bool gzip, const char *what)
{
	static size_t lines[] = { 10, 20, 100000, 30 };
	struct profiles profiles = { .output = "-", .gzip = gzip, .every = SECOND };
	struct rlimit most = { gzip ? 300 : 65536, RLIM_INFINITY };
	int out = dup(STDOUT_FILENO), fd = open("stream", O_WRONLY | O_CREAT | O_TRUNC | flags, 0666);
	char *text = NULL;
	FILE *file;

	fflush(stdout);
	if (flags & O_APPEND)
		dprintf(fd, "before 1\n");
	dup2(fd, STDOUT_FILENO);
	setrlimit(RLIMIT_FSIZE, &most);
	profiles_open(&profiles, BEGIN);
	for (size_t i = 0; i < 4; i++)
		while (profiles_write(&profiles, BEGIN + i * SECOND, i == 3, make, &lines[i]) > 0)
			profiles_reap(&profiles, true);
	profiles_close(&profiles);
	most.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &most);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(fd);
	ok(profiles.written == 3 && profiles.failed == 1, "%s: one of four is lost", what);
	file = popen(gzip ? "gzip -dc stream" : "cat stream", "r");
	for (size_t length = 0, all = 0, ends = 0, strange = 0; file; all++) {
		if (getline(&text, &length, file) < 0) {
			ok(all == 63 + !!(flags & O_APPEND) && ends == 3 && strange == !!(flags & O_APPEND),
			    "... the others are there, whole: %zu lines, %zu ends", all, ends);
			break;
		}
		ends += strcmp(text, "#\n") == 0;
		strange += strcmp(text, "#\n") != 0 && strcmp(text, "a;b;c 1\n") != 0;
	}
	ok(file && pclose(file) == 0, "... and nothing else");
	free(text);
}

int
main(void)
{
	char directory[] = "/tmp/profiles.XXXXXX";

	signal(SIGXFSZ, SIG_IGN);
	if (!freopen("/dev/null", "w", stderr) || !mkdtemp(directory) || chdir(directory) < 0) /* it says what it is to say */
		return 1;
	test_names();
	stream(0, false, "a stream into a file");
	stream(O_APPEND, false, "behind what is there");
	stream(0, true, "compressed");
	unlink("stream");
	rmdir(directory);
	return done_testing();
}
