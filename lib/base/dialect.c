#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/dialect.h"
#include "base/mem.h"
#include "base/warn.h"

/* A usage is folded here. */
#define USAGE_WIDTH 80

static const struct dialect *spoken;
static bool *given; /* by place in its options */

struct translation {
	char **words;
	size_t count, room;
};

static void
add(struct translation *translation, char *word)
{
	mem_grow(&translation->words, translation->count, &translation->room);
	translation->words[translation->count++] = word;
}

static void
usage_print(void)
{
	struct buf text = { 0 };
	size_t line = 0;

	buf_print(&text, "usage: %s", spoken->program);
	for (const struct dialect_option *o = spoken->options; o->name; o++) {
		if (text.length - line > USAGE_WIDTH - 24) {
			buf_text(&text, "\n      ");
			line = text.length - 6;
		}
		if (o->letter)
			buf_print(&text, " [-%c|--%s", o->letter, o->name);
		else
			buf_print(&text, " [--%s", o->name);
		buf_print(&text, "%s%s]", o->arg ? " " : "", o->arg ? o->arg : "");
	}
	fprintf(stderr, "%s %s\n", text.data, spoken->operands);
	buf_release(&text);
}

void
dialect_misuse(void)
{
	if (!spoken)
		return;
	usage_print();
	exit(spoken->misuse_status);
}

static _Noreturn void
misuse(const char *why, const char *word, size_t length)
{
	warn("%s %.*s", why, (int)length, word);
	usage_print();
	exit(spoken->misuse_status);
}

/* The exact name, else, in Perl's way, the only one that begins so. */
static const struct dialect_option *
find_name(const char *word, const char *name, size_t length)
{
	const struct dialect_option *found = NULL;
	bool several = false;

	for (const struct dialect_option *o = spoken->options; o->name; o++) {
		if (spoken->perl ? strncasecmp(o->name, name, length) != 0 : strncmp(o->name, name, length) != 0)
			continue;
		if (!o->name[length])
			return o;
		/* Two names of one option, --color and --colour, are not two options. */
		several |= found && (!found->ours || !o->ours || strcmp(found->ours, o->ours) != 0);
		found = o;
	}
	if (!found || several || !length || !spoken->perl)
		misuse(several ? "ambiguous option" : "unknown option", word, strcspn(word, "="));
	return found;
}

static const struct dialect_option *
find_letter(const char *letter)
{
	for (const struct dialect_option *o = spoken->options; o->name; o++)
		if (o->letter == *letter)
			return o;
	misuse("unknown option -", letter, 1);
}

static bool
is_repeatable(const struct dialect_option *o)
{
	for (const char *const *name = spoken->repeatable; name && *name; name++)
		if (strcmp(*name, o->name) == 0)
			return true;
	return !spoken->repeatable;
}

static void
check_conflicts(void)
{
	if (!spoken->conflicts)
		return;
	for (const char *const *pair = *spoken->conflicts; pair[0]; pair += 2) {
		bool both = true;

		for (int i = 0; i < 2; i++)
			both = both && given[find_name(pair[i], pair[i], strlen(pair[i])) - spoken->options];
		if (both) {
			warn("--%s and --%s: one of them", pair[0], pair[1]);
			usage_print();
			exit(spoken->misuse_status);
		}
	}
}

static void
put(struct translation *translation, const struct dialect_option *o, const char *value)
{
	struct buf word = { 0 };

	if (!o->ours) {
		usage_print();
		exit(strcmp(o->name, "help") == 0 && !spoken->perl ? 0 : spoken->misuse_status);
	}
	if (given[o - spoken->options] && !is_repeatable(o))
		misuse("given twice:", o->name, strlen(o->name));
	given[o - spoken->options] = true;
	if (!*o->ours)
		return;
	buf_text(&word, "--");
	for (const char *p = o->ours; *p; p++) {
		if (*p != '%')
			buf_char(&word, *p);
		else if (*++p == 's')
			buf_text(&word, value);
		else
			buf_char(&word, *p);
	}
	add(translation, word.data);
}

/* "-width=500", "--width 500": one entry of argv, and the next one where it is the argument. */
static int
take_name(struct translation *translation, char *const argv[], int i)
{
	const char *word = argv[i], *name = word + 1 + (word[1] == '-'), *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct dialect_option *o = find_name(word, name, length);

	if (!o->arg && equals)
		misuse("no argument is taken by", word, (size_t)(equals - word));
	if (o->arg && !equals && !argv[i + 1])
		misuse("an argument is needed by", word, strlen(word));
	put(translation, o, !o->arg ? NULL : equals ? equals + 1 : argv[++i]);
	return i;
}

static int
take_letters(struct translation *translation, char *const argv[], int i)
{
	for (const char *p = argv[i] + 1; *p; p++) {
		const struct dialect_option *o = find_letter(p);

		if (!o->arg) {
			put(translation, o, NULL);
			continue;
		}
		if (!p[1] && !argv[i + 1])
			misuse("an argument is needed by -", p, 1);
		put(translation, o, p[1] == '=' ? p + 2 : p[1] ? p + 1 : argv[++i]);
		break;
	}
	return i;
}

const struct dialect *
dialect_translate(const struct dialect *const *known, int *argc, char ***argv)
{
	const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];
	static struct translation translation; /* argv from now on */
	size_t count = 0;
	int i;

	for (; *known && !spoken; known++)
		if (strcmp((*known)->program, name) == 0)
			spoken = *known;
	if (!spoken)
		return NULL;
	warn_set_program(name);
	while (spoken->options[count].name)
		count++;
	given = mem_alloc(count * sizeof *given);
	add(&translation, (*argv)[0]);
	for (const char *const *word = spoken->defaults; *word; word++)
		add(&translation, mem_print("--%s", *word));
	for (i = 1; i < *argc && strcmp((*argv)[i], "--") != 0; i++) {
		char *word = (*argv)[i];

		if (word[0] != '-' || !word[1])
			add(&translation, word);
		else if (word[1] == '-' || spoken->perl)
			i = take_name(&translation, *argv, i);
		else
			i = take_letters(&translation, *argv, i);
	}
	check_conflicts();
	for (; i < *argc; i++)
		add(&translation, (*argv)[i]);
	*argc = (int)translation.count;
	add(&translation, NULL);
	*argv = translation.words;
	return spoken;
}
