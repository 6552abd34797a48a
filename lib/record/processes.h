/* The processes of a recording, followed through its records: what they are called, where their code lies.
 * What was there before is read from /proc on the first sample that needs it; what happens later comes
 * from the records. */
#ifndef RECORD_PROCESSES_H
#define RECORD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "record/process_code.h"
#include "record/thread_names.h"
#include "sample/record.h"
#include "target/maps.h"
#include "target/task.h"

struct process {
	uint32_t pid;
	uint32_t generation; /* changes with the name: for what others cache by process */
	char *name;	     /* of the leader, or of the program that ld.so runs; NULL: not known yet */
	struct process_code *code; /* never NULL; another's too, if they have one memory */
	bool by_loader;	     /* started as "ld.so program": the next file mapped gives the name */
	bool asked_parent;   /* whether they have one memory */
	bool doubtful;	     /* records were lost: the name is asked for again */
	uint32_t losses;     /* of the recording, when what is known of this one was last sure */
	uint32_t program;    /* a number for each process, and for each exec of it */
	uint32_t origin;     /* the process whose code it has, unread as yet, while that is still the program */
	uint32_t origin_program;
	uint32_t parent;     /* that forked it, while both are still the program they were; 0: none */
	uint32_t parent_program;
	uint32_t maker;	     /* that forked it, whatever both have become; 0: not known */
	uint64_t fork_time;  /* record time; 0: not seen */
	uint64_t exec_time;  /* the same */
	uint64_t seen;	     /* record time of the last sample */
	uint32_t threads;    /* alive, as far as forks told; 0: not known, UINT32_MAX: it has ended */
	struct {	     /* the recording's: numbers of frames, good for one stamp, for a while */
		uint64_t stamp, time;
		uint32_t name, pid, cgroup, container;
	} cached;
};

struct processes {
	struct modules modules;
	struct map by_pid;  /* → struct process * */
	struct thread_names threads;
	bool replay;	     /* /proc knows nothing of them */
	uint32_t losses;     /* each makes every process doubtful */
	uint32_t programs;
	struct dead {
		uint64_t time;
		uint32_t tid;
	} *dead;	     /* threads that have exited, in order; forgotten a little later */
	size_t dead_count, dead_room;
	uint64_t tidied;     /* record time */
};

void processes_init(struct processes *processes, bool replay);
void processes_release(struct processes *processes);

/* Anything but a sample. */
void processes_follow(struct processes *processes, const struct record *record);

/* The process of a sample, its name known if that is possible. */
struct process *processes_of(struct processes *processes, uint32_t pid, uint32_t tid, uint64_t time);

/* One that is known already, or NULL. */
struct process *processes_known(const struct processes *processes, uint32_t pid);
/* The process that forked this one, whatever program both are now; NULL: not known any more. */
struct process *processes_maker(const struct processes *processes, const struct process *process);

/* Its code, read now if records did not tell it. */
struct maps *processes_maps(struct processes *processes, struct process *process, uint32_t tid, uint64_t time);
/* An address was outside: reads the maps of a process again, at most once a second, and of one that records tell all
 * about only what they cannot (mremap). True if something may have changed. */
bool processes_maps_again(struct processes *processes, struct process *process, uint32_t tid, uint64_t time);

/* A thread's own name; "" if it is not known. Valid until the next record. */
const char *processes_thread_name(struct processes *processes, uint32_t pid, uint32_t tid);

/* Forgets files that nobody has mapped for long, and processes and threads whose end was not told (before we came, or
 * lost), those a little later. Modules get other numbers. */
void processes_tidy(struct processes *processes, uint64_t time);

/* A process is about to run this program: until exec says so itself it is called by it. */
void processes_name(struct processes *processes, uint32_t pid, const char *name);

#endif
