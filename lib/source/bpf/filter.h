/* What the program on the sampling event is told, and what it tells: the filter's offsets, and the pieces of
 * stack that it copies. */
#ifndef SOURCE_BPF_FILTER_FIELDS_H
#define SOURCE_BPF_FILTER_FIELDS_H

/* Of the running kernel: where struct task_struct, mm_struct and thread_struct (from task_struct on) have
 * what we read. */
struct task_fields {
	unsigned int pid, tgid;
	unsigned int mm, start_stack, thread_pointer;
	unsigned int signal_stack, signal_stack_size;
	unsigned int dump; /* bytes that every sample has of its stack */
};

/* A per-CPU map's value has 32 KiB at most, per-CPU memory comes in such units. */
#define PIECE_BYTES 28672u
/* In a sample's place this is the upper half of its period, which the kernel keeps below 2^63. */
#define PIECE_MAGIC 0xdee95ac4u

/* A piece of the stack that ends in, or goes on to, address + size. It is written from magic on. */
struct stack_copy {
	unsigned long long next, by_pages; /* how far copying is; in memory, of which a verifier keeps no ranges */
	unsigned int holes, magic;
	unsigned long long sp; /* of the sample */
	unsigned long long address;
	unsigned int size, unused_too;
	unsigned char bytes[PIECE_BYTES];
};
#define PIECE_HEAD 28u

/* Of a stack whose end is not known. */
#define STRAY_MOST (256ull << 10)

/* Where the walks of a thread want to go on other stacks: from there on so much, what is in memory of it. Together
 * as much as of one stack. */
#define WINDOWS_MOST 8u
#define WINDOW_BYTES (256ull << 10)
#define WINDOW_BELOW (32ull << 10) /* its beginning is a multiple of this */
struct windows {
	unsigned long long from[WINDOWS_MOST];
	unsigned long long count; /* more than WINDOWS_MOST: given up */
};

struct copy_counts {
	unsigned long long stacks, bytes;
};

#endif
