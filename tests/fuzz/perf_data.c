/* Any bytes as a perf.data: read to the end, its records taken into a recording and folded. */
#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/warn.h"
#include "record/recording.h"
#include "source/perf_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
replay(struct perf_data *data, const struct perf_data_header *header)
{
	struct recording *recording = recording_open(&(struct recording_options){ .replay = true, .max_depth = 256,
	    .weighted = true, .host = "" });
	struct recording_counts counts;
	struct record record;
	struct fold fold;

	for (size_t i = 0; i < header->build_id_count; i++)
		modules_expect(recording_modules(recording), header->build_ids[i].path, header->build_ids[i].bytes,
		    header->build_ids[i].size);
	if (header->event_count > 1)
		perf_data_choose(data, header->event_count - 1);
	while (perf_data_next(data, &record) > 0)
		recording_take(recording, &record);
	fold_init(&fold);
	recording_fold(recording, &fold, &counts);
	fold_release(&fold);
	recording_close(recording);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static int fd = -1;
	struct perf_data *data;
	struct input *input;
	char path[64];

	if (fd < 0)
		fd = memfd_create("perf.data", 0);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	input = input_open(path);
	if (input && input_next_member(input) > 0 && (data = perf_data_open(input))) {
		perf_data_kernel_doubt(perf_data_kernel(data), perf_data_header(data));
		replay(data, perf_data_header(data));
		perf_data_close(data);
	}
	input_close(input);
	return 0;
}
