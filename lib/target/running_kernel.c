#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "target/running_kernel.h"

/* _text is among the first symbols, whichever they are; the other hundred thousand are not looked at. */
#define SYMBOLS_LOOKED_AT 20000

static uint32_t
padded(uint32_t size)
{
	return (size + 3) & ~3u;
}

size_t
running_kernel_build_id(unsigned char build_id[static 20])
{
	unsigned char notes[65536];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : read(fd, notes, sizeof notes);
	struct cursor c = cursor_of(notes, size > 0 ? (size_t)size : 0);

	if (fd >= 0)
		close(fd);
	while (cursor_left(&c)) {
		uint32_t name_size = cursor_u32(&c), id_size = cursor_u32(&c), type = cursor_u32(&c);
		const char *name = cursor_take(&c, padded(name_size));
		const void *id = cursor_take(&c, padded(id_size));

		if (c.ok && type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0 && id_size &&
		    id_size <= 20) {
			memcpy(build_id, id, id_size);
			return id_size;
		}
	}
	return 0;
}

bool
running_kernel_symbol(const char *name, uint64_t *address)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], symbol[256];
	bool found = false;

	for (size_t i = 0; file && !found && i < SYMBOLS_LOOKED_AT && fgets(line, sizeof line, file); i++)
		found = sscanf(line, "%" SCNx64 " %*c %255s", address, symbol) == 2 && strcmp(symbol, name) == 0;
	if (file)
		fclose(file);
	return found && *address;
}

/* name size users by state 0xaddress */
void
running_kernel_modules(bool (*found)(void *context, const char *name, uint64_t start), void *context)
{
	FILE *file = fopen("/proc/modules", "re");
	char *line = NULL, name[256];
	size_t room = 0;
	uint64_t start;

	while (file && getline(&line, &room, file) > 0)
		if (sscanf(line, "%255s %*s %*s %*s %*s 0x%" SCNx64, name, &start) == 2 && !found(context, name, start))
			break;
	free(line);
	if (file)
		fclose(file);
}
