/* One perf record, from a ring or from perf.data (they are the same), → struct record.
 * Layouts: linux/perf_event.h, and the sample_id that attr.sample_id_all puts behind every record. */
#ifndef SOURCE_PERF_RECORD_H
#define SOURCE_PERF_RECORD_H

#include <linux/perf_event.h>

#include <stddef.h>
#include <stdint.h>

#include "sample/record.h"

/* What of attr decides the layout. */
struct perf_layout {
	uint64_t sample_type, read_format, branch_sample_type;
	uint64_t regs_user, regs_intr;
	uint64_t period; /* the weight where samples carry none */
	bool sample_id_all;
};

void perf_layout_init(struct perf_layout *layout, const struct perf_event_attr *attr);

/* The registers asked for: enough to unwind and for libunwind to begin at the leaf. */
#define PERF_REGS_USER 0xff01ffull

/* How long a record is, sample_id of that size included. It is header->size, but where several events get KSYMBOL or
 * BPF_EVENT the kernel (6.18) adds each one's sample_id to the size once more, and what is behind has no meaning. At
 * most header->size. */
size_t perf_record_end(const struct perf_event_header *header, size_t id_size);

/* The id of the event that a record belongs to, when sample_type has IDENTIFIER or ID; else 0. Works
 * before the layout is known: all events of a session have the identifier at one place. */
uint64_t perf_record_id(const struct perf_layout *layout, const struct perf_event_header *header);

/* The time of any record, without reading the rest; 0: none, or made up by perf for what was there before. */
uint64_t perf_record_time(const struct perf_layout *layout, const struct perf_event_header *header);

/* header: a whole record of header->size bytes, at a multiple of 8. Every bit of sample_type that Linux
 * 6.18 knows is followed. Pointers in record point into it. -1 if it is cut or contradicts itself. */
int perf_record_parse(const struct perf_layout *layout, const struct perf_event_header *header,
    struct record *record);

#endif
