#include <sys/uio.h>

#include <errno.h>

#include "target/memory.h"
#include "target/task.h"

/* A stack mostly ends soon; and what lies behind it is not ours to fault in. */
#define STEP ((size_t)64 << 10)

size_t
memory_read(uint32_t pid, uint64_t address, void *to, size_t size)
{
	uint32_t living = pid;
	size_t done = 0;

	while (done < size) {
		size_t step = size - done < STEP ? size - done : STEP;
		struct iovec ours = { (unsigned char *)to + done, step };
		struct iovec theirs = { (void *)(uintptr_t)(address + done), step };
		ssize_t got = process_vm_readv((pid_t)living, &ours, 1, &theirs, 1, 0);

		if (got < 0 && errno == ESRCH && living == pid) { /* a leader that has exited has no memory, its threads have */
			living = task_living_thread(pid);
			if (living && living != pid)
				continue;
		}
		if (got <= 0)
			break;
		done += (size_t)got;
		if ((size_t)got < step)
			break;
	}
	return done;
}
