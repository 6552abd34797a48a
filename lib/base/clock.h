/* The two clocks: one that only goes forward, one that people read. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_now(void); /* CLOCK_MONOTONIC, nanoseconds */
uint64_t clock_cpu(void); /* CPU time of this process, nanoseconds */
uint64_t clock_wall(void); /* nanoseconds since 1970, UTC */
long clock_peak_kb(void); /* largest resident size of this process so far, KiB */

/* RFC 3339 in UTC with milliseconds, "2026-01-31T12:00:00.000Z", into text. */
void clock_print(uint64_t wall, char text[static 32]);

/* The same read, with any number of decimals. -1, silently, if it is something else. */
int clock_read(const char *text, uint64_t *wall);

#endif
