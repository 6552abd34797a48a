#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/dialect.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/opt.h"
#include "base/out.h"
#include "base/warn.h"

/* The usage is folded here, as the man page's SYNOPSIS is compared without blanks. */
#define USAGE_WIDTH 80
/* Where the help of an option begins. */
#define HELP_COLUMN 28

static bool help, version, print_options;

static const struct opt everywhere[] = {
	{ 'q', "quiet", NULL, OPT_SWITCH, &warn_quiet, "say only what went wrong" },
	{ 'v', "verbose", NULL, OPT_SWITCH, &warn_verbose, "say more" },
	{ 'h', "help", NULL, OPT_SWITCH, &help, "print this help" },
	{ 'V', "version", NULL, OPT_SWITCH, &version, "print the version" },
	{ 0 },
};

/* Asked for by the completions' generator and the tests, not by people. */
static const struct opt hidden[] = {
	{ 0, "print-options", NULL, OPT_SWITCH, &print_options, "" },
	{ 0 },
};

static const struct opt *
each(const struct command *command, size_t *i)
{
	size_t own = 0, n = (*i)++;

	while (command->options[own].name)
		own++;
	return n < own ? &command->options[n] : n - own < 4 ? &everywhere[n - own] : NULL;
}

/* Pieces of the usage, a line broken before one that does not fit. */
static void
usage_piece(struct buf *usage, size_t *column, size_t indent, const char *piece)
{
	size_t length = strlen(piece);

	if (*column + 1 + length > USAGE_WIDTH) {
		buf_print(usage, "\n%*s", (int)indent - 1, "");
		*column = indent - 1;
	}
	buf_print(usage, " %s", piece);
	*column += 1 + length;
}

static void
usage_build(const struct command *command, struct buf *usage)
{
	size_t indent = strlen("usage: ") + strlen(warn_program()) + 1, column = indent - 1;
	const struct opt *o;
	struct buf switches = { 0 };

	buf_print(usage, "usage: %s", warn_program());
	buf_text(&switches, "[-");
	for (size_t i = 0; (o = each(command, &i));)
		if (!o->arg && o->letter)
			buf_char(&switches, o->letter);
	buf_char(&switches, ']');
	usage_piece(usage, &column, indent, switches.data);
	for (int with_letter = 1; with_letter >= 0; with_letter--)
		for (size_t i = 0; (o = each(command, &i));) {
			if (!!o->letter != with_letter || (o->letter && !o->arg))
				continue;
			buf_clear(&switches);
			if (o->letter)
				buf_print(&switches, "[-%c %s]", o->letter, o->arg);
			else
				buf_print(&switches, "[--%s%s%s]", o->name, o->arg ? " " : "",
				    o->arg ? o->arg : "");
			usage_piece(usage, &column, indent, switches.data);
		}
	if (*command->operands)
		usage_piece(usage, &column, indent, command->operands);
	buf_char(usage, '\n');
	buf_release(&switches);
}

static _Noreturn void
finish(const char *text, int fd, int status)
{
	size_t length = strlen(text);

	signal(SIGPIPE, SIG_IGN); /* gp-merge -h | head is no accident */
	while (length) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (fd == STDOUT_FILENO && errno != EPIPE)
				warn("write standard output:");
			exit(status ? status : 1);
		}
		text += n;
		length -= (size_t)n;
	}
	exit(status);
}

void
opt_misuse(const struct command *command, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;
	char why[512];

	va_start(args, format);
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	warn("%s", why);
	dialect_misuse();
	usage_build(command, &text);
	finish(text.data, STDERR_FILENO, 2);
}

static _Noreturn void
help_print(const struct command *command)
{
	struct buf text = { 0 };
	const struct opt *o;

	buf_print(&text, "%s: %s\n\n", warn_program(), command->summary);
	usage_build(command, &text);
	buf_char(&text, '\n');
	for (size_t i = 0; (o = each(command, &i));) {
		size_t from = text.length;

		if (o->letter)
			buf_print(&text, "  -%c, --%s", o->letter, o->name);
		else
			buf_print(&text, "      --%s", o->name);
		if (o->arg)
			buf_print(&text, " %s", o->arg);
		if (text.length - from > HELP_COLUMN - 2)
			buf_print(&text, "\n%*s", HELP_COLUMN, "");
		else
			buf_print(&text, "%*s", (int)(HELP_COLUMN - (text.length - from)), "");
		buf_print(&text, "%s\n", o->help);
	}
	buf_text(&text, "\nExamples:\n");
	for (size_t i = 0; i < 4 && command->examples[i][0]; i++)
		buf_print(&text, "  %s:\n    %s\n", command->examples[i][0], command->examples[i][1]);
	finish(text.data, STDOUT_FILENO, 0);
}

/* The program's name, operands, summary; then a line an option: letter, name, argument, help, whether it may
 * be given again. Tabs between. */
static _Noreturn void
options_print(const struct command *command)
{
	struct buf text = { 0 };
	const struct opt *o;

	buf_print(&text, "%s\t%s\t%s\n", warn_program(), command->operands, command->summary);
	for (size_t i = 0; (o = each(command, &i));)
		buf_print(&text, "%c\t%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-', o->name,
		    o->arg ? o->arg : "", o->help, o->kind == OPT_LIST ? "again" : "");
	finish(text.data, STDOUT_FILENO, 0);
}

static bool
choice_has(const char *choices, const char *value)
{
	size_t length = strlen(value), n;

	for (; (n = strcspn(choices, "|")); choices += n + (choices[n] == '|'))
		if (n == length && strncmp(choices, value, n) == 0)
			return true;
	return false;
}

static void
set(const struct command *command, const struct opt *o, const char *shown, const char *value)
{
	int bad = 0;

	switch (o->kind) {
	case OPT_SWITCH:
		*(bool *)o->to = true;
		break;
	case OPT_TEXT:
		if (strchr(o->arg, '|') && !choice_has(o->arg, value))
			opt_misuse(command, "%s takes %s, not '%s'", shown, o->arg, value);
		*(const char **)o->to = value;
		break;
	case OPT_NUMBER:
		bad = number_u64(value, o->to);
		break;
	case OPT_DURATION:
		bad = number_duration(value, o->to);
		break;
	case OPT_SIZE:
		bad = number_size(value, o->to);
		break;
	case OPT_REAL:
		bad = number_real(value, o->to);
		break;
	case OPT_LIST: {
		struct opt_texts *list = o->to;

		mem_grow(&list->text, list->count, &list->room);
		list->text[list->count++] = value;
		break;
	}
	}
	/* Programs begin with it what was not given. */
	if (!bad && (o->kind == OPT_NUMBER || o->kind == OPT_DURATION || o->kind == OPT_SIZE))
		bad = *(const uint64_t *)o->to == UINT64_MAX;
	if (bad)
		opt_misuse(command, "%s takes %s, not '%s'", shown,
		    o->kind == OPT_DURATION ? "a time such as 10, 1.5s or 2m" :
		    o->kind == OPT_SIZE	    ? "a size such as 4096 or 16k" :
		    o->kind == OPT_REAL	    ? "a number above 0" :
					      "a whole number",
		    value);
}

static const struct opt *
find_letter(const struct command *command, char letter)
{
	const struct opt *o;

	for (size_t i = 0; (o = each(command, &i));)
		if (o->letter == letter)
			return o;
	opt_misuse(command, "unknown option -%c", letter);
}

/* The exact name, else the only one that begins so. */
static const struct opt *
find_name(const struct command *command, const char *name, size_t length)
{
	const struct opt *o, *found = NULL;

	if (length == strlen(hidden[0].name) && strncmp(name, hidden[0].name, length) == 0)
		return hidden;
	for (size_t i = 0; (o = each(command, &i));) {
		if (strncmp(o->name, name, length) != 0)
			continue;
		if (!o->name[length])
			return o;
		if (found)
			opt_misuse(command, "--%.*s could be --%s or --%s", (int)length, name,
			    found->name, o->name);
		found = o;
	}
	if (!found)
		opt_misuse(command, "unknown option --%.*s", (int)length, name);
	return found;
}

/* One argv entry that begins with "--"; may take the next one. */
static int
parse_long(const struct command *command, char *argv[], int i)
{
	const char *name = argv[i] + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct opt *o = find_name(command, name, length);
	char shown[64];

	snprintf(shown, sizeof shown, "--%s", o->name);
	if (!o->arg && equals)
		opt_misuse(command, "%s takes no argument", shown);
	if (o->arg && !equals && !argv[i + 1])
		opt_misuse(command, "%s needs %s", shown, o->arg);
	if (!o->arg)
		set(command, o, shown, NULL);
	else
		set(command, o, shown, equals ? equals + 1 : argv[++i]);
	return i;
}

/* "-qzo file", "-ofile". */
static int
parse_letters(const struct command *command, char *argv[], int i)
{
	for (const char *p = argv[i] + 1; *p; p++) {
		const struct opt *o = find_letter(command, *p);
		char shown[3] = { '-', *p, '\0' };

		if (!o->arg) {
			set(command, o, shown, NULL);
			continue;
		}
		if (!p[1] && !argv[i + 1])
			opt_misuse(command, "%s needs %s", shown, o->arg);
		set(command, o, shown, p[1] ? p + 1 : argv[++i]);
		break;
	}
	return i;
}

int
opt_parse(const struct command *command, int argc, char *argv[])
{
	char **operands = mem_alloc(((size_t)argc + 1) * sizeof *operands);
	char **options = mem_alloc(((size_t)argc + 1) * sizeof *options);
	int operand_count = 0, option_count = 0, i;

	out_hold_standard();
	warn_set_program(argv[0]);
	for (i = 1; i < argc; i++) {
		int from = i;

		if (strcmp(argv[i], "--") == 0) {
			options[option_count++] = argv[i++];
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (command->runs_command)
				break;
			operands[operand_count++] = argv[i];
			continue;
		}
		i = argv[i][1] == '-' ? parse_long(command, argv, i) : parse_letters(command, argv, i);
		for (; from <= i; from++)
			options[option_count++] = argv[from];
	}
	for (; i < argc; i++)
		operands[operand_count++] = argv[i];
	memcpy(argv + 1, options, (size_t)option_count * sizeof *argv);
	memcpy(argv + 1 + option_count, operands, (size_t)operand_count * sizeof *argv);
	free(operands);
	free(options);
	if (help)
		help_print(command);
	if (version) {
		char text[64];

		snprintf(text, sizeof text, "%s %s\n", warn_program(), GP_VERSION);
		finish(text, STDOUT_FILENO, 0);
	}
	if (print_options)
		options_print(command);
	return 1 + option_count;
}

void
opt_require_input(const struct command *command, int operands)
{
	if (operands == 0 && isatty(STDIN_FILENO))
		opt_misuse(command, "nothing to read: name a file, or pipe one in");
}
