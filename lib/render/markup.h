/* Bytes of unknown origin as text that XML, HTML, JSON and terminals accept, whatever they are. */
#ifndef RENDER_MARKUP_H
#define RENDER_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The character at p (left > 0) and how many bytes it takes; U+FFFD, one byte, where it is not UTF-8. */
uint32_t utf8_next(const char *p, size_t left, size_t *taken);

/* Room that a character takes in a monospaced font, never underestimated: 1 or 2. */
unsigned utf8_columns(uint32_t code);

/* Is it not what a terminal could take for a command, or for a change of direction. */
bool utf8_is_harmless(uint32_t code);

/* Text and attribute values. What XML forbids or nobody sees (controls, U+FFFE) becomes U+FFFD. */
void markup_text(struct buf *to, const char *text, size_t length);
/* The same, newlines kept. */
void markup_lines(struct buf *to, const char *text, size_t length);
/* The same as markup_text(), cut to so many columns with ".." at the end, or at the beginning; nothing if columns < 3. */
void markup_fit(struct buf *to, const char *text, size_t length, size_t columns);
void markup_fit_end(struct buf *to, const char *text, size_t length, size_t columns);

/* What is not ASCII as "&#233;", for any encoding that has ASCII in it. Of text that was made by the above. */
void markup_ascii(struct buf *text);

/* A JSON string with its quotes, safe inside <script>. */
void markup_json(struct buf *to, const char *text, size_t length);

#endif
