/* Names as programmers wrote them, one for each function; and names made to hurt. */
#include "base/clock.h"
#include "symbol/demangle.h"
#include "tap.h"

static const char *const table[][2] = {
	/* not mangled: clones fold into their function */
	{ "main", "main" },
	{ "foo.cold", "foo" },
	{ "foo.isra.0", "foo" },
	{ "foo.constprop.0.isra.1", "foo" },
	{ "foo.part.0.cold", "foo" },
	{ "foo.lto_priv.0", "foo" },
	{ "foo.llvm.1234567890123", "foo" },
	{ "inner.0", "inner" },
	{ "foo.0.cold", "foo" },
	{ "strncmp.localalias", "strncmp" },
	{ "foo.bar", "foo.bar" },
	{ "foo.", "foo." },
	{ ".cold", ".cold" },
	{ "", "" },
	{ "main.main.func1.2", "main.main.func1.2" },
	{ "runtime.goexit.abi0", "runtime.goexit.abi0" },
	{ "_start", "_start" },
	{ "_Z", "_Z" },
	{ "_D3foo", "_D3foo" },
	{ "_Rfoo", "_Rfoo" },
	/* C++ */
	{ "_Z3fooi", "foo" },
	{ "_Z3fooi.cold", "foo" },
	{ "_ZN3foo3barEv.isra.0", "foo::bar" },
	{ "_ZNK3foo3barEi", "foo::bar" },
	{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo" },
	{ "_Z3fooIiEvT_", "foo<int>" },
	{ "_ZN1aI1bIcEE1dIiEEvT_", "a<b<char> >::d<int>" },
	{ "_ZlsIcERSoS_T_", "operator<< <char>" },
	{ "_ZN1AlsEi", "A::operator<<" },
	{ "_ZN1ArsEi", "A::operator>>" },
	{ "_ZN1AltERKS_", "A::operator<" },
	{ "_ZN1AgtERKS_", "A::operator>" },
	{ "_ZN1AptEv", "A::operator->" },
	{ "_ZN1ApmEi", "A::operator->*" },
	{ "_ZN1AssERKS_", "A::operator<=>" },
	{ "_ZN1AclEi", "A::operator()" },
	{ "_ZN1AixEi", "A::operator[]" },
	{ "_ZNK1AcvbEv", "A::operator bool" },
	{ "_ZNK1AcvPFivEEv", "A::operator int (*)" },
	{ "_ZN1AltIiEEbT_", "A::operator< <int>" },
	{ "_ZN1AC1Ev", "A::A" },
	{ "_ZN1AD2Ev", "A::~A" },
	{ "_ZN1A3fooB5cxx11Ev", "A::foo" },
	{ "_ZN1A3fooB3newEv", "A::foo" },
	{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm", "std::string::_M_append" },
	{ "_ZNSs6appendEPKc", "std::string::append" },
	{ "_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc", "std::string::append" },
	{ "_ZNSt3__16vectorIiNS_9allocatorIiEEE9push_backEOi", "std::vector<int, std::allocator<int> >::push_back" },
	{ "_ZNSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEEixERS9_",
	    "std::map<std::string, int, std::less<std::string>, std::allocator<std::pair<std::string const, int> > >"
	    "::operator[]" },
	{ "_Z1fISt17basic_string_viewIcSt11char_traitsIcEEEvT_", "f<std::string_view>" },
	{ "_ZZ5outeriENKUlNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE_clES4_",
	    "outer::{lambda(std::string)#1}::operator()" },
	{ "_ZZNK1A3barEiENKUlvE_clEv", "A::bar::{lambda()#1}::operator()" },
	{ "_ZN1A1fEMS_KFviE", "A::f" },
	{ "_Z5usefnIPDoFvvEEvT_", "usefn<void (*)() noexcept>" },
	{ "_ZThn8_N1A1fEv", "non-virtual thunk to A::f" },
	{ "_ZTV1W", "vtable for W" },
	/* Rust: legacy, v0 */
	{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
	{ "_ZN4core3fmt5write17h0123456789abcdefE.llvm.99", "core::fmt::write" },
	{ "_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
	    "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop" },
	{ "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
	    "std::rt::lang_start::{{closure}}" },
	{ "_RNvC6_123foo3bar", "123foo::bar" },
	{ "_RNCNvC3bin4main0B3_", "bin::main::{closure#0}" },
	{ "_RINvNtC3std3mem8align_ofjEB2_", "std::mem::align_of::<usize>" },
	/* D */
	{ "_D8demangle4testFaZv", "demangle.test" },
	{ "_D8demangle4testMxFZv", "demangle.test" },
	{ "_D8demangle__T4testTiZ4testFiZv", "demangle.test!(int).test" },
};

/* "The pair of what came before", again and again: what it says doubles with every step. */
static void
test_doubling(void)
{
	struct buf symbol = { 0 }, name = { 0 };
	uint64_t start = clock_cpu();

	buf_text(&symbol, "_Z1fISt4pairIiiES_IS0_S0_E");
	for (unsigned i = 0; i < 32; i++) {
		char digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i + 1];

		buf_print(&symbol, "S_IS%c_S%c_E", digit, digit);
	}
	buf_text(&symbol, "Evv");
	demangle(symbol.data, &name);
	is_text(name.data, symbol.data, "a name that would be 2^32 long is kept as it is");
	ok(clock_cpu() - start < 1000000000, "and takes no time");
	buf_release(&symbol);
	buf_release(&name);
}

static void
test_hostile(void)
{
	static const char *const pieces[] = { "_Z", "_ZN", "_R", "_D", "N", "I", "E", "S_", "S0_", "T_", "P", "F", "v",
		"i", "X", "L", "3foo", "9", "B3_", "C", "M", "Y", "Q", "_", "K", "$LT$", "..", "17h0123456789abcdefE", "D", "t", "Z", "U",
		".cold", ".", "(", "<", "[abi:", "999999999999999999999", "\xff" };
	struct buf symbol = { 0 }, name = { 0 };
	uint64_t start = clock_cpu();
	unsigned state = 1;
	bool good = true;

	for (unsigned i = 0; i < 20000; i++) {
		buf_clear(&symbol);
		buf_text(&symbol, pieces[i % 4]);
		for (unsigned n = i % 61; n; n--) {
			state = state * 1103515245 + 12345;
			buf_text(&symbol, pieces[(state >> 16) % (sizeof pieces / sizeof pieces[0])]);
		}
		demangle(symbol.data, &name);
		good = good && name.length && name.length <= 65536 + symbol.length && name.data[name.length] == '\0';
	}
	ok(good && clock_cpu() - start < 10 * UINT64_C(1000000000), "20,000 names of nonsense");
	buf_clear(&symbol);
	buf_text(&symbol, "_Z");
	while (symbol.length < DEMANGLE_MAX * 4)
		buf_text(&symbol, "PPPPPPPPPP");
	demangle(symbol.data, &name);
	is_text(name.data, symbol.data, "a name longer than DEMANGLE_MAX is kept as it is");
	buf_release(&symbol);
	buf_release(&name);
}

int
main(void)
{
	struct buf name = { 0 };

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		demangle(table[i][0], &name);
		is_text(name.data ? name.data : "", table[i][1], table[i][0]);
	}
	buf_release(&name);
	test_doubling();
	test_hostile();
	return done_testing();
}
