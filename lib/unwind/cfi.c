#include <stdlib.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"
#include "target/debug_file.h"
#include "unwind/cfi.h"
#include "unwind/cfi_compile.h"
#include "unwind/cfi_index.h"
#include "unwind/stack_change.h"

/* Rows of one file at most; then all of them are forgotten and compiled again as they are needed. 8 MiB:
 * more functions than this are never on stacks together. */
#define STEPS_MAX (1u << 20)
/* The same of entries and the holes between them, 5 MiB, of which some have no row, and of rules, of which only a file
 * made for it has so many. */
#define SPANS_MAX (1u << 17)
#define RULES_MAX (1u << 16)
/* Rows found last, of all files: a cache line each, 512 KiB. */
#define CACHE_SIZE 8192u

enum { EH_FRAME, DEBUG_FRAME, SEPARATE_DEBUG_FRAME, INDEXES };

/* Rules are few (hundreds in a large library), rows many: a row is where it starts and which rule. */
struct step {
	uint32_t start; /* from the entry's start */
	uint32_t rule;
};

/* What one entry was compiled to, or a hole that no entry covers (count 0). */
struct span {
	uint64_t start, end;
	uint64_t base;	/* the entry's start: spans are cut where entries overlap */
	uint32_t first, count;
};

struct cfi {
	struct cfi_index indexes[INDEXES];
	bool has[INDEXES];
	struct module *module;
	struct elf *debug; /* ours, NULL: none */
	bool debug_tried, is_go;
	struct span *spans; /* sorted, not overlapping */
	size_t span_count, span_room;
	struct step *steps;
	size_t step_count, step_room;
	struct intern rules; /* struct row with start and end 0 */
	struct cfi_buffer buffer;
	struct cfi_rows rows; /* of the entry compiled last */
};

static struct cached {
	const struct cfi *cfi;
	uint64_t vaddr;
	struct row row; /* CFA_NONE: nothing covers vaddr */
} *cache;

static void
open_debug_file(struct cfi *cfi)
{
	cfi->debug_tried = true;
	cfi->debug = debug_file_open(cfi->module);
	cfi->has[SEPARATE_DEBUG_FRAME] = cfi->debug && cfi->debug->is_x86_64 &&
	    cfi_index_open_debug_frame(&cfi->indexes[SEPARATE_DEBUG_FRAME], cfi->debug, cfi->module->elf);
}

struct cfi *
cfi_open(struct module *module)
{
	struct cfi *cfi;
	struct elf *elf = module->elf;

	if (!elf || !elf->is_x86_64)
		return NULL;
	cfi = mem_alloc(sizeof *cfi);
	cfi->module = module;
	cfi->has[EH_FRAME] = cfi_index_open_eh_frame(&cfi->indexes[EH_FRAME], elf);
	cfi->has[DEBUG_FRAME] = cfi_index_open_debug_frame(&cfi->indexes[DEBUG_FRAME], elf, elf);
	cfi->is_go = stack_change_is_go(elf);
	if (cfi->has[EH_FRAME] || cfi->has[DEBUG_FRAME])
		return cfi;
	open_debug_file(cfi);
	if (cfi->has[SEPARATE_DEBUG_FRAME])
		return cfi;
	cfi_close(cfi);
	return NULL;
}

void
cfi_close(struct cfi *cfi)
{
	if (!cfi)
		return;
	for (size_t i = 0; cache && i < CACHE_SIZE; i++)
		if (cache[i].cfi == cfi)
			cache[i].cfi = NULL;
	for (size_t i = 0; i < INDEXES; i++)
		cfi_index_release(&cfi->indexes[i]);
	elf_close(cfi->debug);
	free(cfi->spans);
	free(cfi->steps);
	intern_release(&cfi->rules);
	free(cfi->buffer.bytes);
	free(cfi->rows.list);
	free(cfi);
}

/* The entry that covers vaddr and where it is, or NULL and the hole around vaddr. */
static struct cfi_index *
find_entry(struct cfi *cfi, uint64_t vaddr, struct cfi_fde *fde)
{
	*fde = (struct cfi_fde){ .end = UINT64_MAX };
	for (size_t i = 0; i < INDEXES; i++) {
		if (i == SEPARATE_DEBUG_FRAME && !cfi->debug_tried)
			open_debug_file(cfi);
		if (cfi->has[i] && cfi_index_find(&cfi->indexes[i], vaddr, fde))
			return &cfi->indexes[i];
	}
	return NULL;
}

/* The first span that ends above vaddr. */
static size_t
span_at(const struct cfi *cfi, uint64_t vaddr)
{
	size_t lo = 0, hi = cfi->span_count;

	while (lo < hi) {
		size_t middle = (lo + hi) / 2;

		if (cfi->spans[middle].end <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

static void
add_steps(struct cfi *cfi, const struct cfi_fde *fde, struct span *span)
{
	span->first = (uint32_t)cfi->step_count;
	for (size_t i = 0; i < cfi->rows.count; i++) {
		struct row rule = cfi->rows.list[i];
		struct step step = { (uint32_t)(rule.start - fde->start), 0 };

		rule.start = rule.end = 0;
		step.rule = intern_add(&cfi->rules, (const char *)&rule, sizeof rule);
		mem_grow(&cfi->steps, cfi->step_count, &cfi->step_room);
		cfi->steps[cfi->step_count++] = step;
	}
	span->count = (uint32_t)cfi->rows.count;
}

/* The span around vaddr, compiled and put at its place. */
static struct span *
add_span(struct cfi *cfi, uint64_t vaddr, size_t at)
{
	struct cfi_fde fde;
	struct cfi_index *index = find_entry(cfi, vaddr, &fde);
	struct span span;

	if (cfi->step_count > STEPS_MAX || cfi->span_count >= SPANS_MAX || cfi->rules.count > RULES_MAX) {
		cfi->step_count = cfi->span_count = at = 0;
		intern_release(&cfi->rules);
	}
	span = (struct span){ fde.start, fde.end, fde.start, 0, 0 };
	if (at > 0 && cfi->spans[at - 1].end > span.start)
		span.start = cfi->spans[at - 1].end;
	if (at < cfi->span_count && cfi->spans[at].start < span.end)
		span.end = cfi->spans[at].start;
	if (index && fde.end - fde.start <= UINT32_MAX &&
	    cfi_fde_read_whole(&index->section, &cfi->buffer, &index->cie, &fde) == 0 &&
	    cfi_compile(&index->cie, &fde, &cfi->rows) == 0) {
		stack_change_mend(cfi->module->elf, &fde, cfi->is_go && index->section.is_debug_frame, &cfi->rows);
		add_steps(cfi, &fde, &span);
	}
	mem_grow(&cfi->spans, cfi->span_count, &cfi->span_room);
	memmove(cfi->spans + at + 1, cfi->spans + at, (cfi->span_count - at) * sizeof *cfi->spans);
	cfi->spans[at] = span;
	cfi->span_count++;
	return &cfi->spans[at];
}

static void
find_row(struct cfi *cfi, uint64_t vaddr, struct row *row)
{
	size_t at = span_at(cfi, vaddr);
	const struct span *span = at < cfi->span_count && vaddr >= cfi->spans[at].start ? &cfi->spans[at] :
											   add_span(cfi, vaddr, at);
	const struct step *steps;
	uint32_t lo = 0, hi = span->count;

	while (lo < hi) { /* the first that starts above vaddr */
		uint32_t middle = (lo + hi) / 2;

		if (span->base + cfi->steps[span->first + middle].start <= vaddr)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (!lo) {
		*row = (struct row){ .start = span->start, .end = span->end };
		return;
	}
	steps = cfi->steps + span->first;
	memcpy(row, intern_name(&cfi->rules, steps[lo - 1].rule), sizeof *row);
	row->start = span->base + steps[lo - 1].start;
	row->end = lo < span->count ? span->base + steps[lo].start : span->end;
}

const struct row *
cfi_find(struct cfi *cfi, uint64_t vaddr)
{
	struct cached *cached;

	if (!cache)
		cache = mem_alloc(CACHE_SIZE * sizeof *cache);
	cached = &cache[hash_u64(vaddr ^ (uintptr_t)cfi << 20) % CACHE_SIZE];
	if (cached->cfi != cfi || cached->vaddr != vaddr) {
		find_row(cfi, vaddr, &cached->row);
		cached->cfi = cfi;
		cached->vaddr = vaddr;
	}
	return cached->row.cfa == CFA_NONE ? NULL : &cached->row;
}

bool
cfi_bounds(struct cfi *cfi, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	struct cfi_fde fde;

	if (!find_entry(cfi, vaddr, &fde))
		return false;
	*start = fde.start;
	*end = fde.end;
	return true;
}

/* The whole entry, if libunwind may have it. */
static bool
read_tame(struct cfi *cfi, struct cfi_index *index, struct cfi_fde *fde)
{
	return cfi_fde_read_whole(&index->section, &cfi->buffer, &index->cie, fde) == 0 &&
	    cfi_compile(&index->cie, fde, &cfi->rows) == 0 && !cfi->rows.is_wild;
}

/* LEB128, signed; what is not negative reads the same unsigned. */
static size_t
put_sleb(unsigned char *to, int64_t value)
{
	size_t n = 0;

	while (value < -64 || value > 63) {
		to[n++] = (unsigned char)(value & 0x7f) | 0x80;
		value >>= 7;
	}
	to[n++] = (unsigned char)(value & 0x7f);
	return n;
}

static void
put_length(unsigned char *entry, size_t end)
{
	uint32_t length = (uint32_t)end - 4;

	memcpy(entry, &length, 4);
}

size_t
cfi_copy_entry(struct cfi *cfi, uint64_t vaddr, uint64_t bias, unsigned char *to, size_t room, size_t *fde_at)
{
	enum { FIELDS = 64 }; /* of both, without their instructions */
	struct cfi_fde fde;
	struct cfi_index *index = find_entry(cfi, vaddr, &fde);
	const struct cfi_cie *cie = index ? &index->cie : NULL;
	size_t cie_code, fde_code, at = 8;
	uint32_t back;

	if (!index || !read_tame(cfi, index, &fde))
		return 0;
	cie_code = (size_t)(cie->end - cie->instructions);
	fde_code = (size_t)(fde.instructions_end - fde.instructions);
	if (cie_code + fde_code + FIELDS > room)
		return 0;
	memset(to, 0, cie_code + fde_code + FIELDS);
	to[at++] = 3;	/* version; no R in the augmentation: addresses are absolute */
	if (cie->is_signal) {
		memcpy(to + at, "zS", 2);
		at += 2;
	}
	to[at++] = '\0';
	at += put_sleb(to + at, (int64_t)cie->code_align);
	at += put_sleb(to + at, cie->data_align);
	to[at++] = cie->return_register;
	at += cie->is_signal; /* the length of z's data, 0; so below */
	memcpy(to + at, cie->instructions, cie_code);
	at += cie_code;
	put_length(to, at);
	*fde_at = at;
	back = (uint32_t)at + 4;
	memcpy(to + at + 4, &back, 4);
	memcpy(to + at + 8, &(uint64_t){ fde.start + bias }, 8);
	memcpy(to + at + 16, &(uint64_t){ fde.end - fde.start }, 8);
	at += 24 + cie->is_signal;
	memcpy(to + at, fde.instructions, fde_code);
	at += fde_code;
	put_length(to + *fde_at, at - *fde_at);
	return at;
}
