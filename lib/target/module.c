#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "target/module.h"

/* No vdso is larger; what lies behind it in memory may not be ours to read. */
#define VDSO_MAX (64u << 10)

static uint64_t
identity(const struct module_place *place)
{
	return place->inode ? hash_u64(place->device * 0x100000001b3u ^ place->inode) :
			      hash_bytes(place->path, strlen(place->path));
}

static bool
is_same(const struct module *module, const struct module_place *place)
{
	if (module->device != place->device || module->inode != place->inode)
		return false;
	return place->inode || strcmp(module->path, place->path) == 0;
}

static uint64_t
module_hash(const struct module *module)
{
	return identity(&(struct module_place){ .path = module->path, .device = module->device,
	    .inode = module->inode });
}

static void
rehash(struct modules *modules)
{
	modules->slot_count = modules->slot_count ? modules->slot_count * 2 : 256;
	free(modules->slots);
	modules->slots = mem_alloc(modules->slot_count * sizeof *modules->slots);
	for (size_t i = 0; i < modules->count; i++) {
		size_t slot = module_hash(modules->list[i]) & (modules->slot_count - 1);

		while (modules->slots[slot])
			slot = (slot + 1) & (modules->slot_count - 1);
		modules->slots[slot] = (uint32_t)i + 1;
	}
}

/* The file at path if it is the mapped one. Nonblocking, and nothing but a regular file is kept: a
 * fifo or a device under a mapped name must not be able to hold us or be disturbed. */
static int
open_if_same(const char *path, const struct module_place *place)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (!place->inode || (st.st_ino == place->inode && st.st_dev == place->device)))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

static int
open_file(const struct module_place *place)
{
	char *path;
	int fd = open_if_same(place->path, place);

	if (fd >= 0 || !place->pid)
		return fd;
	/* Another mount namespace, then the kernel's own link to the mapping. */
	path = mem_print("/proc/%u/root%s", place->pid, place->path);
	fd = open_if_same(path, place);
	free(path);
	if (fd >= 0)
		return fd;
	path = mem_print("/proc/%u/map_files/%llx-%llx", place->pid, (unsigned long long)place->start,
	    (unsigned long long)place->end);
	fd = open_if_same(path, place);
	free(path);
	return fd;
}

static struct module *
add(struct modules *modules, enum module_kind kind, const struct module_place *place)
{
	struct module *module = mem_alloc(sizeof *module);
	size_t slot;

	module->kind = kind;
	module->path = mem_print("%s", place->path);
	module->base = strrchr(module->path, '/');
	module->base = module->base && module->base[1] ? module->base + 1 : module->path;
	module->device = place->device;
	module->inode = place->inode;
	module->number = (uint32_t)modules->count;
	if ((modules->count + 1) * 2 >= modules->slot_count)
		rehash(modules);
	for (slot = module_hash(module) & (modules->slot_count - 1); modules->slots[slot];)
		slot = (slot + 1) & (modules->slot_count - 1);
	mem_grow(&modules->list, modules->count, &modules->room);
	modules->list[modules->count++] = module;
	modules->slots[slot] = (uint32_t)modules->count;
	return module;
}

static struct module *
find(struct modules *modules, const struct module_place *place)
{
	if (!modules->slot_count)
		rehash(modules);
	for (size_t slot = identity(place) & (modules->slot_count - 1); modules->slots[slot];
	     slot = (slot + 1) & (modules->slot_count - 1)) {
		struct module *module = modules->list[modules->slots[slot] - 1];

		if (is_same(module, place))
			return module;
	}
	return NULL;
}

struct module *
modules_find(struct modules *modules, const struct module_place *place)
{
	struct module *module = find(modules, place);
	int fd;

	if (module)
		return module;
	module = add(modules, MODULE_FILE, place);
	fd = open_file(place);
	if (fd >= 0)
		module->elf = elf_open(fd);
	if (!module->elf)
		module->trouble = errno;
	return module;
}

struct module *
modules_anonymous(struct modules *modules, const char *name)
{
	struct module_place place = { .path = name };
	struct module *module = find(modules, &place);

	return module ? module : add(modules, MODULE_ANONYMOUS, &place);
}

struct module *
modules_vdso(struct modules *modules)
{
	struct module_place place = { .path = "[vdso]" };
	struct module *module = find(modules, &place);
	const unsigned char *image = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr header;
	uint64_t size;

	if (module)
		return module;
	module = add(modules, MODULE_VDSO, &place);
	if (!image)
		return module;
	/* Its section headers are its last part. */
	memcpy(&header, image, sizeof header);
	size = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	if (size <= VDSO_MAX)
		module->elf = elf_open_memory(image, size);
	return module;
}

void
modules_release(struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		if (modules->list[i]->cfi)
			modules->list[i]->cfi_close(modules->list[i]->cfi);
		elf_close(modules->list[i]->elf);
		free(modules->list[i]->path);
		free(modules->list[i]);
	}
	free(modules->list);
	free(modules->slots);
	*modules = (struct modules){ 0 };
}
