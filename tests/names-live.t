#!/bin/sh
# What processes are called while they live, end, rename themselves and become others.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
need_work

hold "the leader has exited" "" "--by thread" "$W/leader" 0.7
hold "a thread execs" "" "" "$W/exec_thread" 1
hold "renamed" "" "--by thread" "$W/rename" 1
hold "short lives that exec" "" "" "$W/children" 30 20 exec
lacks "no process of the recorder's name" '^gp-record;.*burn'

ld=$(readelf -l "$W/shares" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
hold "through ld.so" "" "" "$ld" "$W/shares" 0.7
has "through ld.so: by its own name" '^shares;'
lacks "through ld.so: not by ld.so's" '^ld-linux[^;]*;.*;main;' # before it has mapped the program nobody can know

# Found by /proc: a process that was there before.
"$W/leader" 0.8 >.truth &
target=$!
sleep 0.1
gp-record -F $HZ -p $target -o .profile 2>.err
wait $target
grep share .truth >.share
facts "attached after the leader's exit" "" .share .profile
has "attached after the leader's exit: the name" '^(leader|orphan);'

"$W/threads" 2.5 20 >.truth &
target=$!
sleep 0.1
gp-record -F $HZ -p $target --by pid,thread -o .profile 2>.err
echo "threads	worker-	20" >.truth
facts "attached to twenty threads" "" .truth .profile
has "labels in the order typed" "^pid=$target;thread=worker-0[01][0-9];threads;"
wait $target 2>/dev/null

"$W/threads" 3 20 >/dev/null &
target=$!
sleep 0.2
for task in /proc/$target/task/*; do
	[ "$(cat "$task/comm")" = worker-000 ] && tid=${task##*/}
done
gp-record -F $HZ -t "$tid" -d 0.6 --by tid,thread -o .profile 2>.err
kill $target
has "-t: that thread" "^tid=$tid;thread=worker-000;threads;"
lacks "-t: and no other" 'thread=worker-0(0[1-9]|1)'
wait $target 2>/dev/null

# The file is replaced and deleted while it runs: its own names stay.
cp "$W/shares" old
./old 2 >/dev/null &
target=$!
sleep 0.2
cp "$W/deep" new && mv new old
gp-record -F $HZ -p $target -d 0.5 -o .profile 2>.err
rm old
gp-record -F $HZ -p $target -d 0.5 -o .profile2 2>.err
wait $target
has "the file was replaced: names of the one that runs" '^old;_start;.*;main;burn_a'
has "the file was deleted: the same" '^old;_start;.*;main;burn_a' .profile2

# Labels, in the order typed but for time.
"$W/shares" 3 >/dev/null &
target=$!
sleep 0.1
gp-record -F $HZ -a -d 0.6 --by host,cpu,pid,time=200ms -o .profile 2>.err
has "labels: time first, then as typed" "^time=00000[01]\.[0-9]*;host=[^;]*;cpu=[0-9]+;pid=$target;shares;_start;.*;main;burn_a"
is "labels: three slices" "grep pid=$target .profile | cut -d';' -f1 | sort -u | head -3" <<'E'
time=000000.000
time=000000.200
time=000000.400
E
lacks "idle is left out" '(^|;)swapper'
kill $target
wait $target 2>/dev/null

# Another pid and mount namespace: the program is not where its path says, for us.
mkdir -p inside/bin
if unshare --mount --pid --fork true 2>/dev/null; then
	cat >inner <<-E
		mount --bind "$W" inside/bin && exec inside/bin/shares 1
	E
	unshare --mount --propagation private --pid --fork sh inner >/dev/null 2>&1 &
	sleep 0.3
	gp-record -F $HZ -a -d 0.6 -o .profile 2>.err
	wait
	has "a process of an inner pid and mount namespace" '^shares;_start;.*;main;burn_a'

	"$W/shares" 2 >/dev/null &
	target=$!
	# shellcheck disable=SC2016
	unshare --pid --fork --mount-proc sh -c 'gp-record -F 999 -a -d 0.7 -o "$1"' sh "$T/.profile" 2>.err
	kill $target
	has "from an inner pid namespace, those outside are one frame" '(^|;)\[other-pid-namespace\]'
	lacks "and have no wrong name" '^shares;'
	wait $target 2>/dev/null
else
	skip "namespaces" "unshare is not allowed here"
fi

# A cgroup, v2 or by its tasks' membership.
for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/cpu /sys/fs/cgroup/pids; do
	group=$root/gp-test-$$
	[ -w $root/cgroup.procs ] && mkdir $group 2>/dev/null || continue
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" 2' sh $group "$W/shares" >/dev/null 2>&1 &
	target=$!
	"$W/deep" 2 >/dev/null &
	other=$!
	sleep 0.2
	gp-record -F $HZ -G $group -d 0.6 -o .profile 2>.err
	if [ "$(state $target)" = gone ]; then
		skip "-G $root" "no process may enter it"
	else
		has "-G $root: its process" '^shares;_start;.*;main;burn_a'
		lacks "-G $root: no other" '^deep;'
	fi
	kill $target $other 2>/dev/null
	wait $target $other 2>/dev/null
	rmdir $group
done

# Processes that were there before, and end soon: ten looks at the first moments. Those of others are not counted.
: >.ours
sh -c 'trap "exit 0" TERM; while :; do "$B/work/shares" 0.06 >/dev/null & echo $! >>.ours; wait; done' &
loop=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	gp-record -q -F $HZ -a --by pid -d 0.3 -o .look
	sed '1d; s/^pid=//' .look | awk -F '[; ]' 'NR == FNR { ours[$1]; next }
		$1 in ours { n += $NF; unnamed += $2 == "[unnamed]" ? $NF : 0 } END { print n + 0, unnamed + 0 }' .ours -
done >.looks
kill $loop
wait $loop 2>/dev/null
seen=$(awk '{ n += $1; u += $2 } END { print n + 0, u + 0 }' .looks)
ok "short processes that were there before: of ${seen% *} samples ${seen#* } without a name" \
	test "${seen% *}" -gt 100 -a "${seen#* }" -lt "$((${seen% *} / 10))"
done_testing
