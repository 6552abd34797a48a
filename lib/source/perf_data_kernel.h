/* Where the kernel and its modules lay when a perf.data was made, and whether that is where the running
 * kernel has them. */
#ifndef SOURCE_PERF_DATA_KERNEL_H
#define SOURCE_PERF_DATA_KERNEL_H

#include "sample/record.h"
#include "source/perf_data_header.h"

struct perf_data_kernel {
	char *symbol;	  /* "_text" or "_stext"; NULL: not said */
	uint64_t address; /* of symbol */
	unsigned char build_id[20];
	size_t build_id_size; /* 0: not said by a record; the header's table may */
	struct perf_data_module {
		char *name; /* as /proc/modules writes it */
		uint64_t start;
	} *modules;
	size_t module_count, module_room;
};

/* A mapping that perf made up for the kernel or a module of it. */
void perf_data_kernel_add(struct perf_data_kernel *kernel, const struct record *record);

/* Would the running kernel's names be right for the file's addresses? NULL: yes; else what speaks against
 * it, for a note. */
const char *perf_data_kernel_doubt(const struct perf_data_kernel *kernel, const struct perf_data_header *header);

/* The first half of that: is it another kernel, wherever it lay? Its vdso is another, too. NULL: no. */
const char *perf_data_kernel_other(const struct perf_data_kernel *kernel, const struct perf_data_header *header);

/* Was its build-id recorded? Else only its release, if that, and its place speak for it. */
bool perf_data_kernel_has_build_id(const struct perf_data_kernel *kernel, const struct perf_data_header *header);

void perf_data_kernel_release(struct perf_data_kernel *kernel);

#endif
