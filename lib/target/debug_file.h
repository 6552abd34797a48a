/* The file that has what was stripped from another one: symbols and DWARF, under the same addresses.
 * By build-id or .gnu_debuglink, on the local disk; a file of another build is refused. */
#ifndef TARGET_DEBUG_FILE_H
#define TARGET_DEBUG_FILE_H

#include "target/module.h"

/* NULL in silence if there is none; elf_close() it. */
struct elf *debug_file_open(const struct module *module);

#endif
