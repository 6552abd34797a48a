/* Folded text from anywhere: reading it ends well or is refused, and what is then written reads as itself. */
#include <sys/mman.h>

#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/warn.h"
#include "fold/folded.h"

/* Instead of base/warn.c: a fuzzer's stderr is its own. */
bool warn_quiet, warn_verbose;

void
warn_set_program(const char *argv0)
{
	(void)argv0;
}

const char *
warn_program(void)
{
	return "fuzz";
}

int
warn(const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return -1;
}

void
tell(const char *format, ...)
{
	(void)format;
}

void
detail(const char *format, ...)
{
	(void)format;
}

void
die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	abort();
}

static int
file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	return fd;
}

/* Reads what is in the file, writes the profile to another: that one, or -1 if it was refused. */
static int
pass(int from, const struct folded_options *options)
{
	char path[64], *operands[] = { path };
	int to = file_of("", 0), saved = dup(STDOUT_FILENO), result;
	struct fold fold;
	struct out *out;

	snprintf(path, sizeof path, "/proc/self/fd/%d", from);
	fold_init(&fold);
	result = folded_read(&fold, operands, 1, options);
	if (result == 0) {
		/* As every program does; a bare line could begin like zstd's bytes. */
		header_set_number(&fold.header, "gp", 1);
		if (dup2(to, STDOUT_FILENO) < 0 || !(out = out_open(NULL, false)))
			abort();
		folded_write(&fold, out, false);
		if (out_close(out) < 0 || dup2(saved, STDOUT_FILENO) < 0)
			abort();
	}
	fold_release(&fold);
	close(saved);
	if (result < 0)
		close(to);
	return result < 0 ? -1 : to;
}

static char *
content(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *bytes = malloc((size_t)end + 1);

	*size = (size_t)end;
	if (end < 0 || !bytes || pread(fd, bytes, *size, 0) != end)
		abort();
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const labels[] = { "host=a;b", "mine=1" };
	/* The shape of the input chooses: labels in every other length, --strict in every fourth. */
	struct folded_options options = { .strict = size % 4 == 3, .force = size % 3 == 1, .by_file = size % 8 == 5,
		.labels = labels, .label_count = size % 2 ? 2 : 0 };
	int in = file_of(bytes, size), once, twice;
	size_t once_size, twice_size;
	char *one, *other;

	once = pass(in, &options);
	close(in);
	if (once < 0)
		return 0;
	twice = pass(once, NULL);
	if (twice < 0)
		abort();
	one = content(once, &once_size);
	other = content(twice, &twice_size);
	if (once_size != twice_size || memcmp(one, other, once_size) != 0) {
		fprintf(stderr, "written:\n%.*s\nwritten again:\n%.*s\n", (int)once_size, one, (int)twice_size, other);
		abort();
	}
	free(one);
	free(other);
	close(once);
	close(twice);
	return 0;
}
