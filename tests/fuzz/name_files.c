/* The files that give names colours (--cp) and attributes (--nameattr): nothing of them gets out of its place. */
#include <sys/mman.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/warn.h"
#include "render/nameattr.h"
#include "render/palette.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Text between quotes may hold anything but marks. */
static void
check(const struct buf *markup)
{
	unsigned quotes = 0;

	for (size_t i = 0; i < markup->length; i++) {
		quotes += markup->data[i] == '"';
		if (markup->data[i] == '<' || markup->data[i] == '>')
			abort();
		if (quotes % 2 == 0 && i >= 2 && strncmp(markup->data + i - 2, " on", 3) == 0)
			abort();
	}
	if (quotes % 2)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("names", 0);
	struct palette palette = { 0 };
	struct nameattr attributes;
	struct buf markup = { 0 };
	const char *means;
	char path[32];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (nameattr_read(&attributes, path) == 0)
		for (size_t i = 0; i < attributes.names.count; i++) {
			nameattr_box(&attributes.values[i], &markup);
			if (nameattr_has_link(&attributes.values[i]))
				nameattr_link(&attributes.values[i], &markup);
		}
	check(&markup);
	palette_choose(&palette, "java");
	if (palette_read(&palette, path) == 0)
		palette_rgb(&palette, (const char *)"main", 4, &means);
	nameattr_release(&attributes);
	palette_release(&palette);
	buf_release(&markup);
	close(fd);
	return 0;
}
