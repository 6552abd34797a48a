/* The BPF programs that come inside gp: loaded where the kernel and our rights allow. It must not know
 * what a program does. Built without clang or libbpf nothing loads, and the reason says so. */
#ifndef SOURCE_BPF_H
#define SOURCE_BPF_H

#include <stddef.h>
#include <stdint.h>

struct bpf;

/* Of the object bpf/NAME.bpf.c the programs whose functions are listed (up to NULL), and its maps, one
 * of them with another number of entries (map NULL: all as written). NULL in silence: bpf_trouble(). */
struct bpf_plan {
	const char *object;
	const char *const *programs;
	const char *map;
	uint32_t entries;
};
struct bpf *bpf_load(const struct bpf_plan *plan);
void bpf_close(struct bpf *bpf); /* detaches, too */

/* Why the last thing failed, for the reader of a profile's notes. */
const char *bpf_trouble(void);
int bpf_fail(const char *why); /* sets it; -1 */

int bpf_program_fd(const struct bpf *bpf, const char *program);
int bpf_map_fd(const struct bpf *bpf, const char *map);

/* To the tracepoint that the program's section names. */
int bpf_attach(struct bpf *bpf, const char *program);
/* Runs a SEC("syscall") program once. */
int bpf_run(int program_fd);

/* -1 and errno. */
int bpf_map_set(int map_fd, const void *key, const void *value);
int bpf_map_get(int map_fd, const void *key, void *value);

#endif
