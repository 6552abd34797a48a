#!/bin/sh
# Many processes, threads, mappings: nothing is lost unsaid, and the recorder stays small.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

header() { sed -n 1p "$1" | grep -o "\"$2\":[^,}]*" | cut -d: -f2-; }
total() { grep -v '^#' "$1" | awk '{ n += $NF } END { print n + 0 }'; }
# below NAME FILE CPU-SECONDS KB: what recording has cost
below() {
	if ldd "$B/gp-record" | grep -q libasan; then
		skip "$1: what it cost" "built to be checked, not to be fast"
		return
	fi
	below_cpu=$(header "$2" self_cpu_s) below_kb=$(header "$2" self_rss_kb)
	if awk -v c="$below_cpu" -v k="$below_kb" -v cpu="$3" -v kb="$4" 'BEGIN { exit !(c <= cpu && k <= kb) }'; then
		pass "$1: $below_cpu s of CPU, $below_kb KB"
	else
		fail "$1: $below_cpu s of CPU, not $3; $below_kb KB, not $4"
	fi
}
# honest NAME FILE: what is in the header is in the graph
honest() { ok "$1: the header's samples are there, $(header "$2" lost) lost" test "$(header "$2" samples)" -eq "$(total "$2")"; }

exits "10,000 processes" 0 "gp-record -a --by pid -o o.folded -- $W/many fork 10000"
honest "10,000 processes" o.folded
below "10,000 processes" o.folded 2 60000
# Who was there before, and gone before anybody looked, has none.
unnamed=$(grep ';\[unnamed\];' o.folded | total /dev/stdin)
ok "10,000 processes: hardly any without a name ($unnamed samples)" test "$((unnamed * 20))" -le "$(total o.folded)"
exits "processes, an interval each 200 ms" 0 "gp-record -q -a --every 0.2 -- $W/many fork 3000 >s.folded"
ok "... summed up" test "$(gp-merge s.folded | total /dev/stdin)" -eq "$(grep '^#{' s.folded | grep -o '"samples":[0-9]*' | awk -F: '{ n += $2 } END { print n }')"
exits "processes without BPF" 0 "GP_NO_BPF=1 gp-record -o o.folded -- $W/many fork 3000"
honest "processes without BPF" o.folded
exits "fork without exec" 0 "gp-record -F 999 -o o.folded -- $W/children 200 3"
ok "fork without exec: their parent's code" sh -c "grep -q '^children;.*;burn_child' o.folded"
not "fork without exec: nothing unknown but what ends" grep -Eq '^children;\[unknown:no-mapping' o.folded

exits "2,000 threads" 0 "gp-record -F 499 --by tid -o o.folded -- $W/threads 1 2000"
honest "2,000 threads" o.folded
below "2,000 threads" o.folded 2 80000
exits "2,000 threads, attached" 0 "$W/threads 1.5 2000 0 >truth & gp-record -F 499 -d 1 -p \$! -o o.folded; wait"
honest "2,000 threads, attached" o.folded
exits "an exec from a thread" 0 "gp-record -F 999 -o o.folded -- $W/exec_thread"
ok "an exec from a thread: one process" test "$(header o.folded lost)" -eq 0 -a "$(total o.folded)" -gt 0

exits "60,000 mappings" 0 "gp-record -F 499 -o o.folded -- $W/many maps 60000 0.5"
ok "60,000 mappings: that many ($(cat .got .err | grep -x '[0-9]*'))" sh -c "cat .got .err | grep -x '[0-9]*' | awk '{ exit !(\$1 >= 60000) }'"
honest "60,000 mappings" o.folded
ok "60,000 mappings: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "60,000 mappings" o.folded 2 80000
exits "60,000 mappings, attached" 0 "$W/many maps 60000 2 >/dev/null & sleep 0.7; gp-record -F 499 -d 0.5 -p \$! -o o.folded; wait"
ok "60,000 mappings, attached: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "60,000 mappings, attached" o.folded 2 80000
exits "a flood of mprotect" 0 "gp-record -F 499 -o o.folded -- $W/many jit 300000 0.5"
honest "a flood of mprotect" o.folded
ok "a flood of mprotect: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "a flood of mprotect" o.folded 2 60000

# Few descriptors: what cannot be opened is said.
exits "few file descriptors" 0 "ulimit -n 24; gp-record -a -d 0.5 -F 499 -o o.folded"
honest "few file descriptors" o.folded
if [ "$(grep -c 'no-file' o.folded)" -gt 0 ]; then
	says "few file descriptors: said" 'ulimit -n'
fi

# --- groups
for type in cgroup2 cgroup; do
	root=$(awk -v type=$type '$3 == type && ($3 == "cgroup2" || $4 ~ /memory|pids|cpu/) { print $2; exit }' /proc/self/mounts)
	id=$(printf '%064d' 7 | tr 0 a)
	group=gp-many-$$
	if [ -z "$root" ] || ! mkdir -p "$root/$group/docker-$id.scope/below/deeper" 2>/dev/null; then
		skip "containers of $type" "there is none to write to"
		continue
	fi
	sh -c "echo \$\$ >$root/$group/docker-$id.scope/below/deeper/cgroup.procs && exec $W/shares 4 quiet" & inside=$!
	$W/shares 4 quiet & outside=$!
	sleep 0.3
	exits "$type: -G of a group three above" 0 "gp-record -G /$group --by container,pid -d 0.5 -F 499 -o o.folded"
	ok "$type: its task, and its container by the path" grep -q "^container=aaaaaaaaaaaa;pid=$inside;shares;" o.folded
	not "$type: nobody else" sh -c "grep -v '^#' o.folded | grep -qv ';pid=$inside;'"
	exits "$type: --by container of the machine" 0 "gp-record -a --by container,pid -d 0.5 -F 499 -o o.folded"
	ok "$type: in a container" grep -q "^container=aaaaaaaaaaaa;pid=$inside;" o.folded
	ok "$type: and in none" grep -q "^container=\[host\];pid=$outside;" o.folded
	kill $inside $outside
	wait $inside $outside 2>/dev/null
	sh -c "echo \$\$ >$root/$group/docker-$id.scope/below/deeper/cgroup.procs && exec $W/children 4000 0.2" >/dev/null & inside=$!
	sleep 0.2
	exits "$type: short lives in a container" 0 "gp-record -a --by container -d 0.5 -F 999 -o o.folded"
	ok "$type: in it" grep -q "^container=aaaaaaaaaaaa;children;" o.folded
	not "$type: none elsewhere" grep -Eq "^container=(\[host\]|\[unknown\]);children;" o.folded
	kill $inside
	wait $inside 2>/dev/null
	sleep 0.1
	rmdir "$root/$group/docker-$id.scope/below/deeper" "$root/$group/docker-$id.scope/below" \
		"$root/$group/docker-$id.scope" "$root/$group"
done
if unshare -p -f true 2>/dev/null; then
	unshare -p -f "$W/shares" 3 quiet & one=$!
	sleep 0.3
	exits "a pid namespace of its own" 0 "gp-record -a --by container -d 0.5 -F 499 -o o.folded"
	ok "... is a container without a name" grep -Eq '^container=pid-ns-[0-9]+;shares;' o.folded
	kill "$(pgrep -P $one)"
	wait $one 2>/dev/null
else
	skip "a pid namespace of its own" "no unshare -p"
fi
done_testing
