/* The record that every source makes: who, when, how much, and where, at one instant. */
#ifndef SAMPLE_SAMPLE_H
#define SAMPLE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers an unwinder asks for; numbered as DWARF numbers them on x86-64 (psABI, figure 3.36).
 * (REG_RAX and so on are <signal.h>'s.) */
enum reg {
	R_RAX, R_RDX, R_RCX, R_RBX, R_RSI, R_RDI, R_RBP, R_RSP,
	R_R8, R_R9, R_R10, R_R11, R_R12, R_R13, R_R14, R_R15,
	R_RIP,
	R_COUNT
};

enum user_side {
	USER_NONE,  /* a kernel thread, or the event does not see user space */
	USER_64,    /* registers of a 64-bit task, and usually a stack */
	USER_32,    /* registers of an i386 task: the leaf only */
	USER_CHAIN, /* no registers: addresses walked by the kernel (frame pointers) */
};

/* Of a stack what its sample's own copy lacks: copied at the same instant, or (said) later. */
struct stack_piece {
	uint64_t address;
	const unsigned char *bytes;
	size_t size;
};

/* All pointers point into the source's memory and hold until it is asked for the next record. */
struct sample {
	uint32_t pid, tid; /* 0, 0: a task of an outer pid namespace; idle is never sampled */
	uint32_t cpu;	   /* UINT32_MAX: not recorded */
	uint64_t time;	   /* CLOCK_MONOTONIC, ns */
	uint64_t weight;   /* the period: how many events (ns for the clocks) this sample stands for */

	const uint64_t *kernel; /* kernel addresses, leaf first; return addresses but for the leaf */
	size_t kernel_count;

	enum user_side user;
	uint64_t regs[R_COUNT];
	const unsigned char *stack; /* copied from regs[R_RSP] upwards */
	size_t stack_size;	    /* bytes really copied */
	bool stack_cut;		    /* the copy is full: the stack goes on above it */
	const struct stack_piece *pieces; /* further up, by address; not always without holes */
	size_t piece_count;
	const uint64_t *chain;	    /* USER_CHAIN: leaf first */
	size_t chain_count;
};

#endif
