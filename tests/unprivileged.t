#!/bin/sh
# An ordinary user: own processes, the user side only, and clear words where the kernel says no.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
public
cd open || exit 1

# as_nobody NAME STATUS [gp-record's arguments]: stdout is in .got, stderr in .err
as_nobody() {
	as_nobody_name=$1 as_nobody_want=$2
	shift 2
	nobody ./gp-record "$@" >"$T/.got" 2>"$T/.err"
	as_nobody_got=$?
	if [ "$as_nobody_got" -eq "$as_nobody_want" ]; then
		pass "$as_nobody_name: status $as_nobody_want"
	else
		fail "$as_nobody_name: status $as_nobody_got, not $as_nobody_want" - <"$T/.err"
	fi
}

# refused NAME PATTERN: nothing on stdout, a reason on stderr
refused() {
	[ ! -s "$T/.got" ] && pass "$1: no profile" || fail "$1: a profile" - <"$T/.got"
	says "$1: says why" "$2"
}

if [ "$paranoid" -gt 2 ]; then
	skip "own processes" "perf_event_paranoid is $paranoid"
else
	as_nobody "own command" 0 -F $HZ -o profile -- work/shares 1
	facts "own command" "-v least=700" "$T/.got" profile
	[ "$paranoid" -lt 2 ] || lacks "user side only: no kernel frames" '_\[k\]' profile
	[ "$paranoid" -lt 2 ] || has "user side only: in the notes" '"notes":\[[^]]*user' profile
	has "own command: its stdout is its own" '^share	burn_a' "$T/.got"

	as_nobody "to stdout" 0 -F $HZ -- work/shares 0.3
	has "to stdout: the profile" '^shares;_start;.*burn_a [0-9]+$' "$T/.got"
	has "to stdout: what the command prints goes to stderr" '^share	burn_a' "$T/.err"

	as_nobody "mostly in the kernel" 0 -F $HZ -o profile -- work/syscalls 1
	if [ "$paranoid" -eq 2 ]; then
		says "mostly in the kernel: says what share could be seen" '[0-9] ?%'
		if awk -v s="$(key sampled_s profile)" -v c="$(key cpu_s profile)" \
		    'BEGIN { exit !(c > 0.9 && s > 0.05 * c && s < 0.7 * c) }'; then
			pass "mostly in the kernel: sampled_s against cpu_s"
		else
			fail "mostly in the kernel: sampled_s $(key sampled_s profile), cpu_s $(key cpu_s profile)"
		fi
	fi

	# shellcheck disable=SC2016
	nobody sh -c 'work/threads 2 20 >/dev/null & sleep 0.1; ./gp-record -F 999 -p $! --by thread -o profile' \
	    2>"$T/.err"
	echo "threads	worker-	20" >"$T/.truth"
	facts "own process, attached" "" "$T/.truth" profile

	# Little memory may be locked: smaller rings, or the word for it.
	# shellcheck disable=SC2016
	nobody sh -c 'ulimit -l 64 && exec ./gp-record -F 999 -o profile -- work/shares 0.5' >"$T/.truth" 2>"$T/.err"
	locked=$?
	if [ $locked -eq 0 ]; then
		facts "64 KiB of locked memory" "" "$T/.truth" profile
	else
		says "64 KiB of locked memory: says so" 'ulimit -l|mlock|memlock|locked'
	fi

	# Few files may be open: the soft limit is raised, or it is said.
	# shellcheck disable=SC2016
	nobody sh -c 'ulimit -S -n 64 && exec ./gp-record -F 999 -o profile -- work/threads 0.6 100' >"$T/.truth" 2>"$T/.err"
	facts "a low soft limit of open files" "-v least=250" "$T/.truth" profile

	as_nobody "-e context-switches" 1 -e context-switches -o profile2 -- work/shares 0.1
	refused "-e context-switches" 'context-switches'
	[ ! -e profile2 ] && pass "-e context-switches: no file" || fail "-e context-switches: a file"

	as_nobody "the whole machine" 1 -a -d 0.1
	refused "the whole machine" 'kernel\.perf_event_paranoid'
	says "the whole machine: or the capability" '[Cc][Aa][Pp]_PERFMON'
	as_nobody "no target" 1 -d 0.1
	refused "no target" '-p |-- '
	as_nobody "another's process" 1 -p 1 -d 0.1
	refused "another's process" '(process|pid) 1\b|-p 1\b'
fi

# perf_event_paranoid 3, where even own processes are refused.
nobody work/deny-perf ./gp-record -o profile3 -- sh -c '>open-started' >"$T/.got" 2>"$T/.err"
denied=$?
[ $denied -eq 1 ] && pass "refused by the kernel: status 1" || fail "refused by the kernel: status $denied" - <"$T/.err"
refused "refused by the kernel" 'sysctl.*kernel\.perf_event_paranoid=[0-9-]+'
[ ! -e profile3 ] && [ ! -e open-started ] && pass "refused: nothing started, no file" ||
	fail "refused: something was started or left" "$(ls)"
nobody sleep 5 &
sleeper=$!
nobody work/deny-perf ./gp-record -p $sleeper -d 0.1 >"$T/.got" 2>"$T/.err"
[ $? -eq 1 ] && pass "refused, -p: status 1" || fail "refused, -p: status" - <"$T/.err"
refused "refused, -p" 'kernel\.perf_event_paranoid'
kill $sleeper
wait $sleeper 2>/dev/null
if [ "$(id -u)" -eq 0 ]; then
	"$W/deny-perf" gp-record -a -d 0.1 >"$T/.got" 2>"$T/.err"
	[ $? -eq 1 ] && pass "refused, root: status 1" || fail "refused, root: status" - <"$T/.err"
	refused "refused, root" 'perf_event_open|seccomp|perf_event_paranoid'
fi
done_testing
