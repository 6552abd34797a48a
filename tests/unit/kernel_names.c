/* Kernel names: kallsyms as it may look, and both ways side by side on the kernel we run on. */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "source/bpf.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel.h"
#include "tap.h"

static const char *
name_of(const struct symbol_query *query, const struct intern *names)
{
	return query->name == SYMBOL_NONE ? "?" : intern_name(names, query->name);
}

static const char *
module_of(const struct symbol_query *query, const struct intern *names)
{
	return query->module ? intern_name(names, query->module - 1) : "";
}

/* What kallsyms_find() makes of a file; the names of addresses, joined by blanks. */
static void
is_found(const char *text, const uint64_t *addresses, size_t count, const char *wanted, const char *what)
{
	char path[] = "/tmp/gp-kallsyms.XXXXXX", got[1024] = "";
	struct symbol_query queries[16];
	struct intern names = { 0 };
	int fd = mkstemp(path), result, reason;

	for (size_t i = 0; i < count; i++)
		queries[i].vaddr = addresses[i];
	if (write(fd, text, strlen(text)) < 0)
		note("cannot write %s", path);
	close(fd);
	result = kallsyms_find(path, queries, count, &names);
	reason = errno;
	unlink(path);
	for (size_t i = 0; i < count; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s", i ? " " : "", name_of(&queries[i], &names),
		    queries[i].module ? "/" : "", module_of(&queries[i], &names));
	is_text(result == 0 ? got : reason == EPERM ? "hidden" : "none", wanted, what);
	intern_release(&names);
}

static void
test_texts(void)
{
	static const char kernel[] = "0000000000000000 A fixed_percpu_data\n"
				     "ffffffff81000000 T _stext\n"
				     "ffffffff81000100 t first\n"
				     "ffffffff81000100 t alias\n"
				     "ffffffff81000180 D data\n"
				     "ffffffff81000200 W second.isra.0\n"
				     "ffffffff81000300 T _etext\n"
				     "ffffffffc0002000 t late\t[two]\n"
				     "ffffffffc0001000 t early\t[one]\n"
				     "ffffffffc0000500 t bpf_prog_6deef7357e7b4530_sd\t[bpf]";

	is_found(kernel, (uint64_t[]){ 0xffffffff80ffffff, 0xffffffff81000000, 0xffffffff81000100, 0xffffffff810001ff,
	    0xffffffff81000200, 0xffffffff810002ff }, 6, "? _stext first first second second",
	    "the nearest symbol below, the first of aliases, clones folded");
	is_found(kernel, (uint64_t[]){ 0xffffffffc0000501, 0xffffffffc0001001, 0xffffffffc0001fff, 0xffffffffc0002001 }, 4,
	    "bpf_prog_6deef7357e7b4530_sd/bpf early/one early/one late/two", "modules in any order, BPF programs");
	is_found(kernel, (uint64_t[]){ 0xffffffff90000000, 0xffffffffd0000000 }, 2, "? ?", "far behind a symbol is nobody's");
	is_found("0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n0000000000000000 t f\n",
	    (uint64_t[]){ 0xffffffff81000000 }, 1, "hidden", "kptr_restrict");
	is_found("", (uint64_t[]){ 1 }, 1, "none", "an empty file");
	is_found("nothing\nthat we know\n", (uint64_t[]){ 1 }, 1, "none", "another file");
	is_found("garbage\n\n zz T x\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T f\n",
	    (uint64_t[]){ 0xffffffff81000000 }, 1, "f", "lines that are not ours");
}

/* Some thousand addresses inside functions of the running kernel. */
static size_t
read_addresses(struct symbol_query **queries)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024], type;
	size_t count = 0, room = 0, number = 0;
	uint64_t address, last = 0;

	*queries = NULL;
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "%" SCNx64 " %c", &address, &type) == 2 && (type == 't' || type == 'T') &&
		    address > last && number++ % 16 == 0) {
			mem_grow(queries, count, &room);
			(*queries)[count++].vaddr = last = address;
		}
	if (file)
		fclose(file);
	return count;
}

static void
test_both(void)
{
	struct symbol_query *queries, *others;
	size_t count = read_addresses(&queries), different = 0, unnamed = 0;
	struct intern names = { 0 };
	enum kernel_source source;
	uint64_t start = clock_cpu(), by_bpf;

	others = mem_resize(NULL, count + 1, sizeof *others);
	if (count)
		memcpy(others, queries, count * sizeof *others);
	source = kernel_symbols_find(queries, count, &names, true);
	by_bpf = clock_cpu() - start;
	if (!count || source != KERNEL_BPF) {
		ok(true, "both ways # SKIP %s", count ? bpf_trouble() : "the kernel hides its addresses");
	} else {
		start = clock_cpu();
		ok(kernel_symbols_find(others, count, &names, false) == KERNEL_KALLSYMS, "kallsyms when BPF is not allowed");
		note("%zu addresses: %.2f ms by BPF, %.2f by kallsyms", count, (double)by_bpf / 1e6,
		    (double)(clock_cpu() - start) / 1e6);
		for (size_t i = 0; i < count; i++) {
			unnamed += queries[i].name == SYMBOL_NONE;
			different += queries[i].name != others[i].name;
			if (queries[i].name != others[i].name)
				note("%" PRIx64 ": %s by BPF, %s by kallsyms", queries[i].vaddr, name_of(&queries[i], &names),
				    name_of(&others[i], &names));
		}
		ok(different <= count / 200, "names are the same but aliases: %zu of %zu differ", different, count);
		ok(unnamed <= count / 200, "all are named");
	}
	free(queries);
	free(others);
	intern_release(&names);
}

/* Ordinary users get what kallsyms shows them, in silence. */
static void
test_nobody(void)
{
	struct symbol_query *queries;
	size_t count = read_addresses(&queries);
	int pipes[2], status;
	char said[256];
	pid_t pid;

	if (pipe(pipes) < 0 || (pid = fork()) < 0)
		return;
	if (pid == 0) {
		struct intern names = { 0 };

		dup2(pipes[1], 2);
		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(9);
		_exit((int)kernel_symbols_find(queries, count, &names, true));
	}
	close(pipes[1]);
	ok(read(pipes[0], said, sizeof said) == 0, "nothing is said to ordinary users");
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 9)
		ok(true, "without permission # SKIP not root");
	else
		ok(WIFEXITED(status) && (WEXITSTATUS(status) == KERNEL_KALLSYMS || WEXITSTATUS(status) == KERNEL_HIDDEN),
		    "without permission for BPF: kallsyms, or hidden");
	close(pipes[0]);
	free(queries);
}

int
main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	test_texts();
	test_both();
	test_nobody();
	return done_testing();
}
