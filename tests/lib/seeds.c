/* A fuzz target without a fuzzer: each seed as it is, cut short, and with bits flipped; the same every time.
 * seeds [file ...] [- file ...]: those behind the - only as they are. The sanitizers, or a crash, tell what is wrong; an
 * input that takes too long is named here.
 * SEED_MS: the CPU time that one input may take, 2000 if it is not set. */
#include <sys/time.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest seed; what is read further on is left out. */
#define SEED_MAX ((size_t)1 << 20)
/* At most so many places of a seed are cut at, and flipped. */
#define PLACES 400

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned long runs;
static struct itimerval limit;
static char doing[512];

static void
too_long(int number)
{
	static const char text[] = "# takes too long: ";

	(void)number;
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0 || write(STDERR_FILENO, doing, strlen(doing)) < 0)
		_exit(2);
	_exit(1);
}

/* In a block of its own size, so that one byte beyond it is noticed. */
static void
run(const uint8_t *bytes, size_t size)
{
	static const struct itimerval none;
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	setitimer(ITIMER_PROF, &limit, NULL);
	LLVMFuzzerTestOneInput(copy, size);
	setitimer(ITIMER_PROF, &none, NULL);
	free(copy);
	runs++;
}

static void
damage(const char *name, uint8_t *seed, size_t size)
{
	static const uint8_t flips[] = { 0x01, 0x80, 0xff };
	size_t step = size / PLACES + 1;

	for (size_t i = 0; i < size; i += step) {
		snprintf(doing, sizeof doing, "%s, its first %zu bytes\n", name, i);
		run(seed, i);
		for (size_t j = 0; j < sizeof flips; j++) {
			snprintf(doing, sizeof doing, "%s, byte %zu ^ 0x%02x\n", name, i, flips[j]);
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
	const char *text = getenv("SEED_MS");
	long ms = text ? strtol(text, NULL, 10) : 2000;
	bool whole = false;
	size_t size;

	limit.it_value.tv_sec = ms / 1000;
	limit.it_value.tv_usec = ms % 1000 * 1000;
	signal(SIGPROF, too_long);
	run(seed, 0);
	for (int i = 1; i < argc; i++) {
		FILE *file;

		if (strcmp(argv[i], "-") == 0) {
			whole = true;
			continue;
		}
		file = fopen(argv[i], "rb");
		if (!file) {
			perror(argv[i]);
			return 1;
		}
		size = fread(seed, 1, sizeof seed, file);
		fclose(file);
		snprintf(doing, sizeof doing, "%s\n", argv[i]);
		run(seed, size);
		if (!whole)
			damage(argv[i], seed, size);
	}
	printf("%lu runs\n", runs);
	return 0;
}
