/* What tells the running kernel from another, or from itself before it was started again. */
#ifndef TARGET_RUNNING_KERNEL_H
#define TARGET_RUNNING_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its build-id; returns the size, 0 if it has none that we may read. */
size_t running_kernel_build_id(unsigned char build_id[static 20]);

/* The address of one of its first symbols, "_text" or "_stext". False if it is hidden (kptr_restrict). */
bool running_kernel_symbol(const char *name, uint64_t *address);

struct running_module {
	const char *name;    /* for the call alone */
	uint64_t start;	     /* of its code */
	uint64_t size;	     /* of all its parts: the code is no larger */
	bool is_going;	     /* being unloaded */
};

/* Modules and BPF programs lie above, wherever the kernel itself does (x86-64). */
#define RUNNING_KERNEL_MODULES UINT64_C(0xffffffffa0000000)

/* Calls found with every module that path, "/proc/modules" or a copy of it, shows, until that returns false. -1, in
 * silence: it cannot be read, or addresses are hidden. */
int running_kernel_modules(const char *path, bool (*found)(void *context, const struct running_module *module),
    void *context);

#endif
