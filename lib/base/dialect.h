/* Another program's command line, spoken under that program's name: a table turns it into our own options
 * before they are parsed. It must not know what any option means. */
#ifndef BASE_DIALECT_H
#define BASE_DIALECT_H

#include <stdbool.h>

struct dialect_option {
	char letter;	  /* '\0': only the long name */
	const char *name; /* without the dashes */
	const char *arg;  /* NULL for a switch */
	/* Ours, without the dashes, "%s" standing for the argument and "%%" for a percent sign. "": taken and of
	 * no effect here. NULL: ends in the usage. */
	const char *ours;
};

struct dialect {
	const char *program;
	const char *operands; /* as in a usage */
	const struct dialect_option *options; /* ends with { 0 } */
	const char *const *defaults;	      /* ours, without the dashes, that come first; NULL at the end */
	const char *const (*conflicts)[2];    /* options that exclude each other; { NULL } at the end; NULL: none do */
	const char *const *repeatable; /* options that alone may be given several times, NULL at the end; NULL: all may */
	bool perl;	   /* Getopt::Long's way: one dash or two, any case, cut to what is unique among theirs */
	int misuse_status;
};

/* Called by a name of these (NULL at the end), the program gets its arguments in our words, in a new argv, and the
 * dialect is returned; else NULL and nothing has changed. Misuse ends the program. */
const struct dialect *dialect_translate(const struct dialect *const *known, int *argc, char ***argv);

/* The usage in the words of the dialect spoken, on stderr, and its status for misuse; returns without a word
 * where none is spoken. */
void dialect_misuse(void);

#endif
