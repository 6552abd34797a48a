#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/warn.h"
#include "target/memory.h"
#include "target/task.h"

/* A stack mostly ends soon; and what lies behind it is not ours to fault in. */
#define STEP ((size_t)64 << 10)
#define MS UINT64_C(1000000)
/* A page comes from a disk in less, and the rings hold out. */
#define WAIT_MS 100u
/* Who does not sleep may have had no CPU yet. */
#define WAIT_BUSY_MS 2000u
#define LEFT_MAX 8u
/* An answer may come late so that it counts for one, again and again: of all sleeps together. */
#define SLEEP_MS_MAX 1000u
#define HOUR (UINT64_C(3600) * 1000 * MS)

struct question {
	uint64_t address;
	uint32_t pid, size;
};

struct answer {
	uint64_t slept; /* ns; what came at once, however late we had a CPU for it, is 0 */
	int trouble;
};

static struct {
	pid_t pid; /* 0: none */
	pid_t owner; /* of two that have forked, one asks */
	int socket;
} reader;

/* What was not answered. */
static struct unanswered {
	pid_t reader; /* 0: it has ended */
	uint32_t pid;
	uint64_t until;
} unanswered[LEFT_MAX];

static struct {
	uint64_t since, slept;
} patience;

static size_t
read_now(uint32_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec ours = { to, size }, theirs = { (void *)(uintptr_t)address, size };
	ssize_t got = process_vm_readv((pid_t)pid, &ours, 1, &theirs, 1, 0);
	uint32_t living;

	if (got < 0 && errno == ESRCH) { /* a leader that has exited has no memory, its threads have */
		living = task_living_thread(pid);
		if (living && living != pid)
			got = process_vm_readv((pid_t)living, &ours, 1, &theirs, 1, 0);
		else
			errno = ESRCH;
	}
	return got > 0 ? (size_t)got : 0;
}

/* --- the child */

static long
sleeps_so_far(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static void
close_all_but_the_first(void)
{
	if (syscall(SYS_close_range, 1, ~0u, 0) == 0)
		return;
	for (long fd = sysconf(_SC_OPEN_MAX); --fd > 0;) /* before Linux 5.9 */
		close((int)fd);
}

/* Signals are for the recorder, who ends us. What we may keep for ever must be nobody's: no pipe, no file; rings are
 * not inherited. */
_Noreturn static void
answer(int socket, pid_t recorder)
{
	static unsigned char bytes[STEP];
	struct question asked;
	struct answer said;
	struct iovec parts[] = { { &said, sizeof said }, { bytes, 0 } };

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != recorder || dup2(socket, 0) < 0)
		_exit(1);
	close_all_but_the_first();
	while (recv(0, &asked, sizeof asked, 0) == (ssize_t)sizeof asked && asked.size <= STEP) {
		long sleeps = sleeps_so_far();
		uint64_t begin = clock_now();

		parts[1].iov_len = read_now(asked.pid, asked.address, bytes, asked.size);
		said = (struct answer){ .trouble = errno };
		if (sleeps_so_far() != sleeps)
			said.slept = clock_now() - begin;
		if (writev(0, parts, 2) < 0)
			break;
	}
	_exit(0);
}

static bool
start(void)
{
	pid_t recorder = getpid();
	int ends[2];

	if (reader.pid && reader.owner == recorder)
		return true;
	if (reader.pid)
		close(reader.socket);
	reader.pid = 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	reader.pid = fork();
	if (reader.pid == 0)
		answer(ends[1], recorder);
	close(ends[1]);
	if (reader.pid < 0) {
		reader.pid = 0;
		close(ends[0]);
		return false;
	}
	reader.owner = recorder;
	reader.socket = ends[0];
	return true;
}

/* It asks nobody now, so it ends at once. */
void
memory_release(void)
{
	if (!reader.pid || reader.owner != getpid())
		return;
	close(reader.socket);
	kill(reader.pid, SIGKILL);
	while (waitpid(reader.pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	reader.pid = 0;
}

/* --- what is not answered */

/* Where it is noted down if this process does not answer; NULL: it is not to be asked. */
static struct unanswered *
place_for(uint32_t pid)
{
	struct unanswered *place = NULL;
	uint64_t now = clock_now();

	if (patience.slept && now - patience.since >= HOUR)
		patience.slept = 0;
	if (patience.slept > SLEEP_MS_MAX * MS)
		return NULL;
	for (size_t i = 0; i < LEFT_MAX; i++) {
		struct unanswered *u = &unanswered[i];

		if (u->reader && waitpid(u->reader, NULL, WNOHANG) != 0)
			u->reader = 0;
		if (!u->reader && now >= u->until)
			place = u;
		else if (u->pid == pid)
			return NULL;
	}
	return place;
}

static void
leave(uint32_t pid, struct unanswered *place)
{
	kill(reader.pid, SIGKILL);
	close(reader.socket);
	*place = (struct unanswered){ reader.pid, pid, clock_now() + HOUR };
	reader.pid = 0;
	tell("the memory of process %u is not read any more: nothing came within %u ms, its file system may hang", pid,
	    WAIT_MS);
	if (!place_for(0))
		tell("that was the %uth such process: no memory is read for an hour, or until they answer", LEFT_MAX);
}

static void
be_patient(uint64_t slept)
{
	if (slept && !patience.slept)
		patience.since = clock_now();
	patience.slept += slept;
	if (slept && patience.slept > SLEEP_MS_MAX * MS)
		tell("no memory is read for an hour: what comes of it came too slowly");
}

/* Is there something to be received? False: there will not be. */
static bool
comes(uint64_t begin)
{
	struct pollfd ready = { .fd = reader.socket, .events = POLLIN };
	uint64_t now, end = begin + WAIT_MS * MS, last = begin + WAIT_BUSY_MS * MS;
	bool late = false;
	char state;

	for (;;) {
		now = clock_now();
		if (poll(&ready, 1, late ? 0 : now < end ? (int)((end - now) / MS) + 1 : 10) > 0)
			return true;
		if (late)
			return false;
		state = task_state((uint32_t)reader.pid, (uint32_t)reader.pid);
		now = clock_now();
		late = now >= last || (now >= end && (state == 'S' || state == 'D'));
	}
}

static size_t
ask(const struct question *question, void *to, uint64_t begin, struct unanswered *place)
{
	struct answer said = { 0 };
	struct iovec parts[] = { { &said, sizeof said }, { to, question->size } };
	ssize_t got;

	if (!start())
		return 0;
	if (send(reader.socket, question, sizeof *question, MSG_NOSIGNAL) != (ssize_t)sizeof *question) {
		memory_release(); /* somebody has ended it */
		return 0;
	}
	if (!comes(begin)) {
		leave(question->pid, place);
		return 0;
	}
	got = readv(reader.socket, parts, 2);
	if (got < (ssize_t)sizeof said)
		memory_release();
	be_patient(said.slept);
	if (got > (ssize_t)sizeof said)
		return (size_t)got - sizeof said;
	if (said.trouble == EPERM)
		return read_now(question->pid, question->address, to, question->size);
	return 0;
}

size_t
memory_read(uint32_t pid, uint64_t address, void *to, size_t size)
{
	bool is_ours = pid == (uint32_t)getpid();
	struct unanswered *place = is_ours ? NULL : place_for(pid);
	uint64_t begin = clock_now();
	size_t done = 0, step, got;

	if (!is_ours && !place)
		return 0;
	do {
		struct question question = { address + done, pid, 0 };
		unsigned char *at = (unsigned char *)to + done;

		step = size - done < STEP ? size - done : STEP;
		question.size = (uint32_t)step;
		got = is_ours ? read_now(pid, address + done, at, step) : ask(&question, at, begin, place);
		done += got;
	} while (got == step && done < size);
	return done;
}
