/* In place of bpf.c where clang or libbpf was not there at build time: nothing loads, so that what works on something
 * loaded is never called. */
#include "source/bpf.h"

const char *
bpf_trouble(void)
{
	return "built without clang or libbpf";
}

int
bpf_fail(const char *why)
{
	(void)why;
	return -1;
}

struct bpf *
bpf_load(const struct bpf_plan *plan)
{
	(void)plan;
	return NULL;
}

void
bpf_close(struct bpf *bpf)
{
	(void)bpf;
}

int
bpf_program_fd(const struct bpf *bpf, const char *program)
{
	(void)bpf;
	(void)program;
	return -1;
}

int
bpf_map_fd(const struct bpf *bpf, const char *map)
{
	(void)bpf;
	(void)map;
	return -1;
}

int
bpf_attach(struct bpf *bpf, const char *program)
{
	(void)bpf;
	(void)program;
	return -1;
}

int
bpf_run(int program_fd)
{
	(void)program_fd;
	return -1;
}

int
bpf_map_set(int map_fd, const void *key, const void *value)
{
	(void)map_fd;
	(void)key;
	(void)value;
	return -1;
}

int
bpf_map_get(int map_fd, const void *key, void *value)
{
	(void)map_fd;
	(void)key;
	(void)value;
	return -1;
}
