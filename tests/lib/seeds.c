/* A fuzz target without a fuzzer: each seed as it is, cut short, and with bits flipped; the same every time.
 * seeds [file ...]. The sanitizers, or a crash, tell what is wrong; so does a target that does not return. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest seed; what is read further on is left out. */
#define SEED_MAX ((size_t)1 << 20)
/* At most so many places of a seed are cut at, and flipped. */
#define PLACES 400

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned long runs;

/* In a block of its own size, so that one byte beyond it is noticed. */
static void
run(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	runs++;
}

static void
damage(uint8_t *seed, size_t size)
{
	static const uint8_t flips[] = { 0x01, 0x80, 0xff };
	size_t step = size / PLACES + 1;

	run(seed, size);
	for (size_t i = 0; i < size; i += step) {
		run(seed, i);
		for (size_t j = 0; j < sizeof flips; j++) {
			seed[i] ^= flips[j];
			run(seed, size);
			seed[i] ^= flips[j];
		}
	}
}

int
main(int argc, char *argv[])
{
	static uint8_t seed[SEED_MAX];

	run(seed, 0);
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		damage(seed, fread(seed, 1, sizeof seed, file));
		fclose(file);
	}
	printf("%lu runs\n", runs);
	return 0;
}
