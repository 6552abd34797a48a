/* Lines of /proc/PID/maps, of any bytes; then, behind a NUL, five bytes each: mappings that come and go in an address
 * space of 64 pages, which is compared with one that is kept page by page.
 * "@elf" in the text stands for a file that is there: device, inode and path. A copy of its code lies at COPY. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "target/maps.h"

#define PAGE 4096u
#define PAGES 64u
#define COPY UINT64_C(0x200000000000)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char elf_words[128];

/* A page of headers, then two of code at vaddr 0x401000. */
static void
make_file(void)
{
	static unsigned char image[3 * PAGE];
	Elf64_Ehdr header = { .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_phoff = sizeof header, .e_phnum = 1 };
	Elf64_Phdr code = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = PAGE, .p_vaddr = 0x401000,
		.p_filesz = 2 * PAGE, .p_memsz = 2 * PAGE };
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct stat st;
	void *copy;

	memcpy(header.e_ident, ELFMAG "\2\1\1", 7);
	for (size_t i = PAGE; i < sizeof image; i++)
		image[i] = (unsigned char)(i * 7 + i / 256);
	memcpy(image, &header, sizeof header);
	memcpy(image + sizeof header, &code, sizeof code);
	if (fd < 0 || write(fd, image, sizeof image) != (ssize_t)sizeof image || fstat(fd, &st) < 0)
		abort();
	snprintf(elf_words, sizeof elf_words, "%02x:%02x %lu /proc/self/fd/%d", major(st.st_dev), minor(st.st_dev),
	    (unsigned long)st.st_ino, fd);
	copy = mmap((void *)COPY, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (copy == MAP_FAILED)
		abort();
	memcpy(copy, image + PAGE, 2 * PAGE);
}

static void
check(struct maps *maps)
{
	for (size_t i = 0; i < maps->count; i++) {
		const struct mapping *mapping = &maps->list[i];
		uint64_t vaddr;

		if (mapping->start >= mapping->end || !mapping->module || (i && mapping[-1].end > mapping->start))
			abort();
		if (maps_find(maps, mapping->start) != mapping || maps_find(maps, mapping->end - 1) != mapping)
			abort();
		mapping_vaddr(mapping, mapping->start, &vaddr);
		mapping_vaddr(mapping, mapping->end - 1, &vaddr);
	}
}

static void
read_text(const char *text, size_t size)
{
	struct modules modules = { 0 };
	struct maps maps = { 0 };
	struct buf lines = { 0 };
	const char *end = text + size, *at;
	FILE *file;

	for (; (at = memmem(text, (size_t)(end - text), "@elf", 4)); text = at + 4) {
		buf_add(&lines, text, (size_t)(at - text));
		buf_text(&lines, elf_words);
	}
	buf_add(&lines, text, (size_t)(end - text));
	if (lines.length && (file = fmemopen(lines.data, lines.length, "r"))) {
		maps_read_lines(&maps, &modules, (uint32_t)getpid(), file);
		fclose(file);
		check(&maps);
	}
	maps_clear(&maps);
	modules_release(&modules);
	buf_release(&lines);
}

/* --- against pages */

struct page {
	const struct module *module;
	uint64_t offset;
};

static void
compare(struct maps *maps, const struct page *pages)
{
	for (uint64_t i = 0; i < PAGES; i++) {
		const struct mapping *mapping = maps_find(maps, i * PAGE);

		if (!mapping ? !!pages[i].module : mapping->module != pages[i].module)
			abort();
		if (mapping && mapping->module->kind == MODULE_FILE &&
		    i * PAGE - mapping->start + mapping->offset != pages[i].offset)
			abort();
	}
	check(maps);
}

static void
change(const unsigned char *op, size_t count)
{
	static struct module modules[4] = { { .kind = MODULE_FILE }, { .kind = MODULE_FILE }, { .kind = MODULE_ANONYMOUS },
		{ .kind = MODULE_ANONYMOUS } };
	struct page pages[PAGES] = { 0 }, pages_then[PAGES] = { 0 };
	struct maps maps = { 0 }, then = { 0 };

	for (; count >= 5; op += 5, count -= 5) {
		uint64_t first = op[0] % PAGES, length = op[1] % (PAGES - first + 1);
		struct mapping mapping = { .start = first * PAGE, .end = (first + length) * PAGE,
			.offset = (uint64_t)op[2] * PAGE, .module = &modules[op[3] % 4] };

		if (op[4] == 1) { /* a child */
			maps_copy(&then, &maps);
			memcpy(pages_then, pages, sizeof pages);
		}
		maps_add(&maps, &mapping);
		for (uint64_t i = 0; i < length; i++)
			pages[first + i] = (struct page){ mapping.module, mapping.offset + i * PAGE };
		compare(&maps, pages);
	}
	compare(&then, pages_then);
	maps_clear(&maps);
	maps_clear(&then);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const unsigned char *nul = size ? memchr(data, '\0', size) : NULL;

	if (!*elf_words)
		make_file();
	read_text((const char *)data, nul ? (size_t)(nul - data) : size);
	if (nul)
		change(nul + 1, (size_t)(data + size - nul - 1));
	return 0;
}
