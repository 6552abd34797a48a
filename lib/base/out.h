/* Checked output: complete, or absent and said. A regular file appears under its name only when it is
 * whole; devices, fifos and sockets are written as they are, and what standard output does to a file is taken back if
 * it fails. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;

/* First of all: who started us may have closed stdin, stdout or stderr, and what is opened next would get
 * their numbers and our messages. Their places are taken; using them fails as before, and commands that
 * are started find them closed. */
void out_hold_standard(void);

/* NULL or "-": stdout. The file's directory is checked now, so that nothing is recorded in vain.
 * gzip, or a name that ends in .gz: what is written is compressed. NULL after saying why. */
struct out *out_open(const char *path, bool gzip);

/* What is written goes on where out's descriptor is, compressed on its own: gzip files one after the other are one
 * (RFC 1952, 2.2). For a stream of profiles. NULL after saying why. */
struct out *out_open_again(const struct out *out, bool gzip);

/* Writing never fails at once: out_close() tells. */
void out_add(struct out *out, const void *bytes, size_t length);
void out_text(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_number(struct out *out, uint64_t value);
void out_print(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Pushes what is there to the reader (a stream of profiles). */
void out_flush(struct out *out);
bool out_failed(const struct out *out);

/* Flushes, checks, gives the file its name, frees. -1 after saying why; a reader that went away is
 * -1 in silence, errno is then EPIPE. */
int out_close(struct out *out);

/* The file stays as it was before out_open(). */
void out_abandon(struct out *out);

#endif
