/* What is typed, in pieces of any size, with pauses anywhere: every byte is taken, and no key is none. */
#include <stdint.h>
#include <stdlib.h>

#include "view/keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static size_t
take_all(struct keys *keys, bool is_late)
{
	size_t count = 0;
	uint32_t key;

	while ((key = keys_next(keys, is_late)) != KEY_NONE) {
		if (key > KEY_BACK_TAB || key == 0xfffd)
			abort();
		count++;
	}
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct keys keys = { .count = 0 };
	size_t count = 0;

	for (size_t at = 0, piece; at < size; at += piece) {
		piece = 1 + bytes[at] % 7;
		piece = piece < size - at ? piece : size - at;
		if (!keys_room(&keys))
			abort(); /* nobody could type any more */
		piece = piece < keys_room(&keys) ? piece : keys_room(&keys);
		keys_add(&keys, (const char *)bytes + at, piece);
		count += take_all(&keys, bytes[at] % 5 == 0);
	}
	count += take_all(&keys, true);
	if (keys_wait(&keys) || count > size)
		abort();
	return 0;
}
