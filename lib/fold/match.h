/* Which names a regular expression finds: PCRE2's, looked for anywhere in a name as it is written. */
#ifndef FOLD_MATCH_H
#define FOLD_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

/* Every name is looked at once, however many stacks have it: marks[number] gets the mark where it matches. -1, said:
 * the expression is wrong. One that takes too long on a name does not match it, which is said too. */
int match_names(const struct intern *names, const char *expression, bool any_case, uint8_t *marks, uint8_t mark);

#endif
