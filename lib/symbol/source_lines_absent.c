/* Without libdw. */
#include <stdlib.h>

#include "symbol/source_lines.h"

void
source_lines_find(struct source_lines *lines, struct module *module, struct source_query *queries, size_t count,
    struct intern *names)
{
	(void)lines;
	(void)module;
	(void)names;
	for (size_t i = 0; i < count; i++)
		queries[i].first = queries[i].count = 0;
}

void
source_lines_release(struct source_lines *lines)
{
	free(lines->places);
	*lines = (struct source_lines){ 0 };
}

const char *
source_lines_lack(void)
{
	return "this gp was built without libdw (package libdw-dev)";
}
