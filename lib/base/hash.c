#include <sys/random.h>

#include "base/hash.h"

uint64_t hash_seed = 0x51ed270b9f652295u;

__attribute__((constructor)) static void
seed(void)
{
	uint64_t fresh;

	if (getrandom(&fresh, sizeof fresh, GRND_NONBLOCK) == sizeof fresh)
		hash_seed = fresh;
}
