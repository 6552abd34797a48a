#include <sys/stat.h>

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/warn.h"

/* Large reads keep the syscalls few, small enough to stay in the second-level cache. */
#define READ_SIZE ((size_t)256 << 10)
/* A tar's magic stands at 257. */
#define SNIFF 512

struct input {
	int fd;
	char *name, *shown;
	struct archive *archive; /* NULL: the bytes are read as they are */
	struct archive *packed;	 /* of a member that is compressed itself, else NULL */
	bool started;
	bool is_plain; /* a regular file, from its first byte on */
	char head[SNIFF];
	size_t head_length, head_used;
	char *block, *packed_block; /* what libarchive is given */
	char ahead[INPUT_PEEK_MAX]; /* of an archive's member, looked at and not yet read */
	size_t ahead_length, ahead_used;
};

/* By bytes that no text begins with; bzip2's and tar's are letters, and stand where they do in nothing else. */
static bool
is_packed(const char *head, size_t n)
{
	static const struct {
		size_t at, length;
		const char *bytes;
	} magic[] = {
		{ 0, 2, "\x1f\x8b" }, { 0, 4, "\x28\xb5\x2f\xfd" }, { 0, 6, "\xfd" "7zXZ" },
		{ 4, 6, "1AY&SY" }, { 4, 6, "\x17\x72\x45\x38\x50\x90" }, { 0, 4, "\x04\x22\x4d\x18" },
		{ 0, 4, "PK\x03\x04" }, { 0, 6, "7z\xbc\xaf\x27\x1c" }, { 0, 2, "\x1f\x9d" },
	};

	for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
		if (magic[i].at + magic[i].length <= n &&
		    memcmp(head + magic[i].at, magic[i].bytes, magic[i].length) == 0)
			return true;
	return n >= 262 && memcmp(head + 257, "ustar", 5) == 0 && memchr(head, '\0', 257);
}

/* Who shares the descriptor with us may have made it one that does not wait. */
static ssize_t
read_some(int fd, void *bytes, size_t n)
{
	ssize_t got;

	while ((got = read(fd, bytes, n)) < 0 && (errno == EINTR || errno == EAGAIN))
		if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
	return got;
}

static ssize_t
feed(struct archive *archive, void *context, const void **block)
{
	struct input *input = context;
	ssize_t got;

	if (input->head_used < input->head_length) {
		*block = input->head;
		input->head_used = input->head_length;
		return (ssize_t)input->head_length;
	}
	got = read_some(input->fd, input->block, READ_SIZE);
	if (got < 0)
		archive_set_error(archive, errno, "%s", strerror(errno));
	*block = input->block;
	return got;
}

static int
open_archive(struct input *input)
{
	struct archive *archive = input->archive = archive_read_new();

	if (!archive)
		die("out of memory");
	archive_read_support_filter_all(archive);
	archive_read_support_format_tar(archive);
	archive_read_support_format_zip_streamable(archive);
	archive_read_support_format_7zip(archive);
	archive_read_support_format_raw(archive);
	input->block = mem_alloc(READ_SIZE);
	if (archive_read_open(archive, input, NULL, feed, NULL) != ARCHIVE_OK)
		return warn("read %s: %s", input->name, archive_error_string(archive));
	return 0;
}

struct input *
input_open(const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	struct input *input = mem_alloc(sizeof *input);
	struct stat st;
	ssize_t got;

	input->name = standard ? mem_print("standard input") : mem_print("%s", name);
	input->fd = standard ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0) {
		warn("open %s:", input->name);
		goto fail;
	}
	/* Who gave us stdin may have read from it. */
	input->is_plain = fstat(input->fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(input->fd, 0, SEEK_CUR) == 0;
	while (input->head_length < SNIFF) {
		got = read_some(input->fd, input->head + input->head_length, SNIFF - input->head_length);
		if (got < 0) {
			warn("read %s:", input->name);
			goto fail;
		}
		if (got == 0)
			break;
		input->head_length += (size_t)got;
		/* A pipe's first line may come long before its second: do not hold it back. */
		if (input->head_length >= 6 && !is_packed(input->head, input->head_length) &&
		    memchr(input->head, '\n', input->head_length))
			break;
	}
	if (is_packed(input->head, input->head_length) && open_archive(input) < 0)
		goto fail;
	return input;
fail:
	input_close(input);
	return NULL;
}

/* Bytes of the archive's member as they lie in it. */
static ssize_t
feed_packed(struct archive *packed, void *context, const void **block)
{
	struct input *input = context;
	size_t left = input->ahead_length - input->ahead_used;
	ssize_t got = (ssize_t)left;

	*block = input->packed_block;
	memcpy(input->packed_block, input->ahead + input->ahead_used, left);
	input->ahead_length = input->ahead_used = 0;
	if (!left)
		got = archive_read_data(input->archive, input->packed_block, READ_SIZE);
	if (got < 0)
		archive_set_error(packed, EIO, "%s", archive_error_string(input->archive));
	return got;
}

/* A member may be compressed itself, as in a tar of hour-*.folded.gz. */
static int
open_member(struct input *input)
{
	struct archive_entry *entry;
	char head[INPUT_PEEK_MAX];
	ssize_t n;

	archive_read_free(input->packed);
	input->packed = NULL;
	input->ahead_length = input->ahead_used = 0;
	if (archive_format(input->archive) == ARCHIVE_FORMAT_RAW)
		return 0;
	n = input_peek(input, head, sizeof head);
	if (n < 0 || !is_packed(head, (size_t)n))
		return n < 0 ? -1 : 0;
	if (!input->packed_block)
		input->packed_block = mem_alloc(READ_SIZE);
	input->packed = archive_read_new();
	if (!input->packed)
		die("out of memory");
	archive_read_support_filter_all(input->packed);
	archive_read_support_format_raw(input->packed);
	if (archive_read_open(input->packed, input, NULL, feed_packed, NULL) != ARCHIVE_OK ||
	    archive_read_next_header(input->packed, &entry) != ARCHIVE_OK)
		return warn("read %s: %s", input_name(input), archive_error_string(input->packed));
	return 0;
}

/* Bytes of the member, all its packing undone. */
static ssize_t
read_member(struct input *input, void *bytes, size_t n)
{
	struct archive *from = input->packed ? input->packed : input->archive;
	ssize_t got = archive_read_data(from, bytes, n);

	return got < 0 ? warn("read %s: %s", input_name(input), archive_error_string(from)) : got;
}

int
input_next_member(struct input *input)
{
	struct archive_entry *entry;

	if (!input->archive) {
		bool first = !input->started;

		input->started = true;
		return first;
	}
	for (;;) {
		switch (archive_read_next_header(input->archive, &entry)) {
		case ARCHIVE_EOF:
			return 0;
		case ARCHIVE_OK:
		case ARCHIVE_WARN:
			break;
		default:
			return warn("read %s: %s", input->name, archive_error_string(input->archive));
		}
		if (archive_entry_filetype(entry) == AE_IFREG || archive_format(input->archive) == ARCHIVE_FORMAT_RAW)
			break;
	}
	free(input->shown);
	input->shown = NULL;
	if (archive_format(input->archive) != ARCHIVE_FORMAT_RAW) {
		const char *member = archive_entry_pathname(entry);

		input->shown = mem_print("%s:%s", input->name, member ? member : "?");
	}
	return open_member(input) < 0 ? -1 : 1;
}

ssize_t
input_peek(struct input *input, void *bytes, size_t n)
{
	ssize_t got;

	n = n < INPUT_PEEK_MAX ? n : INPUT_PEEK_MAX;
	if (!input->archive) { /* the beginning has been looked at already */
		size_t left = input->head_length - input->head_used;

		n = n < left ? n : left;
		memcpy(bytes, input->head + input->head_used, n);
		return (ssize_t)n;
	}
	while (input->ahead_length < n) {
		got = read_member(input, input->ahead + input->ahead_length, n - input->ahead_length);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		input->ahead_length += (size_t)got;
	}
	n = n < input->ahead_length ? n : input->ahead_length;
	memcpy(bytes, input->ahead, n);
	return (ssize_t)n;
}

ssize_t
input_read(struct input *input, void *bytes, size_t n)
{
	ssize_t got;

	if (input->ahead_used < input->ahead_length) {
		size_t left = input->ahead_length - input->ahead_used;

		n = n < left ? n : left;
		memcpy(bytes, input->ahead + input->ahead_used, n);
		input->ahead_used += n;
		return (ssize_t)n;
	}
	if (input->archive)
		return read_member(input, bytes, n);
	if (input->head_used < input->head_length) {
		size_t left = input->head_length - input->head_used;

		n = n < left ? n : left;
		memcpy(bytes, input->head + input->head_used, n);
		input->head_used += n;
		return (ssize_t)n;
	}
	got = read_some(input->fd, bytes, n);
	return got < 0 ? warn("read %s:", input_name(input)) : got;
}

const char *
input_name(const struct input *input)
{
	return input->shown ? input->shown : input->name;
}

int
input_plain_file(const struct input *input)
{
	return !input->archive && input->is_plain ? input->fd : -1;
}

void
input_close(struct input *input)
{
	if (!input)
		return;
	archive_read_free(input->packed);
	archive_read_free(input->archive);
	if (input->fd >= 0)
		close(input->fd);
	free(input->name);
	free(input->shown);
	free(input->block);
	free(input->packed_block);
	free(input);
}
