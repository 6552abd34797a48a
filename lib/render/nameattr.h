/* Attributes that a file gives to frames by their names, as flamegraph.pl's --nameattr: "name<TAB>key=value..." a
 * line. Whatever the file says, nothing of it runs. */
#ifndef RENDER_NAMEATTR_H
#define RENDER_NAMEATTR_H

#include <stddef.h>

#include "base/buf.h"
#include "base/intern.h"

enum nameattr_key { ATTR_TITLE, ATTR_HREF, ATTR_TARGET, ATTR_ID, ATTR_CLASS, ATTR_BOX_EXTRA, ATTR_LINK_EXTRA, ATTR_KEYS };

struct nameattr {
	struct intern names;
	struct nameattr_values {
		char *value[ATTR_KEYS]; /* NULL: not given */
	} *values;			/* by number of name */
	size_t room;
};

/* -1, said: it cannot be read, or a line is no such thing. */
int nameattr_read(struct nameattr *attributes, const char *path);
/* NULL: the name has none. */
const struct nameattr_values *nameattr_find(const struct nameattr *attributes, const char *name, size_t length);

/* Appends ' key="value"' of the box, or of its link; what could run is left out. */
void nameattr_box(const struct nameattr_values *values, struct buf *to);
void nameattr_link(const struct nameattr_values *values, struct buf *to);
/* Has it a link that may be followed: no scheme, or one that runs nothing. */
int nameattr_has_link(const struct nameattr_values *values);

void nameattr_release(struct nameattr *attributes);

#endif
