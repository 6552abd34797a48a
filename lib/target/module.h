/* A file mapped as code by some process, once for all processes: identity, ELF, and what later stages
 * keep with it. Opened at first sight and held open, so that it keeps its names when it is replaced or
 * deleted, and so that its inode number cannot become another file's. What it is: device, inode and its generation;
 * where these do not tell subvolumes apart (btrfs), which file its path leads to; and, as it may be written over, size,
 * times of change, header and build-id, or what it begins and ends with. */
#ifndef TARGET_MODULE_H
#define TARGET_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "target/elf.h"

struct cfi;   /* unwind/cfi.h */

enum module_kind {
	MODULE_FILE,
	MODULE_VDSO,
	MODULE_ANONYMOUS, /* code without a file: JIT, "//anon" */
};

struct module {
	uint32_t number; /* dense, from 0 */
	enum module_kind kind;
	char *path;	 /* as the process knew it */
	const char *base; /* the last part of path, for [libfoo.so] */
	uint64_t device, inode;
	int root;	 /* where path begins, held; -1: not known (root_find()) */
	struct elf *elf; /* NULL: not there, not ELF, or not ours to read; why is in trouble */
	int trouble;	 /* errno of opening; ESTALE: another file is at its path now */
	uint64_t size, mtime_ns, ctime_ns; /* of the file when it was opened: what is written over is another */
	bool is_used;	 /* modules_tidy()'s */
	uint64_t unused_since;
	bool hides_subvolume; /* module_file_hides_subvolume() */
	bool by_path;	 /* of a replay: opened by its path, and no build-id vouches for it */
	bool debug_said; /* that its debug file is of another build */
	struct cfi *cfi; /* made by the unwinder when first needed */
	void (*cfi_close)(struct cfi *cfi); /* set with it */
	bool cfi_tried;
};

struct modules {
	struct module **list;
	size_t count, room;
	uint32_t *slots;
	size_t slot_count;
	struct intern expected_paths;	  /* of modules_expect() */
	struct expectation *expectations; /* by number of the path */
	size_t expectation_room;
};

/* Where a mapping's file may be looked for. pid 0: the process is of the past or of another machine, so
 * that the inode only tells files apart; what is at the path now is taken if its build-id is the one
 * recorded, else a copy that perf keeps under ~/.debug; by its path alone if none was recorded. */
struct module_place {
	const char *path;
	uint32_t pid;
	uint32_t maker;		/* of pid: if that is gone, its root was the maker's, perhaps; 0: not known */
	uint64_t time;		/* of the mapping, CLOCK_MONOTONIC; 0: it was there when it was read */
	const int *root;	/* of the process, of root_open(); NULL: to be asked for */
	uint64_t start, end;	/* of the mapping, for map_files */
	uint64_t device, inode; /* 0, 0: not known (perf.data of an old file): the path is the identity */
	uint64_t generation;	/* of the inode; 0: not known */
	const unsigned char *build_id;
	size_t build_id_size;	/* 0: not known, unless modules_expect() told it */
};

/* The module of a mapping, opened now if it is new. Never NULL; its elf may be. */
struct module *modules_find(struct modules *modules, const struct module_place *place);

/* The build-id that the file at path had when it was mapped; told before its first mapping comes. A path
 * told with two has had two files: then only one with the inode recorded is taken. "[vdso]" is a path too. */
void modules_expect(struct modules *modules, const char *path, const unsigned char *build_id, size_t size);

/* The vdso that this kernel gives every 64-bit process; and code without a file. */
struct module *modules_vdso(struct modules *modules);
struct module *modules_anonymous(struct modules *modules, const char *name);

/* Before names are asked for: lets go of files that were written over since they were opened, since what was in them
 * is nowhere any more. Their trouble is ESTALE. What debug files may cost (debug_file_begin()) begins anew. */
void modules_check(struct modules *modules);

/* Closes files that nobody has mapped, as is_used says, and either nobody had for MODULES_IDLE, or which are deleted,
 * or beyond MODULES_SPARE of them. The others get other numbers: nobody may remember one. time: of records, ns. */
#define MODULES_IDLE 600000000000u
#define MODULES_SPARE 1024u
void modules_tidy(struct modules *modules, uint64_t time);

void modules_release(struct modules *modules);

#endif
