#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "source/perf_data_file.h"

/* The header of a file; that of a pipe is its first two words. */
struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section {
		uint64_t offset, size;
	} attrs, data, event_types;
	uint64_t features[PERF_FEATURES / 64];
};
#define PIPE_HEADER_SIZE 16

/* Larger than any: a section is read whole. */
#define SECTION_MAX ((uint64_t)256 << 20)

struct file {
	const char *name;
	int fd;
	uint64_t size;
	struct file_header header;
};

static int
damaged(const struct file *file, const char *what)
{
	return warn("%s is damaged: %s", file->name, what);
}

/* Exactly size bytes at an offset; -1, in silence, if they are not there. */
static int
read_at(int fd, uint64_t offset, void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		done += (size_t)got;
	}
	return 0;
}

/* NULL, said, if it is not there; free() it. */
static unsigned char *
read_section(const struct file *file, struct section section, const char *what)
{
	unsigned char *bytes;

	if (section.size > SECTION_MAX) {
		warn("%s is damaged: %s of %" PRIu64 " bytes", file->name, what, section.size);
		return NULL;
	}
	if (section.offset <= file->size && section.size <= file->size - section.offset) {
		bytes = mem_resize(NULL, section.size + 1, 1);
		if (read_at(file->fd, section.offset, bytes, section.size) == 0)
			return bytes;
		free(bytes);
	}
	warn("%s is cut: %s should be at byte %" PRIu64, file->name, what, section.offset);
	return NULL;
}

/* An attribute of a file is followed by where its ids are. */
static int
read_attr(const struct file *file, const unsigned char *attr, struct perf_data_header *header)
{
	size_t size = file->header.attr_size - sizeof(struct section);
	struct section where;
	unsigned char *ids;
	int result;

	memcpy(&where, attr + size, sizeof where);
	ids = read_section(file, where, "the ids of events");
	if (!ids)
		return -1;
	result = perf_header_add_event(header, cursor_of(attr, size), cursor_of(ids, where.size));
	free(ids);
	return result < 0 ? damaged(file, "an event's attribute") : 0;
}

static int
read_attrs(const struct file *file, struct perf_data_header *header)
{
	uint64_t each = file->header.attr_size, size = file->header.attrs.size;
	unsigned char *bytes;
	int result = 0;

	if (each < PERF_ATTR_SIZE_VER0 + sizeof(struct section) || each > 65536 || !size || size % each)
		return damaged(file, "no attributes of events");
	bytes = read_section(file, file->header.attrs, "the list of events");
	if (!bytes)
		return -1;
	for (uint64_t at = 0; at < size && result == 0; at += each)
		result = read_attr(file, bytes + at, header);
	free(bytes);
	return result;
}

/* Behind the records: where each feature of the bitmap is. */
static int
read_features(const struct file *file, struct perf_data_header *header)
{
	uint64_t at = file->header.data.offset + file->header.data.size;

	for (unsigned feature = 0; feature < PERF_FEATURES; feature++) {
		struct section where;
		unsigned char *bytes;
		int result;

		if (!(file->header.features[feature / 64] >> feature % 64 & 1))
			continue;
		if (read_at(file->fd, at, &where, sizeof where) < 0)
			return warn("%s is cut: what its header says of features is missing", file->name);
		at += sizeof where;
		if (feature == FEATURE_TRACING_DATA) /* the formats of all tracepoints: large, and not needed */
			continue;
		bytes = read_section(file, where, "a feature of its header");
		if (!bytes)
			return -1;
		result = perf_header_add_feature(header, feature, cursor_of(bytes, where.size));
		free(bytes);
		if (result < 0)
			return warn("%s is damaged: feature %u of its header", file->name, feature);
	}
	return 0;
}

static int
open_file(struct file *file, struct perf_stream *stream, struct perf_data_header *header)
{
	const struct section *data = &file->header.data;

	if (read_at(file->fd, 0, &file->header, sizeof file->header) < 0)
		return warn("%s is cut inside its header", file->name);
	if (data->offset % 8 || data->offset < sizeof file->header || data->size > INT64_MAX ||
	    data->offset > INT64_MAX)
		return damaged(file, "where its records are makes no sense");
	if (read_attrs(file, header) < 0)
		return -1;
	stream->offset = data->offset;
	if (data->offset > file->size || data->size > file->size - data->offset)
		return warn("%s is cut: %" PRIu64 " of its %" PRIu64 " bytes of records are there", file->name,
		    file->size > data->offset ? file->size - data->offset : 0, data->size);
	stream->end = data->offset + data->size;
	if (data->size == 0 && file->size > data->offset) {
		/* perf writes the size, and the features, when it ends: this one did not live to do so. */
		stream->may_be_cut = stream->was_cut = true;
		stream->end = file->size;
		return 0;
	}
	return read_features(file, header);
}

/* Exactly size bytes from the front. -1 if they are not there. */
static int
take(struct input *input, unsigned char *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = input_read(input, to + done, size - done);

		if (got <= 0)
			return -1;
		done += (size_t)got;
	}
	return 0;
}

static int
write_all(int fd, const unsigned char *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

/* A file's layout says at its front what stands at its end: what cannot be sought is copied first. */
static int
spool(struct input *input, const unsigned char *head, size_t size)
{
	const char *directory = getenv("TMPDIR");
	char *path = mem_print("%s/gp-fold.XXXXXX", directory && *directory ? directory : "/var/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	unsigned char *bytes = mem_resize(NULL, PERF_BLOCK_SIZE, 1);
	ssize_t got = (ssize_t)size;

	if (fd < 0) {
		warn("create %s:", path);
	} else if (unlink(path) < 0 || write_all(fd, head, size) < 0) {
		warn("write %s:", path);
		got = -1;
	}
	while (fd >= 0 && got > 0 && (got = input_read(input, bytes, PERF_BLOCK_SIZE)) > 0)
		if (write_all(fd, bytes, (size_t)got) < 0)
			got = warn("write %s:", path);
	if (fd >= 0 && got < 0) {
		close(fd);
		fd = -1;
	}
	free(bytes);
	free(path);
	return fd;
}

int
perf_data_file_open(struct input *input, struct perf_stream *stream, struct perf_data_header *header, int *spooled)
{
	struct file file = { .name = input_name(input), .fd = input_plain_file(input) };
	unsigned char head[PIPE_HEADER_SIZE];
	uint64_t size;
	struct stat st;

	*spooled = -1;
	*stream = (struct perf_stream){ .input = input, .fd = file.fd, .offset = sizeof head };
	if (file.fd >= 0 ? read_at(file.fd, 0, head, sizeof head) : take(input, head, sizeof head))
		return warn("%s is cut inside its header", file.name);
	memcpy(&size, head + sizeof file.header.magic, sizeof size);
	if (size != PIPE_HEADER_SIZE && size != sizeof file.header)
		return damaged(&file, "a header of a size that perf does not write");
	if (size == sizeof file.header && file.fd < 0)
		if ((stream->fd = file.fd = *spooled = spool(input, head, sizeof head)) < 0)
			return -1;
	if (file.fd >= 0 && fstat(file.fd, &st) < 0)
		return warn("stat %s:", file.name);
	if (file.fd >= 0)
		stream->end = file.size = (uint64_t)st.st_size;
	return size == PIPE_HEADER_SIZE ? 0 : open_file(&file, stream, header);
}
