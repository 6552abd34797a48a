/* A page of gp-flame back to the profiles that it holds: what lib/render/pack.h writes. A page that was
 * damaged, or is not whole, is refused. */
#ifndef FOLD_IMPORT_PAGE_H
#define FOLD_IMPORT_PAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/input.h"
#include "fold/fold.h"

struct import_page {
	const char *file; /* for messages */
	struct buf text;  /* all of it */
	size_t at;	  /* what is before was read */
	size_t profiles, taken;
};

/* Do the first bytes of a file say that it is one. */
bool import_page_is(const char *head, size_t size);

/* Reads all that is left of the input. -1, said, if it is none or not whole. import_page_close() it anyway. */
int import_page_open(struct import_page *page, struct input *input);

/* Adds the next profile to fold, which is empty. 1: there was one, 0: no more, -1: damaged (said). */
int import_page_next(struct import_page *page, struct fold *fold);

void import_page_close(struct import_page *page);

#endif
