/* An operand that may be compressed, an archive, UTF-16 ..., read line by line. */
#include <sys/mman.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("operand", 0);
	unsigned long total = 0;
	struct input *input;
	struct lines lines;
	char path[32], *line;
	size_t length;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	input = input_open(path);
	while (input && input_next_member(input) > 0) {
		lines_open(&lines, input);
		while (lines_next(&lines, &line, &length)) {
			line[length] = '\0'; /* as the header promises */
			total += length;
		}
		lines_close(&lines);
	}
	if (input)
		input_close(input);
	close(fd);
	/* Compressed 1000:1 at most, and UTF-16 grows by half: more than that came from nowhere. */
	if (total > size * 2000 + 4096)
		abort();
	return 0;
}
