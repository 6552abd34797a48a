#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/warn.h"
#include "target/debuginfod.h"

#define SECOND UINT64_C(1000000000)
#define SECONDS_DEFAULT 60

/* elfutils/debuginfod.h; the same since 0.178, the only version of the library's name. */
struct debuginfod_client;
static struct {
	struct debuginfod_client *(*begin)(void);
	int (*find_debuginfo)(struct debuginfod_client *, const unsigned char *, int, char **);
	void (*set_progressfn)(struct debuginfod_client *, int (*)(struct debuginfod_client *, long, long));
	void (*end)(struct debuginfod_client *);
} library;

static enum { UNTRIED, LOADED, UNUSABLE } state;
static uint64_t deadline, left;

/* Called while it waits and while it reads; not 0 ends it. */
static int
is_late(struct debuginfod_client *client, long done, long whole)
{
	(void)client;
	(void)done;
	(void)whole;
	return clock_now() >= deadline;
}

static int
load(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *limit = getenv("DEBUGINFOD_MAXTIME");
	void *handle;

	if (!urls || !*urls)
		return -1;
	if (!limit || number_u64(limit, &left) < 0 || !left || left > 86400)
		left = SECONDS_DEFAULT;
	left *= SECOND;
	handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		tell("DEBUGINFOD_URLS is set, but there is no libdebuginfod (package libdebuginfod1)");
		return -1;
	}
	*(void **)&library.begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library.find_debuginfo = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library.set_progressfn = dlsym(handle, "debuginfod_set_progressfn");
	*(void **)&library.end = dlsym(handle, "debuginfod_end");
	return library.begin && library.find_debuginfo && library.set_progressfn && library.end ? 0 : -1;
}

int
debuginfod_open(const unsigned char *build_id, size_t size)
{
	struct debuginfod_client *client;
	uint64_t now;
	int fd;

	if (state == UNTRIED)
		state = load() < 0 ? UNUSABLE : LOADED;
	if (state == UNUSABLE || !size || !(client = library.begin()))
		return -1;
	deadline = clock_now() + left;
	library.set_progressfn(client, is_late);
	fd = library.find_debuginfo(client, build_id, (int)size, NULL);
	library.end(client);
	now = clock_now();
	if (now >= deadline) {
		tell("DEBUGINFOD_URLS: the time for debug files is over, the rest is not asked for (DEBUGINFOD_MAXTIME=SECONDS gives more)");
		state = UNUSABLE;
	} else {
		left = deadline - now;
	}
	if (fd < 0)
		return -1;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}
