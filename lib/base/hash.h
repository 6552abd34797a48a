/* Hashes of bytes and numbers, seeded anew in every run so that input cannot be made to collide. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern uint64_t hash_seed; /* set before main() */

/* The folded product of two words: every bit of either reaches every bit of the result. */
static inline uint64_t
hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t
hash_u64(uint64_t value)
{
	return hash_mix(value ^ hash_seed, 0x9e3779b97f4a7c15u);
}

/* Two lanes of eight bytes a step: a line of text is hashed at several bytes a cycle. */
static inline uint64_t
hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t a = hash_seed ^ length, b = 0x9e3779b97f4a7c15u, x, y;
	size_t left = length;

	for (; left >= 16; p += 16, left -= 16) {
		memcpy(&x, p, 8);
		memcpy(&y, p + 8, 8);
		a = hash_mix(a ^ x, b ^ y ^ 0xd6e8feb86659fd93u);
	}
	x = y = 0;
	if (left >= 8) {
		memcpy(&x, p, 8);
		memcpy(&y, p + 8, left - 8);
	} else {
		memcpy(&x, p, left);
	}
	return hash_mix(hash_mix(a ^ x, b ^ y), 0xa0761d6478bd642fu ^ hash_seed);
}

#endif
