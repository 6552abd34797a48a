#!/bin/sh
# Stacks larger than a sample's copy of them, and stacks that are not where they are expected: whole by BPF,
# or marked. (What leaf_left ends is left's: a stack put together from two moments shows.)
# together: it looks at its own commands, by shares
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

# roots FILE: "stacks whole marked wrong" of the program roots. Whole: from _start or a thread's beginning to where it was.
roots() {
	grep '^roots;' "$1" | awk '
		{ n = $NF; all += n; marked += /;\[(truncated|unknown:)/ ? n : 0 }
		/;leaf_left/ && /;right;/ || /;leaf_right/ && /;left;/ { wrong += n }
		/^[^;]*;(_start|start_thread|clone3?|\[(libc|ld|exec|exit)[^;]*\]|_dl_[^;]*)(;| )/ { whole += n }
		END { print all + 0, whole + 0, marked + 0, wrong + 0 }'
}

# most PART ALL PERCENT
most() { test "$2" -gt 0 -a $((100 * $1)) -ge $(($3 * $2)); }

# deep NAME HZ THREAD: the figures of the issue
deep() {
	gp-record -F "$2" -o deep.folded -- "$B/work/roots" 1.5 "$3" 2>/dev/null
	read -r all whole marked wrong <<EOF
$(roots deep.folded)
EOF
	ok "$1: no stack has the wrong root ($wrong of $all)" test "$wrong" -eq 0 -a "$all" -gt 50
	ok "$1: 99 % are whole ($whole of $all, $marked marked)" most "$whole" "$all" 99
}

gp-record -o probe.folded -- "$B/work/roots" 0.3 2>/dev/null
if grep -q 'deep.u0020stacks.u0020are.u0020not.u0020copied' probe.folded; then
	skip "2,000 frames of 512 bytes" "this kernel lets no program copy stacks"
	copies=
else
	copies=yes
	deep "1 MB of stack at 99 Hz" 99 0
	deep "1 MB of stack at 499 Hz" 499 0
	deep "1 MB of a thread's stack" 99 1
	# A MB each, or less while it grows; and none of a stack that the samples hold.
	bytes=$(sed -n '1s/.*:.u0020\([0-9]*\).u0020bytes.u0020more.u0020copied.*/\1/p' deep.folded)
	ok "the header says how much was copied ($bytes, of $all)" \
		test "${bytes:-0}" -gt $((all * 300000)) -a "${bytes:-0}" -lt $((all * 1100000))
	gp-record -F 499 -o flat.folded -- "$B/work/roots" 0.5 0 20 2>/dev/null
	ok "stacks that need none are not copied" sh -c \
		'grep -q "^roots;.*;main;.*;leaf_left" flat.folded && ! grep -q "bytes.u0020more.u0020copied" flat.folded'

	# 3 MB of stack: beyond what is copied.
	gp-record -F 199 --max-depth 20000 -o beyond.folded -- "$B/work/roots" 1 0 6000 2>/dev/null
	read -r all whole marked wrong <<-EOF
	$(roots beyond.folded)
	EOF
	ok "more than 2 MiB: none has the wrong root ($wrong of $all)" test "$wrong" -eq 0 -a "$all" -gt 20
	ok "... marked, but where it was not so deep yet ($marked)" test $((whole + marked)) -eq "$all" -a $((4 * marked)) -ge "$all"
	ok "... and counted" grep -q "\"truncated\":$(grep -v '^#' beyond.folded | awk '/^roots;\[truncated\]/ { n += $NF } END { print n + 0 }'),.*[0-9].u0020truncated:" beyond.folded
	is "... each stack once" 'sed -n "1s/.*\"\([0-9]*\).u0020deep.u0020stacks.u0020ref.*/\1/p" beyond.folded' <<-W
	$(sed -n '1s/.*"\([0-9]*\).u0020truncated:.u0020deeper.*/\1/p' beyond.folded)
	W
	# Cut by ourselves: that is another reason.
	gp-record -F 199 --max-depth 100 -o shallow.folded -- "$B/work/roots" 0.5 0 300 2>/dev/null
	has "--max-depth is a reason of its own" 'u0020truncated:.u0020of.u0020more.u0020frames.u0020than.u0020--max-' \
		shallow.folded
	lacks "... and the only one" 'deeper.u0020than.u0020the.u0020copy' shallow.folded

	# The rings grow for them, to 32 MiB, and no more.
	mkfifo go
	rings() { # of a recorder: the largest and smallest in KB
		grep perf_event "/proc/$1/maps" | while IFS=' -' read -r from to _; do echo $(((0x$to - 0x$from) / 1024)); done | sort -n |
			sed -n '1p; $p' | paste -sd ' '
	}
	gp-record -q -F 99 -o rings.folded -- sh -c 'read -r _ && exec "$B/work/roots" 5 0 4000' <go &
	recorder=$!
	exec 3>go
	tries=0
	until before=$(rings $recorder); [ -n "$before" ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
	echo >&3
	tries=0
	until after=$(rings $recorder); [ "${after#* }" -gt 32768 ] || [ $((tries += 1)) -gt 60 ]; do sleep 0.05; done
	kill $recorder
	wait $recorder
	exec 3>&-
	ok "rings grow to 32 MiB, and a page (KB: $before, then $after)" test "${before%% *}" -le 4100 -a "${after#* }" -eq 32772
fi

# Without: marked, and none of them wrong.
GP_NO_BPF=1 gp-record -F 499 -o plain.folded -- "$B/work/roots" 0.7 2>/dev/null
read -r all whole marked wrong <<EOF
$(roots plain.folded)
EOF
ok "without BPF none has the wrong root ($wrong of $all)" test "$wrong" -eq 0 -a "$all" -gt 50
ok "without BPF what is not whole is marked" test $((whole + marked)) -eq "$all"
ok "... and that is nearly all" most "$marked" "$all" 90
ok "... the header says why" grep -q 'not.u0020copied.u0020whole:.u0020switched' plain.folded

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod 755 . && cp "$B/gp-record" "$B/work/roots" . && chmod 755 gp-record roots
	setpriv --reuid=65534 --clear-groups ./gp-record -F 499 -o - -- ./roots 0.7 >nobody.folded 2>nobody.err
	read -r all whole marked wrong <<EOF
$(roots nobody.folded)
EOF
	if [ "$all" -eq 0 ]; then
		skip "as an ordinary user" "perf_event_paranoid allows nothing"
	else
		ok "as an ordinary user none has the wrong root ($wrong of $all)" test "$wrong" -eq 0
		ok "... what is not whole is marked" test $((whole + marked)) -eq "$all"
		ok "... and that is nearly all" most "$marked" "$all" 90
	fi
else
	skip "as an ordinary user" "needs root and setpriv"
fi

# --complete: whole, perhaps wrong, and says so. Not whole are stacks that were given up before they were looked at, at
# most a quarter of a second later, and those of the last quarter, when there is nobody to look at any more.
GP_NO_BPF=1 gp-record -F 499 --complete -o complete.folded -- "$B/work/roots" 1.5 2>/dev/null
read -r all whole marked wrong <<EOF
$(roots complete.folded)
EOF
ok "--complete makes most whole ($whole of $all)" most "$whole" "$all" 80
ok "... the others are marked ($marked)" test $((whole + marked)) -eq "$all"
ok "... the header says what they are worth" grep -q 'may.u0020be.u0020of.u0020another.u0020moment' complete.folded
not "... without it nothing is read afterwards" grep -q 'another.u0020moment' plain.folded

[ "$copies" ] || done_testing

# share FILE PATTERN: percent of its stacks
share() { grep "^${3:-stacks};" "$1" | awk -v p="$2" '{ n += $NF } $0 ~ p { m += $NF } END { print n ? int(100 * m / n) : -1 }'; }
stacks() { gp-record -F 299 -o stacks.folded -- "$B/work/stacks" "$1" "${2:-0.5}" 2>/dev/null; }

stacks frame
ok "a frame of 300 KB whose pages were never touched" test "$(share stacks.folded ';_start;.*;main;large_frame;leaf')" -ge 98
stacks locals
ok "recursion with 20 KB a frame" test "$(share stacks.folded ';main;locals;(locals;)*leaf')" -ge 98
stacks sparse
ok "... of which one page each was touched" test "$(share stacks.folded ';main;sparse;(sparse;)*leaf')" -ge 98
hold "a handler on a stack of its own" "" "" "$B/work/stacks" signal 0.5
has "... above what it interrupted" '^stacks;_start;.*;main;interrupted;leaf;.*on_timer;leaf'
grep -v ';main;interrupted;leaf;.*on_timer' .profile >elsewhere
lacks "... and nowhere else" on_timer elsewhere
# Whose end nobody knows is copied when the first was cut.
stacks context 1.5
ok "a coroutine, from its first function" test "$(share stacks.folded ';coroutine;locals;(locals;)*leaf')" -ge 60
ok "... or marked, or from the program's beginning" \
	test "$(share stacks.folded ';coroutine;|;\[(truncated|unknown:|exec|exit)|;_start;|;_dl_start')" -eq 100
ok "... and never main's" test "$(share stacks.folded ';main;.*coroutine')" -eq 0
stacks fiber 1.5
ok "a fiber of a hand-written switch, from its first function" test "$(share stacks.folded ';fiber;locals;(locals;)*leaf')" -ge 60
ok "... which nothing describes further" test "$(share stacks.folded '^stacks;\[(truncated|unknown:)')" -ge 98

if [ -x "$B/work/roots-split" ]; then
	cp "$B/work/roots-split" roots
	gp-record -F 499 -o split.folded -- ./roots 0.7 0 200 2>/dev/null
	read -r all whole marked wrong <<EOF
$(roots split.folded)
EOF
	ok "split stacks: none has the wrong root ($wrong of $all)" test "$wrong" -eq 0 -a "$all" -gt 50
	ok "... whole or marked" test $((whole + marked)) -eq "$all"
	ok "... both sides of a boundary are named" grep -q ';down;__morestack;down;' split.folded
else
	skip "split stacks" "the compiler has none"
fi

done_testing
