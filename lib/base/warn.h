/* One way to speak to people: a line on stderr that begins with the program's name. */
#ifndef BASE_WARN_H
#define BASE_WARN_H

#include <stdbool.h>
#include <stddef.h>

/* The name every line begins with; set once, from argv[0]. */
void warn_set_program(const char *argv0);
const char *warn_program(void);

/* -q: tell() says nothing. warn() always speaks. */
extern bool warn_quiet;
/* -v: detail() speaks. */
extern bool warn_verbose;

/* What went wrong. A format that ends in ':' gets the reason of errno. Returns -1, so that
 * a failure is one line: return warn("open %s:", path); */
int warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What was done, for people who did not ask for quiet. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What only -v wants to know. */
void detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Lines go there, whole, without the newline, from any thread, while stderr is no place for them: a program that
 * draws on the terminal. NULL: to stderr again. */
void warn_divert(void (*to)(const char *line, size_t length));

/* Cannot go on: says why and ends the program with status 1. For main() and for memory only. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
