/* Mangled names → what programmers wrote. C++, Rust (both manglings), D by libiberty; then tidied:
 * no parameter lists, no hashes, std::string by its name. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include "base/buf.h"

/* Longer than this a mangled name is kept as it is: the demangler's time may grow without bound. */
#define DEMANGLE_MAX 4096

/* Replaces to's content by the readable name of symbol (as it is if it is not mangled). */
void demangle(const char *symbol, struct buf *to);

#endif
