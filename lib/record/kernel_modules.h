/* Kernel modules that are there while it is recorded, or were: no record tells of one that comes or goes, and at the end
 * the kernel names what is there then, which may be another. So it is looked now and then. It must not know stacks. */
#ifndef RECORD_KERNEL_MODULES_H
#define RECORD_KERNEL_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frames;

struct kernel_modules {
	const char *path; /* "/proc/modules", or a copy of it; NULL: nobody tells */
	struct kernel_module {
		uint64_t start, end; /* no code of it is outside; other code may be inside */
		char *name;
		bool is_there;	     /* at the last look */
		bool was_gone;	     /* when the interval began */
	} *list;		     /* each that was seen; those of one look do not overlap */
	size_t count, room;
	size_t frames_seen;	     /* at the last kernel_modules_follow() */
};

/* Takes some tenths of a millisecond at most. Where nothing is told, all stays as it was. */
void kernel_modules_look(struct kernel_modules *modules);

/* All records that were there have been taken: looks, if they brought code that may be a module's and is new. */
void kernel_modules_follow(struct kernel_modules *modules, const struct frames *frames);

/* The frames begin anew: looks, and forgets what has been gone for an interval. */
void kernel_modules_restart(struct kernel_modules *modules);

/* What the kernel says of an address after the end. */
struct kernel_answer {
	bool is_known;	    /* it says who is there; else name and module say nothing */
	const char *name;   /* NULL: it has none */
	const char *module; /* of the name; NULL: of none */
};

/* Whose the code was that was sampled there. */
enum kernel_owner {
	KERNEL_AS_NAMED, /* the name, if there is one, is right */
	KERNEL_NOBODY,	 /* it is not, and nobody is known */
	KERNEL_MODULE,	 /* *owner's, some function */
	KERNEL_REPLACED, /* one of several that have been there */
};
enum kernel_owner kernel_modules_judge(const struct kernel_modules *modules, uint64_t address,
    const struct kernel_answer *answer, const struct kernel_module **owner);

void kernel_modules_release(struct kernel_modules *modules);

#endif
