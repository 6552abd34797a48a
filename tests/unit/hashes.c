/* hash.h: no text is made so that its hash is that of others whatever the seed. */
#include "base/hash.h"
#include "tap.h"

/* The constants of a step and of the end: as bytes of a text they would take its other factor out of the product. */
static const uint64_t zeros[] = { 0x9e3779b97f4a7c15u ^ 0xd6e8feb86659fd93u, 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u };

/* Texts that differ in one word, with another word that is always the same. */
static bool
differ(size_t size, size_t changing, size_t fixed, uint64_t word)
{
	char text[64];
	uint64_t hashes[64];

	for (uint64_t i = 0; i < 64; i++) {
		memset(text, 'a', sizeof text);
		memcpy(text + changing, &i, sizeof i);
		memcpy(text + fixed, &word, sizeof word);
		hashes[i] = hash_bytes(text, size);
		for (size_t k = 0; k < i; k++)
			if (hashes[k] == hashes[i])
				return false;
	}
	return true;
}

int
main(void)
{
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
		ok(differ(32, 0, 8, zeros[i]), "texts of two steps, one word %016llx", (unsigned long long)zeros[i]);
		ok(differ(48, 16, 24, zeros[i]), "further on");
		ok(differ(24, 0, 16, zeros[i]), "at the end");
		ok(differ(16, 0, 8, zeros[i]), "of a short text");
	}
	return done_testing();
}
