#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cursor.h"
#include "base/mem.h"
#include "base/warn.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/source_lines.h"
#include "symbol/source_units.h"
#include "target/debug_file.h"

/* For all files together. Bytes: overlapping strings of a small file make long names without end. */
#define SECONDS_MAX 120u
#define ANSWERS_MAX ((uint64_t)256 << 20)
/* Of the child: more than any honest file needs. */
#define CPU_SECONDS_MAX 60u
#define MEMORY_MAX ((rlim_t)2 << 30)
#define NAME_LENGTH_MAX 65536u
#define DEPTH_MAX 257u

/* The child's answer is a stream of these, in this machine's numbers. */
enum message {
	MESSAGE_TEXT = 1, /* length, bytes: the next text, numbered from 0 */
	MESSAGE_PLACE,	  /* query, count, then name, file, line of each */
	MESSAGE_END,	  /* all was said */
};

/* --- the child */

struct answer {
	int to;
	struct buf bytes, name;
	struct intern texts;
	struct intern symbols; /* as the linker has them */
	uint32_t *tidy;	       /* their texts */
	size_t tidy_room;
};

static void
send_all(struct answer *answer)
{
	size_t done = 0;
	ssize_t n;

	while (done < answer->bytes.length) {
		n = write(answer->to, answer->bytes.data + done, answer->bytes.length - done);
		if (n < 0 && errno != EINTR)
			_exit(1);
		done += n > 0 ? (size_t)n : 0;
	}
	buf_clear(&answer->bytes);
}

static void
add_u32(struct buf *bytes, uint32_t value)
{
	buf_add(bytes, &value, sizeof value);
}

static uint32_t
text_number(struct answer *answer, const char *text, size_t length)
{
	size_t known = answer->texts.count;
	uint32_t number;

	if (length > NAME_LENGTH_MAX)
		length = NAME_LENGTH_MAX;
	number = intern_add(&answer->texts, text, length);
	if (number == known) {
		add_u32(&answer->bytes, MESSAGE_TEXT);
		add_u32(&answer->bytes, (uint32_t)length);
		buf_add(&answer->bytes, text, length);
	}
	return number;
}

static uint32_t
name_number(struct answer *answer, const char *symbol)
{
	size_t known = answer->symbols.count;
	uint32_t number;

	if (!symbol || !*symbol)
		return SYMBOL_NONE;
	number = intern_text(&answer->symbols, symbol);
	if (number == known) {
		mem_grow(&answer->tidy, known, &answer->tidy_room);
		demangle(symbol, &answer->name);
		answer->tidy[number] = text_number(answer, answer->name.data, answer->name.length);
	}
	return answer->tidy[number];
}

static void
take(void *context, size_t i, const struct source_call *calls, size_t count)
{
	struct answer *answer = context;
	uint32_t numbers[DEPTH_MAX][3];

	if (count > DEPTH_MAX)
		count = DEPTH_MAX;
	for (size_t c = 0; c < count; c++) {
		numbers[c][0] = name_number(answer, calls[c].name);
		numbers[c][1] = calls[c].file ? text_number(answer, calls[c].file, strlen(calls[c].file)) : SYMBOL_NONE;
		numbers[c][2] = calls[c].line;
	}
	add_u32(&answer->bytes, MESSAGE_PLACE);
	add_u32(&answer->bytes, (uint32_t)i);
	add_u32(&answer->bytes, (uint32_t)count);
	buf_add(&answer->bytes, numbers, count * sizeof numbers[0]);
	if (answer->bytes.length > 65536)
		send_all(answer);
}

/* The sanitizers' own memory is beyond any limit. */
extern void __asan_init(void) __attribute__((weak));

static _Noreturn void
answer_and_exit(int to, int fd, const struct source_query *queries, size_t count)
{
	struct answer answer = { .to = to };
	struct source_sink sink = { take, &answer };
	uint64_t *addresses = mem_resize(NULL, count, sizeof *addresses);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	setrlimit(RLIMIT_CPU, &(struct rlimit){ CPU_SECONDS_MAX, CPU_SECONDS_MAX });
	if (!__asan_init)
		setrlimit(RLIMIT_DATA, &(struct rlimit){ MEMORY_MAX, MEMORY_MAX });
	for (size_t i = 0; i < count; i++)
		addresses[i] = queries[i].vaddr;
	if (source_units_find(fd, addresses, count, &sink) < 0)
		_exit(1);
	add_u32(&answer.bytes, MESSAGE_END);
	send_all(&answer);
	_exit(0);
}

/* --- what it says */

struct question {
	struct source_lines *lines;
	struct source_query *queries;
	size_t count;
	struct intern *names;
	uint32_t *texts; /* the child's numbers → names */
	size_t text_count, text_room;
	bool ended;
};

static uint32_t
known_text(const struct question *question, uint32_t number)
{
	return number < question->text_count ? question->texts[number] : SYMBOL_NONE;
}

static bool
take_place(struct question *question, struct cursor *c)
{
	uint32_t query = cursor_u32(c), count = cursor_u32(c);
	const unsigned char *bytes = count <= DEPTH_MAX ? cursor_take(c, count * 12u) : NULL;
	struct cursor places = { bytes, bytes ? bytes + count * 12u : NULL, bytes != NULL };

	if (!c->ok || !bytes)
		return false;
	if (query >= question->count)
		return true;
	question->queries[query].first = (uint32_t)question->lines->count;
	question->queries[query].count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct source_place place;

		place.name = known_text(question, cursor_u32(&places));
		place.file = known_text(question, cursor_u32(&places));
		place.line = cursor_u32(&places);
		mem_grow(&question->lines->places, question->lines->count, &question->lines->room);
		question->lines->places[question->lines->count++] = place;
	}
	return true;
}

/* A whole message, taken from the bytes; false: it is not all there yet. */
static bool
take_message(struct question *question, struct cursor *c)
{
	struct cursor before = *c;
	uint32_t kind = cursor_u32(c), length;
	const void *text;
	bool good = false;

	if (kind == MESSAGE_TEXT) {
		length = cursor_u32(c);
		text = cursor_take(c, length);
		good = c->ok;
		if (good) {
			mem_grow(&question->texts, question->text_count, &question->text_room);
			question->texts[question->text_count++] = intern_add(question->names, text, length);
		}
	} else if (kind == MESSAGE_PLACE) {
		good = take_place(question, c);
	} else if (kind == MESSAGE_END) {
		question->ended = true;
	}
	if (!good)
		*c = before;
	return good;
}

/* More than any message is. */
#define UNREAD_MAX (NAME_LENGTH_MAX + DEPTH_MAX * 12u + 4096u)

static void
listen_to(struct question *question, int from)
{
	struct pollfd ready = { .fd = from, .events = POLLIN };
	struct buf bytes = { 0 };
	uint64_t now;
	ssize_t n;

	while (!question->ended && bytes.length < UNREAD_MAX && question->lines->answered < ANSWERS_MAX &&
	    (now = clock_now()) < question->lines->deadline) {
		struct cursor c;

		if (poll(&ready, 1, (int)((question->lines->deadline - now) / 1000000u) + 1) <= 0)
			continue;
		buf_reserve(&bytes, 65536);
		n = read(from, bytes.data + bytes.length, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		bytes.length += (size_t)n;
		question->lines->answered += (uint64_t)n;
		c = (struct cursor){ (unsigned char *)bytes.data, (unsigned char *)bytes.data + bytes.length, true };
		while (take_message(question, &c))
			continue;
		n = (const char *)c.at - bytes.data;
		memmove(bytes.data, bytes.data + n, bytes.length - (size_t)n);
		bytes.length -= (size_t)n;
	}
	buf_release(&bytes);
}

static void
ask(struct question *question, const struct module *module, int fd)
{
	int ends[2], status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	child = fork();
	if (child == 0)
		answer_and_exit(ends[1], fd, question->queries, question->count);
	if (child < 0)
		warn("%s: without lines: fork:", module->path);
	close(ends[1]);
	if (child > 0) {
		listen_to(question, ends[0]);
		kill(child, SIGKILL); /* whatever it has come to */
		if (!question->ended)
			tell("%s: its lines are not all known: libdw did not get through its DWARF", module->path);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	close(ends[0]);
}

static bool
has_dwarf(struct elf *elf)
{
	return elf && !elf->image && (elf_section(elf, ".debug_info") || elf_section(elf, ".zdebug_info"));
}

void
source_lines_find(struct source_lines *lines, struct module *module, struct source_query *queries, size_t count,
    struct intern *names)
{
	struct question question = { .lines = lines, .queries = queries, .count = count, .names = names };
	struct elf *debug = NULL, *elf = module->elf;
	int fd;

	for (size_t i = 0; i < count; i++)
		queries[i].first = queries[i].count = 0;
	if (!elf || !count)
		return;
	if (!has_dwarf(elf))
		elf = debug = debug_file_open(module);
	if (!has_dwarf(elf)) {
		elf_close(debug);
		elf = debug = debug_file_fetch(module);
	}
	if (!lines->deadline)
		lines->deadline = clock_now() + SECONDS_MAX * UINT64_C(1000000000);
	if (has_dwarf(elf) && (fd = elf_descriptor(elf)) >= 0) {
		ask(&question, module, fd);
		close(fd);
	}
	free(question.texts);
	elf_close(debug);
}

void
source_lines_release(struct source_lines *lines)
{
	free(lines->places);
	*lines = (struct source_lines){ 0 };
}

const char *
source_lines_lack(void)
{
	return NULL;
}
