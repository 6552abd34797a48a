/* A program's command line as a table: parsing, usage, help, completions and the check of the man
 * page are made from it. It must not know any program. */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opt_kind {
	OPT_SWITCH,   /* bool: set to true */
	OPT_TEXT,     /* const char * */
	OPT_NUMBER,   /* uint64_t; never UINT64_MAX, which may stand for not given */
	OPT_DURATION, /* uint64_t, nanoseconds */
	OPT_SIZE,     /* uint64_t, bytes */
	OPT_REAL,     /* double, above 0 */
	OPT_LIST,     /* struct opt_texts: may be given several times */
};

struct opt_texts {
	const char **text;
	size_t count, room;
};

struct opt {
	char letter;	  /* '\0': only the long name */
	const char *name; /* without the dashes */
	const char *arg;  /* what the argument is called, NULL for a switch: "FILE", "cfi|fp" (a choice is checked) */
	enum opt_kind kind;
	void *to;
	const char *help; /* one line, no final stop */
};

struct command {
	const char *summary;	    /* one line: what the program is for */
	const char *operands;	    /* as in the synopsis: "[file ...]", "[-- command [argument ...]]" */
	const struct opt *options;  /* ends with { 0 } */
	const char *examples[4][2]; /* what it does, what to type */
	bool runs_command;	    /* the first operand ends the options: the rest is a command */
};

/* Reads the options of argv into the table's places and returns the index of the first operand;
 * operands are moved behind the options, in order. -h and -V print and exit 0; misuse prints the
 * reason and the usage on stderr and exits 2. Every program has -q, -v, -h and -V without naming them. */
int opt_parse(const struct command *command, int argc, char *argv[]);

/* Says what is wrong and the usage, exit status 2: for what only the program can know. */
_Noreturn void opt_misuse(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A filter without operands whose stdin is a terminal was probably typed to see its usage. */
void opt_require_input(const struct command *command, int operands);

#define GP_VERSION "0.1.0"

#endif
