/* The code of one memory: what lies where, which file it is of if it is of one, and how far that is to be trusted.
 * Processes whose memory is one (clone() with CLONE_VM, vfork()) have one of these. It must not know of names. */
#ifndef RECORD_PROCESS_CODE_H
#define RECORD_PROCESS_CODE_H

#include <stdbool.h>

#include "sample/record.h"
#include "target/maps.h"

struct process_code {
	uint32_t users;	  /* processes that have it */
	struct maps maps;
	bool is_known;	  /* read, inherited or begun by exec */
	bool is_tried;
	bool is_born;	  /* began by exec under our eyes: records tell all of it */
	uint64_t time;	  /* record time of the last reading */
	/* The file's mapping whose place code without a file has taken last. Its bytes may not have been there yet when the
	 * first record of it was read: the next one is compared with the file again. module NULL: none. */
	struct mapping replaced;
};

struct process_code *process_code_new(void);
/* For one more process; and for one less. */
struct process_code *process_code_share(struct process_code *code);
void process_code_drop(struct process_code *code);

/* Adds the mapping of the record, and tells its module. is_past: nobody can be asked. */
struct module *process_code_add(struct process_code *code, struct modules *modules, const struct record *record,
    bool is_past);

#endif
