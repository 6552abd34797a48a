#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/unpack.h"
#include "base/warn.h"
#include "target/debug_file.h"
#include "target/debuginfod.h"
#include "target/root.h"

#define LINK_MAX 1024u
/* Of a file whose checksum is taken: that takes a second or two. */
#define SUMMED_MAX ((uint64_t)4 << 30)
/* So many checksums are kept: the same file may be linked to again and again. */
#define SUMS 64u
/* Symbols alone; the largest seen are some MB. */
#define PACKED_MAX ((size_t)64 << 20)

static const char system_root[] = "/usr/lib/debug";

/* The folders of GP_DEBUG_DIR, colons between, then the system's. *list goes on to the next; false: no more. */
static bool
next_root(const char **list, struct buf *root)
{
	size_t length;

	if (!*list)
		return false;
	length = strcspn(*list, ":");
	buf_clear(root);
	buf_add(root, *list, length);
	if ((*list)[length])
		*list += length + 1;
	else
		*list = *list == system_root ? NULL : system_root;
	return true;
}

static const char *
first_root(void)
{
	const char *list = getenv("GP_DEBUG_DIR");

	return list && *list ? list : system_root;
}

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
	return elf->device == debug->device && elf->inode == debug->inode;
}

static struct sum {
	uint64_t device, inode, size, changed_ns;
	uint32_t crc;
} sums[SUMS]; /* size 0: free */
static size_t sum_next;
static uint64_t sums_left = DEBUG_FILE_SUMS;

void
debug_file_begin(uint64_t bytes)
{
	sums_left = bytes;
}

static const struct sum *
find_sum(const struct elf *debug)
{
	for (size_t i = 0; i < SUMS; i++)
		if (sums[i].size == debug->size && sums[i].inode == debug->inode && sums[i].device == debug->device &&
		    sums[i].changed_ns == debug->changed_ns)
			return &sums[i];
	return NULL;
}

static uint32_t
add_sum(struct elf *debug)
{
	struct sum *sum = &sums[sum_next++ % SUMS];
	size_t room = 65536, got;
	unsigned char *bytes = mem_alloc(room);
	uLong crc = crc32(0, NULL, 0);

	for (uint64_t at = 0; (got = elf_read_some(debug, at, bytes, room)) > 0; at += got)
		crc = crc32(crc, bytes, (uInt)got);
	free(bytes);
	*sum = (struct sum){ debug->device, debug->inode, debug->size, debug->changed_ns, (uint32_t)crc };
	return sum->crc;
}

/* false: it would take too long. */
static bool
get_crc(struct elf *debug, const char *path, uint32_t *crc)
{
	const struct sum *known = find_sum(debug);
	static bool said;

	if (!known && (debug->size > SUMMED_MAX || debug->size > sums_left)) {
		if (!said)
			tell("%s: debug files without a build-id are too large, or too many; it is not used", path);
		said = true;
		return false;
	}
	sums_left -= known ? 0 : debug->size;
	*crc = known ? known->crc : add_sum(debug);
	return true;
}

/* ROOT/.build-id/ab/cdef….debug */
static void
print_build_id_path(struct buf *path, const struct buf *root, const unsigned char *build_id, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	buf_clear(path);
	buf_print(path, "%s/.build-id/", root->data);
	for (size_t i = 0; i < size; i++) {
		buf_char(path, digits[build_id[i] >> 4]);
		buf_char(path, digits[build_id[i] & 15]);
		if (i == 0)
			buf_char(path, '/');
	}
	buf_text(path, ".debug");
}

static void
refuse(struct module *module, const char *path)
{
	if (!module->debug_said)
		tell("%s: its debug file %s is of another build, and not used", module->path, path);
	module->debug_said = true;
}

static struct elf *
by_build_id(struct module *module)
{
	const struct elf *elf = module->elf;
	struct buf root = { 0 }, path = { 0 };
	struct elf *debug = NULL;

	for (const char *list = first_root(); elf->build_id_size > 1 && !debug && next_root(&list, &root);) {
		print_build_id_path(&path, &root, elf->build_id, elf->build_id_size);
		debug = open_path(path.data);
		if (!debug || is_same_build(elf, debug))
			continue;
		refuse(module, path.data);
		elf_close(debug);
		debug = NULL;
	}
	buf_release(&root);
	buf_release(&path);
	return debug;
}

int
debug_file_find(const unsigned char *build_id, size_t size)
{
	struct elf wanted = { .build_id_size = size };
	struct buf root = { 0 }, path = { 0 };
	struct elf *found;
	int fd = -1;

	if (size < 2 || size > ELF_BUILD_ID_MAX)
		return -1;
	memcpy(wanted.build_id, build_id, size);
	for (const char *list = first_root(); fd < 0 && next_root(&list, &root);) {
		print_build_id_path(&path, &root, build_id, size);
		found = open_path(path.data);
		if (found && is_same_build(&wanted, found))
			fd = elf_descriptor(found);
		elf_close(found);
	}
	buf_release(&root);
	buf_release(&path);
	return fd;
}

/* Does the file's path begin there? */
static bool
begins_at(int root, const struct module *module)
{
	int found = root_find(root, module->path, 0);
	struct stat st;
	bool is_it;

	if (found < 0)
		return false;
	is_it = fstat(found, &st) == 0 && st.st_dev == module->elf->device && st.st_ino == module->elf->inode;
	close(found);
	return is_it;
}

/* What is beside the file is the target's: it is found as the target would find it. Of one under chroot()
 * /proc/PID/maps shows our own path, and there no link is followed. */
static struct elf *
open_beside(const struct module *module, const char *path)
{
	int root = begins_at(module->root, module) || !begins_at(-1, module) ? module->root : -1;
	int fd = elf_open_found(root_find(root, path, 0));

	return fd < 0 ? NULL : elf_open(fd);
}

/* debug, if it is what is meant. The build-ids decide where both have one: the checksum reads the whole file. */
static struct elf *
take_linked(struct module *module, struct elf *debug, const char *path, uint32_t crc)
{
	const struct elf *elf = module->elf;
	uint32_t found = ~crc;

	if (!debug)
		return NULL;
	if (!is_same_file(elf, debug)) {
		bool by_id = elf->build_id_size && debug->build_id_size;
		bool is_said = !by_id && !get_crc(debug, path, &found);

		if (by_id ? is_same_build(elf, debug) : found == crc)
			return debug;
		if (!is_said)
			refuse(module, path);
	}
	elf_close(debug);
	return NULL;
}

/* .gnu_debuglink: a file name, NUL, padding to 4, the CRC-32 of that file. free() the name; NULL: none. */
static char *
read_link(struct elf *elf, uint32_t *crc)
{
	size_t size, length, crc_at;
	char *link = (char *)elf_section_bytes(elf, elf_section(elf, ".gnu_debuglink"), LINK_MAX, &size);

	if (!link)
		return NULL;
	length = strnlen(link, size);
	crc_at = (length + 4) & ~(size_t)3;
	if (length && crc_at + sizeof *crc <= size && !memchr(link, '/', length)) {
		memcpy(crc, link + crc_at, sizeof *crc);
		return link;
	}
	free(link);
	return NULL;
}

/* Beside the file, in .debug/ there, and where our folders have its place. */
static struct elf *
by_link(struct module *module)
{
	int folder = (int)(module->base - module->path);
	struct buf root = { 0 }, path = { 0 };
	struct elf *debug = NULL;
	uint32_t crc;
	char *link = read_link(module->elf, &crc);

	if (!link)
		return NULL;
	for (unsigned i = 0; i < 2 && !debug; i++) {
		buf_clear(&path);
		buf_print(&path, "%.*s%s%s", folder, module->path, i ? ".debug/" : "", link);
		debug = take_linked(module, open_beside(module, path.data), path.data, crc);
	}
	for (const char *list = first_root(); !debug && next_root(&list, &root);) {
		buf_clear(&path);
		buf_print(&path, "%s%s%.*s%s", root.data, *module->path == '/' ? "" : "/", folder, module->path, link);
		debug = take_linked(module, open_path(path.data), path.data, crc);
	}
	buf_release(&root);
	buf_release(&path);
	free(link);
	return debug;
}

struct elf *
debug_file_open(struct module *module)
{
	struct elf *debug;

	if (!module->elf || module->kind != MODULE_FILE)
		return NULL;
	debug = by_build_id(module);
	return debug ? debug : by_link(module);
}

struct elf *
debug_file_fetch(struct module *module)
{
	const struct elf *elf = module->kind == MODULE_FILE ? module->elf : NULL;
	int fd = elf ? debuginfod_open(elf->build_id, elf->build_id_size) : -1;
	struct elf *debug = fd < 0 ? NULL : elf_open(fd);

	if (!debug || is_same_build(elf, debug))
		return debug;
	refuse(module, "from DEBUGINFOD_URLS");
	elf_close(debug);
	return NULL;
}

struct elf *
debug_file_open_packed(const struct module *module)
{
	size_t packed_size, size;
	unsigned char *packed = module->elf ? elf_section_bytes(module->elf, elf_section(module->elf, ".gnu_debugdata"),
				    PACKED_MAX, &packed_size) : NULL;
	unsigned char *image = packed ? unpack(packed, packed_size, PACKED_MAX, &size) : NULL;
	struct elf *elf = image ? elf_open_memory(image, size) : NULL;

	free(packed);
	free(image);
	return elf;
}
