#include <stdlib.h>
#include <string.h>

#include "fold/fold.h"
#include "fold/label.h"

/* A name is copied to be changed up to here on the stack. */
#define SHORT_NAME 1024

void
fold_init(struct fold *fold)
{
	*fold = (struct fold){ 0 };
}

void
fold_release(struct fold *fold)
{
	header_release(&fold->header);
	intern_release(&fold->names);
	stacks_release(&fold->stacks);
}

unsigned __int128
fold_total(const struct fold *fold)
{
	unsigned __int128 total = 0;

	for (size_t i = 0; i < fold->stacks.count; i++)
		total += fold->stacks.list[i].value;
	return total;
}


bool
fold_is_label(const struct fold *fold, const char *frame, size_t length)
{
	return label_key(&fold->header, frame, length) > 0;
}

/* The last frame of a line before its value: what follows the last blank must not be read as a number. */
static size_t
make_leaf(char *name, size_t length)
{
	size_t i = length, points = 0;

	while (length && name[length - 1] == ' ')
		i = --length;
	while (i && ((name[i - 1] >= '0' && name[i - 1] <= '9') || (name[i - 1] == '.' && !points++)))
		i--;
	if (i && i < length && name[i - 1] == ' ' && name[i] != '.')
		name[i - 1] = '_';
	return length;
}

/* The process name stands where a comment or a label could. One byte of room behind the name. */
static size_t
make_process(const struct fold *fold, char *name, size_t length)
{
	size_t blanks = 0, key;

	while (blanks < length && name[blanks] == ' ')
		blanks++;
	length -= blanks;
	memmove(name, name + blanks, length);
	if (length && name[0] == '#')
		key = 0;
	else if (!(key = label_key(&fold->header, name, length)))
		return length;
	memmove(name + key + 1, name + key, length - key);
	name[key] = '\\';
	return length + 1;
}

uint32_t
fold_name(struct fold *fold, enum fold_position position, const char *name, size_t length)
{
	char small[SHORT_NAME + 1], *text = length <= SHORT_NAME ? small : mem_alloc(length + 1);
	uint32_t number;

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)name[i];

		text[i] = c == ';' ? ':' : c < ' ' || c == 0x7f ? '?' : (char)c;
	}
	if (position & FOLD_PROCESS)
		length = make_process(fold, text, length);
	if (position & FOLD_LEAF)
		length = make_leaf(text, length);
	if (!length && (position & FOLD_PROCESS))
		number = intern_text(&fold->names, "[unnamed]");
	else
		number = intern_add(&fold->names, text, length);
	if (text != small)
		free(text);
	return number;
}
