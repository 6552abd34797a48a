#include "source/targets.h"

enum { OUT = 1, IN = 2, /* of a cgroup: ask again, this is the answer if the process is gone */ ASK = 4 };

void
targets_begin(struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		*map_put(&targets->members, targets->ids[i]) = IN;
}

void
targets_release(struct targets *targets)
{
	map_release(&targets->members);
}

static bool
has_process(struct targets *targets, uint32_t pid)
{
	uint64_t *state = map_get(&targets->members, pid);
	int answer;

	if (targets->kind != TARGETS_CGROUP)
		return state && *state == IN;
	if (state && !(*state & ASK))
		return *state == IN;
	answer = cgroup_has(targets->cgroup, pid);
	if (answer < 0) /* gone: as its parent was */
		answer = state && (*state & IN);
	*map_put(&targets->members, pid) = answer ? IN : OUT;
	return answer;
}

static void
follow(struct targets *targets, const struct record *record)
{
	uint64_t *parent;

	switch (record->kind) {
	case RECORD_FORK:
		if (record->pid == record->fork.parent_pid || targets->kind == TARGETS_THREADS)
			break;
		parent = map_get(&targets->members, record->fork.parent_pid);
		if (parent)
			*map_put(&targets->members, record->pid) = *parent;
		else /* a number used again */
			map_remove(&targets->members, record->pid);
		break;
	case RECORD_COMM: /* a new program may have been put into its group just before */
		if (record->comm.exec && targets->kind == TARGETS_CGROUP) {
			uint64_t *state = map_put(&targets->members, record->pid);

			*state |= ASK;
		}
		break;
	case RECORD_EXIT: /* the leader's exit may not be the process's; forgetting is left to number reuse */
	default:
		break;
	}
}

bool
targets_take(struct targets *targets, const struct record *record)
{
	if (targets->except && record->pid == targets->except && record->kind == RECORD_SAMPLE)
		return false;
	if (targets->kind == TARGETS_MACHINE || targets->decided)
		return true;
	if (record->kind != RECORD_SAMPLE) {
		follow(targets, record);
		return true; /* what happens to a process is kept: it may become a member */
	}
	if (targets->kind == TARGETS_THREADS)
		return map_get(&targets->members, record->tid) != NULL;
	return has_process(targets, record->pid);
}
