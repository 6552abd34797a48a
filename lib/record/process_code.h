/* What a record of a new mapping says of a process's code: which file it is of, if it is of one. */
#ifndef RECORD_PROCESS_CODE_H
#define RECORD_PROCESS_CODE_H

#include <stdbool.h>

#include "sample/record.h"
#include "target/maps.h"

/* The file's mapping whose place code without a file has taken last. Its bytes may not have been there yet when the
 * first record of it was read: the next one is compared with the file again. module NULL: none. */
struct process_code {
	struct mapping replaced;
};

/* Adds the mapping of the record, and tells its module. is_past: nobody can be asked. */
struct module *process_code_add(struct process_code *code, struct maps *maps, struct modules *modules,
    const struct record *record, bool is_past);

#endif
