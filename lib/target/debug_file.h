/* The file that has what was stripped from another one: symbols and DWARF, under the same addresses.
 * By build-id or .gnu_debuglink, under the folders that GP_DEBUG_DIR lists and /usr/lib/debug, which are ours; by link
 * beside the file and in .debug there, in the root of who has mapped it. A file of another build is refused, and that
 * is said once. */
#ifndef TARGET_DEBUG_FILE_H
#define TARGET_DEBUG_FILE_H

#include "target/module.h"

/* Without a build-id the checksum of a whole file says whether it is meant. So many bytes may be read for that from
 * now on; when they are used up, that is said once, and what would need more is not used. */
#define DEBUG_FILE_SUMS ((uint64_t)8 << 30)
void debug_file_begin(uint64_t bytes);

/* NULL in silence if there is none; elf_close() it. */
struct elf *debug_file_open(struct module *module);

/* The same from the servers of DEBUGINFOD_URLS, which may take its time: not while something is recorded. */
struct elf *debug_file_fetch(struct module *module);

/* The symbols that .gnu_debugdata has packed inside the file itself; elf_close() it. NULL if there are none. */
struct elf *debug_file_open_packed(const struct module *module);

/* A file of this build-id under the folders, open for reading: what debug files have in common, .gnu_debugaltlink.
 * -1 if there is none. */
int debug_file_find(const unsigned char *build_id, size_t size);

#endif
