/* The command lines of the programs that gp-flame can be called as, in its own options. */
#ifndef RENDER_DIALECTS_H
#define RENDER_DIALECTS_H

#include "base/dialect.h"

extern const struct dialect dialect_flamegraph; /* flamegraph.pl */
extern const struct dialect dialect_inferno;	/* inferno-flamegraph */

#endif
