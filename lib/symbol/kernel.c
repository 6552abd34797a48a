#include "base/warn.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel.h"

enum kernel_source
kernel_symbols_find(struct symbol_query *queries, size_t count, struct intern *names, bool allow_bpf)
{
	(void)allow_bpf;
	if (kallsyms_find("/proc/kallsyms", queries, count, names) < 0) {
		detail("the kernel hides its addresses (kptr_restrict)");
		return KERNEL_HIDDEN;
	}
	detail("kernel names from /proc/kallsyms");
	return KERNEL_KALLSYMS;
}
