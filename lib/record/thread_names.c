#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/thread_names.h"

struct thread_name {
	uint64_t since; /* when the number began; 0: before we came */
	char *text;	/* NULL: not known yet */
};

static struct thread_name *
find(const struct thread_names *names, uint32_t tid)
{
	const uint64_t *place = map_get(&names->by_tid, tid);

	return place ? (struct thread_name *)(uintptr_t)*place : NULL;
}

static struct thread_name *
get(struct thread_names *names, uint32_t tid)
{
	struct thread_name *name = find(names, tid);

	if (!name) {
		name = mem_alloc(sizeof *name);
		*map_put(&names->by_tid, tid) = (uintptr_t)name;
	}
	return name;
}

static void
release(struct thread_name *name)
{
	free(name->text);
	free(name);
}

void
thread_names_release(struct thread_names *names)
{
	for (struct map_slot *slot = map_next(&names->by_tid, NULL); slot; slot = map_next(&names->by_tid, slot))
		release((struct thread_name *)(uintptr_t)slot->value);
	map_release(&names->by_tid);
}

const char *
thread_names_get(const struct thread_names *names, uint32_t tid)
{
	const struct thread_name *name = find(names, tid);

	return name ? name->text : NULL;
}

void
thread_names_set(struct thread_names *names, uint32_t tid, const char *text)
{
	struct thread_name *name = get(names, tid);
	char *old = name->text;

	if (old && strcmp(old, text) == 0)
		return;
	name->text = mem_print("%s", text); /* before old goes: text may be it */
	free(old);
}

void
thread_names_begin(struct thread_names *names, uint32_t tid, uint64_t time)
{
	struct thread_name *name = get(names, tid);

	free(name->text);
	*name = (struct thread_name){ .since = time };
}

void
thread_names_end(struct thread_names *names, uint32_t tid, uint64_t time)
{
	struct thread_name *name = find(names, tid);

	if (!name || name->since > time)
		return;
	map_remove(&names->by_tid, tid);
	release(name);
}

void
thread_names_each(const struct thread_names *names, void (*what)(void *context, uint32_t tid), void *context)
{
	for (struct map_slot *slot = map_next(&names->by_tid, NULL); slot; slot = map_next(&names->by_tid, slot))
		what(context, (uint32_t)slot->key);
}
