/* Kernel code that comes and goes: kernel-code [seconds [how often]]. Loads a BPF program, has the kernel run it, and
 * unloads it before the next one comes, which may lie where the first did: hot_one under burn_one, hot_two under
 * burn_two. Says what share of its time each had. Status 3: the kernel takes none. */
#include <sys/syscall.h>

#include <linux/bpf.h>
#include <unistd.h>

#include "work.h"

#define LENGTH 20000 /* instructions: some µs each time */
#define REPEAT 200

static int
load(const char *name)
{
	static struct bpf_insn code[LENGTH];
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .insns = (uintptr_t)code, .insn_cnt = LENGTH,
		.license = (uintptr_t)"GPL" };

	code[0] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 };
	for (int i = 1; i < LENGTH - 1; i++)
		code[i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MUL | BPF_K, .dst_reg = BPF_REG_0, .imm = 48271 + i };
	code[LENGTH - 1] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	snprintf(attr.prog_name, sizeof attr.prog_name, "%s", name);
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr);
}

__attribute__((always_inline)) static inline double
run(const char *name, double seconds)
{
	double begin = work_thread_cpu();
	char packet[64] = { 0 };
	union bpf_attr attr = { .test = { .data_in = (uintptr_t)packet, .data_size_in = sizeof packet, .repeat = REPEAT } };
	int fd = load(name);

	if (fd < 0)
		exit(3);
	attr.test.prog_fd = (uint32_t)fd;
	while (work_thread_cpu() - begin < seconds)
		if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr) < 0)
			exit(3);
	close(fd);
	return work_thread_cpu() - begin;
}

WORK_FUNCTION double
burn_one(double seconds)
{
	return run("hot_one", seconds);
}

WORK_FUNCTION double
burn_two(double seconds)
{
	return run("hot_two", seconds);
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), one = 0, two = 0;
	int times = (int)work_argument(argc, argv, 2, 2);

	for (int i = 0; i < times; i++) {
		one += burn_one(0.6 * seconds / times);
		usleep(50000); /* it goes when nobody can be in it any more */
		two += burn_two(0.4 * seconds / times);
		usleep(50000);
	}
	work_share("burn_one", one, one + two);
	work_share("burn_two", two, one + two);
	work_cpu();
	return 0;
}
