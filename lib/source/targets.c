#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/warn.h"
#include "source/targets.h"
#include "target/task.h"

/* Fewer members are not worth looking through; nor fewer of those that we have started, a few at a time. */
#define MEMBERS_TIDY 32768u
#define EXCEPTED_TIDY 64u

/* How long one is where it was, in ns: a group's members may be moved at any moment, and no record tells it. */
#define ANSWER_NS 100000000u

/* Of a member's value. Of a cgroup the others are when it was asked for (clock_now()); 0: not since fork or exec. */
#define IN UINT64_C(1)

int
targets_check(const struct targets *targets)
{
	bool processes = targets->kind == TARGETS_PROCESSES;

	if (!processes && targets->kind != TARGETS_THREADS)
		return 0;
	for (size_t i = 0; i < targets->count; i++) {
		uint32_t id = targets->ids[i], owner = task_process_of(id);

		if (!owner)
			return warn("no %s %u", processes ? "process" : "thread", id);
		if (processes && owner != id)
			return warn("%u is a thread of process %u: -t %u, or -p %u", id, owner, id, owner);
	}
	return 0;
}

bool
targets_live(const struct targets *targets)
{
	if (targets->kind != TARGETS_PROCESSES && targets->kind != TARGETS_THREADS)
		return true;
	for (size_t i = 0; i < targets->count; i++)
		if (targets->kind == TARGETS_THREADS ? task_is_alive(targets->ids[i]) : task_living_thread(targets->ids[i]))
			return true;
	return false;
}

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
	map_release(&targets->excepted);
	map_release(&targets->gone);
}

/* Forgets those whose numbers nobody has: now, and when it was last looked at, since what is known of them is asked
 * for a little longer. In weeks all numbers are used, and there are four million. */
static void
forget_gone(struct targets *targets)
{
	struct map gone = { 0 };
	uint32_t *list = NULL;
	size_t count = 0, room = 0;

	if (targets->members.used < (targets->tidy_at ? targets->tidy_at : MEMBERS_TIDY))
		return;
	for (struct map_slot *slot = map_next(&targets->members, NULL); slot; slot = map_next(&targets->members, slot)) {
		if (task_exists((uint32_t)slot->key))
			continue;
		if (!map_get(&targets->gone, slot->key)) {
			map_put(&gone, slot->key);
			continue;
		}
		mem_grow(&list, count, &room);
		list[count++] = (uint32_t)slot->key;
	}
	for (size_t i = 0; i < count; i++)
		map_remove(&targets->members, list[i]);
	free(list);
	map_release(&targets->gone);
	targets->gone = gone;
	targets->tidy_at = targets->members.used + MEMBERS_TIDY;
}

/* Is it in the cgroup, at a record's time? Who is gone is where it was last, or where its parent was. */
static bool
is_in_group(struct targets *targets, uint32_t pid, uint64_t time)
{
	uint64_t *answer = map_put(&targets->members, pid);
	int now;

	/* Records come late: an answer is newer than those that are read with it. */
	if (time >= (*answer & ~IN) + ANSWER_NS) {
		now = cgroup_has(targets->cgroup, pid);
		*answer = (clock_now() & ~IN) | (now < 0 ? *answer & IN : (uint64_t)now);
	}
	return *answer & IN;
}

static bool
has_process(struct targets *targets, uint32_t pid, uint64_t time)
{
	const uint64_t *state;

	if (targets->kind == TARGETS_CGROUP)
		return is_in_group(targets, pid, time);
	state = map_get(&targets->members, pid);
	return state && *state == IN;
}

/* What the parent is, at this time, is what the child will be taken for if nobody can ask for it any more. */
static void
on_fork(struct targets *targets, const struct record *record)
{
	if (targets->kind == TARGETS_THREADS) { /* a number used again; what the targets start is none */
		map_remove(&targets->members, record->tid);
		return;
	}
	if (record->pid == record->fork.parent_pid)
		return;
	map_remove(&targets->gone, record->pid);
	forget_gone(targets);
	if (has_process(targets, record->fork.parent_pid, record->time))
		*map_put(&targets->members, record->pid) = IN;
	else /* a number used again */
		map_remove(&targets->members, record->pid);
}

/* Exits are not: the leader's may not be the process's, and samples of the last kernel code come after it.
 * Numbers are forgotten when they are used again. */
static void
follow(struct targets *targets, const struct record *record)
{
	bool is_group = targets->kind == TARGETS_CGROUP;

	if (is_group && targets->decided)
		return;
	if (record->kind == RECORD_FORK)
		on_fork(targets, record);
	/* A new program may have been put into its group just before. */
	if (record->kind == RECORD_COMM && record->comm.exec && is_group)
		*map_put(&targets->members, record->pid) &= IN;
}

/* Only descent makes members of processes: what happens to others is nothing to open files for. Into a cgroup
 * any process may come, and whose thread a number is nobody has said. */
static bool
is_of_stranger(const struct targets *targets, const struct record *record)
{
	if (targets->kind != TARGETS_PROCESSES && targets->kind != TARGETS_COMMAND)
		return false;
	return (record->kind == RECORD_FORK || record->kind == RECORD_COMM || record->kind == RECORD_MMAP ||
		   record->kind == RECORD_EXIT) && !map_get(&targets->members, record->pid);
}

/* Forgets those whose numbers nobody has, now and at the look before: samples of the last may be yet to come. */
static void
forget_excepted(struct targets *targets)
{
	uint32_t list[EXCEPTED_TIDY];
	size_t count = 0;

	if (targets->excepted.used < EXCEPTED_TIDY)
		return;
	for (struct map_slot *slot = map_next(&targets->excepted, NULL); slot; slot = map_next(&targets->excepted, slot)) {
		slot->value = task_exists((uint32_t)slot->key) ? 0 : slot->value + 1;
		if (slot->value > 1 && count < EXCEPTED_TIDY)
			list[count++] = (uint32_t)slot->key;
	}
	for (size_t i = 0; i < count; i++)
		map_remove(&targets->excepted, list[i]);
}

/* We ourselves, the writers of what we have recorded, and those who find its lines for them. */
static bool
is_excepted(struct targets *targets, const struct record *record)
{
	if (!targets->except)
		return false;
	if (record->kind == RECORD_FORK && record->pid != record->fork.parent_pid) {
		if (record->fork.parent_pid != targets->except && !map_get(&targets->excepted, record->fork.parent_pid)) {
			map_remove(&targets->excepted, record->pid); /* a number used again */
		} else {
			forget_excepted(targets);
			*map_put(&targets->excepted, record->pid) = 0;
		}
	}
	return record->kind == RECORD_SAMPLE &&
	    (record->pid == targets->except || map_get(&targets->excepted, record->pid));
}

/* As events that are enabled on exec leave out what was before. Where records were lost the exec may be among them. */
static bool
is_before_exec(struct targets *targets, const struct record *record)
{
	if (!targets->awaits_exec)
		return false;
	if (record->kind == RECORD_LOST ||
	    (record->kind == RECORD_COMM && record->comm.exec && record->pid == targets->ids[0]))
		targets->awaits_exec = false;
	return record->kind == RECORD_SAMPLE && record->pid == targets->ids[0];
}

bool
targets_take(struct targets *targets, const struct record *record)
{
	if (is_excepted(targets, record))
		return false;
	if (targets->kind == TARGETS_MACHINE || targets->own_events)
		return true;
	if (is_before_exec(targets, record))
		return false;
	if (record->kind != RECORD_SAMPLE) {
		follow(targets, record);
		return !is_of_stranger(targets, record);
	}
	if (targets->kind == TARGETS_THREADS) /* a filter does not know whose a number used again is */
		return map_get(&targets->members, record->tid) != NULL;
	if (targets->decided) {
		if (targets->kind != TARGETS_CGROUP) /* also if its fork was lost */
			*map_put(&targets->members, record->pid) = IN;
		return true;
	}
	return has_process(targets, record->pid, record->time);
}
