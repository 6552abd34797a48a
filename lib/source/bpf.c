#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/warn.h"
#include "source/bpf.h"

#define LINKS_MAX 8u

struct bpf {
	struct bpf_object *object;
	struct bpf_link *links[LINKS_MAX];
	size_t link_count;
};

static char trouble[160] = "it was not asked for";

/* The objects, as clang made them. Aligned as ELF wants to be read. */
#define EMBED(name) \
	__asm__(".pushsection .rodata\n.balign 16\n.global bpf_object_" #name "\nbpf_object_" #name ":\n" \
		".incbin \"" BPF_OBJECTS "/" #name ".bpf.o\"\n.global bpf_object_" #name "_end\n" \
		"bpf_object_" #name "_end:\n.popsection\n"); \
	extern const unsigned char bpf_object_##name[], bpf_object_##name##_end[]

EMBED(names);
EMBED(filter);

static const struct {
	const char *name;
	const unsigned char *start, *end;
} objects[] = {
	{ "names", bpf_object_names, bpf_object_names_end },
	{ "filter", bpf_object_filter, bpf_object_filter_end },
};

const char *
bpf_trouble(void)
{
	return trouble;
}

int
bpf_fail(const char *why)
{
	snprintf(trouble, sizeof trouble, "%s", why);
	return -1;
}

static int
fail(const char *what, int reason)
{
	if (reason == EPERM)
		return bpf_fail("no permission to load BPF programs (CAP_BPF and CAP_PERFMON)");
	if (reason == ENOSYS)
		return bpf_fail("the kernel has no BPF");
	snprintf(trouble, sizeof trouble, "the kernel cannot %s: %s", what, strerror(reason));
	return -1;
}

__attribute__((format(printf, 2, 0))) static int
print_detail(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[512];

	if (!warn_verbose || level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(line, sizeof line, format, args);
	line[strcspn(line, "\n")] = '\0';
	detail("%s", line);
	return 0;
}

static bool
is_listed(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

static int
prepare(struct bpf_object *object, const struct bpf_plan *plan)
{
	struct bpf_program *program;
	struct bpf_map *map;

	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, is_listed(bpf_program__name(program), plan->programs));
	map = plan->map ? bpf_object__find_map_by_name(object, plan->map) : NULL;
	return map ? bpf_map__set_max_entries(map, plan->entries) : 0;
}

struct bpf *
bpf_load(const struct bpf_plan *plan)
{
	struct bpf *bpf = mem_alloc(sizeof *bpf);
	size_t i = 0;

	libbpf_set_print(print_detail);
	while (strcmp(objects[i].name, plan->object) != 0)
		i++;
	bpf->object = bpf_object__open_mem(objects[i].start, (size_t)(objects[i].end - objects[i].start), NULL);
	if (!bpf->object)
		fail("take the program", errno);
	else if (prepare(bpf->object, plan) < 0 || bpf_object__load(bpf->object) < 0)
		fail("load it", errno);
	else
		return bpf;
	bpf_close(bpf);
	return NULL;
}

void
bpf_close(struct bpf *bpf)
{
	if (!bpf)
		return;
	for (size_t i = 0; i < bpf->link_count; i++)
		bpf_link__destroy(bpf->links[i]);
	bpf_object__close(bpf->object);
	free(bpf);
}

int
bpf_program_fd(const struct bpf *bpf, const char *program)
{
	return bpf_program__fd(bpf_object__find_program_by_name(bpf->object, program));
}

int
bpf_map_fd(const struct bpf *bpf, const char *map)
{
	return bpf_object__find_map_fd_by_name(bpf->object, map);
}

int
bpf_attach(struct bpf *bpf, const char *program)
{
	struct bpf_link *link;

	if (bpf->link_count == LINKS_MAX)
		return bpf_fail("too many programs");
	link = bpf_program__attach(bpf_object__find_program_by_name(bpf->object, program));
	if (!link)
		return fail("attach it", errno);
	bpf->links[bpf->link_count++] = link;
	return 0;
}

int
bpf_run(int program_fd)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return bpf_prog_test_run_opts(program_fd, &opts) < 0 ? -1 : 0;
}

int
bpf_map_set(int map_fd, const void *key, const void *value)
{
	return bpf_map_update_elem(map_fd, key, value, BPF_ANY) < 0 ? -1 : 0;
}

int
bpf_map_get(int map_fd, const void *key, void *value)
{
	return bpf_map_lookup_elem(map_fd, key, value) < 0 ? -1 : 0;
}
