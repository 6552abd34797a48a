/* Mangled names → what programmers wrote. C++, Rust (both manglings) and D by libiberty; then tidied,
 * so that one function is one name:
 * - no parameter lists, but in {lambda(int)#1} and in template arguments; no ABI tags, no Rust hash;
 * - std::string, std::string_view and std::vector by these names, in libstdc++ and libc++;
 * - what a compiler split off or cloned is its function: foo.cold, foo.isra.0, foo.part.0.cold,
 *   foo.constprop.0, foo.lto_priv.0, foo.llvm.123 and a local function's foo.0 are all foo. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include "base/buf.h"

/* Longer than this a mangled name is kept as it is: the demangler's time may grow without bound. */
#define DEMANGLE_MAX 4096

/* Replaces to's content by the readable name of symbol (as it is if it is not mangled). */
void demangle(const char *symbol, struct buf *to);

#endif
