#!/bin/sh
# Bad days of a recording: one clear message, the right status, nothing hung, nothing left behind.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
may_record_machine || [ "$paranoid" -le 2 ] || skip_all "perf_event_paranoid is $paranoid"
export W
mkdir w
cd w || exit 1

# left NAME: no child, no temporary file but what the test itself asked for.
left() {
	left_children=$(offspring)
	left_files=$(find . -maxdepth 1 -type f ! -name out ! -name started)
	if [ "$left_children" -eq 0 ] && [ -z "$left_files" ]; then
		pass "$1: nothing left behind"
	else
		fail "$1: left behind" "children: $left_children, files: $left_files"
	fi
	rm -f out started
}

# one_line NAME: stderr is short, and every line is ours
one_line() {
	if [ "$(wc -l <../.err)" -le 3 ] && ! grep -vq '^gp-record: ' ../.err && [ -s ../.err ]; then
		pass "$1: said shortly"
	else
		fail "$1: what was said" - <../.err
	fi
}

# --- statuses of commands
exits "a command's own status" 7 'gp-record -q -o out -- sh -c "exit 7"'
has "a command that failed: a profile all the same" '^#\{"gp":1' out
exits "a command that a signal ended" 139 'gp-record -q -o out -- sh -c "kill -SEGV \$\$"'
has "a command that died: a profile all the same" '^#\{"gp":1' out
exits "a command killed" 137 'gp-record -q -o out -- sh -c "kill -KILL \$\$"'
exits "started by one who ignores SIGCHLD" 7 'env --ignore-signal=CHLD gp-record -q -o out -- sh -c "exit 7"'
left "dying commands"
exits "no such command" 127 'gp-record -o out -- ./not-there'
one_line "no such command"
says "no such command: its name" 'not-there'
[ ! -e out ] && pass "no such command: no file" || fail "no such command: a file" - <out
: >out.txt
exits "a file that is no program" 126 'gp-record -o out -- ./out.txt'
one_line "a file that is no program"
rm -f out.txt
left "commands that cannot run"

# --- targets
gone=$(sh -c 'echo $$')
exits "a pid that does not exist" 1 "gp-record -o out -p $gone -d 1"
one_line "a pid that does not exist"
says "a pid that does not exist: which" "$gone"
[ ! -e out ] && pass "a pid that does not exist: no file" || fail "a pid that does not exist: a file"
exits "a thread that does not exist" 1 "gp-record -o out -t $gone -d 1"
exits "a cgroup that does not exist" 1 'gp-record -o out -G /sys/fs/cgroup/not-there -d 1'
one_line "a cgroup that does not exist"
exits "a pid that is no number" 2 'gp-record -p none'
left "no target"

sleep 30 &
idle=$!
exits "an idle target" 0 "gp-record -p $idle -d 0.3 -o out"
has "an idle target: a header" '^#\{"gp":1' out
[ "$(wc -l <out)" -eq 1 ] && pass "an idle target: no stacks" || fail "an idle target: stacks" - <out
says "an idle target: a hint" '.'
kill $idle
wait $idle 2>/dev/null
"$W/shares" 60 >/dev/null &
stopped=$!
kill -STOP $stopped
exits "a stopped target" 0 "gp-record -p $stopped -d 0.3 -o out"
has "a stopped target: a header" '^#\{"gp":1' out
says "a stopped target: a hint" '.'
[ "$(state $stopped)" = T ] && pass "a stopped target: still stopped" || fail "a stopped target: $(state $stopped)"
kill -CONT $stopped
gp-record -p $stopped -d 0.5 -o out 2>../.err &
recorder=$!
sleep 0.25
[ "$(state $stopped)" = R ] && pass "a target runs on" || fail "a target: $(state $stopped)"
grep -q '^TracerPid:.0$' /proc/$stopped/status && pass "a target is not traced" || fail "a target is traced"
wait $recorder
[ "$(state $stopped)" = R ] && pass "a target runs on afterwards" || fail "a target: $(state $stopped)"
kill -KILL $stopped
wait $stopped 2>/dev/null
left "idle and stopped targets"

bad=0
for delay in 0 0.003 0.01 0.02 0.04 0.08; do
	"$W/shares" 60 >/dev/null &
	target=$!
	{ sleep $delay; kill -KILL $target; } &
	timeout 10 gp-record -p $target -d 5 -o out 2>../.err
	status=$?
	# Not there any more is 1, ended early is a profile.
	case $status in
	0) grep -q '^#{"gp":1' out ;;
	1) grep -q "$target" ../.err ;;
	*) false ;;
	esac || { bad=$((bad + 1)) && cp ../.err ../.bad; }
	wait 2>/dev/null
done
[ $bad -eq 0 ] && pass "a target ends at any moment" || fail "a target ended: $bad times wrong" - <../.bad
left "ending targets"

exits "a target ends, so does the recording" 0 "timeout 10 sh -c '\"\$W/shares\" 0.3 >/dev/null & gp-record -p \$! -o out'"
left "a target that ends"

# --- the kernel's names are hidden: without CAP_SYSLOG /proc/kallsyms shows zeros
zeros() {
	setpriv --bounding-set=-syslog --inh-caps=-syslog -- "$@"
}
if may_record_machine && [ "$(zeros head -1 /proc/kallsyms 2>/dev/null | cut -c1-16)" = 0000000000000000 ]; then
	GP_NO_BPF=1 zeros gp-record -F 999 -o out -- "$W/syscalls" 0.5 >/dev/null 2>../.err
	says "hidden names: kptr_restrict or the capability is named" 'kptr_restrict|CAP_SYSLOG'
	has "hidden names: the user side is named" '^syscalls;_start;.*;main;read_zeros' out
	has "hidden names: the kernel's frames are there" '_\[k\] [0-9]+$' out
	lacks "hidden names: no false names" 'startup_64|_text_|fixed_percpu_data' out
	has "hidden names: in the notes" '"notes":\[[^]]*kernel' out
	left "hidden names"
else
	skip "hidden names" "the kernel's names cannot be hidden here"
fi

# --- things that are short
if [ "$(id -u)" -eq 0 ] && unshare -m sh -c 'mount --bind /dev/null /proc/kallsyms' 2>/dev/null; then
	exits "no /proc/kallsyms" 0 'unshare -m sh -c "mount --bind /dev/null /proc/kallsyms
		GP_NO_BPF=1 gp-record -F 999 -o out -- \"\$W/syscalls\" 0.3 >/dev/null"'
	says "no /proc/kallsyms: it is said" 'kernel .*kallsyms'
	has "no /proc/kallsyms: in the notes" '"notes":\[[^]]*kallsyms' out
else
	skip "no /proc/kallsyms" "it cannot be hidden here"
fi
# How many it takes to record, and no more.
few=6
until sh -c "ulimit -n $few; exec gp-record -q -o out -- true" 2>/dev/null || [ $few -gt 60 ]; do few=$((few + 1)); done
ok "it records with few open files ($few)" test $few -le $((8 + 3 * $(nproc)))
exits "few open files" 0 "ulimit -n $few; gp-record -F 999 -o out -- sh -c '
	for p in shares rename syscalls recurse deep signals stacks; do \$W/\$p 0.3 & done; wait' >/dev/null"
if grep -Eq '\[unknown:no-file\]' out || grep -q 'ulimit -n' ../.err; then
	says "few open files: it is said" 'ulimit -n'
	has "few open files: in the notes" '"notes":\[[^]]*not\\u0020opened' out
else # those that are free are enough, one after another
	has "few open files: the programs have their names" '^shares;_start;.*;main;burn_a' out
	lacks "few open files: nothing is without" ';\[(shares|rename|syscalls|recurse|deep|signals|stacks)\] ' out
fi
left "things that are short"

# --- outputs
long=$(printf '%0256d' 7)
ln -s ring ring
for where in /dev/full ./not-there/out . "''" "$long" ring; do
	case $where in
	/dev/full) exits "-o $where" 1 "gp-record -o $where -- true" ;;
	*)
		exits "-o $where" 1 "gp-record -o $where -- sh -c '>started'"
		[ ! -e started ] && pass "-o $where: found before the command starts" || fail "-o $where: the command was started"
		;;
	esac
	one_line "-o $where"
done
rm ring
exits "-o with as long a name as there may be" 0 "gp-record -o ${long#?} -- true"
ok "-o with as long a name as there may be: it is there" mv "${long#?}" out
left "outputs that cannot be"
exits "stdout is full" 1 'gp-record -d 0.2 -- sleep 0.1 >/dev/full'
exits "stdout is closed" 1 'gp-record -- sleep 0.1 >&-'
says "stdout is closed: says so" '.'
exits "stdin is closed" 0 'gp-record -o out -- true <&-'
exits "stderr is closed" 0 'gp-record -o out -- true 2>&-'
exits "all are closed" 0 'gp-record -o out -- true <&- >&- 2>&-'
has "all are closed: a profile" '^#\{"gp":1' out
if gp-record -q -e cycles -o out -- true 2>../.err; then
	skip "what cannot be recorded is not started" "this machine counts cycles"
else # our words must not become the command's sign to go
	exits "stdout and stderr are closed, and the event cannot be had" 1 \
		'gp-record -e cycles -o out -- sh -c ">started" >&- 2>&-'
	sleep 0.2
	[ ! -e started ] && pass "what cannot be recorded is not started" || fail "what cannot be recorded was started"
fi
exits "stderr is closed for the command too" 0 'gp-record -o out -- sh -c "! echo to >&2" 2>&-'
exits "a reader that goes away" 0 'gp-record -- sleep 0.1 | true'
left "outputs"
mkdir -p small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k none small 2>/dev/null; then
	echo before >small/out
	dd if=/dev/zero of=small/filler bs=1k count=100 2>/dev/null
	exits "a full disk" 1 'gp-record -F 999 -o small/out -- "$W/deep" 0.3 >/dev/null'
	one_line "a full disk"
	[ "$(cat small/out)" = before ] && [ "$(find small -type f | wc -l)" -eq 2 ] &&
		pass "a full disk: the old file stays, no other" || fail "a full disk: the files" "$(ls -la small)"
	umount small
else
	skip "a full disk" "needs root to mount one"
fi
echo old >real
ln -s real link
chmod 640 real
exits "-o a symbolic link" 0 'gp-record -o link -- true'
[ -L link ] && [ "$(stat -c %a real)" = 640 ] && grep -q '^#{"gp":1' real && pass "-o a link: followed, mode kept" ||
	fail "-o a link" "$(ls -la)"
rm -f link real
exits "-o beside files called like ours" 0 'echo mine >near.$$; echo mine >near.$$.0; exec gp-record -o near -- true'
[ "$(cat near.*)" = "mine
mine" ] && pass "-o: they stay" || fail "-o: they do not stay" "$(ls)"
rm -f near near.*
exits "called by a name longer than a line" 2 "perl -e 'exec { \$ARGV[0] } \"x\" x 3000, \"--nope\"' \$(command -v gp-record)"
says "called by a long name: the reason all the same" 'unknown option --nope'
exits "-o a device" 0 'gp-record -o /dev/null -- true'
[ -c /dev/null ] && pass "-o /dev/null stays a device" || fail "/dev/null is none any more"

# --- commands that print much
exits "much on stdout" 0 'gp-record -o out -- head -c 30000000 /dev/zero | wc -c >../.count'
is "much on stdout: all of it" "cat ../.count" <<-E
	30000000
E
exits "much on stdout, and the profile there too" 0 'gp-record -- head -c 3000000 /dev/zero >out'
if [ "$(tr -d '\000' <../.err | wc -c)" -lt 2000 ] && [ "$(wc -c <../.err)" -ge 3000000 ] && grep -q '^#{"gp":1' out; then
	pass "much on stdout: went to stderr"
else
	fail "much on stdout: stderr has $(wc -c <../.err) bytes"
fi
left "much output"

# --- people in a hurry: SIGINT at any moment, to the recorder alone (as kill does)
sleep 60 &
idle=$!
bad=0
for delay in 0.001 0.002 0.004 0.006 0.01 0.015 0.02 0.03 0.05 0.1 0.2; do
	rm -f out
	timeout --foreground --preserve-status -k 5 -s INT $delay gp-record -o out -d 20 -p $idle 2>../.err
	status=$?
	# Before it could set up: 130 and no file. Then: what it has, whole.
	if [ $status -eq 130 ] && [ ! -e out ]; then :
	elif [ $status -eq 0 ] && [ "$(tail -c 1 out | wc -l)" -eq 1 ] && grep -q '^#{"gp":1' out; then :
	else
		bad=$((bad + 1))
		{ echo "after $delay s: status $status"; cat ../.err; ls; } >>../.bad-int
	fi
done
if [ $bad -eq 0 ]; then pass "SIGINT at any moment"; else fail "SIGINT at any moment: $bad times wrong" - <../.bad-int; fi
kill $idle
wait $idle 2>/dev/null
left "SIGINT"
bad=0
for delay in 0.002 0.005 0.01 0.015 0.03 0.06 0.12; do
	rm -f out
	timeout --foreground --preserve-status -k 5 -s INT $delay gp-record -o out -- sleep 20 2>../.err
	status=$?
	[ $status -eq 130 ] || { bad=$((bad + 1)); { echo "after $delay s: $status"; cat ../.err; } >>../.bad-command; }
done
if [ $bad -eq 0 ]; then pass "SIGINT goes on to the command"; else fail "SIGINT to a command" - <../.bad-command; fi
rm -f out
env --default-signal=INT gp-record -o out -- sleep 20 2>../.err &
recorder=$!
listening $recorder
tries=0
until [ "$(pgrep -c -x -P $recorder sleep)" -gt 0 ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
kill -INT $recorder
wait $recorder
ok "SIGINT to a command that runs: its status" test $? -eq 130
has "SIGINT to a command: a profile" '^#\{"gp":1' out
left "SIGINT and a command"
sleep 60 &
idle=$!
gp-record -o out -d 20 -p $idle 2>../.err &
recorder=$!
listening $recorder
kill -TERM $recorder
ok "SIGTERM" wait $recorder
has "SIGTERM: a profile" '^#\{"gp":1' out
# Twice: it gives up at once.
env --default-signal=INT gp-record -o out2 -d 20 -p $idle 2>../.err &
recorder=$!
listening $recorder
kill -INT $recorder
kill -INT $recorder
wait $recorder
status=$?
# The second may come after it has written all.
case $status in
130) [ ! -e out2 ] ;;
0) grep -q '^#{"gp":1' out2 ;;
*) false ;;
esac && pass "SIGINT twice" || fail "SIGINT twice: status $status" - <../.err
rm -f out2
kill $idle
wait $idle 2>/dev/null
cat >../.stubborn <<'E'
trap : INT TERM
echo >started
for i in 1 2 3 4 5 6; do sleep 0.1; done
exit 5
E
exits "a command that does not listen is waited for" 5 \
	'timeout --foreground --preserve-status -s INT 0.3 gp-record -o out -- sh ../.stubborn'
exits "-d ends the recording, not the command" 0 'gp-record -o out -d 0.1 -- sh -c "sleep 0.5; echo >started"'
if [ -e started ]; then pass "-d: the command came to its end"; else fail "-d: the command was ended"; fi
left "the command goes on"

# A recorder that is killed: its command goes on, no half file stays.
gp-record -o out -- sh -c 'sleep 0.5; echo >started' 2>/dev/null &
recorder=$!
sleep 0.3
kill -KILL $recorder
wait $recorder 2>/dev/null
if [ ! -e out ]; then pass "killed: no half file"; else fail "killed: a file" - <out; fi
rm -f out.?????? # nobody is there to remove it
sleep 0.5
if [ -e started ]; then pass "killed: its command goes on"; else fail "killed: its command ended"; fi
left "killed"
done_testing
