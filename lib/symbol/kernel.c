#include <sys/mman.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/warn.h"
#include "source/bpf.h"
#include "source/bpf/names.h"
#include "symbol/demangle.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel.h"

/* "ext4_readdir [ext4]"; an address that has no name comes back as a number. */
static void
take_name(struct symbol_query *query, char *text, struct buf *tidy, struct intern *names)
{
	char *module = text + strcspn(text, " ");

	query->name = SYMBOL_NONE;
	query->module = 0;
	if (!*text || strncmp(text, "0x", 2) == 0)
		return;
	if (module[0] == ' ' && module[1] == '[')
		query->module = intern_add(names, module + 2, strcspn(module + 2, " ]")) + 1;
	*module = '\0';
	demangle(text, tidy);
	query->name = intern_add(names, tidy->data, tidy->length);
}

/* In batches through a map that the program and we see as memory. */
static int
run_batches(int program, struct names_batch *batch, struct symbol_query *queries, size_t count, struct intern *names)
{
	struct buf tidy = { 0 };
	int result = 0;

	for (size_t at = 0, n; at < count && result == 0; at += n) {
		for (n = 0; n < NAMES_BATCH && at + n < count; n++)
			batch->address[n] = queries[at + n].vaddr;
		if (n < NAMES_BATCH)
			batch->address[n] = 0; /* the end */
		result = bpf_run(program);
		for (size_t i = 0; i < n && result == 0; i++)
			take_name(&queries[at + i], batch->name[i], &tidy, names);
	}
	buf_release(&tidy);
	return result;
}

static int
find_by_bpf(struct symbol_query *queries, size_t count, struct intern *names)
{
	static const char *const programs[] = { "print_names", NULL };
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (sizeof(struct names_batch) + page - 1) & ~(page - 1);
	struct bpf *bpf = bpf_load(&(struct bpf_plan){ .object = "names", .programs = programs });
	struct names_batch *batch;
	int result = -1;

	if (!bpf)
		return -1;
	batch = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map_fd(bpf, "batch"), 0);
	if (batch != MAP_FAILED) {
		result = run_batches(bpf_program_fd(bpf, "print_names"), batch, queries, count, names);
		munmap(batch, size);
	}
	bpf_close(bpf);
	return result < 0 ? bpf_fail("the kernel cannot run the program that prints names") : 0;
}

enum kernel_source
kernel_symbols_find(struct symbol_query *queries, size_t count, struct intern *names, bool allow_bpf)
{
	if (allow_bpf && count && find_by_bpf(queries, count, names) == 0) {
		detail("kernel names by BPF");
		return KERNEL_BPF;
	}
	if (kallsyms_find("/proc/kallsyms", queries, count, names) < 0) {
		if (errno != EPERM) {
			detail("no kernel names: /proc/kallsyms:");
			return KERNEL_UNREADABLE;
		}
		detail("no kernel names: the kernel hides its addresses (kptr_restrict)");
		return KERNEL_HIDDEN;
	}
	detail("kernel names from /proc/kallsyms%s%s", allow_bpf ? ", not by BPF: " : "", allow_bpf ? bpf_trouble() : "");
	return KERNEL_KALLSYMS;
}
