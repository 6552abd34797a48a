/* A symbol of any bytes: what it is called is bounded, and not empty unless it was. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/demangle.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char *symbol = mem_copy((const char *)data, size);
	struct buf name = { 0 };

	demangle(symbol, &name);
	if (name.length > strlen(symbol) + (128u << 10) || (*symbol && !name.length))
		abort();
	if (name.length && strlen(name.data) != name.length)
		abort();
	buf_release(&name);
	free(symbol);
	return 0;
}
