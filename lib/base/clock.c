#include <sys/resource.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

static uint64_t
read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t
clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t
clock_cpu(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t
clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

/* Not ru_maxrss: that is inherited over exec, so a small program started by a large one looks large. */
long
clock_peak_kb(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[128];
	long kb = 0;

	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "VmHWM: %ld", &kb) == 1)
			break;
	if (status)
		fclose(status);
	return kb;
}

void
clock_print(uint64_t wall, char text[static 32])
{
	time_t seconds = (time_t)(wall / 1000000000u);
	struct tm utc;
	char whole[24];

	gmtime_r(&seconds, &utc);
	strftime(whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text, 32, "%s.%03uZ", whole, (unsigned)(wall / 1000000u % 1000u));
}

int
clock_read(const char *text, uint64_t *wall)
{
	struct tm utc = { 0 };
	const char *p = strptime(text, "%Y-%m-%dT%H:%M:%S", &utc);
	uint64_t unit = 1000000000u, part = 0;
	time_t seconds;

	if (p && *p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++) {
			unit /= 10;
			part += unit * (uint64_t)(*p - '0');
		}
	if (!p || strcmp(p, "Z") != 0 || (seconds = timegm(&utc)) < 0 || (uint64_t)seconds > UINT64_MAX / 2000000000u)
		return -1;
	*wall = (uint64_t)seconds * 1000000000u + part;
	return 0;
}
