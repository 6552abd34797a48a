#!/bin/sh
# Names of addresses in real files: what linkers make of PLTs, separate debug files, symbols without size.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"

NAMES=$B/unit/symbols
[ -x "$NAMES" ] || skip_all "make unit"
CC=${CC:-cc}

# names FILE address...: the names, one a line
names() {
	names_file=$1
	shift
	printf '%s\n' "$@" | sort | "$NAMES" "$names_file" | cut -d' ' -f2-
}

# address_of FILE SYMBOL: hexadecimal, from nm
address_of() {
	nm "$1" | awk -v symbol="$2" '$3 == symbol { print $1 }'
}

plus() {
	printf '%x\n' $((0x$1 + $2))
}

# ---- every function of a program, at its first and its last byte

cat >all.cc <<'C'
#include <cstdio>
#include <string>
namespace { __attribute__((noinline)) int hidden(int x) { return x * 3; } }
template<class T> __attribute__((noinline)) T twice(T t) { return t + t; }
struct Widget { __attribute__((noinline)) int draw(const std::string &s) const { return hidden((int)s.size()); } };
extern "C" __attribute__((noinline)) int plain(int x) { return twice(x) + Widget().draw("x"); }
int main(int argc, char **argv) { return std::printf("%d\n", plain(argc)) < 0; }
C
if ${CXX:-c++} -O1 -o all all.cc 2>/dev/null; then
	nm -S --defined-only all | awk 'NF == 4 && $3 ~ /[tTW]/ && $2 !~ /^0*$/ { print $1, $2, $4 }' | sort >wanted
	while read -r address size name; do
		printf '%s %s\n' "$address" "$name"
		printf '%s %s\n' "$(plus "$address" $((0x$size - 1)))" "$name"
	done <wanted | sed 's/^0*//' | sort >all.wanted
	cut -d' ' -f1 all.wanted | "$NAMES" all | sort >all.got
	cut -d' ' -f2- all.wanted | c++filt -p | sed 's/ *$//' >all.names
	cut -d' ' -f2- all.got | diff - all.names >all.diff
	# Aliases of one address may differ, and what we tidy: std::string, parameters inside names.
	if [ "$(grep -c '^<' all.diff)" -le 4 ] && [ "$(wc -l <all.got)" -ge 10 ] && ! grep -q ' ?$' all.got; then
		pass "first and last byte of every function"
	else
		fail "first and last byte of every function" - <all.diff
	fi
	is "C++, without parameters" "cut -d' ' -f2- all.got | sort -u | grep -E 'hidden|Widget|twice|plain|^main'" <<-'W'
		(anonymous namespace)::hidden
		Widget::draw
		main
		plain
		twice<int>
	W
else
	skip "first and last byte of every function" "no C++ compiler"
fi

# ---- symbols without size; a stripped function is never given its neighbour's name

cat >sizeless.s <<'S'
	.text
	.globl exported, next
	.type exported, @function
	.type next, @function
exported:
	.cfi_startproc
	nop
	nop
	nop
	ret
	.cfi_endproc
stripped:
	.cfi_startproc
	nop
	nop
	nop
	ret
	.cfi_endproc
next:
	nop
	nop
	ret
	.section .note.GNU-stack
S
ok "a library whose symbols have no sizes" "$CC" -shared -nostdlib -o sizeless.full sizeless.s
start=$(address_of sizeless.full exported)
strip -o sizeless.so sizeless.full
names sizeless.so "$start" "$(plus "$start" 3)" "$(plus "$start" 4)" "$(plus "$start" 7)" "$(plus "$start" 8)" \
	"$(plus "$start" 9)" >got
is "end with their FDE; without FDE they are believed at their address alone" 'cat got' <<'W'
exported
exported
?
?
next
?
W

# ---- separate debug files

cat >lib.c <<'C'
static __attribute__((noinline)) int secret(int x) { return x * x + 1; }
int open_function(int x) { return secret(x) + secret(x + 1); }
C
# debug_pair DIR CFLAGS...: DIR/lib.so, stripped, and its debug file in DIR/.debug
debug_pair() {
	dir=$1
	shift
	mkdir -p "$dir/.debug"
	"$CC" -g -O1 -fPIC -shared "$@" -o "$dir/lib.full" lib.c &&
		objcopy --only-keep-debug "$dir/lib.full" "$dir/.debug/lib.debug" &&
		objcopy --strip-all --add-gnu-debuglink="$dir/.debug/lib.debug" "$dir/lib.full" "$dir/lib.so"
}
ok "a stripped library with a debug file" debug_pair one -Wl,--build-id
secret=$(address_of one/lib.full secret)
names one/lib.so "$secret" >got
is "a static function is named by .debug/, same build-id" 'cat got' <<'W'
secret
W
mv one/.debug/lib.debug one/lib.debug
names one/lib.so "$secret" >got
is "or beside the file" 'cat got' <<'W'
secret
W
rm one/lib.debug
names one/lib.so "$secret" >got
is "without it, not at all" 'cat got' <<'W'
?
W
debug_pair two -Wl,--build-id -DOTHER -O0
cp two/.debug/lib.debug one/.debug/lib.debug
names one/lib.so "$secret" >got
is "one of another build is refused" 'cat got' <<'W'
?
W
debug_pair crc -Wl,--build-id=none
secret=$(address_of crc/lib.full secret)
names crc/lib.so "$secret" >got
is "without build-ids the checksum decides: same" 'cat got' <<'W'
secret
W
printf x >>crc/.debug/lib.debug
names crc/lib.so "$secret" >got
is "and different" 'cat got' <<'W'
?
W

# libc's own debug file, where Debian's libc6-dbg is installed
libc=$(ldd "$(command -v sh)" | awk '/libc\.so/ { print $3 }')
id=$(readelf -n "$libc" 2>/dev/null | sed -n 's/.*Build ID: //p')
debug=/usr/lib/debug/.build-id/$(printf %.2s "$id")/${id#??}.debug
if [ -n "$id" ] && [ -r "$debug" ]; then
	names "$libc" "$(address_of "$debug" _IO_new_file_underflow)" "$(address_of "$debug" new_do_write)" >got
	is "libc's static functions by build-id" 'sort got | sed "s/^_IO_file_/_IO_new_file_/"' <<-'W'
		_IO_new_file_underflow
		new_do_write
	W
else
	skip "libc's static functions by build-id" "no debug file of libc"
fi
nm -D --defined-only "$libc" | awk '$2 ~ /[TWi]/ { print $1 }' | sort -u >exports
"$NAMES" "$libc" <exports >first
"$NAMES" "$libc" <exports >second
ok "libc's exports all have names" test "$(grep -c ' ?$' first)" -eq 0
ok "the same ones every time" cmp first second

# ---- PLT entries

cat >plt.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int (*volatile keep)(const char *) = puts;
int main(int argc, char **argv) { void *p = malloc((size_t)argc); free(p); return keep("x") + puts("y") + printf("%d", argc); }
C
# plt NAME CFLAGS...: every instruction of the entries is named by what objdump calls it
plt() {
	plt_name=$1
	shift
	if ! "$CC" -O1 -fno-builtin "$@" -o plt plt.c 2>/dev/null; then
		skip "PLT: $plt_name" "cannot link so"
		return
	fi
	objdump -d -j .plt -j .plt.sec -j .plt.got plt 2>/dev/null | awk '
		/^ *[0-9a-f]+:/ { sub(":", "", $1); print $1 }' >instructions
	"$NAMES" plt <instructions | awk '{ print $2 }' | sort -u | grep -v '^?$' >got
	# What no linker's PLT lacks; the first entry, which calls the resolver, has no name but mold gives it one.
	if grep -qx malloc@plt got && grep -qx free@plt got && grep -qx printf@plt got &&
		! grep -qvE '^(malloc|free|printf|puts|__cxa_finalize|__stack_chk_fail|__printf_chk)@plt$|^_PROCEDURE_LINKAGE_TABLE_$' got
	then
		pass "PLT: $plt_name"
	else
		fail "PLT: $plt_name" - <got
	fi
}
plt "lazy" -Wl,-z,lazy
plt "bound at once" -Wl,-z,now
plt "for IBT" -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
plt "of a program at a fixed address" -no-pie
plt "by lld" -fuse-ld=lld
plt "by lld for IBT" -fuse-ld=lld -fcf-protection=full -Wl,-z,force-ibt
plt "by mold" -fuse-ld=mold
plt "stripped" -s
if objdump -d -j .plt "$libc" 2>/dev/null | grep -q 'ABS\*'; then
	objdump -d -j .plt "$libc" | sed -n 's/^0*\([0-9a-f]*\) <\*ABS\*.*/\1/p' | "$NAMES" "$libc" >got
	ok "libc's own indirect functions: strlen@plt" grep -q ' strlen@plt$' got
else
	skip "libc's own indirect functions: strlen@plt" "this libc has none"
fi
done_testing
