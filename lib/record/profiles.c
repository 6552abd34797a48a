#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "record/profiles.h"

/* What a writer says by its status. */
enum { WROTE = 0, LOST = 1, READER_LEFT = 3 };

static bool
is_stream(const char *output)
{
	struct stat st;

	return !output || strcmp(output, "-") == 0 || (stat(output, &st) == 0 && !S_ISREG(st.st_mode));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* it is the user's */
/* free() it. NULL: longer than any path. */
static char *
name_at(const char *output, uint64_t wall)
{
	time_t seconds = (time_t)(wall / 1000000000u);
	char name[PATH_MAX];
	struct tm utc;

	gmtime_r(&seconds, &utc);
	return strftime(name, sizeof name, output, &utc) ? mem_print("%s", name) : NULL;
}
#pragma GCC diagnostic pop

/* At a unit of the calendar's first moment and at its last: what tells intervals apart there does so always. In 2024 the
 * second, the minute, the hour, the day, the week, the longest month and a leap year began together. */
bool
profiles_have_names(const struct profiles *profiles)
{
	static const uint64_t begin = 1704067200u * 1000000000ull, units[] = { 0, 1, 60, 3600, 86400 };
	bool differ = true;

	if (is_stream(profiles->output))
		return true;
	for (size_t i = 0; i < sizeof units / sizeof *units && differ; i++) {
		uint64_t wall = begin + units[i] * 1000000000u - !!units[i];
		char *one = name_at(profiles->output, wall), *next = name_at(profiles->output, wall + profiles->every);

		differ = one && next && strcmp(one, next) != 0;
		free(one);
		free(next);
	}
	return differ;
}

/* Of neighbours each has its own: the clock that names them may be slowed down, by less than an interval, or be set back;
 * names then go on from the last. free() it. */
static char *
next_name(const struct profiles *profiles, uint64_t *begin)
{
	uint64_t wall = *begin;
	char *name;

	if (profiles->last_name && wall < profiles->last_wall + profiles->every / 2)
		*begin = wall = profiles->last_wall + profiles->every;
	name = name_at(profiles->output, wall);
	for (uint64_t later = 1; later <= 2 && name && profiles->last_name && strcmp(name, profiles->last_name) == 0;
	     later++) {
		free(name);
		name = name_at(profiles->output, wall + profiles->every * later / 2);
	}
	return name;
}

int
profiles_open(struct profiles *profiles, uint64_t wall)
{
	char *name;

	profiles->is_stream = is_stream(profiles->output);
	if (!profiles->every || profiles->is_stream) {
		profiles->out = out_open(profiles->output, profiles->gzip);
	} else {
		name = name_at(profiles->output, wall);
		if (name && access(name, F_OK) == 0)
			tell("%s is there, and will be replaced", name);
		profiles->out = name ? out_open(name, profiles->gzip) : NULL;
		free(name);
	}
	if (!profiles->out)
		return -1;
	if (!profiles->every)
		return 0;
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the writers' statuses away */
	if (!profiles->is_stream) {
		out_abandon(profiles->out);
		profiles->out = NULL;
	}
	return 0;
}

/* --- writers */

static void
take_status(struct profiles *profiles, int status)
{
	bool wrote = WIFEXITED(status) && WEXITSTATUS(status) == WROTE;

	if (WIFSIGNALED(status))
		warn("the process that wrote an interval was ended by signal %d: the interval is lost",
		    WTERMSIG(status));
	profiles->reader_left |= WIFEXITED(status) && WEXITSTATUS(status) == READER_LEFT;
	profiles->written += wrote;
	profiles->failed += !wrote;
}

/* The oldest writer, if it has ended. */
static bool
reap_one(struct profiles *profiles, bool wait)
{
	int status;
	pid_t ended;

	if (!profiles->writer_count)
		return false;
	do
		ended = waitpid(profiles->writers[0].pid, &status, wait ? 0 : WNOHANG);
	while (ended < 0 && errno == EINTR);
	if (ended == 0)
		return false;
	take_status(profiles, ended < 0 ? W_EXITCODE(LOST, 0) : status);
	if (profiles->writers[0].pidfd >= 0)
		close(profiles->writers[0].pidfd);
	memmove(profiles->writers, profiles->writers + 1, --profiles->writer_count * sizeof *profiles->writers);
	return true;
}

void
profiles_reap(struct profiles *profiles, bool wait)
{
	while (reap_one(profiles, wait))
		continue;
}

/* May one more begin, without waiting for those before it? Without a descriptor of the last it could not wait for that. */
static bool
have_room(struct profiles *profiles)
{
	profiles_reap(profiles, false);
	return !profiles->writer_count || (profiles->writer_count < PROFILES_WRITERS &&
	    profiles->writers[profiles->writer_count - 1].pidfd >= 0);
}

static int
write_one(struct profiles *profiles, const char *name, void (*make)(void *context, struct out *out), void *context)
{
	struct out *out = profiles->is_stream ? out_open_again(profiles->out, profiles->gzip) :
						out_open(name, profiles->gzip);

	if (!out)
		return LOST;
	make(context, out);
	if (profiles->is_stream)
		out_text(out, "#\n");
	errno = 0;
	if (out_close(out) == 0)
		return WROTE;
	return errno == EPIPE ? READER_LEFT : LOST;
}

/* The writer: after the one before it. Signals are for the recorder, who will wait for it. */
_Noreturn static void
be_writer(struct profiles *profiles, const char *name, void (*make)(void *context, struct out *out), void *context)
{
	struct pollfd before = { .fd = -1, .events = POLLIN };

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (profiles->writer_count)
		before.fd = profiles->writers[profiles->writer_count - 1].pidfd;
	while (before.fd >= 0 && poll(&before, 1, -1) < 0 && errno == EINTR)
		continue;
	_exit(write_one(profiles, name, make, context));
}

/* 1: not now; the first time that is said. */
static int
start_writer(struct profiles *profiles, const char *name, void (*make)(void *context, struct out *out), void *context)
{
	bool has_room = have_room(profiles);
	pid_t pid = has_room ? fork() : -1;

	if (pid == 0)
		be_writer(profiles, name, make, context);
	if (pid < 0) {
		if (!profiles->postponed++) {
			if (has_room)
				warn("intervals become longer, until a process can be started to write them: fork:");
			else
				tell("profiles are written too slowly: intervals become longer, until there is room for the next");
		}
		return 1;
	}
	profiles->writers[profiles->writer_count].pid = pid;
	profiles->writers[profiles->writer_count++].pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	return 0;
}

/* The last is written by ourselves: nothing is to be recorded any more. */
static int
write_interval(struct profiles *profiles, const char *name, bool last, void (*make)(void *context, struct out *out),
    void *context)
{
	int status;

	if (!last)
		return start_writer(profiles, name, make, context);
	profiles_reap(profiles, true);
	status = write_one(profiles, name, make, context);
	take_status(profiles, W_EXITCODE(status, 0));
	return status == WROTE ? 0 : -1;
}

int
profiles_write(struct profiles *profiles, uint64_t wall, bool last, void (*make)(void *context, struct out *out),
    void *context)
{
	char *name = NULL;
	int failed;

	if (!profiles->every) {
		make(context, profiles->out);
		profiles->failed = out_close(profiles->out) < 0;
		profiles->out = NULL;
		return profiles->failed ? -1 : 0;
	}
	if (!profiles->is_stream && !(name = next_name(profiles, &wall))) {
		profiles->failed++;
		return warn("%s: the name is too long: an interval is lost", profiles->output);
	}
	failed = write_interval(profiles, name, last, make, context);
	if (failed <= 0) { /* else it is free for the next try */
		free(profiles->last_name);
		profiles->last_name = name;
		profiles->last_wall = wall;
	} else {
		free(name);
	}
	return failed;
}

int
profiles_close(struct profiles *profiles)
{
	profiles_reap(profiles, true);
	profiles_abandon(profiles);
	if (!profiles->failed)
		return 0;
	return profiles->reader_left || !profiles->every ? -1 : warn("%llu of %llu intervals could not be written",
	    (unsigned long long)profiles->failed, (unsigned long long)(profiles->failed + profiles->written));
}

void
profiles_abandon(struct profiles *profiles)
{
	out_abandon(profiles->out);
	profiles->out = NULL;
	free(profiles->last_name);
	profiles->last_name = NULL;
}
