#include <libunwind-x86_64.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unwind/cfi.h"
#include "unwind/fallback_libunwind.h"
#include "unwind/walk.h"

/* Nobody can map this: not canonical. libunwind reads its search table from here. */
#define TABLE UINT64_C(0xf000000000000000)

/* An entry is copied; longer ones than this are not computed. */
#define COPY_MAX 65528u

/* Words that a walk may read: libunwind takes an entry's instructions a byte at a time, and an expression that jumps back
 * to itself never ends. A long entry, and some hundred bytes for every frame. */
#define READS_MAX (1u << 15)
#define READS_EACH 1024u

/* Exported for perf's sake, but in none of its headers. */
int _Ux86_64_dwarf_search_unwind_table(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *dynamic,
    unw_proc_info_t *info, int need, void *arg);

struct fallback {
	unw_addr_space_t space;
	unw_cursor_t cursor;
	struct stack leaf;
	size_t depth;
	bool is_exact;	      /* of the frame it stands at */
	bool missed;	      /* an address outside the copy and every file was read */
	size_t reads_left;    /* of memory */
	bool refused;	      /* an entry was not shown: what libunwind guesses instead is not taken */
	const struct mapping *mapping; /* of the code looked up last: its tables are read next */
	uint64_t bias;
	struct {
		int32_t entry[2]; /* its code and where it is, from segbase */
		unsigned char copy[COPY_MAX];
	} table; /* what lies at TABLE */
};

/* Part of a file at a place where a mapping of it would have it. */
static bool
read_file(const struct mapping *mapping, uint64_t bias, uint64_t address, uint64_t *value)
{
	struct elf *elf = mapping->module->elf;
	unsigned char bytes[8] = { 0 };
	size_t n = sizeof bytes;

	if (!elf)
		return false;
	while (n && elf_read_vaddr(elf, address - bias, bytes, n) < 0)
		n--; /* libunwind reads aligned words, also across the end of a segment */
	memcpy(value, bytes, sizeof *value);
	return n != 0;
}

static int
access_memory(unw_addr_space_t space, unw_word_t address, unw_word_t *value, int is_write, void *arg)
{
	struct fallback *f = arg;

	(void)space;
	if (is_write || !f->reads_left)
		return -UNW_EINVAL;
	f->reads_left--;
	if (address >= TABLE && address <= TABLE + sizeof f->table - sizeof *value) {
		memcpy(value, (const unsigned char *)&f->table + (address - TABLE), sizeof *value);
		return 0;
	}
	if (stack_read(&f->leaf, address, value) || (f->mapping && read_file(f->mapping, f->bias, address, value)))
		return 0;
	f->missed = true;
	return -UNW_EINVAL;
}

static int
access_register(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int is_write, void *arg)
{
	const struct fallback *f = arg;

	(void)space;
	if (is_write)
		return -UNW_EREADONLYREG;
	if (reg < 0 || reg >= R_COUNT) /* numbered as DWARF does */
		return -UNW_EBADREG;
	*value = f->leaf.regs[reg];
	return 0;
}

static int
access_float(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int is_write, void *arg)
{
	(void)space, (void)reg, (void)value, (void)is_write, (void)arg;
	return -UNW_EBADREG;
}

/* libunwind wants a search table in the target's memory: it gets one of a single entry, the one that our
 * own index found, so that files without a table are walked too. */
static int
find_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need, void *arg)
{
	struct fallback *f = arg;
	const struct mapping *mapping = maps_find(f->leaf.maps, ip);
	uint64_t vaddr, start, end;
	unw_dyn_info_t dynamic = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };
	struct cfi *cfi;
	size_t fde;

	if (!mapping || !mapping_vaddr(mapping, ip, &vaddr) || !(cfi = walker_cfi(mapping->module)))
		return -UNW_ENOINFO;
	f->mapping = mapping;
	f->bias = ip - vaddr;
	if (!cfi_bounds(cfi, vaddr, &start, &end))
		return -UNW_ENOINFO;
	if (!cfi_copy_entry(cfi, vaddr, f->bias, f->table.copy, COPY_MAX, &fde)) {
		f->refused = true;
		return -UNW_ENOINFO;
	}
	/* Both numbers are 32 bits from TABLE; of code far from there libunwind compares only the lower half, and of
	 * the one entry any order is right. */
	f->table.entry[0] = INT32_MIN;
	f->table.entry[1] = (int32_t)(offsetof(__typeof__(f->table), copy) + fde);
	dynamic.start_ip = start + f->bias;
	dynamic.end_ip = end + f->bias;
	dynamic.u.rti.segbase = TABLE;
	dynamic.u.rti.table_data = TABLE;
	dynamic.u.rti.table_len = 1; /* words */
	return _Ux86_64_dwarf_search_unwind_table(space, ip, &dynamic, info, need, arg);
}

static void
put_info(unw_addr_space_t space, unw_proc_info_t *info, void *arg)
{
	(void)space, (void)info, (void)arg;
}

static int
no_dynamic_info(unw_addr_space_t space, unw_word_t *address, void *arg)
{
	(void)space, (void)address, (void)arg;
	return -UNW_ENOINFO;
}

static int
no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static int
no_name(unw_addr_space_t space, unw_word_t address, char *name, size_t size, unw_word_t *offset, void *arg)
{
	(void)space, (void)address, (void)name, (void)size, (void)offset, (void)arg;
	return -UNW_ENOINFO;
}

struct fallback *
fallback_open(void)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_info,
		.put_unwind_info = put_info,
		.get_dyn_info_list_addr = no_dynamic_info,
		.access_mem = access_memory,
		.access_reg = access_register,
		.access_fpreg = access_float,
		.resume = no_resume,
		.get_proc_name = no_name,
	};
	struct fallback *f = mem_alloc(sizeof *f);

	f->space = unw_create_addr_space(&accessors, 0);
	if (!f->space) {
		free(f);
		return NULL;
	}
	/* Not cached: one space serves all processes, and the path is rare. */
	unw_set_caching_policy(f->space, UNW_CACHE_NONE);
	return f;
}

void
fallback_close(struct fallback *f)
{
	if (!f)
		return;
	unw_destroy_addr_space(f->space);
	free(f);
}

int
fallback_begin(struct fallback *f, const struct sample *sample, struct maps *maps, uint64_t *missed)
{
	f->leaf = (struct stack){ .sample = sample, .maps = maps, .known = STACK_KNOWN_ALL, .exact = true,
		.missed = missed };
	memcpy(f->leaf.regs, sample->regs, sizeof f->leaf.regs);
	f->depth = 0;
	f->is_exact = true;
	f->mapping = NULL;
	f->reads_left = READS_MAX;
	return unw_init_remote(&f->cursor, f->space, f);
}

enum fallback_step
fallback_step(struct fallback *f)
{
	bool is_signal;
	unw_word_t ip = 0;
	int status;

	f->missed = false;
	f->reads_left += READS_EACH;
	is_signal = unw_is_signal_frame(&f->cursor) > 0;
	f->refused = false;
	f->missed = false; /* it looks at the code, which may have no file */
	status = unw_step(&f->cursor);
	if (f->refused)
		return FALLBACK_FAILED;
	if (status == 0)
		return FALLBACK_ROOT;
	if (status < 0)
		return f->missed ? FALLBACK_TRUNCATED : FALLBACK_FAILED;
	if (unw_get_reg(&f->cursor, UNW_REG_IP, &ip) < 0)
		return FALLBACK_FAILED;
	if (ip == 0)
		return FALLBACK_ROOT;
	f->depth++;
	f->is_exact = is_signal;
	return FALLBACK_STEPPED;
}

size_t
fallback_depth(const struct fallback *f)
{
	return f->depth;
}

void
fallback_registers(struct fallback *f, struct stack *stack)
{
	unw_word_t value;

	stack->known = 0;
	for (unsigned reg = 0; reg < R_COUNT; reg++)
		if (unw_get_reg(&f->cursor, (int)reg, &value) == 0)
			stack_set(stack, reg, value);
	stack->exact = f->is_exact;
}
