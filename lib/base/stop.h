/* How people stop a program. */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* A recorder: the first SIGINT, SIGTERM or SIGHUP asks it to write what it has, a second SIGINT ends
 * it at once. A file descriptor that becomes readable when asked, or -1. */
int stop_on_signals(void);
bool stop_asked(void);

/* Signals that a process sent us (not the terminal) go on to this child once. 0: none any more. */
void stop_pass_on_to(pid_t child);

/* A filter: Ctrl-C reaches every program of a pipeline; the first one is left to the program that
 * feeds us, so that what it writes at the end is still taken. Only while stdin is a pipe. */
void stop_with_input(void);

#endif
