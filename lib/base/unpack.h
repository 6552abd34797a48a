/* Bytes in memory that xz or zstd packed. It must not know what they are. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include <stddef.h>

/* free() it; NULL, in silence, if they are damaged or make more than limit. *size of them. */
unsigned char *unpack(const void *packed, size_t packed_size, size_t limit, size_t *size);

#endif
