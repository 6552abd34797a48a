/* An ELF file of any bytes: its headers, sections and unwind tables are read, rows found for addresses all over
 * its segments, and a stack of its own addresses, and of its last bytes, walked. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "unwind/cfi.h"
#include "unwind/walk.h"

#define WALKS 4u

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
find_rows(struct elf *elf, struct cfi *cfi)
{
	uint64_t start, end;
	unsigned char copy[512];
	size_t fde;

	for (size_t i = 0; i < elf->segment_count && i < 4; i++) {
		const struct elf_segment *s = &elf->segments[i];
		uint64_t step = s->memory_size / 29 + 1;

		for (uint64_t vaddr = s->vaddr - 1, n = 0; n < 32; vaddr += step, n++) {
			cfi_find(cfi, vaddr);
			cfi_find(cfi, vaddr + 1);
			cfi_bounds(cfi, vaddr, &start, &end);
			cfi_copy_entry(cfi, vaddr, 0x1000, copy, sizeof copy, &fde);
		}
	}
}

/* A few places of a segment: its entries' first addresses where it has any. */
static uint64_t
place_in(const struct elf_segment *s, struct cfi *cfi, uint64_t i)
{
	uint64_t vaddr = s->vaddr + i * (s->memory_size / WALKS), start, end;

	return cfi && cfi_bounds(cfi, vaddr, &start, &end) ? start + i % 3 : vaddr;
}

static void
walk_samples(struct elf *elf, struct module *module, const unsigned char *end, size_t size)
{
	static struct walker *walker;
	static struct walk walk;
	struct maps maps = { 0 };
	uint64_t stack[64];
	size_t walked = 0;

	if (!walker)
		walker = walker_open(WALK_AUTO, 32);
	for (size_t i = 0; i < elf->segment_count && walked < 2; i++) {
		const struct elf_segment *s = &elf->segments[i];
		struct mapping mapping = { .start = s->vaddr, .end = s->vaddr + s->memory_size,
			.offset = s->offset, .module = module };
		struct sample sample = { .user = USER_64, .stack = (const unsigned char *)stack,
			.stack_size = sizeof stack, .stack_cut = true };

		if (!s->executable || mapping.end <= mapping.start)
			continue;
		walked++;
		maps_add(&maps, &mapping);
		for (size_t j = 0; j < sizeof stack / sizeof *stack; j++)
			stack[j] = j % 3 ? place_in(s, module->cfi, j % WALKS) : 0x7000 + 8 * (j + 3);
		memcpy(stack + 32, end - (size < 128 ? size : 128), size < 128 ? size : 128);
		for (size_t r = 0; r < R_COUNT; r++)
			sample.regs[r] = 0x7000 + 8 * r;
		sample.regs[R_RBP] = 0x7000 + end[-1];
		sample.regs[R_RSP] = 0x7000;
		for (uint64_t j = 0; j < WALKS; j++) {
			sample.regs[R_RIP] = place_in(s, module->cfi, j);
			walker_walk(walker, &maps, &sample, &walk);
			if (j < 2)
				walker_walk_libunwind(walker, &maps, &sample, &walk);
		}
	}
	maps_clear(&maps);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct elf *elf = elf_open_memory(data, size);
	struct module module = { .kind = MODULE_VDSO, .elf = elf };
	struct cfi *cfi;

	if (!elf)
		return 0;
	cfi = walker_cfi(&module);
	if (cfi)
		find_rows(elf, cfi);
	walk_samples(elf, &module, data + size, size);
	cfi_close(cfi);
	elf_close(elf);
	return 0;
}
