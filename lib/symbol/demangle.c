#include <libiberty/demangle.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbol/demangle.h"

/* A name that says "the pair of what came before" thirty times is 2^30 long: printing is left at this. */
#define PRINTED_MAX 65536
/* libiberty's D demangler cannot be left while it prints; each pair of back references may double. */
#define D_REFERENCES_MAX 24

struct printing {
	struct buf *to;
	jmp_buf too_long;
};

/* libiberty keeps nothing on the heap while it calls this, so leaving by longjmp is sound (but for a
 * punycode identifier of Rust: a few hundred bytes of a hostile name). */
static void
take(const char *text, size_t length, void *context)
{
	struct printing *printing = context;

	if (printing->to->length + length > PRINTED_MAX)
		longjmp(printing->too_long, 1);
	if (length) /* text may be NULL */
		buf_add(printing->to, text, length);
}

static bool
print_rust(const char *symbol, struct buf *to)
{
	struct printing printing = { .to = to };

	return !setjmp(printing.too_long) && rust_demangle_callback(symbol, DMGL_ANSI, take, &printing);
}

/* Without DMGL_PARAMS: the parameters of the function itself are never printed. */
static bool
print_cxx(const char *symbol, struct buf *to)
{
	struct printing printing = { .to = to };

	return !setjmp(printing.too_long) && cplus_demangle_v3_callback(symbol, DMGL_ANSI, take, &printing);
}

static bool
print_d(const char *symbol, struct buf *to)
{
	unsigned references = 0;
	char *text;

	for (const char *p = symbol; *p; p++)
		references += *p == 'Q';
	if (references > D_REFERENCES_MAX)
		return false;
	text = dlang_demangle(symbol, DMGL_ANSI);
	if (!text)
		return false;
	buf_text(to, text);
	free(text);
	return to->length <= PRINTED_MAX;
}

/* The words that gcc and clang append to a function they split, cloned or renamed. */
static bool
is_clone_word(const char *word, size_t length)
{
	static const char *const words[] = { "cold", "isra", "part", "constprop", "lto_priv", "llvm", "localalias",
		"clone", "ipa_ra", "cfi", "cfi_jt", "__uniq", "resolver", "actor", "destroy", "cleanup", "resume",
		"hot", "unlikely", "warm", "exit", "startup" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
			return true;
	return false;
}

static bool
is_digits(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return length > 0;
}

static const char *
dot_before(const char *symbol, size_t length)
{
	return length > 1 ? memrchr(symbol + 1, '.', length - 1) : NULL;
}

/* The length of symbol without clone suffixes: ".word" and ".word.number"; a number alone only after a
 * name without another dot, since Go's main.f.func1.2 is a function of its own. */
static size_t
clone_start(const char *symbol, size_t length)
{
	for (;;) {
		const char *dot = dot_before(symbol, length), *word = dot, *first;
		size_t end = length;

		if (!dot)
			return length;
		if (is_digits(dot + 1, (size_t)(symbol + end - dot - 1))) {
			end = (size_t)(dot - symbol);
			word = dot_before(symbol, end);
		}
		if (word && is_clone_word(word + 1, (size_t)(symbol + end - word - 1))) {
			length = (size_t)(word - symbol);
			continue;
		}
		first = memchr(symbol, '.', length);
		return end < length && first == dot ? end : length;
	}
}

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Compilers' spellings of the same thing. Looked for from the left, the longest first. */
static const struct {
	const char *text, *replacement;
} spellings[] = {
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string" },
	{ "std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >", "std::string" },
	{ "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string" },
	{ "std::basic_string_view<char, std::char_traits<char> >", "std::string_view" },
	{ "std::__1::basic_string_view<char, std::__1::char_traits<char> >", "std::string_view" },
	{ "std::__cxx11::", "std::" },
	{ "std::__1::", "std::" },
};
#define SPELLINGS (sizeof spellings / sizeof spellings[0])

/* operator<<, operator->: their signs are no brackets. The length of the sign, 0: not one of these. */
static size_t
operator_sign(const struct buf *to, const char *text)
{
	static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">", "()" };
	static const char word[] = "operator";
	size_t length = sizeof word - 1, at = to->length - length;

	if (to->length < length || memcmp(to->data + at, word, length) != 0 ||
	    (at && (isalnum((unsigned char)to->data[at - 1]) || to->data[at - 1] == '_')))
		return 0;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (starts(text, signs[i]))
			return strlen(signs[i]);
	return 0;
}

/* From a '(' to after its ')', and what qualifies a function there: " const", " &&". */
static const char *
skip_parameters(const char *text)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &", " shared", " inout", " immutable",
		" noexcept" };
	unsigned depth = 0;
	size_t i;

	do {
		depth += *text == '(';
		depth -= *text == ')';
		text++;
	} while (*text && depth);
	do {
		for (i = 0; i < sizeof qualifiers / sizeof qualifiers[0] && !starts(text, qualifiers[i]); i++)
			continue;
		if (i < sizeof qualifiers / sizeof qualifiers[0])
			text += strlen(qualifiers[i]);
	} while (i < sizeof qualifiers / sizeof qualifiers[0]);
	return text;
}

/* A parenthesis that is part of a name, not a list of parameters: (anonymous namespace), D's
 * template!(int), operator int (*)(), decltype(x). */
static bool
belongs_to_name(const struct buf *to, const char *text)
{
	static const char word[] = "decltype";
	char before = to->length ? to->data[to->length - 1] : '\0';

	return starts(text, "(anonymous") || before == '!' || before == ' ' ||
	    (to->length >= sizeof word - 1 && strcmp(to->data + to->length - (sizeof word - 1), word) == 0);
}

static void
tidy(const char *text, struct buf *to)
{
	unsigned angles = 0, braces = 0, parens = 0; /* that are kept */
	size_t length, i;

	buf_clear(to);
	while (*text) {
		i = *text == 's' ? 0 : SPELLINGS;
		while (i < SPELLINGS && !starts(text, spellings[i].text))
			i++;
		if (i < SPELLINGS) {
			buf_text(to, spellings[i].replacement);
			text += strlen(spellings[i].text);
			text += starts(text, " >"); /* std::less<std::string >: for a > that is gone */
			continue;
		}
		if (*text == '[' && starts(text, "[abi:") && strchr(text, ']')) {
			text = strchr(text, ']') + 1;
			continue;
		}
		if ((length = operator_sign(to, text))) {
			buf_add(to, text, length);
			text += length;
			continue;
		}
		if (*text == '(' && !angles && !braces && !parens && !belongs_to_name(to, text)) {
			text = skip_parameters(text);
			continue;
		}
		angles += *text == '<';
		angles -= *text == '>' && angles && to->length && to->data[to->length - 1] != '-';
		braces += *text == '{';
		braces -= *text == '}' && braces;
		parens += *text == '(';
		parens -= *text == ')' && parens;
		buf_char(to, *text++);
	}
}

/* Rust's legacy mangling ends in ::h and 16 hex digits of a hash. */
static void
drop_hash(struct buf *name)
{
	size_t at = name->length - 19;

	if (name->length <= 19 || memcmp(name->data + at, "::h", 3) != 0)
		return;
	for (size_t i = at + 3; i < name->length; i++)
		if (!isxdigit((unsigned char)name->data[i]))
			return;
	name->length = at;
	name->data[at] = '\0';
}

void
demangle(const char *symbol, struct buf *to)
{
	size_t length = strlen(symbol), base = clone_start(symbol, length);
	struct buf printed = { 0 };
	bool is_rust = false, done = false;
	char *mangled;

	buf_clear(to);
	if (length <= DEMANGLE_MAX && symbol[0] == '_' && strchr("ZRDG", symbol[1]) && symbol[1]) {
		mangled = mem_copy(symbol, base);
		is_rust = done = symbol[1] != 'D' && symbol[1] != 'G' && print_rust(mangled, &printed);
		if (!done) {
			buf_clear(&printed);
			done = symbol[1] == 'D' ? print_d(mangled, &printed) : print_cxx(mangled, &printed);
		}
		free(mangled);
	}
	if (done && printed.length && is_rust) {
		buf_add(to, printed.data, printed.length);
		drop_hash(to);
	} else if (done && printed.length) {
		tidy(printed.data, to);
	}
	if (!to->length)
		buf_add(to, symbol, base);
	buf_release(&printed);
}
