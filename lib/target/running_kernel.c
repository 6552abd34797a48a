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
/* Longer than the kernel's MODULE_NAME_LEN. */
#define MODULE_NAME_MAX 64u

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

/* name size users by state 0xaddress [taints]; both of the middle are "-" of a kernel that cannot unload */
static bool
parse_module(char *line, struct running_module *module)
{
	char *words[6], *save = NULL, *word = strtok_r(line, " \n", &save);
	size_t count = 0;

	for (; word && count < 6; word = strtok_r(NULL, " \n", &save))
		words[count++] = word;
	if (count < 6 || strlen(words[0]) >= MODULE_NAME_MAX || words[1][strspn(words[1], "0123456789")] ||
	    strncmp(words[5], "0x", 2) != 0 || words[5][2 + strspn(words[5] + 2, "0123456789abcdef")])
		return false;
	module->name = words[0];
	module->size = strtoul(words[1], NULL, 10);
	module->start = strtoull(words[5], NULL, 16);
	if (!module->size || module->size > UINT32_MAX || module->start > UINT64_MAX - module->size)
		return false;
	module->is_going = strcmp(words[4], "Unloading") == 0;
	return module->is_going || strcmp(words[4], "Live") == 0 || strcmp(words[4], "Loading") == 0;
}

int
running_kernel_modules(const char *path, bool (*found)(void *context, const struct running_module *module), void *context)
{
	FILE *file = fopen(path, "re");
	struct running_module module;
	bool hidden = false, any = false, more = true;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return -1;
	while (more && getline(&line, &room, file) > 0) {
		if (!parse_module(line, &module))
			continue;
		hidden |= !module.start;
		any |= module.start;
		more = !module.start || found(context, &module);
	}
	free(line);
	fclose(file);
	return hidden && !any ? -1 : 0;
}
