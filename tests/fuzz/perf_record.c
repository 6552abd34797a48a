/* A perf record of any layout: seven words and a byte of layout, then the record. */
#include <string.h>

#include "source/perf_record.h"

static volatile uint64_t seen;

static void
look(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		seen += ((const unsigned char *)bytes)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	/* As in a ring and in a file read whole: aligned to 8. */
	static uint64_t aligned[8192];
	struct perf_event_header *header = (struct perf_event_header *)aligned;
	struct perf_layout layout = { 0 };
	struct record record = { 0 };
	uint64_t word[6];

	if (size < sizeof word + 1 + sizeof *header)
		return 0;
	memcpy(word, bytes, sizeof word);
	layout.sample_type = word[0];
	layout.read_format = word[1];
	layout.branch_sample_type = word[2];
	layout.regs_user = word[3];
	layout.regs_intr = word[4];
	layout.period = word[5];
	layout.sample_id_all = bytes[sizeof word] & 1;
	bytes += sizeof word + 1;
	size -= sizeof word + 1;
	if (size > UINT16_MAX)
		size = UINT16_MAX;
	memcpy(aligned, bytes, size);
	header->size = (uint16_t)size;
	perf_record_id(&layout, header);
	if (perf_record_parse(&layout, header, &record) < 0)
		return 0;
	if (record.kind == RECORD_SAMPLE) {
		look(record.sample.kernel, record.sample.kernel_count * sizeof *record.sample.kernel);
		look(record.sample.chain, record.sample.chain_count * sizeof *record.sample.chain);
		look(record.sample.stack, record.sample.stack_size);
	} else if (record.kind == RECORD_MMAP) {
		look(record.mmap.path, strlen(record.mmap.path));
		look(record.mmap.build_id, record.mmap.build_id_size);
	} else if (record.kind == RECORD_COMM) {
		look(record.comm.name, strlen(record.comm.name));
	}
	return 0;
}
