// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Samples of the targets alone. An object of its own: to load what descent.bpf.c adds, libbpf reads all
 * types of the kernel, which costs more than the rest of a recording's start. */
#include "source/bpf/filter.h"
