#include "symbol/plt.h"

void
plt_symbols_find(struct module *module, struct symbol_query *queries, size_t count, struct intern *names)
{
	(void)module;
	(void)queries;
	(void)count;
	(void)names;
}
