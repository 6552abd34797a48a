/* A value as people and programs write it, exactly: 42, 1.5, 5., .5, 1e3. */
#ifndef FOLD_VALUE_H
#define FOLD_VALUE_H

#include <stddef.h>
#include <stdint.h>

/* Finer than a double of any size that counts something; 10^18 is the largest power within 64 bits. */
#define VALUE_DECIMALS_MAX 18

struct value {
	unsigned __int128 digits; /* the number is digits / 10^decimals, below 2^64 */
	unsigned decimals;	  /* as few as can be */
};

/* NULL, or why not: static text. */
const char *value_read(const char *text, size_t length, struct value *value);

/* 10^power, for powers up to 38. */
unsigned __int128 value_power(unsigned power);

#endif
