#include <sys/auxv.h>
#include <sys/stat.h>

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "target/debug_file.h"
#include "target/module.h"
#include "target/module_file.h"
#include "target/root.h"

/* No vdso is larger; what lies behind it in memory may not be ours to read. */
#define VDSO_MAX (64u << 10)

static uint64_t
time_of(struct timespec ts)
{
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

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

/* --- files of the past, known by their build-id */

struct expectation {
	unsigned char build_id[ELF_BUILD_ID_MAX];
	size_t size;
	bool is_ambiguous; /* two files had this path */
};

static struct expectation *
expectation_at(struct modules *modules, const char *path)
{
	size_t known = modules->expected_paths.count;
	uint32_t number = intern_text(&modules->expected_paths, path);

	mem_grow(&modules->expectations, number, &modules->expectation_room);
	if (number == known)
		modules->expectations[number] = (struct expectation){ 0 };
	return &modules->expectations[number];
}

void
modules_expect(struct modules *modules, const char *path, const unsigned char *build_id, size_t size)
{
	struct expectation *expectation;

	if (!size || size > ELF_BUILD_ID_MAX)
		return;
	expectation = expectation_at(modules, path);
	if (expectation->size) {
		expectation->is_ambiguous |= expectation->size != size ||
		    memcmp(expectation->build_id, build_id, size) != 0;
		return;
	}
	expectation->size = size;
	memcpy(expectation->build_id, build_id, size);
}

/* What is known of a place; size 0: nothing. */
static struct expectation
expectation_of(struct modules *modules, const struct module_place *place)
{
	struct expectation expectation = { .size = place->build_id_size };

	if (!place->build_id_size || place->build_id_size > ELF_BUILD_ID_MAX)
		return *expectation_at(modules, place->path);
	memcpy(expectation.build_id, place->build_id, place->build_id_size);
	return expectation;
}

/* perf pads short build-ids with zeros. */
static bool
has_build_id(const struct elf *elf, const struct expectation *expectation)
{
	size_t size = elf->build_id_size;

	if (!size || size > expectation->size || memcmp(elf->build_id, expectation->build_id, size) != 0)
		return false;
	for (; size < expectation->size; size++)
		if (expectation->build_id[size])
			return false;
	return true;
}

/* The file at path if it is one of this build-id. */
static struct elf *
open_expected(const char *path, const struct expectation *expectation)
{
	int fd = module_file_at(path, &(struct module_place){ .path = path });
	struct elf *elf = fd < 0 ? NULL : elf_open(fd);

	if (!elf || has_build_id(elf, expectation))
		return elf;
	elf_close(elf);
	errno = ESTALE;
	return NULL;
}

/* perf record leaves copies of what it saw: ~/.debug/.build-id/ab/cdef…, a folder whose file is called as
 * kind says, or a link to the file itself (before Linux 4.5). */
static struct elf *
open_kept(const struct expectation *expectation, const char *kind)
{
	static const char digits[] = "0123456789abcdef";
	const char *home = getenv("HOME");
	char hex[2 * ELF_BUILD_ID_MAX + 1], *path;
	struct elf *elf;
	int reason = errno;

	if (!home || !*home || expectation->size < 2)
		return NULL;
	for (size_t i = 0; i < expectation->size; i++) {
		hex[2 * i] = digits[expectation->build_id[i] >> 4];
		hex[2 * i + 1] = digits[expectation->build_id[i] & 15];
	}
	hex[2 * expectation->size] = '\0';
	path = mem_print("%s/.debug/.build-id/%.2s/%s/%s", home, hex, hex + 2, kind);
	elf = open_expected(path, expectation);
	if (!elf) {
		*strrchr(path, '/') = '\0';
		elf = open_expected(path, expectation);
	}
	free(path);
	if (!elf)
		errno = reason; /* what is wrong with the file itself says more */
	return elf;
}

static void
open_of_the_past(struct modules *modules, struct module *module, const struct module_place *place)
{
	struct expectation expectation = expectation_of(modules, place);
	struct module_place any = { .path = place->path };
	int fd;

	if (!expectation.size || expectation.is_ambiguous) {
		fd = module_file_at(place->path, expectation.is_ambiguous ? place : &any);
		module->elf = fd < 0 ? NULL : elf_open(fd);
		module->by_path = module->elf && !expectation.is_ambiguous;
		return;
	}
	module->elf = open_expected(place->path, &expectation);
	if (!module->elf)
		module->elf = open_kept(&expectation, "elf");
}

static struct module *
add(struct modules *modules, enum module_kind kind, const struct module_place *place)
{
	struct module *module = mem_alloc(sizeof *module);
	size_t slot;

	module->kind = kind;
	module->root = -1;
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

/* fstat(), but ctime is 0 if another change may yet have the same: a time of change is that of the kernel's last tick. */
static int
stat_settled(int fd, struct stat *st)
{
	struct timespec now, tick;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	clock_getres(CLOCK_REALTIME_COARSE, &tick);
	if (fstat(fd, st) < 0)
		return -1;
	if (time_of(st->st_ctim) + time_of(tick) >= time_of(now))
		st->st_ctim = (struct timespec){ 0 };
	return 0;
}

static void
note_times(struct module *module, const struct stat *st)
{
	module->size = (uint64_t)st->st_size;
	module->mtime_ns = time_of(st->st_mtim);
	module->ctime_ns = time_of(st->st_ctim);
}

/* Has the file been written over since it was opened? The time of its last change cannot be set back; but it changes
 * with a name or an owner, too. (Of a file of tmpfs that is written through a shared mapping it does not: nobody installs
 * files so.) */
static bool
is_rewritten(struct module *module)
{
	struct stat st;
	bool is_touched;

	if (!module->elf || module->elf->image)
		return false;
	if (module->elf->held)
		return elf_is_rewritten(module->elf);
	if (stat_settled(module->elf->fd, &st) < 0)
		return false;
	if ((uint64_t)st.st_size != module->size)
		return true;
	is_touched = time_of(st.st_mtim) != module->mtime_ns;
	if (!is_touched && module->ctime_ns && time_of(st.st_ctim) == module->ctime_ns)
		return false;
	if ((is_touched && !module->elf->build_id_size) || elf_is_rewritten(module->elf))
		return true;
	note_times(module, &st);
	return false;
}

static void
let_go(struct module *module)
{
	if (module->cfi)
		module->cfi_close(module->cfi);
	module->cfi = NULL;
	module->cfi_tried = true;
	elf_close(module->elf);
	module->elf = NULL;
	module->trouble = ESTALE;
}

void
modules_check(struct modules *modules)
{
	debug_file_begin(DEBUG_FILE_SUMS);
	for (size_t i = 0; i < modules->count; i++)
		if (modules->list[i]->size && is_rewritten(modules->list[i]))
			let_go(modules->list[i]);
}

/* Of the past it is ours: whoever has perf.data knows what is meant by its paths. */
/* Its own; if that is gone its maker's, which may be another. */
static int
root_of(const struct module_place *place, bool *exactly)
{
	int root, ours;

	*exactly = false;
	if (place->root)
		return root_share(*place->root);
	root = place->pid ? root_open(place->pid, place->pid) : root_open_ours();
	if (root >= 0 || !place->maker)
		return root;
	root = root_open(place->maker, place->maker);
	ours = root_open_ours();
	*exactly = root >= 0 && root != ours;
	root_drop(ours);
	return root;
}

/* Is it the file of this mapping, which has its numbers? Of a process that is gone nobody can tell. */
static bool
is_of_subvolume(const struct module *module, const struct module_place *place)
{
	bool by_name, exactly, same = true;
	int root = root_of(place, &exactly), fd;
	struct stat st;

	fd = module_file_open(place, root, exactly, &by_name);
	root_drop(root);
	if (fd < 0)
		return true;
	if (fstat(fd, &st) == 0)
		same = st.st_dev == module->elf->device;
	close(fd);
	return same;
}

/* A file that is held open is what its inode number means. One that could not be opened may have left its
 * number to another: that is the same only under the same path. */
static struct module *
find(struct modules *modules, const struct module_place *place)
{
	struct module *unopened = NULL;

	if (!modules->slot_count)
		rehash(modules);
	for (size_t slot = identity(place) & (modules->slot_count - 1); modules->slots[slot];
	     slot = (slot + 1) & (modules->slot_count - 1)) {
		struct module *module = modules->list[modules->slots[slot] - 1];

		if (!is_same(module, place))
			continue;
		if (place->pid && module->trouble == ESTALE && module->size)
			continue;
		if (place->pid && module->size && is_rewritten(module)) {
			let_go(module);
			continue;
		}
		if (module->elf && module->hides_subvolume && place->pid && !is_of_subvolume(module, place))
			continue;
		if (module->elf || !place->pid)
			return module;
		if (strcmp(module->path, place->path) == 0)
			unopened = module;
	}
	return unopened;
}

struct module *
modules_find(struct modules *modules, const struct module_place *place)
{
	struct module *module = find(modules, place);
	struct elf *elf = NULL;
	bool by_name = true, exactly, hides_subvolume = false;
	struct stat st = { 0 };
	int fd, trouble, root;

	if (module && (module->elf || !place->pid))
		return module;
	root = root_of(place, &exactly);
	if (place->pid && (fd = module_file_open(place, root, exactly, &by_name)) >= 0) {
		stat_settled(fd, &st); /* before anything is read; where it fails that does, too */
		hides_subvolume = module_file_hides_subvolume(fd);
		elf = elf_open(fd);
	}
	trouble = errno;
	if (module && !elf) {
		root_drop(root);
		return module;
	}
	module = add(modules, MODULE_FILE, place);
	module->elf = elf;
	module->hides_subvolume = elf && hides_subvolume;
	module->root = elf_is_scarce(root) ? -1 : root;
	if (module->root < 0)
		root_drop(root);
	if (elf && !by_name)
		module->path[strlen(module->path) - module_file_deleted(module->path)] = '\0';
	if (elf)
		note_times(module, &st);
	if (!place->pid) {
		open_of_the_past(modules, module, place);
		trouble = errno;
	}
	if (!module->elf)
		module->trouble = trouble;
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
	struct expectation expected;
	Elf64_Ehdr header;
	uint64_t size;

	if (module)
		return module;
	module = add(modules, MODULE_VDSO, &place);
	expected = expectation_of(modules, &place);
	if (!image)
		return module;
	/* Its section headers are its last part. */
	memcpy(&header, image, sizeof header);
	size = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
	if (size <= VDSO_MAX)
		module->elf = elf_open_memory(image, size);
	if (module->elf && expected.size && !has_build_id(module->elf, &expected)) {
		elf_close(module->elf);
		module->trouble = ESTALE;
		module->elf = open_kept(&expected, "vdso");
	}
	return module;
}

static void
module_close(struct module *module)
{
	if (module->cfi)
		module->cfi_close(module->cfi);
	elf_close(module->elf);
	root_drop(module->root);
	free(module->path);
	free(module);
}

/* Held open it would keep its place on the disk; one that is held by a mapping may. */
static bool
is_deleted(const struct module *module)
{
	struct stat st;

	return !module->elf || module->elf->fd < 0 || fstat(module->elf->fd, &st) < 0 || st.st_nlink == 0;
}

void
modules_tidy(struct modules *modules, uint64_t time)
{
	size_t kept = 0, spare = 0;

	/* From the last one: files met lately are the likelier ones to be met again. */
	for (size_t i = modules->count; i-- > 0;) {
		struct module *module = modules->list[i];

		if (module->is_used || module->kind == MODULE_VDSO) {
			module->unused_since = 0;
			continue;
		}
		if (!module->unused_since)
			module->unused_since = time;
		if (time - module->unused_since < MODULES_IDLE && !is_deleted(module) && ++spare <= MODULES_SPARE)
			continue;
		module_close(module);
		modules->list[i] = NULL;
	}
	for (size_t i = 0; i < modules->count; i++)
		if (modules->list[i]) {
			modules->list[i]->number = (uint32_t)kept;
			modules->list[kept++] = modules->list[i];
		}
	if (kept == modules->count)
		return;
	modules->count = kept;
	modules->slot_count /= 2; /* so that it is as it was */
	rehash(modules);
}

void
modules_release(struct modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		module_close(modules->list[i]);
	free(modules->list);
	free(modules->slots);
	intern_release(&modules->expected_paths);
	free(modules->expectations);
	*modules = (struct modules){ 0 };
}
