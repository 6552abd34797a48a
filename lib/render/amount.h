/* Values as people read them: with their unit, and as a share of the whole. */
#ifndef RENDER_AMOUNT_H
#define RENDER_AMOUNT_H

#include <stdint.h>

#include "base/buf.h"
#include "fold/header.h"

struct amounts {
	const char *unit; /* "samples", "ns", "us", "bytes", ...; lives as long as the header */
	uint64_t scale;   /* values are this many times what they mean: a power of ten */
	uint64_t total;
	double factor;    /* what is printed is multiplied by it; 0: by nothing */
};

struct amounts amounts_of(const struct header *header, uint64_t total);

/* "1,234 samples", "1.23 s", "4.5 MiB"; exactly too, in brackets, where that was rounded. */
void amount_print(const struct amounts *amounts, uint64_t value, struct buf *to);
/* "12.34 %" */
void amount_share(const struct amounts *amounts, uint64_t value, struct buf *to);
/* "1,234,567" */
void amount_group(uint64_t number, struct buf *to);

#endif
