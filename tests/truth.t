#!/bin/sh
# gp-record against programs that know their own profile: names, depths, numbers of threads, shares within
# 5 points, nothing lost, and stacks whole to their root.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0 (unprivileged.t is for the others)"
need_work
export W

# if_built PROGRAM NAME ...: hold, or a visible skip
if_built() {
	if_built_program=$1
	shift
	if [ -x "$W/$if_built_program" ]; then
		hold "$@"
	else
		skip "$1" "$if_built_program could not be built here"
	fi
}

hold "70 : 30" "-v cpu=3 -v least=900" "" "$W/shares" 1.2
has "kernel frames are marked" '_\[k\]' "$T/.profile"

for kind in static static-pie no-pie; do
	hold "$kind" "" "" "$W/shares-$kind" 0.7
done
for kind in lld mold; do
	if_built "shares-$kind" "$kind" "" "" "$W/shares-$kind" 0.7
done
hold "frame pointers, no CFI" "" "" "$W/shares-fp" 0.7

# Debug files are where packages put them, seen by the recorder alone.
cat >recorder <<'E'
unshare --mount --propagation private sh -c 'mount --bind "$W/debug" /usr/lib/debug && exec gp-record "$@"' sh "$@"
E
for kind in by-id by-link; do
	if [ -d /usr/lib/debug ] && unshare --mount true 2>/dev/null; then
		RECORDER="sh $T/recorder"
		hold "a debug file $kind" "" "" "$W/shares-$kind" 0.7
		# shellcheck disable=SC2034
		RECORDER=
	else
		skip "a debug file $kind" "no mount namespaces, or no /usr/lib/debug"
	fi
done

gp-record -F $HZ -o .profile -- "$W/shares-bare" 0.5 >/dev/null 2>.err
echo "share	[shares-bare]	100" >.truth
facts "no names at all" "" .truth .profile
lacks "no names at all: no false name" 'burn|;main;'

hold "thirty frames without frame pointers" "" "" "$W/deep" 1
if_built deep-clang "the same by clang" "" "" "$W/deep-clang" 1
hold "odd frames" "" "" "$W/frames" 1.5

hold "recursion" "" "" "$W/recurse" 0.7 500
# (Deeper than the copy and whole: deep.t.)
export GP_NO_BPF=1
hold "recursion beyond the copy" "-v marked=1 -v without=depth" "" "$W/recurse" 0.5 3000 100
has "recursion beyond the copy: said" '^recurse;\[truncated\];'
near "recursion beyond the copy: counted" "$(key truncated)" "$(key samples)" 3
unset GP_NO_BPF
hold "recursion, a larger copy" "" "--stack-size 65528" "$W/recurse" 0.7 500 100

hold "twenty threads" "" "--by thread" "$W/threads" 1.5 20
hold "two hundred threads" "" "--by thread" "$W/threads" 1.5 200
hold "threads that have just begun" "" "" "$W/newborn" 0.7
hold "C++ names" "" "" "$W/names" 1.2
if_built rust "Rust names" "" "" "$W/rust" 1.2
hold "a signal handler" "" "" "$W/signals" 1
hold "a signal handler on a stack of its own" "-v marked=1" "" "$W/signals" 1 alt
hold "dlopen, and another at its address" "" "" "$W/loading" 1.2
hold "system calls" "" "" "$W/syscalls" 1.2
hold "the vdso" "" "" "$W/clock" 0.7
hold "code without a file, that keeps a frame pointer" "" "" "$W/jit" 0.7
has "code without a file: its frame" ';call_jit;\[jit\];called_back'
hold "code without a file or frame pointer" "-v marked=1" "" "$W/jit" 0.5 bare
hold "short lives" "" "" "$W/children" 100 10
hold "vfork and exec" "" "" "$W/children" 40 20 exec

if [ -x "$W/shares-32" ]; then
	gp-record -F $HZ -o .profile -- "$W/shares-32" 0.6 >.truth 2>.err
	facts "i386" "-v marked=1 -v without=chain" .truth .profile
	has "i386: callers are one frame" '^shares-32;\[unknown:32-bit\];burn_a'
else
	skip "i386" "no gcc -m32"
fi
done_testing
