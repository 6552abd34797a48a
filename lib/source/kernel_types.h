/* Where fields lie in the running kernel's structs, from its BTF: a few pages of five megabytes, where
 * libbpf would read and index them all. Format: Documentation/bpf/btf.rst. */
#ifndef SOURCE_KERNEL_TYPES_H
#define SOURCE_KERNEL_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* The offsets, in bytes, of members of a struct, those of nameless structs in it included. -1 in silence if the kernel does not tell. */
int kernel_fields_find(const char *structure, const char *const fields[], uint32_t offsets[], size_t count);

#endif
