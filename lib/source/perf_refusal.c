#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/warn.h"
#include "source/perf_sampler.h"
#include "target/task.h"

int
perf_refusal_machine(int reason)
{
	errno = reason;
	if (reason != EACCES && reason != EPERM)
		return warn("perf_event_open:");
	return warn("recording other people's programs needs CAP_PERFMON or kernel.perf_event_paranoid <= 0 (it is %ld): "
		    "run with sudo, or `sudo sysctl kernel.perf_event_paranoid=0`; "
		    "your own programs: `%s -p PID` or `%s -- command`",
	    task_sysctl("perf_event_paranoid", 2), warn_program(), warn_program());
}

/* Is even our own process refused? Then it is not about whose process it is. */
static bool
is_refused_wholly(const struct perf_sampler *sampler)
{
	struct perf_event_attr attr = { .size = sizeof attr, .type = sampler->attr.type,
		.config = sampler->attr.config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1 };
	int fd = perf_event_of(&attr, 0, -1);

	if (fd < 0)
		return true;
	close(fd);
	return false;
}

int
perf_refusal_task(const struct perf_sampler *sampler, int reason)
{
	long paranoid = task_sysctl("perf_event_paranoid", 2);
	const char *what = sampler->targets->kind == TARGETS_THREADS ? "thread" : "process";
	uint32_t owner = sampler->targets->kind == TARGETS_THREADS ? 0 : task_process_of(sampler->refused);
	uint32_t refused = owner ? owner : sampler->refused;

	switch (reason) {
	case EACCES:
	case EPERM:
		if (is_refused_wholly(sampler))
			return warn("perf_event_open is refused (kernel.perf_event_paranoid is %ld%s): "
				    "`sudo sysctl kernel.perf_event_paranoid=%d`, or run with sudo (CAP_PERFMON)",
			    paranoid, paranoid <= 2 ? "; a container's or service's seccomp filter also does this" : "",
			    paranoid <= 2 ? 1 : 2);
		if (paranoid > 1 && (sampler->options.event->in_kernel || sampler->options.kernel_only))
			return warn("%s%s happens inside the kernel, which you may not see "
				    "(kernel.perf_event_paranoid is %ld): `sudo sysctl kernel.perf_event_paranoid=1`, or run with sudo",
			    sampler->options.kernel_only ? "what --kernel-only asks for" : "-e ",
			    sampler->options.kernel_only ? "" : sampler->options.event->name, paranoid);
		return warn("%s %u is not yours: run with sudo (CAP_PERFMON)", what, refused);
	case ESRCH:
		return warn("%s %u is gone", what, refused);
	case EMFILE:
		return warn("too many threads for the limit of open files (threads x CPUs): raise `ulimit -n`, "
			    "or run with sudo, which needs one event per CPU");
	default:
		errno = reason;
		return warn("perf_event_open:");
	}
}

int
perf_refusal_event(const struct perf_sampler *sampler, int reason)
{
	const char *name = sampler->options.event->name;
	long most = task_sysctl("perf_event_max_sample_rate", LONG_MAX);

	if (sampler->ring_refused && (reason == EPERM || reason == ENOMEM))
		return warn("the kernel lets you lock no more memory for rings (`ulimit -l`, kernel.perf_event_mlock_kb): "
			    "end other recordings of yours, `sudo sysctl kernel.perf_event_mlock_kb=2048`, or run with sudo");
	if (reason == EINVAL && sampler->options.frequency > (uint64_t)most)
		return warn("-F %llu: the kernel allows %ld at most (kernel.perf_event_max_sample_rate)",
		    (unsigned long long)sampler->options.frequency, most);
	if (reason == ENOENT || reason == ENODEV || reason == EOPNOTSUPP)
		return warn("-e %s: this machine has no such counter (a virtual machine?): try -e cpu-clock", name);
	return 0;
}
