/* The memory of a process as it is now, read without stopping it.
 *
 * To read a page that is not there is to wait for it, and how long, its owner says: an ordinary user's own file
 * system (FUSE), a userfaultfd, a server that is gone need never answer, and not even SIGKILL ends the wait. So it
 * is not we who wait, but a child of ours, made at the first reading, that has nothing open but a socket to us. If
 * it does not answer in time it is killed, left to its wait, and that is told; the process it asked is left alone
 * for an hour, and all are after eight such in an hour, or a second of answers that came late. A process that may
 * be read by us but not by our child, as Yama lets one read only its descendants, is read by ourselves: it is of
 * our own user. */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* From address on up to the first page that is not mapped; how many bytes came, 0 in silence if none. Our own memory is
 * read by ourselves, with errno as process_vm_readv(2) sets it. */
size_t memory_read(uint32_t pid, uint64_t address, void *to, size_t size);

/* Ends the child, if there is one; the next reading makes another. */
void memory_release(void);

#endif
