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
		lacks "mostly in the kernel: no lower frequency is advised" '-F 999' "$T/.err"
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

	# Little memory may be locked: smaller rings, the same for every CPU. By a user of its own: the kernel
	# counts what all recordings of a user have locked.
	# shellcheck disable=SC2016
	set -- sh -c 'ulimit -l 64 && exec ./gp-record -F 999 -o profile -- work/shares 0.5'
	if [ "$(id -u)" -eq 0 ]; then
		rm -f profile
		setpriv --reuid=$((100000 + $$)) --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@" \
		    >"$T/.truth" 2>"$T/.err"
		# So small that a busy machine may fill them: then it is counted.
		[ "$(($(key samples profile) + $(key lost profile)))" -ge 300 ] && pass "64 KiB of locked memory: recorded" ||
			fail "64 KiB of locked memory" - <"$T/.err"
	else
		skip "64 KiB of locked memory" "needs a user of its own"
	fi
	rm -f profile

	# Sixteen processes on few CPUs: the rings of an ordinary user hold what comes between two drains.
	# shellcheck disable=SC2016
	as_nobody "sixteen busy processes" 0 -o profile -- sh -c \
	    'i=0; while [ $i -lt 16 ]; do work/shares 0.12 >/dev/null & i=$((i + 1)); done; wait'
	[ "$(key lost profile)" = 0 ] && [ "$(key samples profile)" -ge 100 ] &&
		pass "sixteen busy processes: $(key samples profile) samples, none lost" ||
		fail "sixteen busy processes" "lost $(key lost profile), samples $(key samples profile)"

	# Threads that start while others are attached to are counted once.
	mkfifo go
	# shellcheck disable=SC2016
	nobody sh -c 'echo $$ >self; exec work/arriving' <go >"$T/.truth" &
	exec 3>go
	sleep 0.2
	echo >&3
	as_nobody "threads that arrive" 0 -q -F 999 -p "$(cat self)" --by tid -o profile
	exec 3>&-
	wait
	sed -n 's/^tid=\([0-9]*\);.* \([0-9]*\)$/sampled\t\1\t\2/p' profile | cat - "$T/.truth" | awk '
	    $1 == "sampled" { n[$2] += $3 }
	    $1 == "used" { workers++; if (n[$2] / 999 > 1.4 * $3) print "thread " $2 ": " n[$2] / 999 " s of " $3 " s" }
	    END { if (workers != 60) print workers + 0 " threads" }' >"$T/.odd"
	if [ -s "$T/.odd" ]; then fail "threads that arrive: twice" - <"$T/.odd"; else pass "threads that arrive: none twice"; fi

	# Few files may be open: the soft limit is raised, or it is said.
	# shellcheck disable=SC2016
	nobody sh -c 'ulimit -S -n 64 && exec ./gp-record -F 299 -o profile -- work/threads 0.6 100' >"$T/.truth" 2>"$T/.err"
	facts "a low soft limit of open files" "-v least=60" "$T/.truth" profile

	# Who becomes a program that may not be read is seen no more: the kernel ends the event.
	if [ "$(id -u)" -eq 0 ]; then
		cp work/shares work/unread && chmod 711 work/unread
		as_nobody "a program that may not be read" 0 -F 499 -o profile -- work/unread 0.3 quiet
		says "a program that may not be read: says why there is nothing" 'no samples: .*only root may see it'
		has "a program that may not be read: a profile all the same" '^#\{.*"samples":0,' profile
		chmod 755 work/unread
		as_nobody "the same, readable" 0 -F 499 -o profile -- work/unread 0.3 quiet
		has "the same, readable: its stacks" '^unread;_start;.*;main;burn_a' profile
	else
		skip "a program that may not be read" "needs root to make one"
	fi

	as_nobody "-e context-switches" 1 -e context-switches -o profile2 -- work/shares 0.1
	refused "-e context-switches" 'context-switches'
	[ ! -e profile2 ] && pass "-e context-switches: no file" || fail "-e context-switches: a file"

	[ "$paranoid" -lt 2 ] || as_nobody "--kernel-only" 1 --kernel-only -o profile2 -- true
	[ "$paranoid" -lt 2 ] || refused "--kernel-only" 'inside the kernel.*perf_event_paranoid=1'

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
