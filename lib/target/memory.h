/* The memory of a process as it is now, read without stopping it. */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* From address on up to the first page that is not mapped; how many bytes came, 0 in silence if none. */
size_t memory_read(uint32_t pid, uint64_t address, void *to, size_t size);

#endif
