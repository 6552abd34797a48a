#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/warn.h"
#include "fold/match.h"

/* More backtracking than a sane expression needs on a name; a hostile pair must not stop us. */
#define MATCH_LIMIT 1000000
/* What of a name is searched: expressions cost more than linear time, names may have megabytes. */
#define NAME_SEARCHED 65536

static pcre2_code *
compile(const char *text, bool any_case)
{
	PCRE2_UCHAR why[256];
	PCRE2_SIZE at;
	int error;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	    PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | (any_case ? PCRE2_CASELESS : 0), &error, &at, NULL);

	if (code) {
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
		return code;
	}
	pcre2_get_error_message(error, why, sizeof why);
	warn("regular expression '%s': %s, at character %zu", text, (const char *)why, (size_t)at + 1);
	return NULL;
}

int
match_names(const struct intern *names, const char *expression, bool any_case, uint8_t *marks, uint8_t mark)
{
	pcre2_match_context *context = pcre2_match_context_create(NULL);
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	pcre2_code *code = compile(expression, any_case);
	size_t failed = 0;

	pcre2_set_match_limit(context, MATCH_LIMIT);
	for (uint32_t i = 0; code && i < names->count; i++) {
		size_t length = intern_length(names, i);
		int found = pcre2_match(code, (PCRE2_SPTR)intern_name(names, i),
		    length < NAME_SEARCHED ? length : NAME_SEARCHED, 0, 0, data, context);

		if (found >= 0)
			marks[i] |= mark;
		else if (found != PCRE2_ERROR_NOMATCH)
			failed++;
	}
	if (failed)
		warn("regular expression '%s': too slow for %zu name%s, which do not match", expression, failed,
		    failed == 1 ? "" : "s");
	pcre2_match_data_free(data);
	pcre2_match_context_free(context);
	pcre2_code_free(code);
	return code ? 0 : -1;
}
