/* Label frames: "key=value" before the process name. gp-folded(5). */
#ifndef FOLD_LABEL_H
#define FOLD_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "fold/header.h"

/* The length of the frame's key if it is a label's: gp-folded(5)'s own or in the header's labels; else 0. */
size_t label_key(const struct header *header, const char *frame, size_t length);

/* "key=value" with a key of [a-z_]+, of any meaning. */
bool label_is_well_formed(const char *text);

#endif
