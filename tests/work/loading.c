/* dlopen, burn, dlclose, and another library at the same address: loading [seconds]. 60 : 40. */
#include <dlfcn.h>
#include <libgen.h>
#include <link.h>

#include "work.h"

static uintptr_t base;

WORK_FUNCTION double
run_plugin(const char *folder, const char *name, double seconds)
{
	char path[4096];
	double (*function)(double), got;
	struct link_map *map;
	void *library;

	snprintf(path, sizeof path, "%s/plugin_%s.so", folder, name);
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	snprintf(path, sizeof path, "plugin_burn_%s", name);
	function = (double (*)(double))dlsym(library, path);
	dlinfo(library, RTLD_DI_LINKMAP, &map);
	if (base && base != map->l_addr)
		fprintf(stderr, "loading: not the same address\n");
	base = map->l_addr;
	got = function(seconds);
	dlclose(library);
	return got;
}

int
main(int argc, char *argv[])
{
	double seconds = work_argument(argc, argv, 1, 1), a, b;
	char *folder = dirname(strdup(argv[0]));

	a = run_plugin(folder, "a", 0.3 * seconds);
	b = run_plugin(folder, "b", 0.4 * seconds);
	a += run_plugin(folder, "a", 0.3 * seconds);
	work_share("plugin_burn_a", a, a + b);
	work_share("plugin_burn_b", b, a + b);
	printf("chain\trun_plugin;plugin_burn_b\t%.2f\n", 100 * b / (a + b));
	work_cpu();
	return 0;
}
