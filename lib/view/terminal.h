/* The terminal that a person sits at: /dev/tty, whatever stdin and stdout are. Keys come one by one, the screen is
 * another one than the shell's, and all is as it was before on every way out: end, misuse, signal, crash, Ctrl-Z.
 * It must not know what is drawn or typed. */
#ifndef VIEW_TERMINAL_H
#define VIEW_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* What it can show. */
enum colour_depth { DEPTH_NONE, DEPTH_16, DEPTH_256, DEPTH_ALL };

/* -1, said with the remedy: there is no terminal, or none that can place a cursor. */
int terminal_open(void);
/* As it was before open. Anything may call it, at any time, more than once. */
void terminal_close(void);

enum colour_depth terminal_depth(void);
/* Lines and columns, as they are now. */
void terminal_size(size_t *rows, size_t *columns);
/* All of it. -1, silent: the terminal is gone. */
int terminal_write(const char *bytes, size_t length);

enum terminal_event {
	TERMINAL_KEYS,	 /* bytes were typed */
	TERMINAL_CHANGED, /* another size, or back from the shell: all is to be drawn again */
	TERMINAL_OTHER,	 /* the descriptor given became readable */
	TERMINAL_QUIET,	 /* nothing for that long */
	TERMINAL_SPARED, /* a Ctrl-C came that was not for us */
	TERMINAL_ENDED,	 /* it is gone, or a signal ends us: terminal_signal() */
};

/* Waits. fd: watched too, -1: none. milliseconds: -1: for ever. *length bytes of room are there for keys. Ctrl-Z is
 * dealt with inside. */
enum terminal_event terminal_wait(int fd, int milliseconds, char *keys, size_t *length);

/* Ctrl-C reaches every program of a pipeline: is the next one left to the program that feeds us, so that what it writes
 * at its end is still seen. */
void terminal_spare(bool spare);

/* The signal that ended it, 0: none. */
int terminal_signal(void);

#endif
