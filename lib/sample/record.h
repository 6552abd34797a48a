/* What a source tells, in order of time: samples, and what happened to processes between them. */
#ifndef SAMPLE_RECORD_H
#define SAMPLE_RECORD_H

#include "sample/sample.h"

enum record_kind {
	RECORD_SAMPLE,
	RECORD_MMAP,	 /* a process mapped code */
	RECORD_COMM,	 /* a thread has a new name; exec: by a new program */
	RECORD_FORK,	 /* a new thread, or a new process (pid != parent_pid) */
	RECORD_EXIT,	 /* a thread ended */
	RECORD_LOST,	 /* records did not fit into the ring */
	RECORD_THROTTLE, /* the kernel refused to interrupt so often */
	RECORD_SYMBOL,	 /* kernel code came or went: a BPF program, a trampoline; modules are not told */
	RECORD_OTHER,	 /* known and of no interest here */
};

struct record {
	enum record_kind kind;
	uint64_t time; /* CLOCK_MONOTONIC, ns; 0: made up by perf for what was there before */
	uint32_t pid, tid;
	union {
		struct sample sample;
		struct {
			uint64_t start, length, offset;
			uint64_t device, inode, generation; /* 0: not recorded */
			const unsigned char *build_id;
			size_t build_id_size;
			const char *path;
			bool kernel, executable, writable; /* writable: if recorded */
		} mmap;
		struct {
			const char *name;
			bool exec;
		} comm;
		struct {
			uint32_t parent_pid, parent_tid;
		} fork;
		uint64_t lost;
		struct {
			uint64_t address;
			uint32_t length;
			bool gone;
			const char *name;
		} symbol;
	};
};

#endif
