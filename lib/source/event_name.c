#include <linux/perf_event.h>

#include <stdio.h>
#include <string.h>

#include "source/event_name.h"

#define SOFTWARE(event) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event
#define HARDWARE(event) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event

/* The names of perf list. Of two names for one event the first is written into headers. */
static const struct event_kind kinds[] = {
	{ "cpu-clock", SOFTWARE(CPU_CLOCK), true, false },
	{ "task-clock", SOFTWARE(TASK_CLOCK), true, false },
	{ "page-faults", SOFTWARE(PAGE_FAULTS), false, false },
	{ "faults", SOFTWARE(PAGE_FAULTS), false, false },
	{ "minor-faults", SOFTWARE(PAGE_FAULTS_MIN), false, false },
	{ "major-faults", SOFTWARE(PAGE_FAULTS_MAJ), false, false },
	{ "context-switches", SOFTWARE(CONTEXT_SWITCHES), false, true },
	{ "cs", SOFTWARE(CONTEXT_SWITCHES), false, true },
	{ "cpu-migrations", SOFTWARE(CPU_MIGRATIONS), false, true },
	{ "migrations", SOFTWARE(CPU_MIGRATIONS), false, true },
	{ "alignment-faults", SOFTWARE(ALIGNMENT_FAULTS), false, false },
	{ "emulation-faults", SOFTWARE(EMULATION_FAULTS), false, false },
	{ "cgroup-switches", SOFTWARE(CGROUP_SWITCHES), false, true },
	{ "cycles", HARDWARE(CPU_CYCLES), false, false },
	{ "cpu-cycles", HARDWARE(CPU_CYCLES), false, false },
	{ "instructions", HARDWARE(INSTRUCTIONS), false, false },
	{ "cache-references", HARDWARE(CACHE_REFERENCES), false, false },
	{ "cache-misses", HARDWARE(CACHE_MISSES), false, false },
	{ "branches", HARDWARE(BRANCH_INSTRUCTIONS), false, false },
	{ "branch-misses", HARDWARE(BRANCH_MISSES), false, false },
	{ "bus-cycles", HARDWARE(BUS_CYCLES), false, false },
	{ "ref-cycles", HARDWARE(REF_CPU_CYCLES), false, false },
	{ "stalled-cycles-frontend", HARDWARE(STALLED_CYCLES_FRONTEND), false, false },
	{ "stalled-cycles-backend", HARDWARE(STALLED_CYCLES_BACKEND), false, false },
};
#define KINDS (sizeof kinds / sizeof *kinds)

const struct event_kind *
event_kind_find(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

const char *
event_kind_names(void)
{
	static char names[512];
	size_t length = 0;

	for (size_t i = 0; i < KINDS && length < sizeof names; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? " " : "", kinds[i].name);
	return names;
}
