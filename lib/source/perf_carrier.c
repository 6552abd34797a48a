#include <linux/perf_event.h>

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "source/perf_piece.h"
#include "source/perf_sampler.h"

/* A ring that is no sampler's: it can be replaced by a larger one, and programs put out into it. Its event
 * counts nothing. -1 with errno. */
int
perf_carrier_open(struct perf_ring *ring, uint32_t cpu, uint64_t bytes)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_PIECE_TYPE,
		.sample_period = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(bytes / 2),
	};
	int fd = perf_event_of(&attr, -1, (int)cpu), reason;

	if (fd < 0)
		return -1;
	if (perf_ring_map(ring, fd, bytes) == 0) {
		ring->cpu = cpu;
		return 0;
	}
	reason = errno;
	close(fd);
	errno = reason;
	return -1;
}

void
perf_carrier_close(const struct perf_sampler *sampler, struct perf_ring *ring)
{
	int fd = ring->fd;

	perf_ring_unmap(ring);
	if (sampler->carriers)
		close(fd);
}
