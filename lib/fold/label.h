/* Label frames: "key=value" before the process name. gp-folded(5). */
#ifndef FOLD_LABEL_H
#define FOLD_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold/header.h"

/* The length of the frame's key if it is a label's: gp-folded(5)'s own or in the header's labels; else 0. */
size_t label_key(const struct header *header, const char *frame, size_t length);

/* The value of a label "time=000012.300" that many nanoseconds later, written into text as it is, as wide
 * and with as many decimals, more if need be. Its length, or 0: it is no such label. */
size_t label_later(const char *frame, size_t length, uint64_t ns, char text[static 64]);

/* "key=value" with a key of [a-z_]+, of any meaning. */
bool label_is_well_formed(const char *text);

#endif
