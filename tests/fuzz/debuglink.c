/* An ELF file of any bytes, and the debug file that it may mean, of any bytes too: which is taken, and what is packed
 * inside. The input: the length of the first file in two bytes, the two files. A link of the name 999 leads to the
 * second; "CRC!" in the first stands for its checksum. */
#include <sys/mman.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/warn.h"
#include "symbol/symbol_table.h"
#include "target/debug_file.h"

#define DEBUG_FD 999

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool
count_symbol(void *context, const Elf64_Sym *symbol)
{
	return ++*(size_t *)context < 1000 && symbol->st_name < UINT32_MAX;
}

static void
look(struct elf *debug)
{
	struct symbol_table table;
	struct buf name = { 0 };
	size_t count = 0;

	if (!debug)
		return;
	if (symbol_table_open(&table, debug, SHT_SYMTAB)) {
		symbol_table_scan(&table, count_symbol, &count);
		symbol_table_name(&table, 1, &name);
	}
	buf_release(&name);
	elf_close(debug);
}

static void
write_debug_file(const unsigned char *bytes, size_t size)
{
	static int fd;

	if (!fd) {
		int made = memfd_create("debug", MFD_CLOEXEC);

		fd = dup2(made, DEBUG_FD);
		close(made);
	}
	if (fd != DEBUG_FD || ftruncate(fd, 0) < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char path[] = "/proc/self/fd/program";
	struct module module = { .kind = MODULE_FILE, .root = -1, .path = path,
		.base = path + sizeof "/proc/self/fd/" - 1 };
	unsigned char *file, *mark;
	size_t length;
	uint32_t crc;

	if (size < 2)
		return 0;
	length = (size_t)data[0] | (size_t)data[1] << 8;
	data += 2;
	size -= 2;
	length = length < size ? length : size;
	warn_quiet = true;
	setenv("GP_DEBUG_DIR", "/proc/self/nowhere::relative", 1);
	crc = (uint32_t)crc32(0, data + length, (uInt)(size - length));
	file = (unsigned char *)mem_copy((const char *)data, length);
	if ((mark = memmem(file, length, "CRC!", 4)))
		memcpy(mark, &crc, sizeof crc);
	module.elf = elf_open_memory(file, length);
	if (module.elf) {
		write_debug_file(data + length, size - length);
		look(debug_file_open(&module));
		look(debug_file_open_packed(&module));
		elf_close(module.elf);
	}
	free(file);
	return 0;
}
