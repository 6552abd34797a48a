#include <stddef.h>

#include "render/dialects.h"

/* The names of all versions since 2013: an abbreviation must be unique among them. */
static const struct dialect_option options[] = {
	{ 0, "fonttype", "FONT", "fonttype=%s" },
	{ 0, "width", "PIXELS", "width=%s" },
	{ 0, "height", "PIXELS", "height=%s" },
	{ 0, "encoding", "NAME", "encoding=%s" },
	{ 0, "fontsize", "PIXELS", "fontsize=%s" },
	{ 0, "fontwidth", "RATIO", "fontwidth=%s" },
	{ 0, "minwidth", "WIDTH", "minwidth=%s" },
	{ 0, "title", "TEXT", "title=%s" },
	{ 0, "subtitle", "TEXT", "subtitle=%s" },
	{ 0, "nametype", "TEXT", "nametype=%s" },
	{ 0, "countname", "TEXT", "countname=%s" },
	{ 0, "nameattr", "FILE", "nameattr=%s" },
	{ 0, "total", "N", "total=%s" },
	{ 0, "factor", "N", "factor=%s" },
	{ 0, "colors", "PALETTE", "colors=%s" },
	{ 0, "bgcolors", "COLOR", "bgcolors=%s" },
	{ 0, "hash", NULL, "hash" },
	{ 0, "random", NULL, "random" },
	{ 0, "cp", NULL, "cp" },
	{ 0, "reverse", NULL, "reverse" },
	{ 0, "inverted", NULL, "inverted" },
	{ 0, "flamechart", NULL, "flamechart" },
	{ 0, "negate", NULL, "negate" },
	{ 0, "notes", "TEXT", "notes=%s" },
	{ 0, "help", NULL, NULL },
	{ 0 },
};

static const char *const defaults[] = {
	"colors=hot", "fonttype=Verdana", "fontsize=12", "fontwidth=0.59", "width=1200", "height=16", "minwidth=0.1px",
	"countname=samples", "nametype=Function:", "layout=new", NULL,
};

const struct dialect dialect_flamegraph = {
	.program = "flamegraph.pl",
	.operands = "[file ...]",
	.options = options,
	.defaults = defaults,
	.perl = true,
	.misuse_status = 255,
};
