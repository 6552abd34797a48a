#!/bin/sh
# Threads that change stacks: coroutines, fibers, signals' stacks, split stacks, goroutines. Each stack is right, or
# marked with its reason and counted: none may hold what belongs to two. And a second opinion on the same bytes of
# all stacks of a stopped child (tests/unit/whole.c), deep ones too.
# together: it looks at its own commands, by shares
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

# judge PROGRAM FILE: "samples whole marked wrong". Two fibers in one stack, or what resumed one above its root, are
# wrong; so is a stack that is called whole and begins with no root.
judge() {
	awk -v program="$1" '
		index($0, program ";") != 1 { next }
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			fibers = 0
			for (i = 0; i < 4; i++)
				fibers += $0 ~ ("_" i "(;|$)")
			marked = /^[^;]*;\[(truncated|unknown:[^;]*)\]/
			begun = $0 ~ /^[^;]*;(_start|__start_context|_dl_[^;]*|\[ld[^;]*|fiber_begin_described|\[exec\]|\[exit\]|[^;]*_\[k\])(;|$)/
			if (fibers > 1 || /root_.*;(schedule|resume|make);|;(schedule|resume|make);.*root_/ || (!marked && !begun)) {
				bad += n
				print "# wrong: " $0 | "cut -c1-300 >&2"
			}
			all += n
			part += marked ? n : 0
		}
		END { print all + 0, all - part, part + 0, bad + 0 }' "$2"
}

# fibers KIND LEAST [seconds]: none wrong, at least so many % whole
fibers() {
	gp-record -F 999 -o fibers.folded -- "$B/work/fibers" "$1" "${3:-0.5}" 2>/dev/null
	judge fibers fibers.folded >verdict 2>wrong
	read -r all whole marked bad <verdict
	if [ "$bad" -eq 0 ] && [ "$all" -gt 100 ]; then
		pass "fibers, $1: none of $all wrong ($whole whole, $marked marked)"
	else
		fail "fibers, $1: $bad of $all wrong" - <wrong
	fi
	ok "... $2 % whole ($whole)" test $((100 * whole)) -ge $(($2 * all))
}

fibers context 98
fibers heap 0
ok "... what nothing describes says so" grep -q '^fibers;\[unknown:no-cfi\];fiber_begin;root_1;' fibers.folded
fibers described 98
fibers inherits 0
fibers unaligned 98
fibers signal 60 1.5
ok "... a handler, above the coroutine that it interrupted" \
	grep -Eq '^fibers;__start_context;root_2;.*leaf_2;.*on_timer;leaf_4' fibers.folded

if [ -x "$B/work/roots-split" ]; then
	cp "$B/work/roots-split" roots
	gp-record -F 499 -o split.folded -- ./roots 3 0 200 2>/dev/null
	awk '/^roots;/ { n += $NF } /^roots;_start;.*main;/ { w += $NF } /leaf_left/ && /;right;/ || /leaf_right/ && /;left;/ { bad += $NF }
		END { print n + 0, w + 0, bad + 0 }' split.folded >verdict
	read -r all whole bad <verdict
	if ! grep -q 'deep.u0020stacks.u0020are.u0020not.u0020copied' split.folded; then
		ok "split stacks are copied where a walk wants to go ($whole of $all whole)" test $((100 * whole)) -ge $((60 * all))
	fi
	ok "... none has the wrong root ($bad)" test "$bad" -eq 0
else
	skip "split stacks" "the compiler has none"
fi

# A stack pointer that points nowhere.
for kind in guard nowhere; do
	gp-record -F 499 -o astray.folded -- "$B/work/stacks" $kind 0.4 2>/dev/null
	awk '/^stacks;.*(guarded|nowhere) / { n += $NF; if (!/^stacks;(\[(truncated|unknown:)|_start;.*;main;go_astray;(guarded|nowhere) )/) bad += $NF }
		END { print n + 0, bad + 0 }' astray.folded >verdict
	read -r all bad <verdict
	if [ "$all" -gt 50 ] && [ "$bad" -eq 0 ]; then
		pass "$kind: whole or marked ($all)"
	else
		fail "$kind: $bad of $all" - <astray.folded
	fi
done

if [ -x "$B/work/goroutines" ]; then
	gp-record -F 499 -o go.folded -- "$B/work/goroutines" 1.5 2>/dev/null
	awk '/^goroutines;/ { all += $NF } /^goroutines;\[(truncated|unknown:)/ { marked += $NF }
		/leafLeft/ && /;main.right;/ || /leafRight/ && /;main.left;/ { bad += $NF }
		/;runtime.systemstack/ { n += $NF; if (/^goroutines;runtime.goexit.*;main.(left|right);.*main.leaf/) joined += $NF }
		/^goroutines;runtime.(systemstack|morestack|newproc|clone[^;]*;entry_)/ { bad += $NF }
		END { print all + 0, marked + 0, n + 0, joined + 0, bad + 0 }' go.folded >verdict
	read -r all marked n joined bad <verdict
	if [ "$n" -gt 50 ] && [ "$bad" -eq 0 ]; then
		pass "goroutines: none of $all wrong ($marked marked)"
	else
		fail "goroutines: $bad of $all wrong" - <go.folded
	fi
	ok "... their system's stack goes on on theirs, at the same instant ($joined of $n)" test $((100 * joined)) -ge $((60 * n))
	GP_NO_BPF=1 gp-record -F 499 -o go.folded -- "$B/work/goroutines" 0.7 2>/dev/null
	awk '/;runtime.systemstack/ { n += $NF } /;runtime.systemstack/ && !/^goroutines;(\[(truncated|unknown:)|runtime.goexit)/ { bad += $NF }
		END { exit !(n > 20 && !bad) }' go.folded && pass "... without BPF marked" || fail "... without BPF" - <go.folded
else
	skip "goroutines" "no go"
fi

# ---- assembler that nothing describes, in a program that keeps frame pointers, its callers' still in rbp

cat >undescribed.c <<'C'
void plain(long turns);
__asm__(".text\n.globl plain\n.type plain,@function\nplain: push %rbx\npush %r12\nsub $0x58,%rsp\n"
	"1: dec %rdi\njnz 1b\nadd $0x58,%rsp\npop %r12\npop %rbx\nret\n.size plain,.-plain\n"
	".section .note.GNU-stack,\"\",@progbits\n.text\n");
__attribute__((noinline)) void by_name(void) { plain(200000000); __asm__(""); }
__attribute__((noinline)) void by_pointer(void (*function)(long turns)) { function(100000000); __asm__(""); }
int main(void) { by_name(); by_pointer(plain); return 0; }
C
if ${CC:-cc} -O2 -fno-omit-frame-pointer -o undescribed undescribed.c 2>.log; then
	gp-record -F 499 -o asm.folded -- ./undescribed 2>/dev/null
	awk '/^undescribed;.*;plain/ { n += $NF }
		/;main;by_name;plain/ { named += $NF }
		/;main;plain/ { skipped += $NF }
		END { print n + 0, named + 0, skipped + 0 }' asm.folded >verdict
	read -r all named skipped <verdict
	ok "assembler without CFI: who called it by name is there ($named of $all)" \
		test "$named" -gt 0 -a $((100 * named)) -ge $((40 * all))
	ok "... by a pointer: who did may be missing ($skipped)" test $((named + skipped)) -ge $((all - 2))
	counted=$(sed -n '1s/.*"\([0-9]*\).u0020with.u0020a.u0020step.u0020by.u0020a.u0020frame.*/\1/p' asm.folded)
	ok "... which is said (${counted:-not})" \
		test "${counted:-0}" -ge "$skipped" -a "${counted:-0}" -le $((skipped + 5))
else
	skip "assembler without CFI" "it cannot be built here: $(head -1 .log)"
fi

# ---- the second opinion

# second NAME COMPLETE STOPS command ...: rows and libunwind agree on all of memory; what a copy lacks is said
second() {
	second_name=$1 second_least=$2 second_stops=$3
	shift 3
	if "$B/unit/whole" -n "$second_stops" -- "$@" >.whole 2>&1 &&
	    awk -v least="$second_least" '$1 == "complete" { ok = $2 >= least } $1 == "stops" { n = $2 } END { exit !(ok && n >= 20) }' .whole; then
		pass "$second_name: $(tr '\n' ' ' <.whole)"
	else
		fail "$second_name" - <.whole
	fi
}

if "$B/unit/whole" -n 2 -- "$B/work/stacks" frame 1 >/dev/null 2>&1; then
	second "2,000 frames of 512 bytes" 99 60 "$B/work/roots" 2
	second "a frame of 300 KB" 99 40 "$B/work/stacks" frame 2
	second "20 KB a frame" 99 40 "$B/work/stacks" locals 2
	second "a signal's stack" 99 60 "$B/work/stacks" signal 2
	second "a coroutine" 99 40 "$B/work/stacks" context 2
	second "a fiber" 0 40 "$B/work/stacks" fiber 2
	for kind in context described signal unaligned; do second "fibers, $kind" 97 100 "$B/work/fibers" $kind 2; done
	for kind in heap inherits; do second "fibers, $kind" 0 100 "$B/work/fibers" $kind 2; done
	[ ! -x "$B/work/roots-split" ] || second "split stacks" 99 60 "$B/work/roots-split" 2 0 200

	# Files that are not what they were, or not as compilers leave them.
	# shellcheck disable=SC2086 # CC may be words
	build() { ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -fomit-frame-pointer -pthread "$@" "$TOP/tests/work/unwind-shapes.c" >.log 2>&1; }
	build -o lto -flto && second "link-time optimised" 99 40 ./lto plain 2
	build -o icf -fuse-ld=lld -ffunction-sections -Wl,--icf=all && second "identical code folded" 99 40 ./icf plain 2
	build -o plain && for how in deleted replaced; do
		cp plain $how
		timeout 20 sh -c 'until pgrep -x "$1" >.log; do sleep 0.01; done; rm "$1"; [ "$1" = deleted ] || cp /bin/sh "$1"' sh $how &
		second "a file $how" 99 40 ./$how plain 2
		wait $!
	done
else
	skip "the second opinion" "not even an own child may be stopped here"
fi
done_testing
