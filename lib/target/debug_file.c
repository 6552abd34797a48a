#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "target/debug_file.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define LINK_MAX 1024u

static struct elf *
open_path(const char *path)
{
	int fd = elf_open_file(path);

	return fd < 0 ? NULL : elf_open(fd);
}

static bool
is_same_build(const struct elf *elf, const struct elf *debug)
{
	return elf->build_id_size && elf->build_id_size == debug->build_id_size &&
	    memcmp(elf->build_id, debug->build_id, elf->build_id_size) == 0;
}

/* Itself, by a link of its own name, has nothing more to say. */
static bool
is_same_file(const struct elf *elf, const struct elf *debug)
{
	struct stat a, b;

	return fstat(elf->fd, &a) == 0 && fstat(debug->fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool
has_crc(struct elf *debug, uint32_t crc)
{
	size_t room = 65536, got;
	unsigned char *bytes = mem_alloc(room);
	uLong sum = crc32(0, NULL, 0);

	for (uint64_t at = 0; (got = elf_read_some(debug, at, bytes, room)) > 0; at += got)
		sum = crc32(sum, bytes, (uInt)got);
	free(bytes);
	return sum == crc;
}

static struct elf *
by_build_id(const struct elf *elf)
{
	char path[sizeof DEBUG_ROOT "/.build-id/" + 2 * ELF_BUILD_ID_MAX + 8] = DEBUG_ROOT "/.build-id/", *p = path;
	struct elf *debug;

	if (elf->build_id_size < 2)
		return NULL;
	p += strlen(p);
	for (size_t i = 0; i < elf->build_id_size; i++) {
		*p++ = "0123456789abcdef"[elf->build_id[i] >> 4];
		*p++ = "0123456789abcdef"[elf->build_id[i] & 15];
		if (i == 0)
			*p++ = '/';
	}
	memcpy(p, ".debug", sizeof ".debug");
	debug = open_path(path);
	if (!debug || is_same_build(elf, debug))
		return debug;
	elf_close(debug);
	return NULL;
}

/* The build-ids decide where both have one: the checksum reads the whole file. */
static struct elf *
open_linked(const char *path, const struct elf *elf, uint32_t crc)
{
	struct elf *debug = open_path(path);

	if (!debug)
		return NULL;
	if (!is_same_file(elf, debug) && (elf->build_id_size && debug->build_id_size ? is_same_build(elf, debug) :
											has_crc(debug, crc)))
		return debug;
	elf_close(debug);
	return NULL;
}

/* .gnu_debuglink: a file name, NUL, padding to 4, the CRC-32 of that file. */
static struct elf *
by_link(const struct module *module)
{
	static const char *const places[][2] = { { "", "" }, { "", ".debug/" }, { DEBUG_ROOT, "" } };
	size_t size, length, crc_at;
	const struct elf_section *section = elf_section(module->elf, ".gnu_debuglink");
	char *link = (char *)elf_section_bytes(module->elf, section, LINK_MAX, &size);
	struct elf *debug = NULL;
	uint32_t crc;

	if (!link)
		return NULL;
	length = strnlen(link, size);
	crc_at = (length + 4) & ~(size_t)3;
	if (length && crc_at + sizeof crc <= size && !strchr(link, '/')) {
		memcpy(&crc, link + crc_at, sizeof crc);
		for (size_t i = 0; i < sizeof places / sizeof places[0] && !debug; i++) {
			char *path = mem_print("%s%.*s%s%s", places[i][0],
			    (int)(module->base - module->path), module->path, places[i][1], link);

			debug = open_linked(path, module->elf, crc);
			free(path);
		}
	}
	free(link);
	return debug;
}

struct elf *
debug_file_open(const struct module *module)
{
	struct elf *debug;

	if (!module->elf || module->kind != MODULE_FILE)
		return NULL;
	debug = by_build_id(module->elf);
	return debug ? debug : by_link(module);
}
