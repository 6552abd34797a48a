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

static inline uint64_t
hash_load(const unsigned char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof word);
	return word;
}

/* Sixteen bytes a step; what is left is read again from the end, so that every load is whole and a line of text is
 * hashed at several bytes a cycle. Both factors of a product hold the seed: a factor that input can make 0 makes all of
 * it 0, whatever else is there. */
static inline uint64_t
hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t a = hash_seed ^ length, b = (hash_seed << 32 | hash_seed >> 32) ^ 0x9e3779b97f4a7c15u, x = 0, y = 0;
	uint32_t low, high;
	size_t left = length;

	for (; left > 16; p += 16, left -= 16)
		a = hash_mix(a ^ hash_load(p), b ^ hash_load(p + 8) ^ 0xd6e8feb86659fd93u);
	if (length >= 16) {
		x = hash_load(p + left - 16);
		y = hash_load(p + left - 8);
	} else if (length >= 8) {
		x = hash_load(p);
		y = hash_load(p + length - 8);
	} else if (length >= 4) {
		memcpy(&low, p, sizeof low);
		memcpy(&high, p + length - 4, sizeof high);
		x = (uint64_t)high << 32 | low;
	} else if (length) {
		x = (uint64_t)p[0] << 16 | (uint64_t)p[length / 2] << 8 | p[length - 1];
	}
	return hash_mix(hash_mix(a ^ x, b ^ y), 0xa0761d6478bd642fu ^ hash_seed);
}

#endif
