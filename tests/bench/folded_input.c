/* Inputs for the benches of gp-merge and its peers: "repeated" draws lines from 1,000 stacks, "distinct"
 * never says one twice. The same bytes in every run. Usage: folded_input repeated|distinct MEGABYTES */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 20000
#define NAME_MAX_LENGTH 100
#define NAME_MIN_LENGTH 8
#define STACKS 1000
#define DEPTH_MIN 10
#define DEPTH_SPREAD 31 /* 25 frames on average */

static uint64_t state = 0x2545f4914f6cdd1d;

static uint32_t
draw(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) * below >> 32);
}

static char names[NAMES][NAME_MAX_LENGTH + 1];

static void
make_names(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_:.ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	for (size_t i = 0; i < NAMES; i++) {
		size_t length = NAME_MIN_LENGTH + draw(NAME_MAX_LENGTH - NAME_MIN_LENGTH);

		for (size_t k = 0; k < length; k++)
			names[i][k] = letters[draw(k ? sizeof letters - 1 : 26)];
	}
}

static size_t
make_stack(char *line)
{
	uint32_t depth = DEPTH_MIN + draw(DEPTH_SPREAD);
	char *p = line;

	for (uint32_t i = 0; i < depth; i++) {
		const char *name = names[draw(NAMES)];

		if (i)
			*p++ = ';';
		p = stpcpy(p, name);
	}
	return (size_t)(p - line);
}

int
main(int argc, char *argv[])
{
	bool repeated = argc > 1 && strcmp(argv[1], "repeated") == 0;
	size_t goal = argc > 2 ? strtoul(argv[2], NULL, 10) * 1000000 : 0;
	static char stacks[STACKS][(DEPTH_MIN + DEPTH_SPREAD) * (NAME_MAX_LENGTH + 1)];
	char line[sizeof stacks[0]];

	if (argc != 3)
		return 2;
	make_names();
	for (size_t i = 0; i < STACKS; i++)
		make_stack(stacks[i]);
	for (size_t done = 0; done < goal;) {
		const char *stack = stacks[draw(STACKS)];

		if (!repeated) {
			make_stack(line);
			stack = line;
		}
		done += (size_t)printf("%s %u\n", stack, 1 + draw(repeated ? 20 : 1000));
	}
	return fflush(stdout) != 0;
}
