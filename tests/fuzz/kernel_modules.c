/* Any bytes as what /proc/modules shows, look after look, NULs between: whoever is named was there, one look's modules
 * do not overlap, and nothing is known of what stayed nobody's. */
#include <sys/mman.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/kernel_modules.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
judge(const struct kernel_modules *modules, uint64_t address, const char *named_by)
{
	struct kernel_answer answer = { .is_known = true, .name = named_by ? "f" : NULL, .module = named_by };
	const struct kernel_module *owner;
	enum kernel_owner judged = kernel_modules_judge(modules, address, &answer, &owner);

	if (judged == KERNEL_MODULE && (address < owner->start || address >= owner->end))
		abort();
	if (judged == KERNEL_REPLACED && (!owner || address < owner->start || address >= owner->end))
		abort();
	if (judged == KERNEL_NOBODY && !named_by)
		abort();
}

static void
check(const struct kernel_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++) {
		const struct kernel_module *m = &modules->list[i];

		if (!m->start || m->end < m->start || !*m->name || strpbrk(m->name, " \n"))
			abort();
		for (size_t j = 0; j < i; j++) {
			const struct kernel_module *other = &modules->list[j];

			if (m->is_there && other->is_there && m->start < other->end && other->start < m->end)
				abort();
			judge(modules, m->start, other->name);
			judge(modules, m->end - 1, other->name);
		}
		judge(modules, m->start, NULL);
		judge(modules, m->end - 1, m->name);
		judge(modules, m->end, m->name);
	}
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static int fd;
	struct kernel_modules modules = { 0 };
	char path[32];

	if (!fd)
		fd = memfd_create("modules", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	modules.path = path;
	for (unsigned looks = 0; looks < 8; looks++) {
		const unsigned char *nul = size ? memchr(data, '\0', size) : NULL;
		size_t length = nul ? (size_t)(nul - data) : size;

		if (ftruncate(fd, 0) < 0 || pwrite(fd, data, length, 0) != (ssize_t)length)
			abort();
		if (looks % 3 == 2)
			kernel_modules_restart(&modules);
		else
			kernel_modules_look(&modules);
		check(&modules);
		if (!nul)
			break;
		size -= length + 1;
		data = nul + 1;
	}
	kernel_modules_release(&modules);
	return 0;
}
