#!/bin/sh
# gp-fold reads what perf record wrote: both layouts, all three kinds of stacks, names only where they are
# true, and nothing at all of a file that is damaged.
. "$(dirname "$0")/lib/tap.sh"

command -v perf >/dev/null || skip_all "perf is absent"
HOME=$T # where perf keeps copies of what it saw
export HOME

# Three calls deep without frame pointers; busy until it has burnt 0.3 s or what it is told, in ms.
program() {
	cat <<-'EOS'
	#include <stdlib.h>
	#include <time.h>
	static volatile unsigned long sink;
	#define CALL __attribute__((noinline)) static unsigned long
	CALL inner(long n) { for (long i = 0; i < n; i++) sink += i; return sink; }
	CALL middle(long n) { volatile char pad[200]; pad[0] = 1; return inner(n) + pad[0]; }
	CALL outer(long n) { volatile char pad[200]; pad[0] = 1; return middle(n) + pad[0]; }
	int main(int argc, char **argv)
	{
		clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 300) * (CLOCKS_PER_SEC / 1000);
		while (clock() < end)
			outer(100000);
		return 0;
	}
	EOS
}
program | "${CC:-cc}" -O2 -fomit-frame-pointer -x c -o "$T/foldwork" - || skip_all "no compiler"
perf record -q -N -e cpu-clock -F 999 -o probe.data ./foldwork 50 >/dev/null 2>&1 || skip_all "perf may not record here"

record() {
	perf record -q -e cpu-clock -F 999 "$@" >perf.log 2>&1 || { cat perf.log; return 1; }
}
# share PATTERN FILE: per cent of the counts of stacks that match
share() {
	awk -v p="$1" '/^#/ { next } { n = $NF; sub(/ [0-9]+$/, ""); all += n; if ($0 ~ p) some += n }
	    END { printf "%d\n", all ? 100 * some / all : 0 }' "$2"
}
at_least() {
	[ "$(share "$2" "$3")" -ge "$1" ] || { echo "$(share "$2" "$3") %"; head -c 3000 "$3"; false; }
}
header_has() {
	head -1 "$2" | grep -Fq -- "$1" || { head -1 "$2"; false; }
}

# --- kinds of stacks

ok "perf record --call-graph dwarf" record -N --call-graph dwarf -o dwarf.data ./foldwork
ok "is folded" gp-fold -q -o dwarf.folded dwarf.data
ok "every frame to the root is there" at_least 95 '^foldwork;_start;.*main;outer;middle;inner' dwarf.folded
ok "it has perf's event" header_has '"event":"cpu-clock' dwarf.folded
ok "it counts samples" header_has '"unit":"samples"' dwarf.folded
ok "and says of how long" header_has '"period_ns":1001001' dwarf.folded
ok "the host is the recorded one" header_has "\"host\":\"$(uname -n)\"" dwarf.folded
ok "the target is perf's command line" header_has 'dwarf.data\u0020./foldwork' dwarf.folded

program | "${CC:-cc}" -O0 -x c -o "$T/framed" -
ok "perf record -g" record -N -g -o chain.data ./framed
ok "is folded" gp-fold -q -o chain.folded chain.data
ok "the kernel's walk is taken" at_least 90 '^framed;.*main;outer;middle;inner' chain.folded

ok "perf record without stacks" record -N -o flat.data ./foldwork
ok "is folded" gp-fold -q -o flat.folded flat.data
ok "to process and function" at_least 90 '^foldwork;inner$' flat.folded

# --- ways in

stacks() {
	gp-fold -q --no-header "$@"
}
stacks dwarf.data >want
is "from standard input" "gp-fold -q --no-header <dwarf.data" <want
mkdir spool
is "the layout of a file through a pipe" "cat dwarf.data | TMPDIR=$T/spool gp-fold -q --no-header" <want
gzip -k dwarf.data
is "compressed by gzip" "gp-fold -q --no-header dwarf.data.gz" <want
ok "no copy is left behind" rmdir spool

cat chain.data dwarf.data >both.data
is "the second of two files, its reader having been given the place" \
	"{ dd bs=$(wc -c <chain.data) count=1 of=/dev/null status=none; TMPDIR=$T gp-fold -q --no-header; } <both.data" <want

perf record -q -e cpu-clock -F 999 --call-graph dwarf -o - ./foldwork 2>/dev/null >pipe.data
gp-fold -q -o pipe.folded pipe.data
ok "the layout of a pipe" at_least 95 '^foldwork;_start;.*main;outer;middle;inner' pipe.folded
ok "a pipe names its event, too" header_has '"event":"cpu-clock' pipe.folded
ok "what has no build-ids is named by path, and that is noted" header_has 'without\u0020a\u0020recorded\u0020build-id' pipe.folded
stacks pipe.data >want
is "perf record -o - | gp-fold" "cat pipe.data | gp-fold -q --no-header" <want

# --- events

ok "perf record -e a,b" perf record -q -N -e cpu-clock,page-faults -c 1000 -g -o two.data ./foldwork
exits "of several events the first is folded" 0 "gp-fold -o two.folded two.data"
says "and the others are named" 'page-faults'
ok "it is the clock" header_has '"event":"cpu-clock' two.folded
perf record -q -N -e cpu-clock,page-faults -c 1 -g -o faults.data ./foldwork 20 >/dev/null 2>&1
exits "-e chooses" 0 "gp-fold -e page-faults -o faults.folded faults.data"
ok "events are counted" header_has '"unit":"events"' faults.folded
exits "an event that is not there" 1 "gp-fold -e cycles faults.data"
says "those that are there are named" 'cpu-clock page-faults'

# --- labels and sides

exits "--by" 0 "gp-fold -q --by time=100ms,host,pid,thread,cpu dwarf.data"
ok "every label is there, time first" grep -Eq '^time=000000\.[0-9]00;host=[^;]*;pid=[0-9]+;thread=foldwork;cpu=' .got
exits "--by of a label that there is not is misuse" 2 "gp-fold --by foo dwarf.data"
ok "which is said once" test "$(grep -c '^gp-fold: ' .err)" -eq 1
exits "--by time needs a slice" 2 "gp-fold --by time dwarf.data"
says "and what that is" 'time=100ms'

# What perf itself says of when the samples were, in slices from the first one.
perf script -i chain.data --ns -F time 2>/dev/null | perl -ne '
	/^\s*(\d+)\.(\d+):/ or next;
	my $t = $1 * 1000000000 + $2;
	push @t, $t;
	END { @t = sort { $a <=> $b } @t; $n{int(($_ - $t[0]) / 50000000)}++ for @t; printf "%s %d\n", $_, $n{$_} for sort { $a <=> $b } keys %n }' >perf.slices
gp-fold -q --no-header --by time=50ms chain.data >slices.folded
perl -ne '/^time=(\d{6}\.\d{3});.* (\d+)$/ or die; $n{int($1 * 20 + 0.5)} += $2; END { printf "%s %d\n", $_, $n{$_} for sort { $a <=> $b } keys %n }' slices.folded >our.slices
ok "--by time=50ms: the samples of each slice are those that perf script says" diff perf.slices our.slices
ok "and there are several" test "$(wc -l <our.slices)" -ge 5
ok "their sum is the profile's" sh -c 'gp-fold -q --no-header chain.data >a; sed "s/^time=[0-9.]*;//" slices.folded | gp-merge --no-header | cmp - a'
ok "the header says so" sh -c 'gp-fold -q --by time=50ms chain.data | head -n 1 | grep -q "\"labels\":\[\"time\"\]"'
gp-fold -q --by time=1s chain.data >whole.folded
ok "slices of a second are written alike" grep -q '^time=000000\.000;' whole.folded
first=$(awk '$1 >= 2 && $1 < 4 { n += $2 } END { print n + 0 }' our.slices)
is "gp-flame --time takes those of a range" "gp-flame -q --time 0.1..0.2 --text slices.folded | sed -n '1s/.* · //p'" <<W
$first samples
W

exits "--by cgroup is refused" 2 "gp-fold --by cgroup dwarf.data"
exits "--user-only" 0 "gp-fold -q --user-only dwarf.data"
ok "has no kernel frames" sh -c '! grep -q "_\[k\]" .got'
exits "--max-depth" 0 "gp-fold -q --max-depth 2 --user-only --no-header dwarf.data"
ok "cuts at the root's side" grep -q '^foldwork;\[truncated\];middle;inner ' .got

# --- files that are not what was recorded

cp foldwork kept
ok "with copies in ~/.debug" record --call-graph dwarf -o kept.data ./kept
printf 'int other = 1;\n' >>other.c
program | cat other.c - | "${CC:-cc}" -O1 -g -x c -o kept -
exits "another build of the program" 0 "gp-fold -o kept.folded kept.data"
ok "perf's copy in ~/.debug gives the names" at_least 90 '^kept;.*main;outer;middle;inner' kept.folded
mv .debug .debug.away
exits "another build of the program, no copy" 0 "gp-fold -o gone.folded kept.data"
says "is said" 'no names from .* no longer as recorded: .*/kept'
ok "it gives no names" at_least 90 '^kept;.*\[kept\]' gone.folded
ok "none at all" sh -c '! grep -q inner gone.folded'
ok "it is noted" header_has 'no\u0020longer\u0020as\u0020recorded' gone.folded

# --- the kernel

# patch FILE OFFSET: that byte becomes another
patch() {
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\$(printf '%o' $(((byte + 1) % 256)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
kernel_share=0
if may_record_machine && [ "$(cat /proc/sys/kernel/kptr_restrict)" -eq 0 ]; then
	record -N -a -g -o all.data -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300000' 2>/dev/null
	gp-fold -q -o all.folded all.data
	kernel_share=$(share '^dd;.*_\[k\]$' all.folded)
fi
if [ "$kernel_share" -gt 0 ]; then
	ok "kernel functions have names" at_least 1 'entry_SYSCALL_64[^;]*_\[k\];' all.folded
	# Its mapping: "[kernel.kallsyms]_text"; the address of _text stands 8 bytes before the name.
	at=$(grep -abo '\[kernel.kallsyms\]_' all.data | head -1 | cut -d: -f1)
	cp all.data moved.data
	patch moved.data $((at - 5))
	exits "a kernel that lay elsewhere" 0 "gp-fold -o moved.folded moved.data"
	says "is said" 'kernel addresses are not named: .*elsewhere'
	ok "its addresses get no names" sh -c '! grep -q entry_SYSCALL moved.folded && grep -q "\[kernel\]_\[k\]" moved.folded'
	id=$(od -An -v -tx1 -j 16 -N 20 /sys/kernel/notes | tr -d ' \n')
	at=$(od -An -v -tx1 all.data | tr -d ' \n' | grep -bo "$id" | head -1 | cut -d: -f1)
	cp all.data foreign.data
	patch foreign.data $((at / 2 + 3))
	exits "another kernel" 0 "gp-fold -o foreign.folded foreign.data"
	says "is said" 'kernel addresses are not named: of another kernel'
	ok "noted" header_has 'of\u0020another\u0020kernel' foreign.folded

	./foldwork 4000 &
	busy=$!
	record -N -a --call-graph dwarf -o running.data -- sleep 0.5
	gp-fold -q -o running.folded running.data
	kill $busy
	grep -E '^(#|foldwork;)' running.folded >deep.folded
	ok "what ran before perf -a came keeps its mappings" at_least 90 '^foldwork;_start;.*main;outer;middle;inner' deep.folded
else
	skip "the kernel's names" "the machine may not be recorded, or hides its addresses"
fi

# --- bad days

fails() { # fails NAME PATTERN FILE
	exits "$1" 1 "gp-fold $3"
	says "$1: said" "$2"
	if [ -s .got ]; then fail "$1: nothing on stdout" - <.got; else pass "$1: nothing on stdout"; fi
}
size=$(wc -c <dwarf.data)
head -c $((size / 2)) dwarf.data >cut.data
fails "cut in its records" 'is cut: .* bytes of records' cut.data
head -c $((size - 100)) dwarf.data >cut.data
fails "cut in its features" 'is cut' cut.data
head -c 60 dwarf.data >cut.data
fails "cut in its header" 'is cut inside its header' cut.data
head -c 12 dwarf.data >cut.data
fails "hardly there" 'is cut inside its header' cut.data
head -c $(($(wc -c <pipe.data) - 7)) pipe.data >cut.data
fails "a pipe's, cut" 'is cut at byte' cut.data
fails "not there at all" 'No such file' absent.data
: >empty.data
fails "empty" 'is empty' empty.data
fails "a directory" 'is a directory: what perf record --threads' .
ok "an event that never came" perf record -q -N -e major-faults -c 1000000 -o none.data ./foldwork 10
exits "is an empty profile" 0 "gp-fold none.data"
says "and said" 'no samples of major-faults'
ok "with a header" header_has '"samples":0' .got
head -c 5000 /bin/sh >binary.data
fails "something else" 'neither perf.data nor folded text' binary.data
printf 'perf  1234 [000] 5.5: 1 cpu-clock:\n\tffff inner (/x)\n' >script.txt
fails "text that is not folded" 'no folded text, no perf.data and no page' script.txt
printf '2ELIFREP%0100d' 0 >foreign.data
fails "big-endian" 'big-endian' foreign.data
if perf record -q -N -z -e cpu-clock -F 999 -g -o zstd.data ./foldwork 50 >/dev/null 2>&1; then
	fails "perf record -z" 'perf record -z' zstd.data
else
	skip "perf record -z" "this perf cannot"
fi

# perf writes the size of the records when it ends: killed before, it leaves 0 there and nothing behind them.
offset=$(od -An -tu8 -j 40 -N 8 dwarf.data | tr -d ' ')
length=$(od -An -tu8 -j 48 -N 8 dwarf.data | tr -d ' ')
head -c $((offset + length - 100)) dwarf.data >killed.data
dd if=/dev/zero of=killed.data bs=8 seek=6 count=1 conv=notrunc 2>/dev/null
exits "perf was killed: what is there is read" 0 "gp-fold -o killed.folded killed.data"
says "and said" 'killed'
ok "noted" header_has 'killed' killed.folded
ok "with names" at_least 90 '^foldwork;_start;.*main;outer;middle;inner' killed.folded

# Bytes flipped here and there: an answer or one clear refusal, never a crash.
bad=
i=0
while [ $i -lt 40 ]; do
	cp flat.data flipped.data
	# A third of them in the header, the others anywhere.
	size=$(wc -c <flat.data)
	[ $((i % 3)) -eq 0 ] && size=700
	patch flipped.data $((i * 7919 % size))
	patch flipped.data $((i * 104729 % size))
	timeout 10 gp-fold flipped.data >.got 2>.err
	status=$?
	case $status in
	0) ;;
	1) [ ! -s .got ] && [ -s .err ] || bad="$bad $i:silent" ;;
	*) bad="$bad $i:$status" ;;
	esac
	i=$((i + 1))
done
ok "bytes flipped: read or refused" test -z "$bad"

# --- folded text goes through

printf 'b;a 1\na;b 2\r\na;b  3\n' >text.folded
is "folded text becomes canonical" "gp-fold --no-header text.folded" <<EOS
a;b 5
b;a 1
EOS
is "from a pipe, too" "cat text.folded | gp-fold --no-header" <<EOS
a;b 5
b;a 1
EOS

printf 'python 42 1.5: 1 cpu-clock:\n\t55 f (/bin/p)\n\n' >script.txt
exits "what perf script printed" 1 "gp-fold script.txt"
says "what perf script printed: its perf.data is wanted" 'its perf.data is'
exits "named like a picture" 0 "gp-fold --no-header -o named.svg text.folded"
says "named like a picture: told what it gets" 'named.svg gets a profile.*gp-flame'
exits "an option for perf.data" 1 "gp-fold --by pid text.folded"
says "is refused for text" 'is no perf.data'
printf '\377\376a\000 \0001\000\n\000' >utf16.folded
is "UTF-16 is text" "gp-fold --no-header utf16.folded" <<EOS
a 1
EOS
tar cf both.tar text.folded dwarf.data
fails "an archive of several files" 'one at a time' both.tar
tar cf one.tar dwarf.data
stacks dwarf.data >want
is "an archive of one" "gp-fold -q --no-header one.tar" <want

done_testing
