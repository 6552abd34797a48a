#!/bin/sh
# --lines: file, line and inlined calls of every instruction of programs of several kinds, as addr2line has them.
# together: it looks at its own commands, by names
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"

LINES=$B/unit/source_lines
[ -x "$LINES" ] || skip_all "make unit"
command -v addr2line >/dev/null || skip_all "no addr2line (binutils)"
gp-record -h >.help
unset GP_DEBUG_DIR DEBUGINFOD_URLS

cat >program.cc <<'C'
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include "head.h"
namespace app {
template<class T> static inline T twice(T t) { return t + t; }
struct widget {
	std::vector<std::string> words;
	__attribute__((always_inline)) int length(size_t i) const { return (int)twice(words[i].size()); }
	int all() const { int sum = 0; for (size_t i = 0; i < words.size(); i++) sum += clamp(length(i)); return sum; }
};
}
int main(int argc, char **argv)
{
	app::widget w;
	std::map<std::string, int> seen;
	for (int i = 0; i < argc; i++) { w.words.push_back(argv[i]); seen[argv[i]]++; }
	std::sort(w.words.begin(), w.words.end(), [](const std::string &a, const std::string &b) { return b < a; });
	return std::printf("%d %zu\n", w.all(), seen.size()) < 0;
}
C
cat >head.h <<'C'
static inline int clamp(int x)
{
	if (x > 100)
		return 100;
	return x < 0 ? 0 : x;
}
C
cat >program.c <<'C'
#include <stdlib.h>
#include <string.h>
#include "head.h"
static int __attribute__((always_inline)) inline inner(int x) { int y = clamp(x); return y * y; }
static int __attribute__((always_inline)) inline middle(int x)
{
	int sum = 0;
	for (int i = 0; i < x; i++)
		sum += inner(x ^ i);
	return sum;
}
__attribute__((noinline)) int outer(int x) { return middle(x) + 1; }
int main(int argc, char **argv) { return outer(argc + atoi(argv[0])) == (int)strlen(argv[0]); }
C

addresses() {
	objdump -d --no-show-raw-insn "$1" | awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print "0x" $1 }'
}

# A line an address: its places, innermost first; what is not known is "?".
places() {
	sed 's/ (discriminator.*)//' | awk '
		/^0x[0-9a-f]+$/ { if (text) print text; text = $1; sub(/^0x0*/, "", text); n = 0; next }
		++n % 2 == 0 { sub(/^.*:[?0]$/, "?"); text = text " " $0 }
		END { print text }'
}

# agree NAME FILE [TWIN [command ...]]: all places are those that addr2line, or the command, has in FILE or its twin.
# addr2line 2.40 takes the unit's own file for a header where that begins a sequence of rows, and goes on behind the end
# of a function: that is counted, and seldom.
agree() {
	agree_name=$1 agree_file=$2 agree_twin=${3:-$2}
	addresses "$agree_file" >at.txt
	shift $(($# < 3 ? $# : 3))
	[ $# -gt 0 ] || set -- addr2line -a -f -i -s -e
	"$LINES" "$agree_file" <at.txt | places >ours
	"$@" "$agree_twin" <at.txt 2>/dev/null | places >theirs
	if paste -d'|' ours theirs | awk -F'|' '
		$1 == $2 { same++; known += $1 !~ / \?$/; deep += split($1, parts, " ") > 2; next }
		{
			ours = $1; theirs = $2; sub(/ [^ ]*:/, " :", ours); sub(/ [^ ]*:/, " :", theirs)
			if ($1 ~ /^[^ ]* \?$/ || (ours == theirs && $2 ~ / (program.c|program.cc|<artificial>):/)) odd++
			else if (++wrong < 10) print
		}
		END {
			print "# " same + 0 " the same, " known + 0 " known, " deep + 0 " inlined, " odd + 0 " odd"
			exit !(known > 20 && deep > 5 && !wrong && odd * 5 < same)
		}' >verdict
	then
		pass "$agree_name: $(sed -n "s/^# //p" verdict)"
	else
		fail "$agree_name" - <verdict
	fi
}

try() {
	name=$1
	shift
	if "$@" 2>.err; then agree "$name" program; else skip "$name" "cannot be compiled here"; fi
}

try "C" "${CC:-cc}" -g -O2 -o program program.c
try "C++" "${CXX:-c++}" -g -O2 -o program program.cc
cp program whole
try "C, not optimised" "${CC:-cc}" -g -O0 -o program program.c
try "by DWARF 4" "${CC:-cc}" -gdwarf-4 -O2 -o program program.c
try "at a fixed address" "${CC:-cc}" -g -O2 -no-pie -o program program.c
try "a section for each function" "${CXX:-c++}" -g -O2 -ffunction-sections -Wl,--gc-sections -o program program.cc
try "link-time optimised" "${CC:-cc}" -g -O2 -flto -o program program.c
try "compressed sections" objcopy --compress-debug-sections=zlib whole program
if objcopy --compress-debug-sections=zlib-gnu whole program 2>.err; then
	agree "the compressed sections of old" program whole
fi
if "${CC:-cc}" -g -gsplit-dwarf -O2 -o split program.c 2>.err && "${CC:-cc}" -g -O2 -o program program.c; then
	agree "split, .dwo files beside it" split program
	rm -f ./*.dwo
	for dwo in split-program.dwo program.dwo; do mkfifo "$dwo"; done
	ok "a fifo where a .dwo file should be hangs nothing" timeout 20 "$LINES" split <at.txt
fi
if clang++ -g -O2 -o program program.cc 2>.err && command -v llvm-symbolizer >/dev/null; then
	agree "by clang, against llvm-symbolizer" program program \
		llvm-symbolizer -a -f -i -s --output-style=GNU --functions=linkage -e
else
	skip "by clang, against llvm-symbolizer" "not here"
fi

cp whole separate.full
objcopy --only-keep-debug whole separate.debug
strip -o separate whole
objcopy --add-gnu-debuglink=separate.debug separate
agree "in a debug file" separate whole
if command -v dwz >/dev/null; then
	mkdir -p debug/.build-id/ab
	for i in 1 2; do
		id=ab0000000000000000000000000000000000000$i
		"${CC:-cc}" -g -O2 -Wl,--build-id=0x$id -DN=$i -o alt$i program.c
		cp alt$i alt$i.whole
	done
	if dwz -m common.debug -M "$T/common.debug" alt1 alt2 2>.err; then
		id=$(readelf -n common.debug | sed -n 's/.*Build ID: //p')
		mkdir -p "debug/.build-id/$(printf %.2s "$id")"
		mv common.debug "debug/.build-id/$(printf %.2s "$id")/${id#??}.debug"
		GP_DEBUG_DIR=$T/debug
		export GP_DEBUG_DIR
		agree "what dwz moved into a common file, by GP_DEBUG_DIR" alt1 alt1.whole
		unset GP_DEBUG_DIR
		rm -f common.debug
		mkfifo common.debug
		addresses alt1 >at.txt
		ok "a fifo where that should be hangs nothing" timeout 20 "$LINES" alt1 <at.txt
	else
		skip "what dwz moved" "dwz: $(head -1 .err)"
	fi
else
	skip "what dwz moved" "no dwz"
fi

# Names of inlined calls are those of the language.
addresses whole | "$LINES" whole | grep -E '^(clamp$|app::widget::length$)' | sort -u >got
is "inlined functions have tidy names" 'cat got' <<'W'
app::widget::length
clamp
W

# ---- in a profile

if gp-record -F 99 -d 0.1 -o probe -p $$ 2>.err; then
	cat >busy.c <<-'C'
		static inline __attribute__((always_inline)) unsigned step(unsigned x)
		{
			return x * 1664525 + 1013904223;
		}
		static __attribute__((noinline)) unsigned
		busy(unsigned n)
		{
			unsigned x = n;
			while (n--)
				x = step(x);
			return x;
		}
		int main(void) { volatile unsigned x = 0; for (unsigned i = 0; i < 150; i++) x += busy(3000000 + i); return 0; }
	C
	"${CC:-cc}" -g -O2 -o busy busy.c
	gp-record -F "$HZ" --lines -o .profile -- ./busy 2>.err
	has "an inlined call is the leaf, with its line" ';busy \(busy\.c:10\);step \(busy\.c:3\)_\[i\] '
	has "the caller has the line of its call" ';main \(busy\.c:13\);busy '
	if grep -q '(busy.c:9)' .profile; then has "and the function's own lines stay alone" ';busy \(busy\.c:(8|9|10)\) '; fi
	gp-record -F "$HZ" -o .profile -- ./busy 2>.err
	has "without --lines there are none" ';main;busy '
	lacks "nor inlined calls" '_\[i\]'
	if command -v perf >/dev/null && perf record -q -F "$HZ" -e cpu-clock --call-graph dwarf -o perf.data ./busy 2>.err; then
		gp-fold --lines perf.data >.profile 2>.err
		has "gp-fold --lines" ';main \(busy\.c:13\);busy \(busy\.c:10\);step \(busy\.c:3\)_\[i\] '
	else
		skip "gp-fold --lines" "no perf"
	fi
	strip busy
	gp-record -F "$HZ" --lines -o .profile -- ./busy 2>.err
	has "without debug information it is a profile as ever" '^busy;.*\[busy\] '
else
	skip "in a profile" "gp-record may not record: $(head -1 .err)"
fi
done_testing
