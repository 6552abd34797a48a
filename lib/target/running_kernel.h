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

/* Calls found with every module loaded and where it is, until that returns false. */
void running_kernel_modules(bool (*found)(void *context, const char *name, uint64_t start), void *context);

#endif
