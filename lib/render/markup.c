#include <stdbool.h>
#include <string.h>

#include "render/markup.h"

#define REPLACEMENT 0xfffd

/* RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
uint32_t
utf8_next(const char *p, size_t left, size_t *taken)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)p;
	uint32_t code = u[0];
	size_t length;

	*taken = 1;
	if (code < 0x80)
		return code;
	length = code >= 0xf0 && code < 0xf8 ? 4 : code >= 0xe0 ? 3 : code >= 0xc0 ? 2 : 0;
	if (!length || code >= 0xf8 || length > left)
		return REPLACEMENT;
	code &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return REPLACEMENT;
		code = code << 6 | (u[i] & 0x3f);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return REPLACEMENT;
	*taken = length;
	return code;
}

unsigned
utf8_columns(uint32_t code)
{
	/* From Hangul on scripts are wide, and fonts put in for a missing sign are, too. */
	return code < 0x1100 ? 1 : 2;
}

bool
utf8_is_harmless(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code >= 0xa0) && code != REPLACEMENT && code != 0x200e && code != 0x200f &&
	    code != 0x61c && (code < 0x2028 || code > 0x202e) && (code < 0x2066 || code > 0x2069);
}

static void
put(struct buf *to, uint32_t code, const char *bytes, size_t length)
{
	switch (code) {
	case '<':
		buf_text(to, "&lt;");
		return;
	case '>': /* "]]>" must not be in text */
		buf_text(to, "&gt;");
		return;
	case '&':
		buf_text(to, "&amp;");
		return;
	case '"':
		buf_text(to, "&quot;");
		return;
	default:
		break;
	}
	/* Controls of both kinds, what is no character on any plane, and all that was not UTF-8. */
	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code & 0xfffe) == 0xfffe || code == REPLACEMENT)
		buf_text(to, "\xef\xbf\xbd");
	else
		buf_add(to, bytes, length);
}

/* Printable ASCII that needs no care: nearly all there is. */
static bool
is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '<' && c != '>' && c != '&' && c != '"';
}

void
markup_text(struct buf *to, const char *text, size_t length)
{
	for (size_t at = 0, taken; at < length; at += taken) {
		uint32_t code;

		for (taken = 0; at + taken < length && is_plain((unsigned char)text[at + taken]);)
			taken++;
		if (taken) {
			buf_add(to, text + at, taken);
			continue;
		}
		code = utf8_next(text + at, length - at, &taken);
		put(to, code, text + at, taken);
	}
}

void
markup_lines(struct buf *to, const char *text, size_t length)
{
	for (const char *newline; (newline = memchr(text, '\n', length)); text = newline + 1) {
		size_t line = (size_t)(newline - text);

		markup_text(to, text, line);
		buf_char(to, '\n');
		length -= line + 1;
	}
	markup_text(to, text, length);
}

void
markup_fit(struct buf *to, const char *text, size_t length, size_t columns)
{
	size_t used = 0, cut = 0;

	if (columns < 3)
		return;
	for (size_t at = 0, taken; at < length; at += taken) {
		used += utf8_columns(utf8_next(text + at, length - at, &taken));
		if (used > columns) {
			markup_text(to, text, cut);
			buf_text(to, "..");
			return;
		}
		if (used + 2 <= columns)
			cut = at + taken;
	}
	markup_text(to, text, length);
}

void
markup_fit_end(struct buf *to, const char *text, size_t length, size_t columns)
{
	size_t used = 0, taken;

	if (columns < 3)
		return;
	for (size_t at = 0; at < length; at += taken)
		used += utf8_columns(utf8_next(text + at, length - at, &taken));
	if (used > columns) {
		buf_text(to, "..");
		for (; used > columns - 2; text += taken, length -= taken)
			used -= utf8_columns(utf8_next(text, length, &taken));
	}
	markup_text(to, text, length);
}

void
markup_ascii(struct buf *text)
{
	struct buf ascii = { 0 };

	for (size_t at = 0, taken; at < text->length; at += taken) {
		uint32_t code = utf8_next(text->data + at, text->length - at, &taken);

		if (code < 0x80)
			buf_char(&ascii, (char)code);
		else
			buf_print(&ascii, "&#%u;", code);
	}
	buf_release(text);
	*text = ascii;
}

void
markup_json(struct buf *to, const char *text, size_t length)
{
	buf_char(to, '"');
	for (size_t at = 0, taken; at < length; at += taken) {
		uint32_t code = utf8_next(text + at, length - at, &taken);

		if (code == '"' || code == '\\')
			buf_print(to, "\\%c", (char)code);
		else if (code < 0x20 || code == '<' || code == '>' || code == 0x2028 || code == 0x2029)
			buf_print(to, "\\u%04x", code);
		else if (code == REPLACEMENT)
			buf_text(to, "\\ufffd");
		else
			buf_add(to, text + at, taken);
	}
	buf_char(to, '"');
}
