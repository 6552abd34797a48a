#include <archive.h>

#include <stdlib.h>

#include "base/buf.h"
#include "base/unpack.h"

#define PIECE 65536u

unsigned char *
unpack(const void *packed, size_t packed_size, size_t limit, size_t *size)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	struct buf bytes = { 0 };
	la_ssize_t n = -1;

	*size = 0;
	if (!archive)
		return NULL;
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_raw(archive);
	if (archive_read_open_memory(archive, packed, packed_size) == ARCHIVE_OK &&
	    archive_read_next_header(archive, &entry) == ARCHIVE_OK)
		do {
			buf_reserve(&bytes, PIECE);
			n = archive_read_data(archive, bytes.data + bytes.length, PIECE);
			bytes.length += n > 0 ? (size_t)n : 0;
		} while (n > 0 && bytes.length <= limit);
	archive_read_free(archive);
	if (n != 0 || !bytes.length) {
		buf_release(&bytes);
		return NULL;
	}
	*size = bytes.length;
	return (unsigned char *)bytes.data;
}
