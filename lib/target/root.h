/* Where the paths of a process begin, and what lies there. Whoever made it may wish us ill: a path is followed as
 * the process would follow it, so that no link of it leads to a place outside, and it is found without being opened.
 *
 * A directory is held by one descriptor, whoever else holds it; as long as it is held, it is there. */
#ifndef TARGET_ROOT_H
#define TARGET_ROOT_H

#include <stdint.h>

/* The root of a process, asked through a thread of it, or through any that lives; our own. -1, in silence, if it is
 * gone or not ours to look into. root_drop() it. */
int root_open(uint32_t pid, uint32_t tid);
int root_open_ours(void);

/* A descriptor of O_PATH and flags (O_DIRECTORY, O_NOFOLLOW) for what is at path, which begins at root; -1 with errno.
 * root -1: it is not known; then it is ours, and no link at all is followed. */
int root_find(int root, const char *path, int flags);

/* Takes over the descriptor of a directory, and gives back the one by which all hold it; -1 is -1. */
int root_hold(int fd);
int root_share(int held); /* once more */
void root_drop(int held);

#endif
