/* A page of gp-flame with any header, names and rows, and the sum that they ask for: it is read, or refused.
 * The input: digits of RECENT and of columns, then the three, a NUL between them. Other input is a page as it is. */
#include <sys/mman.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/input.h"
#include "fold/import_page.h"

#define END "</script>"

static void
page_of(const char *bytes, size_t size, struct buf *page)
{
	const char *header = bytes + 2, *end = bytes + size, *names, *rows;
	unsigned long crc = crc32(0, NULL, 0);

	names = memchr(header, '\0', (size_t)(end - header));
	rows = names ? memchr(names + 1, '\0', (size_t)(end - names - 1)) : NULL;
	if (!rows) {
		buf_add(page, bytes, size);
		return;
	}
	crc = crc32_z(crc, (const unsigned char *)header, (size_t)(names - header));
	crc = crc32_z(crc, (const unsigned char *)names + 1, (size_t)(rows - names - 1));
	crc = crc32_z(crc, (const unsigned char *)rows + 1, (size_t)(end - rows - 1));
	buf_text(page, "<!DOCTYPE html>\n<html lang=\"en\" data-gp-profiles=\"1\">\n"
	    "<script type=\"application/json\" class=\"header\" data-tab=\"0\">");
	buf_add(page, header, (size_t)(names - header));
	buf_text(page, END "<script type=\"text/plain\" class=\"names\" data-tab=\"0\">");
	buf_add(page, names + 1, (size_t)(rows - names - 1));
	buf_print(page, END "<script type=\"text/plain\" class=\"rows\" data-tab=\"0\" data-recent=\"%c\" data-columns=\"%c\">",
	    bytes[0], bytes[1]);
	buf_add(page, rows + 1, (size_t)(end - rows - 1));
	buf_print(page, END "<script type=\"text/plain\" class=\"sum\" data-tab=\"0\">%08lx" END "</html>\n", crc);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("page", MFD_CLOEXEC);
	struct import_page page = { 0 };
	struct buf text = { 0 };
	struct input *input;
	struct fold fold;
	char path[32];

	if (size < 2 || fd < 0) {
		close(fd);
		return 0;
	}
	page_of((const char *)bytes, size, &text);
	if (write(fd, text.data, text.length) != (ssize_t)text.length)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	input = input_open(path);
	fold_init(&fold);
	if (input && input_next_member(input) > 0 && import_page_open(&page, input) == 0 && import_page_next(&page, &fold) > 0)
		for (size_t i = 0; i < fold.stacks.count; i++)
			for (uint32_t frame = 0; frame < fold.stacks.list[i].count; frame++)
				if (fold.stacks.list[i].frames[frame] >= fold.names.count)
					abort();
	import_page_close(&page);
	fold_release(&fold);
	buf_release(&text);
	if (input)
		input_close(input);
	close(fd);
	return 0;
}
