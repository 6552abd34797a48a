#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "target/elf.h"
#include "target/memory.h"

#define PAGE 4096u
/* A file of use is not so much larger than what is stored of it. */
#define HOLLOW_LEAST ((uint64_t)64 << 20)
#define HOLLOW_RATIO 16u
/* Pages kept of all files together: the upper levels of binary searches, and neighbours. 512 KiB. */
#define CACHE_PAGES 128u

static struct {
	const struct elf *elf;
	uint64_t page;
	uint32_t length;
} tags[CACHE_PAGES];
static unsigned char (*pages)[PAGE];

/* Where one's own memory may not be read by process_vm_readv(2), as in some containers: through a pipe. A page that
 * the file has no more is an error there, too. */
static size_t
read_by_pipe(const unsigned char *from, unsigned char *to, size_t size)
{
	size_t done = 0;
	ssize_t n, got;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return 0;
	while (done < size && (n = write(ends[1], from + done, size - done)) > 0)
		for (; n > 0; n -= got, done += (size_t)got)
			if ((got = read(ends[0], to + done, (size_t)n)) <= 0)
				goto out;
out:
	close(ends[0]);
	close(ends[1]);
	return done;
}

static size_t
read_held(const struct elf *elf, uint64_t offset, void *to, size_t size)
{
	const unsigned char *from = (const unsigned char *)elf->held + offset;
	size_t done = memory_read((uint32_t)getpid(), (uintptr_t)from, to, size);

	if (!done && errno != EFAULT)
		done = read_by_pipe(from, to, size);
	/* The pages would count as ours. */
	madvise((char *)elf->held + offset / PAGE * PAGE, size + offset % PAGE, MADV_DONTNEED);
	return done;
}

static size_t
read_direct(const struct elf *elf, uint64_t offset, void *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	if (offset >= elf->size || !size)
		return 0;
	if (size > elf->size - offset)
		size = (size_t)(elf->size - offset);
	if (elf->image) {
		memcpy(to, elf->image + offset, size);
		return size;
	}
	if (elf->held)
		return read_held(elf, offset, to, size);
	while (done < size) {
		n = pread(elf->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static size_t
read_cached(const struct elf *elf, uint64_t offset, unsigned char *to, size_t size)
{
	size_t done = 0;

	if (!pages)
		pages = mem_alloc(CACHE_PAGES * sizeof *pages);
	while (done < size) {
		uint64_t page = (offset + done) / PAGE;
		size_t at = (offset + done) % PAGE, n = size - done;
		size_t slot = (page * 31 + (uintptr_t)elf / 64) % CACHE_PAGES;

		if (tags[slot].elf != elf || tags[slot].page != page) {
			tags[slot].length = (uint32_t)read_direct(elf, page * PAGE, pages[slot], PAGE);
			tags[slot].elf = elf;
			tags[slot].page = page;
		}
		if (at >= tags[slot].length)
			break;
		if (n > tags[slot].length - at)
			n = tags[slot].length - at;
		memcpy(to + done, pages[slot] + at, n);
		done += n;
	}
	return done;
}

size_t
elf_read_some(struct elf *elf, uint64_t offset, void *to, size_t size)
{
	if (offset > elf->size)
		return 0;
	return elf->image || size > 2 * PAGE ? read_direct(elf, offset, to, size) :
					       read_cached(elf, offset, to, size);
}

int
elf_read(struct elf *elf, uint64_t offset, void *to, size_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return -1;
	return elf_read_some(elf, offset, to, size) == size ? 0 : -1;
}

bool
elf_vaddr_of(const struct elf *elf, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (offset >= s->offset && offset - s->offset < s->file_size) {
			*vaddr = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}

bool
elf_offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->file_size) {
			*offset = vaddr - s->vaddr + s->offset;
			return true;
		}
	}
	return false;
}

int
elf_read_vaddr(struct elf *elf, uint64_t vaddr, void *to, size_t size)
{
	uint64_t offset, last;

	if (!size)
		return 0;
	if (!elf_offset_of(elf, vaddr, &offset) || !elf_offset_of(elf, vaddr + size - 1, &last) ||
	    last - offset != size - 1)
		return -1;
	return elf_read(elf, offset, to, size);
}

/* The note that names the build: NT_GNU_BUILD_ID of "GNU". Notes are 4-aligned but in PT_NOTE of 8. */
static void
find_build_id(struct elf *elf, uint64_t offset, uint64_t size, uint64_t align)
{
	Elf64_Nhdr note;
	char name[4];

	align = align == 8 ? 8 : 4;
	if (size > 65536)
		size = 65536;
	for (uint64_t at = 0; at + sizeof note <= size;) {
		uint64_t description;

		if (elf_read(elf, offset + at, &note, sizeof note) < 0)
			return;
		description = (at + sizeof note + note.n_namesz + align - 1) & ~(align - 1);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    elf_read(elf, offset + at + sizeof note, name, 4) == 0 && memcmp(name, "GNU", 4) == 0 &&
		    note.n_descsz && note.n_descsz <= ELF_BUILD_ID_MAX && description + note.n_descsz <= size &&
		    elf_read(elf, offset + description, elf->build_id, note.n_descsz) == 0) {
			elf->build_id_size = note.n_descsz;
			elf->build_id_at = offset + description;
			return;
		}
		at = (description + note.n_descsz + align - 1) & ~(align - 1);
	}
}

static void
add_program_header(struct elf *elf, const Elf64_Phdr *p)
{
	switch (p->p_type) {
	case PT_LOAD:
		if (elf->segment_count < ELF_SEGMENTS_MAX)
			elf->segments[elf->segment_count++] = (struct elf_segment){ p->p_vaddr, p->p_offset,
				p->p_filesz, p->p_memsz, (p->p_flags & PF_X) != 0 };
		break;
	case PT_GNU_EH_FRAME:
		elf->eh_frame_header = p->p_vaddr;
		elf->eh_frame_header_size = p->p_memsz;
		break;
	case PT_INTERP:
		elf->has_interpreter = true;
		break;
	case PT_NOTE:
		if (!elf->build_id_size)
			find_build_id(elf, p->p_offset, p->p_filesz, p->p_align);
		break;
	}
}

static int
read_headers_64(struct elf *elf)
{
	Elf64_Ehdr header;
	Elf64_Phdr program;

	if (elf_read(elf, 0, &header, sizeof header) < 0)
		return -1;
	elf->entry = header.e_entry;
	elf->is_dynamic = header.e_type == ET_DYN;
	elf->is_x86_64 = header.e_machine == EM_X86_64;
	for (unsigned i = 0; i < header.e_phnum && i < 4 * ELF_SEGMENTS_MAX; i++)
		if (elf_read(elf, header.e_phoff + (uint64_t)i * sizeof program, &program, sizeof program) == 0)
			add_program_header(elf, &program);
	return 0;
}

static int
read_headers_32(struct elf *elf)
{
	Elf32_Ehdr header;
	Elf32_Phdr p;

	if (elf_read(elf, 0, &header, sizeof header) < 0)
		return -1;
	elf->entry = header.e_entry;
	elf->is_dynamic = header.e_type == ET_DYN;
	for (unsigned i = 0; i < header.e_phnum && i < 4 * ELF_SEGMENTS_MAX; i++)
		if (elf_read(elf, header.e_phoff + (uint64_t)i * sizeof p, &p, sizeof p) == 0)
			add_program_header(elf, &(Elf64_Phdr){ .p_type = p.p_type, .p_flags = p.p_flags,
			    .p_offset = p.p_offset, .p_vaddr = p.p_vaddr, .p_filesz = p.p_filesz,
			    .p_memsz = p.p_memsz, .p_align = p.p_align });
	return 0;
}

/* Go's linker (1.24) leaves it out of its PT_NOTE; perf goes by the section's name. */
static void
find_build_id_section(struct elf *elf)
{
	const struct elf_section *section = elf_section(elf, ".note.gnu.build-id");

	if (section)
		find_build_id(elf, section->offset, section->size, 4);
}

/* What stands for a build-id in a file without one: its ends. That is where its names are, .dynsym and .symtab, and
 * the tables that say where the rest is. */
#define END_BYTES ((size_t)64 << 10)

static uint64_t
hash_ends(const struct elf *elf)
{
	unsigned char *bytes = mem_alloc(END_BYTES);
	size_t first = read_direct(elf, 0, bytes, END_BYTES), last = 0;
	uint64_t hash = hash_bytes(bytes, first);

	if (elf->size > END_BYTES) {
		last = read_direct(elf, elf->size - END_BYTES, bytes, END_BYTES);
		hash = hash_mix(hash, hash_bytes(bytes, last));
	}
	free(bytes);
	return hash;
}

static struct elf *
open_common(struct elf *elf)
{
	unsigned char ident[EI_NIDENT];

	elf_read_some(elf, 0, elf->ident, sizeof elf->ident);
	if (elf_read(elf, 0, ident, sizeof ident) < 0 || memcmp(ident, ELFMAG, SELFMAG) != 0 ||
	    ident[EI_DATA] != ELFDATA2LSB || (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32))
		goto fail;
	elf->is_64 = ident[EI_CLASS] == ELFCLASS64;
	if ((elf->is_64 ? read_headers_64(elf) : read_headers_32(elf)) < 0)
		goto fail;
	if (!elf->build_id_size)
		find_build_id_section(elf);
	if (!elf->build_id_size && !elf->image)
		elf->ends = hash_ends(elf);
	return elf;
fail:
	elf_close(elf);
	errno = ENOEXEC;
	return NULL;
}

int
elf_open_found(int found)
{
	int opened = -1, trouble;
	char self[64];
	struct stat st;

	if (found < 0)
		return -1;
	errno = ENOEXEC;
	if (fstat(found, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", found);
		opened = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	trouble = errno;
	close(found);
	errno = trouble;
	return opened;
}

int
elf_open_file(const char *path)
{
	return elf_open_found(open(path, O_PATH | O_CLOEXEC));
}

/* The kernel gives the lowest number that is free: so the first half of them are in use, and the rest is for /proc,
 * perf maps, debug files and what we write. */
bool
elf_is_scarce(int fd)
{
	static rlim_t few; /* asked for once for all files: it is raised before the first */
	struct rlimit limit;

	if (!few)
		few = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 2 > 0 ? limit.rlim_cur / 2 : RLIM_INFINITY;
	return (rlim_t)fd >= few;
}

/* Reading holes costs what reading costs, and they cost who made them nothing. Small files may have them, and what a
 * file system compresses; one that counts no blocks (0) says nothing. */
static bool
is_hollow(const struct stat *st)
{
	uint64_t stored = (uint64_t)st->st_blocks * 512;

	return stored && (uint64_t)st->st_size > HOLLOW_LEAST + HOLLOW_RATIO * stored;
}

/* By a mapping instead of the descriptor, which stays if that is not possible. */
static void
hold(struct elf *elf)
{
	void *held = elf->size ? mmap(NULL, elf->size, PROT_READ, MAP_PRIVATE, elf->fd, 0) : MAP_FAILED;

	if (held == MAP_FAILED)
		return;
	elf->held = held;
	close(elf->fd);
	elf->fd = -1;
}

struct elf *
elf_open(int fd)
{
	struct elf *elf = mem_alloc(sizeof *elf);
	struct stat st;

	elf->fd = fd;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || is_hollow(&st)) {
		elf_close(elf);
		errno = ENOEXEC;
		return NULL;
	}
	elf->size = (uint64_t)st.st_size;
	elf->device = st.st_dev;
	elf->inode = st.st_ino;
	elf->changed_ns = (uint64_t)st.st_ctim.tv_sec * 1000000000u + (uint64_t)st.st_ctim.tv_nsec;
	if (elf_is_scarce(fd))
		hold(elf);
	return open_common(elf);
}

struct elf *
elf_open_memory(const void *image, size_t size)
{
	struct elf *elf = mem_alloc(sizeof *elf);

	elf->fd = -1;
	elf->image = (unsigned char *)mem_copy(image, size);
	elf->size = size;
	return open_common(elf);
}

void
elf_close(struct elf *elf)
{
	if (!elf)
		return;
	for (size_t i = 0; i < CACHE_PAGES; i++)
		if (tags[i].elf == elf)
			tags[i].elf = NULL;
	if (elf->fd >= 0)
		close(elf->fd);
	if (elf->held)
		munmap(elf->held, elf->size);
	free((void *)(uintptr_t)elf->image);
	free(elf->sections);
	free(elf->section_names);
	free(elf);
}

bool
elf_is_rewritten(const struct elf *elf)
{
	unsigned char now[ELF_HEADER_MAX > ELF_BUILD_ID_MAX ? ELF_HEADER_MAX : ELF_BUILD_ID_MAX] = { 0 };

	read_direct(elf, 0, now, sizeof elf->ident);
	if (memcmp(now, elf->ident, sizeof elf->ident) != 0)
		return true;
	if (!elf->build_id_size)
		return hash_ends(elf) != elf->ends;
	return read_direct(elf, elf->build_id_at, now, elf->build_id_size) < elf->build_id_size ||
	    memcmp(now, elf->build_id, elf->build_id_size) != 0;
}

/* Who may not go back through the mapping gets a copy of it. */
#define COPY_MAX ((uint64_t)512 << 20)

static int
copy_held(const struct elf *elf)
{
	size_t room = 65536, got = 1;
	unsigned char *bytes = mem_alloc(room);
	int fd = memfd_create("elf", MFD_CLOEXEC);

	for (uint64_t at = 0; fd >= 0 && got && at < elf->size; at += got) {
		got = read_direct(elf, at, bytes, room);
		if (write(fd, bytes, got) != (ssize_t)got) {
			close(fd);
			fd = -1;
		}
	}
	free(bytes);
	return fd;
}

int
elf_descriptor(const struct elf *elf)
{
	uintptr_t start = (uintptr_t)elf->held;
	char name[64];
	int fd;

	if (elf->fd >= 0)
		return fcntl(elf->fd, F_DUPFD_CLOEXEC, 0);
	if (!elf->held)
		return -1;
	snprintf(name, sizeof name, "/proc/self/map_files/%lx-%lx", start, (start + elf->size + PAGE - 1) / PAGE * PAGE);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	return fd < 0 && elf->size <= COPY_MAX ? copy_held(elf) : fd;
}
