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
	unsigned vain;	  /* readings in a row that found nothing new */
	/* The file's mapping whose place code without a file has taken last. Its bytes may not have been there yet when the
	 * first record of it was read: the next one is compared with the file again. module NULL: none. */
	struct mapping replaced;
};

/* Code that no record told of (it was there before us; it was moved by mremap()) is looked for so often at most, in ns
 * of record time. */
#define PROCESS_CODE_AGAIN 1000000000u

struct process_code *process_code_new(void);
/* For one more process; and for one less. */
struct process_code *process_code_share(struct process_code *code);
void process_code_drop(struct process_code *code);

/* Adds the mapping of the record, and tells its module. maker: who has forked the process, 0: not known; is_past: nobody
 * can be asked. */
struct module *process_code_add(struct process_code *code, struct modules *modules, const struct record *record,
    uint32_t maker, bool is_past);

/* Adds what /proc has of a process now, by any of its threads. False: nothing. */
bool process_code_read(struct maps *maps, struct modules *modules, uint32_t pid, uint32_t tid);

/* The same where records tell all but what mremap() has moved: only where nothing is known to lie, since what is there
 * now may have come after the sample. Not in the first while since the process or program began, and less often if it
 * is in vain. False: there is nothing new. */
bool process_code_fill(struct process_code *code, struct modules *modules, uint32_t pid, uint32_t tid, uint64_t began,
    uint64_t time);

#endif
