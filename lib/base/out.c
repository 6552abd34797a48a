#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ZLIB_CONST /* what it compresses it does not change */
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/warn.h"

#define OUT_BLOCK ((size_t)128 << 10)
/* Files that others left under names like our temporary one. */
#define NAMES_TRIED 100
/* What a temporary name has at its end: two numbers. */
#define SUFFIX_MAX 32

struct out {
	int fd;
	char *name;	 /* what messages call it */
	char *path;	 /* the file's name once it is whole, NULL when written in place */
	char *temporary; /* its name until then, NULL while it has none */
	struct buf block;
	off_t begin, written; /* in place: where in a regular file that begins, -1 if it is none; and how much */
	z_stream *gzip;
	unsigned char *packed;
	int error; /* errno of the first failure */
};

/* As much of a path as temporary names begin with: the last part may be as long as names can be. */
static int
stem_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = strlen(path), most = (slash ? (size_t)(slash + 1 - path) : 0) + NAME_MAX - SUFFIX_MAX;

	return (int)(length < most ? length : most);
}

/* A file without a name, in the directory where it will get one: whatever ends us, nothing is left behind.
 * Where the file system has none, or /proc is not there to name it by, one with a name of its own. */
static int
open_unnamed(struct out *out)
{
	char *directory = mem_print("%s", out->path), *slash = strrchr(directory, '/');

	if (slash)
		slash[slash == directory] = '\0';
	if (access("/proc/self/fd", X_OK) == 0)
		out->fd = open(slash ? directory : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(directory);
	if (out->fd >= 0)
		return 0;
	out->temporary = mem_print("%.*s.XXXXXX", stem_length(out->path), out->path);
	out->fd = mkostemp(out->temporary, O_CLOEXEC);
	if (out->fd < 0) {
		free(out->temporary);
		out->temporary = NULL;
	}
	return out->fd;
}

/* What a path names once symbolic links are followed, be it there already or not. */
static char *
follow(const char *path)
{
	char target[PATH_MAX], *name = mem_print("%s", path), *next;
	const char *slash;
	ssize_t n;

	if (realpath(path, target)) {
		free(name);
		return mem_print("%s", target);
	}
	/* As many links as the kernel follows. */
	for (int links = 0; links < 40 && (n = readlink(name, target, sizeof target - 1)) >= 0; links++) {
		target[n] = '\0';
		slash = target[0] == '/' ? NULL : strrchr(name, '/');
		next = mem_print("%.*s%s", slash ? (int)(slash + 1 - name) : 0, name, target);
		free(name);
		name = next;
	}
	return name;
}

/* A file that may be replaced: absent or regular. Symlinks are followed to what they name; the new file has
 * the old one's mode and, where we may, its owner. */
static int
open_new(struct out *out, const char *path)
{
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	out->path = follow(path);
	if (open_unnamed(out) < 0)
		return -1;
	if (stat(out->path, &st) < 0)
		return fchmod(out->fd, 0666 & ~mask);
	if (fchown(out->fd, st.st_uid, st.st_gid) < 0)
		return fchmod(out->fd, st.st_mode & 0777);
	return fchmod(out->fd, st.st_mode & 07777);
}

/* linkat() replaces nothing: a file without a name first gets one that nobody has. */
static int
name_temporarily(struct out *out)
{
	char self[64];

	snprintf(self, sizeof self, "/proc/self/fd/%d", out->fd);
	for (int i = 0; i < NAMES_TRIED; i++) {
		out->temporary = mem_print("%.*s.%ld.%d", stem_length(out->path), out->path, (long)getpid(), i);
		if (linkat(AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) == 0)
			return 0;
		free(out->temporary);
		out->temporary = NULL;
		if (errno != EEXIST)
			break;
	}
	return -1;
}

/* Gives the file its name, in place of the one that had it. */
static int
name_file(struct out *out)
{
	if (!out->temporary && name_temporarily(out) < 0)
		return -1;
	return rename(out->temporary, out->path);
}

void
out_hold_standard(void)
{
	/* The lowest free number is given; each is opened the way that it is not used. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
			return;
}

/* A copy of its own; -1 if it is closed, or its place is only held. */
static int
open_stdout(void)
{
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	errno = EBADF;
	return -1;
}

/* A regular file that is written in place: where we begin, so that what fails can be taken back. */
static void
mark_begin(struct out *out)
{
	struct stat st;

	out->begin = -1;
	if (!out->path && fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode))
		out->begin = fcntl(out->fd, F_GETFL) & O_APPEND ? st.st_size : lseek(out->fd, 0, SEEK_CUR);
}

/* Complete, or absent: unless somebody else has written behind us. */
static void
take_back(struct out *out)
{
	struct stat st;

	if (out->begin >= 0 && fstat(out->fd, &st) == 0 && st.st_size == out->begin + out->written &&
	    ftruncate(out->fd, out->begin) == 0)
		lseek(out->fd, out->begin, SEEK_SET);
}

static void
begin_gzip(struct out *out)
{
	out->gzip = mem_alloc(sizeof *out->gzip);
	out->packed = mem_alloc(OUT_BLOCK);
	if (deflateInit2(out->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		die("out of memory");
}

static bool
is_called_gzip(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	return length >= 3 && strcmp(path + length - 3, ".gz") == 0;
}

struct out *
out_open(const char *path, bool gzip)
{
	struct out *out = mem_alloc(sizeof *out);
	struct stat st;
	bool is_there;
	int failed;

	out->fd = -1;
	signal(SIGPIPE, SIG_IGN); /* EPIPE is told by write() */
	if (!path || strcmp(path, "-") == 0) {
		out->name = mem_print("standard output");
		failed = out->fd = open_stdout();
	} else {
		out->name = mem_print("%s", path);
		is_there = stat(path, &st) == 0;
		if (!is_there && (errno != ENOENT || !*path))
			failed = -1;
		else if (is_there && !S_ISREG(st.st_mode))
			failed = out->fd = open(path, O_WRONLY | O_CLOEXEC);
		else
			failed = open_new(out, path);
	}
	if (failed < 0) {
		warn("open %s:", out->name);
		out_abandon(out);
		return NULL;
	}
	if (gzip || is_called_gzip(path))
		begin_gzip(out);
	mark_begin(out);
	buf_reserve(&out->block, OUT_BLOCK);
	return out;
}

struct out *
out_open_again(const struct out *first, bool gzip)
{
	struct out *out = mem_alloc(sizeof *out);

	out->name = mem_print("%s", first->name);
	out->fd = fcntl(first->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (out->fd < 0) {
		warn("open %s:", out->name);
		out_abandon(out);
		return NULL;
	}
	if (gzip || first->gzip)
		begin_gzip(out);
	mark_begin(out);
	buf_reserve(&out->block, OUT_BLOCK);
	return out;
}

static void
write_all(struct out *out, const void *bytes, size_t length)
{
	const char *p = bytes;

	while (length && !out->error) {
		ssize_t n = write(out->fd, p, length);

		if (n < 0 && errno == EAGAIN) /* who shares the descriptor with us has made it one that does not wait */
			poll(&(struct pollfd){ .fd = out->fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			out->error = errno;
		if (n > 0) {
			p += n;
			length -= (size_t)n;
			out->written += n;
		}
	}
}

static void
pass_on(struct out *out, const void *bytes, size_t length, int flush)
{
	if (!out->gzip) {
		write_all(out, bytes, length);
		return;
	}
	out->gzip->next_in = bytes;
	out->gzip->avail_in = (unsigned)length;
	do {
		out->gzip->next_out = out->packed;
		out->gzip->avail_out = (unsigned)OUT_BLOCK;
		deflate(out->gzip, flush);
		write_all(out, out->packed, OUT_BLOCK - out->gzip->avail_out);
	} while (out->gzip->avail_out == 0);
}

static void
pass_block_on(struct out *out, int flush)
{
	pass_on(out, out->block.data, out->block.length, flush);
	buf_clear(&out->block);
}

void
out_add(struct out *out, const void *bytes, size_t length)
{
	const char *p = bytes;

	while (length) {
		size_t room = OUT_BLOCK - out->block.length, n = length < room ? length : room;

		if (n == OUT_BLOCK) {
			pass_on(out, p, n, Z_NO_FLUSH); /* a large piece needs no copy */
		} else {
			buf_add(&out->block, p, n);
			if (out->block.length == OUT_BLOCK)
				pass_block_on(out, Z_NO_FLUSH);
		}
		p += n;
		length -= n;
	}
}

void
out_text(struct out *out, const char *text)
{
	out_add(out, text, strlen(text));
}

void
out_char(struct out *out, char c)
{
	buf_char(&out->block, c);
	if (out->block.length >= OUT_BLOCK)
		pass_block_on(out, Z_NO_FLUSH);
}

void
out_number(struct out *out, uint64_t value)
{
	buf_number(&out->block, value);
	if (out->block.length >= OUT_BLOCK)
		pass_block_on(out, Z_NO_FLUSH);
}

void
out_print(struct out *out, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		die("out of memory");
	out_add(out, text, (size_t)n);
	free(text);
}

void
out_flush(struct out *out)
{
	pass_block_on(out, Z_SYNC_FLUSH);
}

bool
out_failed(const struct out *out)
{
	return out->error != 0;
}

int
out_close(struct out *out)
{
	int failed, reason;

	pass_block_on(out, Z_FINISH);
	/* A network file system tells a full disk only here. */
	if (!out->error && out->path && fsync(out->fd) < 0 && errno != EINVAL && errno != EROFS)
		out->error = errno;
	if (!out->error && out->path && name_file(out) < 0)
		out->error = errno;
	if (out->error)
		take_back(out);
	if (close(out->fd) < 0 && !out->error && errno != EINTR)
		out->error = errno;
	out->fd = -1;
	failed = out->error ? -1 : 0;
	if (!failed) {
		free(out->temporary);
		out->temporary = NULL;
	} else if (out->error != EPIPE) {
		errno = out->error;
		warn("write %s:", out->name);
	}
	reason = out->error;
	out_abandon(out);
	if (failed)
		errno = reason;
	return failed;
}

void
out_abandon(struct out *out)
{
	if (!out)
		return;
	if (out->fd >= 0)
		close(out->fd);
	if (out->temporary)
		unlink(out->temporary);
	if (out->gzip)
		deflateEnd(out->gzip);
	free(out->gzip);
	free(out->packed);
	free(out->temporary);
	free(out->path);
	free(out->name);
	buf_release(&out->block);
	free(out);
}
