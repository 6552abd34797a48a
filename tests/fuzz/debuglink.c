/* An ELF file of any bytes: where it says that its debug file is, and the one that it has packed inside. */
#include <stdlib.h>

#include "base/warn.h"
#include "target/debug_file.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char path[] = "/proc/self/nowhere/fuzz.so";
	struct module module = { .kind = MODULE_FILE, .path = path, .base = path + sizeof path - 8 };

	warn_quiet = true;
	setenv("GP_DEBUG_DIR", "/proc/self/nowhere::relative", 1);
	module.elf = elf_open_memory(data, size);
	if (!module.elf)
		return 0;
	elf_close(debug_file_open(&module));
	elf_close(debug_file_open_packed(&module));
	elf_close(module.elf);
	return 0;
}
