/* Code in an anonymous page, and a perf map of it that is good or bad: perf-map MODE [seconds]. Prints where
 * the map is; it stays. The code calls nothing: it counts down, so that it is the leaf. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <pthread.h>
#include "work.h"

static char path[64];
static uint64_t (*code)(uint64_t);

static void
make_code(void)
{
	static const unsigned char loop[] = {
		0x55,		  /* push %rbp */
		0x48, 0x89, 0xe5, /* mov %rsp, %rbp */
		0x48, 0xff, 0xcf, /* 1: dec %rdi */
		0x75, 0xfb,	  /* jnz 1b */
		0x5d,		  /* pop %rbp */
		0xc3,		  /* ret */
	};
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		exit(1);
	memcpy(page + 256, loop, sizeof loop);
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0)
		exit(1);
	code = (uint64_t (*)(uint64_t))(page + 256);
}

static void
run(double seconds)
{
	double end = work_clock(CLOCK_MONOTONIC) + seconds;

	while (work_clock(CLOCK_MONOTONIC) < end)
		code(1000000);
}

/* What a map says, %: where the code is. */
static const struct {
	const char *mode, *text;
} texts[] = {
	{ "prefix", "0x% 0x20 made_code\n" },
	{ "odd", "% 20 LazyCompile:*f a;b /x.js:1:2\n" },
	{ "twice", "% 20 made_first\n% 20 made_last\n10 20 made_elsewhere\n" },
	{ "half", "% 20 made_code\n% 20 made_ha" },
	{ "half-only", "% 20 made_ha" },
	{ "noise", "\n  \nx\n% 20 made_code\n% made_none\nzz % made_none\n-% 20 made_none\n" },
	{ "empty", "" },
	{ "threads", "" },
	{ "beside", "1% 20 made_beside\n" },
	{ "exec-second", "% 20 made_second\n" },
	{ "plain", "% 20 made_code\n" }, /* all others */
};

static void
write_text(const char *mode)
{
	size_t i = 0, last = sizeof texts / sizeof texts[0] - 1;
	FILE *file = fopen(path, "w");

	if (!file)
		exit(1);
	while (i < last && strcmp(texts[i].mode, mode) != 0)
		i++;
	for (const char *p = texts[i].text; *p; p++)
		if (*p == '%')
			fprintf(file, "%lx", (unsigned long)code);
		else
			fputc(*p, file);
	fclose(file);
}

/* What is at the path is not a good map. */
static void
spoil(const char *mode)
{
	static const struct timespec old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	char to[80];
	int bad = 0;

	snprintf(to, sizeof to, "%s.target", path);
	if (strcmp(mode, "stale") == 0)
		bad = utimensat(AT_FDCWD, path, old, 0);
	else if (strcmp(mode, "foreign") == 0)
		bad = chown(path, 65534, 65534);
	else if (strcmp(mode, "sparse") == 0)
		bad = truncate(path, 256L << 20);
	else if (strcmp(mode, "link") == 0)
		bad = rename(path, to) < 0 || symlink(to, path) < 0;
	else if (strcmp(mode, "fifo") == 0)
		bad = unlink(path) < 0 || mkfifo(path, 0644) < 0;
	else if (strcmp(mode, "folder") == 0)
		bad = unlink(path) < 0 || mkdir(path, 0755) < 0;
	if (bad)
		exit(1);
}

static void
grow(double seconds)
{
	double end = work_clock(CLOCK_MONOTONIC) + seconds;
	FILE *file = fopen(path, "a");

	while (file && work_clock(CLOCK_MONOTONIC) < end) {
		for (unsigned i = 0; i < 2000; i++)
			fprintf(file, "%x 10 made_elsewhere\n", i << 4);
		fflush(file);
		code(3000000);
	}
	if (file)
		fclose(file);
}

/* Lines without end that are nothing. */
static void
write_lines(void)
{
	FILE *file = fopen(path, "w");

	for (unsigned i = 0; file && i < 8u << 20; i++)
		fputc('\n', file);
	if (file)
		fclose(file);
}

static void *
end_at_once(void *unused)
{
	return unused;
}

static void *
make_threads(void *unused)
{
	pthread_t thread;

	while (pthread_create(&thread, NULL, end_at_once, NULL) == 0) {
		pthread_join(thread, NULL);
		usleep(1000);
	}
	return unused;
}

/* A map as large as one is read, which names nothing, and threads that end all the time. */
static void
end_threads(void)
{
	pthread_t thread;

	if (truncate(path, 200 << 20) < 0 || pthread_create(&thread, NULL, make_threads, NULL) != 0)
		exit(1);
}

int
main(int argc, char *argv[])
{
	const char *mode = argc > 1 ? argv[1] : "plain";
	double seconds = work_argument(argc, argv, 2, 1);
	pid_t child;

	make_code();
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	printf("%s\n", path);
	fflush(stdout);
	if (strcmp(mode, "dropped") == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
		return 1;
	if (strcmp(mode, "exec") != 0)
		write_text(mode);
	spoil(mode);
	if (strcmp(mode, "lines") == 0)
		write_lines();
	if (strcmp(mode, "endless") == 0)
		grow(seconds);
	if (strcmp(mode, "threads") == 0)
		end_threads();
	run(seconds);
	if (strcmp(mode, "fork") == 0 && (child = fork()) != -1) {
		if (child == 0) {
			run(seconds);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	if (strcmp(mode, "exec") == 0)
		execl(argv[0], argv[0], "exec-second", argv[2], NULL);
	return 0;
}
