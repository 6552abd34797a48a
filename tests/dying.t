#!/bin/sh
# Threads and processes that end while they are looked at: short threads by the thousand, ended deep in their stacks or
# killed, and threads that outlive their leader. Nothing is lost unsaid, and names are right to the end.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
need_work

hold "threads of half a millisecond" "" "--by thread" "$W/dying" brief 0.6
short=$(sed -n 's/^threads //p' "$T/.err")
ok "... $short of them" test "$short" -gt 1000
lacks "... under their own names" '^thread=dying;.*;burn_leaf'
has "... those that return" '^thread=returning;dying;.*;live_briefly;(burn_deep;)*burn_leaf'
has "... those that end deep in their stack" '^thread=thrown;dying;.*;live_briefly;(burn_deep;)*burn_leaf'
has "... by the C library's unwinding of it" '^thread=thrown;dying;.*;burn_deep;(__)?pthread_exit'
hold "their numbers" "" "--by tid" "$W/dying" brief 0.3
lacks "... are numbers, or have been" '^tid=(4294967295|0)?;'
GP_NO_BPF=1 hold "the same without BPF" "-v marked=1" "" "$W/dying" brief 0.4
hold "processes killed in the midst of it" "" "--by thread" "$W/dying" killed 0.4
has "... their threads" '^thread=busy;dying;.*;live_on;burn_on'
hold "processes that one of their threads ends" "" "" "$W/dying" leaving 0.4

# ---- the leader gone before the others
hold "generations of threads after their leader" "" "--by thread" "$W/dying" leaderless 0.6
lacks "... under their own names" '^thread=dying;.*;burn_leaf'
# To them it is attached; their file is not at its path any more, or was never to be seen from here.
mkdir apart
cp "$W/leader" gone
cat >apart.sh <<'S'
mount -t tmpfs none apart && cp "$1" apart/gone && exec apart/gone 2
S
attach() {
	until [ "$(state "$target")" = Z ]; do sleep 0.02; done
	sleep 0.05 # it says that it is alone a little later
	[ "$1" != deleted ] || rm gone
	gp-record -q -F $HZ -p "$target" -d 0.5 --by thread -o "$T/.profile" 2>"$T/.err"
	has "attached to those whose leader is gone, $1" '^thread=orphan;gone;(__)?clone3?;start_thread;go_on;burn_alone'
	lacks "... and its names are all there" '^thread=orphan;gone;.*(\[unknown|\[gone|\[truncated)'
	kill "$target"
	wait "$target" 2>/dev/null
}
./gone 2 >/dev/null &
target=$!
attach deleted
if unshare -m true 2>/dev/null; then
	unshare -m sh apart.sh "$W/leader" >/dev/null &
	target=$!
	until [ "$(cat /proc/$target/comm)" = gone ]; do sleep 0.02; done
	attach "in mounts of their own"
else
	skip "in mounts of their own" "no unshare -m"
fi
# The leader alone is nobody.
"$W/leader" 1 >/dev/null &
target=$!
until [ "$(state $target)" = Z ]; do sleep 0.02; done
exits "the leader alone, by its number as a thread" 0 "gp-record -F $HZ -t $target -d 5 -o none.folded"
says "... is said to have run nothing" 'no samples'
kill $target
wait $target 2>/dev/null

# As an ordinary user, by its threads' own events.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] && { [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null; }; then
	public
	cd open || exit 1
	cat >attach.sh <<-'S'
		./work/leader 2 >/dev/null &
		sleep 0.2
		./gp-record -q -F 999 -p $! -d 0.5 -o nobody.folded
		kill $!
	S
	nobody sh attach.sh
	has "an ordinary user, attached to his own" '^leader;(__)?clone3?;start_thread;go_on;burn_alone' nobody.folded
else
	skip "an ordinary user" "perf_event_paranoid or no setpriv"
fi
done_testing
