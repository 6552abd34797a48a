/* A line that is written over and over while something takes long: on a terminal, for people only. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

/* At most twice a second; nothing with -q or where stderr is no terminal. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Before anything else is said. */
void progress_clear(void);

#endif
