/* How a perf.data begins: the layout of a file, which says where everything is, or that of a pipe, where
 * everything is a record. */
#ifndef SOURCE_PERF_DATA_FILE_H
#define SOURCE_PERF_DATA_FILE_H

#include "base/input.h"
#include "source/perf_data_header.h"
#include "source/perf_stream.h"

/* Sets stream to the first record and fills header with what stands outside of records. The layout of a
 * file that comes through a pipe, or compressed, is first copied to an unnamed file in $TMPDIR (else
 * /var/tmp), *spool, which the caller closes. -1 after saying why. */
int perf_data_file_open(struct input *input, struct perf_stream *stream, struct perf_data_header *header, int *spool);

#endif
