#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/warn.h"
#include "view/messages.h"

/* A stream may say the same for days. */
#define KEPT 20

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *lines[KEPT]; /* NULL: it was read */
static size_t count;	  /* of all so far; line i is at i % KEPT */
static bool is_new, is_own;
static _Thread_local bool is_reader, drops;

static void
keep(const char *line, size_t length)
{
	if (drops)
		return;
	pthread_mutex_lock(&lock);
	free(lines[count % KEPT]);
	lines[count % KEPT] = mem_copy(line, length);
	count++;
	is_new = true;
	is_own = is_reader;
	pthread_mutex_unlock(&lock);
}

void
messages_keep(void)
{
	is_reader = true;
	warn_divert(keep);
}

void
messages_drop(bool drop)
{
	drops = drop;
}

void
messages_say(void)
{
	struct buf text = { 0 };
	const char *from;
	size_t left;

	warn_divert(NULL);
	pthread_mutex_lock(&lock);
	for (size_t i = count > KEPT ? count - KEPT : 0; i < count; i++) {
		if (lines[i % KEPT])
			buf_print(&text, "%s\n", lines[i % KEPT]);
		free(lines[i % KEPT]);
		lines[i % KEPT] = NULL;
	}
	count = 0;
	pthread_mutex_unlock(&lock);
	for (from = text.data, left = text.length; left;) {
		ssize_t n = write(STDERR_FILENO, from, left);

		if (n <= 0)
			break;
		from += n;
		left -= (size_t)n;
	}
	buf_release(&text);
}

bool
messages_take(struct buf *to)
{
	size_t name = strlen(warn_program()) + 2;
	bool taken;
	char **line;

	pthread_mutex_lock(&lock);
	taken = is_new;
	is_new = false;
	if (taken) {
		line = &lines[(count - 1) % KEPT];
		buf_text(to, *line + (strlen(*line) > name ? name : 0));
		if (is_own) {
			free(*line);
			*line = NULL;
		}
	}
	pthread_mutex_unlock(&lock);
	return taken;
}
