/* Debug files from the servers that DEBUGINFOD_URLS names, if the user has set it: nothing is asked for
 * otherwise. By libdebuginfod, which is loaded when first needed and keeps what it got in its own cache. */
#ifndef TARGET_DEBUGINFOD_H
#define TARGET_DEBUGINFOD_H

#include <stddef.h>

/* The debug file of a build-id, open for reading; -1 if there is none, or not within the time that all files
 * together have: DEBUGINFOD_MAXTIME seconds, or a minute. What kept it from working is said, once. */
int debuginfod_open(const unsigned char *build_id, size_t size);

#endif
