#include <stddef.h>

#include "render/dialects.h"

static const struct dialect_option options[] = {
	{ 0, "cp", NULL, "cp" },
	{ 0, "hash", NULL, "hash" },
	{ 0, "deterministic", NULL, "deterministic" },
	{ 'i', "inverted", NULL, "inverted" },
	{ 0, "truncate-text-right", NULL, "truncate-text-right" },
	{ 0, "negate", NULL, "negate" },
	{ 0, "no-sort", NULL, "no-sort" },
	{ 0, "pretty-xml", NULL, "pretty-xml" },
	{ 0, "no-javascript", NULL, "no-javascript" },
	{ 'q', "quiet", NULL, "quiet" },
	{ 0, "reverse", NULL, "reverse" },
	{ 'v', "verbose", NULL, "verbose" },
	{ 0, "bgcolors", "COLOR", "bgcolors=%s" },
	{ 'c', "colors", "PALETTE", "colors=%s" },
	{ 0, "colordiffusion", NULL, "colordiffusion" },
	{ 0, "countname", "TEXT", "countname=%s" },
	{ 0, "factor", "N", "factor=%s" },
	{ 0, "fontsize", "PIXELS", "fontsize=%s" },
	{ 0, "fonttype", "FONT", "fonttype=%s" },
	{ 0, "fontwidth", "RATIO", "fontwidth=%s" },
	{ 0, "uicolor", "#RRGGBB", "uicolor=%s" },
	{ 0, "height", "PIXELS", "height=%s" },
	{ 0, "minwidth", "PERCENT", "minwidth=%s%%" },
	{ 0, "nameattr", "FILE", "nameattr=%s" },
	{ 0, "nametype", "TEXT", "nametype=%s" },
	{ 0, "notes", "TEXT", "notes=%s" },
	{ 0, "search-color", "#RRGGBB", "search-color=%s" },
	{ 0, "stroke-color", "#RRGGBB", "stroke-color=%s" },
	{ 0, "subtitle", "TEXT", "subtitle=%s" },
	{ 0, "title", "TEXT", "title=%s" },
	{ 0, "width", "PIXELS", "width=%s" },
	{ 0, "base", "SYMBOL", "show-from=^\\Q%s\\E$" },
	{ 0, "flamechart", NULL, "flamechart" },
	{ 'h', "help", NULL, NULL },
	{ 0 },
};

static const char *const defaults[] = {
	"colors=hot", "fonttype=monospace", "fontsize=12", "fontwidth=0.59", "height=16", "minwidth=0.01%", "countname=samples",
	"nametype=Function:", "truncate-text-left", "layout=new", NULL,
};

static const char *const repeatable[] = { "verbose", "base", NULL };

static const char *const conflicts[][2] = {
	{ "no-sort", "reverse" }, { "flamechart", "reverse" }, { "flamechart", "no-sort" },
	{ "colordiffusion", "colors" }, { "hash", "deterministic" }, { NULL, NULL },
};

const struct dialect dialect_inferno = {
	.program = "inferno-flamegraph",
	.operands = "[file ...]",
	.options = options,
	.defaults = defaults,
	.conflicts = conflicts,
	.repeatable = repeatable,
	.misuse_status = 2,
};
