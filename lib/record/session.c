#include <unistd.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/warn.h"
#include "fold/folded.h"
#include "record/session.h"
#include "target/memory.h"

/* How long records wait in the rings: short enough to open the files of processes that live briefly, long
 * enough that waking up costs nothing. */
#define DRAIN_EVERY_MS 250
/* At first shorter, then twice as long each time: of processes that were there before no record tells, and
 * some of them end soon. */
#define DRAIN_FIRST_MS 8
#define MS UINT64_C(1000000)

/* --- a profile */

static void
fill_notes(struct session *session, struct notes *notes)
{
	struct perf_totals totals;

	perf_sampler_totals(session->sampler, &totals);
	session->totals_now = totals;
	notes->start = clock_wall() - (clock_now() - session->from);
	notes->duration = session->now - session->from;
	notes->per_task = !perf_sampler_is_unbiased(session->sampler);
	notes->sees_kernel = perf_sampler_sees_kernel(session->sampler);
	notes->no_bpf = perf_sampler_no_bpf(session->sampler);
	notes->no_copies = perf_sampler_no_copies(session->sampler);
	notes->deep_stacks = totals.deep_stacks - session->totals.deep_stacks;
	notes->deep_bytes = totals.deep_bytes - session->totals.deep_bytes;
	notes->deep_refused = totals.deep_refused - session->totals.deep_refused;
	notes->gone_cpus = totals.gone_cpus;
	notes->lost = totals.lost - session->totals.lost;
	notes->throttled = totals.throttled - session->totals.throttled;
	notes->unfollowed = totals.unfollowed - session->totals.unfollowed;
	notes->counted = notes->is_clock && totals.has_counted ? totals.counted - session->totals.counted : 0;
	/* All of the command's time, if all of it was sampled. */
	if (notes->counts_command && notes->is_clock && !totals.has_counted && session->child->ended &&
	    !session->delay && !session->profiles->every)
		notes->counted = child_cpu_ns(session->child);
}

/* An interval is news only if something is wrong with it. */
static void
tell_interval(const struct session *session)
{
	if (warn_verbose)
		notes_tell(&session->notes, &session->counts);
	else if (session->notes.lost)
		tell("%llu records lost, of samples and others: the rings were full", (unsigned long long)session->notes.lost);
}

static void
make_profile(void *context, struct out *out)
{
	struct session *session = context;
	bool in_writer = getpid() != session->recorder; /* whose CPU time is its own alone */
	struct fold fold;

	fold_init(&fold);
	recording_fold(session->recording, &fold, &session->counts);
	session->notes.self_cpu = (in_writer ? session->cpu_now : 0) + clock_cpu() - session->cpu_before;
	notes_write(&fold.header, &session->notes, &session->counts);
	folded_write(&fold, out, session->no_header);
	fold_release(&fold);
	if (session->profiles->every)
		tell_interval(session);
}

/* False: not now, it is to go on. */
static bool
write_interval(struct session *session, bool last)
{
	int failed;

	session->cpu_now = clock_cpu();
	fill_notes(session, &session->notes);
	failed = profiles_write(session->profiles, session->notes.start, last, make_profile, session);
	session->stopped |= session->profiles->reader_left;
	if (failed > 0)
		return false;
	session->cpu_before = session->cpu_now;
	session->totals = session->totals_now;
	if (!failed && !session->profiles->every)
		notes_tell(&session->notes, &session->counts);
	else if (last && session->profiles->every)
		tell("%llu samples in %llu profiles, %llu not written", (unsigned long long)session->samples,
		    (unsigned long long)session->profiles->written, (unsigned long long)session->profiles->failed);
	if (last && session->profiles->postponed)
		tell("%llu intervals are in the profile of the one before: they could not be written in time",
		    (unsigned long long)session->profiles->postponed);
	return true;
}

/* Everything before the interval's end has been taken. */
static void
cut(struct session *session)
{
	session->now = session->to;
	session->to += session->profiles->every;
	if (session->to >= session->end)
		session->to = UINT64_MAX;
	if (!write_interval(session, false))
		return;
	session->from = session->now;
	recording_restart(session->recording, session->from);
}

/* --- the loop */

static void
take(void *context, const struct record *record)
{
	struct session *session = context;

	if (record->kind == RECORD_SAMPLE && record->time < session->begin)
		return;
	while (record->time >= session->to)
		cut(session);
	session->samples += record->kind == RECORD_SAMPLE;
	recording_take(session->recording, record);
	if (record->kind == RECORD_SAMPLE && recording_was_cut(session->recording))
		perf_sampler_was_cut(session->sampler, &record->sample, recording_was_cut(session->recording));
}

/* Until something ends the recording, or so long; then takes what is there. */
static void
record_for(struct session *session, int stop, uint64_t time)
{
	int descriptors[] = { stop, session->child->pid ? session->child->pidfd : -1 };
	uint64_t now;

	perf_sampler_wait(session->sampler, descriptors, 2,
	    (int)(time / MS < session->wait_ms ? time / MS + 1 : session->wait_ms));
	session->wait_ms = 2 * session->wait_ms < DRAIN_EVERY_MS ? 2 * session->wait_ms : DRAIN_EVERY_MS;
	now = clock_now();
	perf_sampler_drain(session->sampler, take, session, false);
	recording_caught_up(session->recording);
	while (now >= session->to)
		cut(session);
	profiles_reap(session->profiles, false);
	session->stopped |= session->profiles->reader_left;
}

static bool
has_ended(struct session *session)
{
	if (session->child->pid && child_ended(session->child)) {
		stop_pass_on_to(0); /* its number may be another's soon */
		return true;
	}
	return stop_asked() || session->stopped || !targets_live(session->targets);
}

static void
show_progress(const struct session *session)
{
	double elapsed = (double)(clock_now() - session->begin) / 1e9, whole = (double)session->duration / 1e9;
	unsigned long long samples = session->samples, lost = perf_sampler_lost(session->sampler);

	if (session->duration)
		progress_show("%.0f of %.0f s, %llu samples, %llu lost", elapsed, whole, samples, lost);
	else
		progress_show("%.0f s, %llu samples, %llu lost (Ctrl-C ends and writes)", elapsed, samples, lost);
}

static void
record_until_end(struct session *session, int stop)
{
	uint64_t begin = clock_now(); /* a little later than it was to be */

	if (session->profiles->every)
		begin = session->begin;
	session->from = begin;
	session->end = session->duration ? begin + session->duration : UINT64_MAX;
	session->to = session->profiles->every ? begin + session->profiles->every : UINT64_MAX;
	if (session->to >= session->end)
		session->to = UINT64_MAX;
	for (uint64_t now, next; (now = clock_now()) < session->end && !has_ended(session);) {
		next = session->to < session->end ? session->to : session->end;
		record_for(session, stop, next > now ? next - now : 0);
		show_progress(session);
	}
	perf_sampler_disable(session->sampler);
	session->now = clock_now();
	perf_sampler_drain(session->sampler, take, session, true);
	while (session->now >= session->to) /* it took so long to come here */
		cut(session);
	progress_clear();
}

static int
begin(struct session *session, int stop, int *status)
{
	/* What processes do before the beginning is followed; but events that tasks inherit would count it too. */
	bool early = !session->delay || perf_sampler_is_unbiased(session->sampler);

	session->begin = clock_now() + session->delay;
	session->to = UINT64_MAX;
	session->recording_options.start = session->begin;
	session->recording = recording_open(&session->recording_options);
	if (early && perf_sampler_enable(session->sampler) < 0)
		return -1;
	if (session->child->pid) {
		if (early)
			recording_name(session->recording, (uint32_t)session->child->pid, session->command);
		if (child_run(session->child, session->command, status) < 0)
			return -1;
		stop_pass_on_to(session->child->pid);
	}
	for (uint64_t now; (now = clock_now()) < session->begin && !has_ended(session);)
		record_for(session, stop, session->begin - now);
	return early ? 0 : perf_sampler_enable(session->sampler);
}

int
session_run(struct session *session, int *status)
{
	int stop = stop_on_signals();

	*status = 1;
	session->recorder = getpid();
	session->wait_ms = DRAIN_FIRST_MS;
	if (begin(session, stop, status) < 0) {
		profiles_abandon(session->profiles);
		return -1;
	}
	record_until_end(session, stop);
	write_interval(session, true);
	return 0;
}

void
session_release(struct session *session)
{
	recording_close(session->recording);
	session->recording = NULL;
	memory_release();
}
