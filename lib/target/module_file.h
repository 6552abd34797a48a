/* The file of a mapping, wherever it can be got at: by its path, in the process's own mount namespace, by the kernel's
 * link to the mapping, among what the process has open. Never another one. */
#ifndef TARGET_MODULE_FILE_H
#define TARGET_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "target/module.h"

/* Opens it for reading; -1 with errno, ESTALE: another file is at its path. root: where its process's paths begin, -1:
 * not known. exactly: that may be another's root, so the device must be the mapping's, whatever the file system shows.
 * by_name: its name is path, to the last letter. Nothing else is opened, were it for a moment. */
int module_file_open(const struct module_place *place, int root, bool exactly, bool *by_name);

/* The file at path, if it is the mapped one: the same device, inode and generation. */
int module_file_at(const char *path, const struct module_place *place);

/* Do mappings of the file show the numbers of other files, too? Each subvolume of btrfs counts its own inodes, from the
 * same number on, and mappings do not tell which one it is: only the file's own device number does. */
bool module_file_hides_subvolume(int fd);

/* How long the " (deleted)" is that the kernel puts behind the name of a file that is gone; files may be called so,
 * too. 0: none. */
size_t module_file_deleted(const char *path);

#endif
