#!/bin/sh
# Code and numbers that change hands during a recording: BPF programs that come and go, one process number for two
# programs, names that are meant to harm, mappings rewritten while they are read.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

# --- the kernel's code: the programs hot_one and hot_two run, one after the other, several times
# own NAME FILE: each of them under who ran it
own() {
	own_is=$(grep ';bpf_test_run_\[k\];' "$2" | awk '
	    { n = $NF }
	    /;burn_one;/ { one += n; if (/;bpf_prog_[0-9a-f]+_hot_one_\[k\]/) named += n; if (/hot_two/) wrong += n }
	    /;burn_two;/ { two += n; if (/;bpf_prog_[0-9a-f]+_hot_two_\[k\]/) named += n; if (/hot_one/) wrong += n }
	    END {
		printf "%d and %d samples, %d named, %d wrongly", one, two, named, wrong
		exit !(one > 30 && two > 20 && !wrong && named > 0.95 * (one + two))
	    }')
	own_status=$?
	if [ "$own_status" -eq 0 ]; then
		pass "$1: $own_is"
	else
		fail "$1: $own_is" "$(grep ';bpf_test_run_.k.;' "$2" | sed 's/.*;burn/;burn/' | head -20)"
	fi
}
"$W/kernel-code" 0.01 1 >/dev/null
if [ $? -eq 3 ]; then
	skip "BPF programs that come and go" "the kernel takes none"
else
	gp-record -F 499 -o o.folded -- "$W/kernel-code" 1 4 >truth 2>"$T/.err"
	own "BPF programs that come and go have their names" o.folded
	not "... though at the end none is there" grep -q '_hot_one' /proc/kallsyms
	facts "BPF programs" "" truth o.folded
	GP_NO_BPF=1 gp-record -F 499 -o o.folded -- "$W/kernel-code" 1 2 >truth 2>"$T/.err"
	own "... without BPF too" o.folded
	"$W/kernel-code" 1.5 1 >/dev/null &
	target=$!
	until grep -q '_hot_one' /proc/kallsyms || ! kill -0 $target 2>/dev/null; do sleep 0.02; done
	gp-record -q -F 499 -p $target -o o.folded
	wait $target
	own "one that was there before us, and goes" o.folded
	# Of two that are told the kernel tells the second wrongly how long a record is. Few and small samples, and long
	# intervals, so that a machine that has much to do loses none.
	GP_NO_BPF=1 gp-record -q -F 99 --stack-size 2048 -a -o first.folded &
	recorder=$!
	GP_NO_BPF=1 gp-record -q -F 99 --stack-size 2048 -a --every 2 -o - >second.stream &
	second=$!
	sleep 0.3
	"$W/kernel-code" 1.6 8 >/dev/null
	sleep 0.3
	kill $recorder $second
	wait $recorder
	wait $second
	own "two recorders at a time: the first" first.folded
	gp-merge second.stream >second.folded
	own "two recorders at a time: the second" second.folded
	for one in first second; do
		ok "two recorders: the $one loses nothing ($(key lost $one.folded))" test "$(key lost $one.folded)" -eq 0
	done
fi

# --- one number, two programs
# Again if somebody else took the number, which the program's status says.
record_number() {
	for _ in 1 2 3 4 5; do
		gp-record -q -F 499 "$@" >o.folded 2>"$T/.err" && break
	done
}
"$W/reuse" /bin/true -- /bin/true 2>/dev/null
if [ $? -eq 3 ]; then
	skip "one number for two programs" "clone3 with set_tid is not allowed"
else
	for how in "" -a "--by pid -a --every 10"; do
		record_number --by pid $how -o - -- "$W/reuse" "$W/shares" 0.4 quiet -- "$W/rename" 0.4
		number=$(sed -n 's/^number //p' "$T/.err")
		has "one number, two programs${how:+ ($how)}: the first has its code" "^pid=$number;shares;.*;main;burn_[ab] " o.folded
		has "... the second its own" "^pid=$number;rename;.*;main;burn_first " o.folded
		has "... and its name of later" "^pid=$number;second name;.*;burn_(second|thread) " o.folded
		lacks "... no other" "^pid=$number;(shares;.*burn_(first|second|thread)|(rename|second name);.*burn_[ab]) " o.folded
	done
fi

# --- one thread number, two processes: in one recording, with -a, by intervals
"$W/retid" 0.01 2>/dev/null
if [ $? -eq 3 ]; then
	skip "one thread number for two processes" "ns_last_pid may not be set"
else
	for how in "" -a "-a --every 10"; do
		record_number --by tid,thread $how -o - -- "$W/retid" 0.4
		number=$(sed -n 's/^number //p' "$T/.err")
		has "one thread number, two processes${how:+ ($how)}: the first" \
			"^tid=$number;thread=first worker;retid;.*;first;burn_first " o.folded
		has "... the second" "^tid=$number;thread=second worker;second;.*;second;burn_second " o.folded
		# (Called as their makers are the threads until they say otherwise.)
		lacks "... neither as the other" \
			"^tid=$number;(thread=first worker;second;|thread=second worker;retid;|.*;second;.*burn_first|.*;retid;.*burn_second)" o.folded
		ok "... all of it under the number" test "$(grep ';burn_\(first\|second\)[; ]' o.folded | grep -cv "^tid=$number;thread=\(first\|second\) worker;")" -eq 0
	done
fi

# --- names that are meant to harm whoever prints them
cat >named.c <<'C'
#include <sys/prctl.h>
#include <time.h>
int main(int c, char **v)
{
	if (c > 1) prctl(PR_SET_NAME, v[1]);
	while (clock() < CLOCKS_PER_SEC / 5) ;
}
C
if cc -o named named.c 2>/dev/null; then
	bad=$(printf 'a;b\n\033[2J\t\177 9')
	gp-record -q -F 499 --by thread,pid -o o.folded -- ./named "$bad" 2>"$T/.err"
	has "a name with control characters" '^thread=a.*pid=[0-9]+;a[^;]*b' o.folded
	bad=$(printf 'x\n\033]0;y\007 1')
	cp named "$bad"
	gp-record -q -F 499 -o p.folded -- "./$bad" 2>"$T/.err"
	has "a path with them" 'main' p.folded
	strip "$bad" 2>/dev/null
	gp-record -v -F 499 --addresses -o q.folded -- "./$bad" 2>"$T/.err"
	has "... without symbols" '^x.*\[x' q.folded
	for one in o p q; do
		not "none is in $one's stacks" sh -c "grep -v '^#' $one.folded | tr -d '\n' | LC_ALL=C grep -q '[[:cntrl:]]'"
		not "nor in its header, but DEL" sh -c "sed -n 1p $one.folded | tr -d '\n\177' | LC_ALL=C grep -q '[[:cntrl:]]'"
		ok "$one: every line is a stack" test "$(grep -cvE '^#|^[^ ].* [0-9]+$' $one.folded)" -eq 0
		ok "$one: all samples" test "$(key samples $one.folded)" -eq "$(grep -v '^#' $one.folded | awk '{ n += $NF } END { print n + 0 }')"
	done
	not "nor on the terminal" sh -c "tr -d '\n' <'$T/.err' | LC_ALL=C grep -q '[[:cntrl:]]'"
	exits "a command so called that is not there" 127 'gp-record -o r.folded -- "./$(printf "no\033[2J")"'
	not "... is said without them" sh -c "tr -d '\n' <'$T/.err' | LC_ALL=C grep -q '[[:cntrl:]]'"
else
	skip "names with control characters" "no compiler"
fi

# --- mappings rewritten while they are read
"$W/many" rewrite 300 4 &
target=$!
bad=
for _ in 1 2 3 4 5; do
	gp-record -q -F 999 -d 0.3 -p $target -o o.folded || bad="$bad status"
	[ "$(key samples o.folded)" -eq "$(grep -v '^#' o.folded | awk '{ n += $NF } END { print n + 0 }')" ] || bad="$bad sum"
	# It lies still itself: whoever is in there has come from main.
	grep '^many;.*;burn_many' o.folded | grep -v '^many;_start;.*;main;' | grep -q . && bad="$bad stacks"
	grep -q '^many;_start;.*;main;.*burn_many ' o.folded || bad="$bad none"
done
kill $target
wait $target 2>/dev/null
ok "mappings rewritten while they are read: whole stacks${bad:+, but $bad}" test -z "$bad"
exits "... and recorded from the beginning" 0 "gp-record -F 499 -o o.folded -- $W/many rewrite 300 1"
has "... whole stacks" '^many;_start;.*;main;.*burn_many ' o.folded
lacks "... and no other" '^many;[^_].*;burn_many ' o.folded
done_testing
