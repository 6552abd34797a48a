/* Numbers as people type them. All return -1, silently, on anything else; the option table says why. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

int number_u64(const char *text, uint64_t *value);	   /* decimal digits only, below 2^64 */
int number_duration(const char *text, uint64_t *nanoseconds); /* 10 (seconds), 1.5s, 250ms, 2m, 1h */
int number_size(const char *text, uint64_t *bytes);	   /* 4096, 16k, 2M, 1G */
int number_real(const char *text, double *value);	   /* 1, 0.59, .5: above 0, below 10^15 */

/* "1,3-5" or "1 2": numbers below limit, sorted, each once. free(*list). */
int number_list(const char *text, uint32_t limit, uint32_t **list, size_t *count);

#endif
