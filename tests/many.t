#!/bin/sh
# Many processes, threads, mappings: nothing is lost unsaid, and the recorder stays small.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

header() { sed -n 1p "$1" | grep -o "\"$2\":[^,}]*" | cut -d: -f2-; }
total() { grep -v '^#' "$1" | awk '{ n += $NF } END { print n + 0 }'; }
# below NAME FILE [PERCENT [MORE]]: it has cost no more than twice what README.md's bars allow where nothing is many: 0.15 % of
# each busy core at 99 Hz (without BPF 0.25), 125 ms to begin and to name, 32 MB; and MORE seconds.
below() {
	if ldd "$B/gp-record" | grep -q libasan; then
		skip "$1: what it cost" "built to be checked, not to be fast"
		return
	fi
	below_cpu=$(header "$2" self_cpu_s) below_kb=$(header "$2" self_rss_kb)
	below_most=$(awk -v busy="$(header "$2" sampled_s)" -v hz="$(header "$2" freq_hz)" -v percent="${3-0.15}" \
		-v more="${4-0}" 'BEGIN { printf "%.3f", 2 * (busy * hz / 99 * percent / 100 + 0.125 + more) }')
	if awk -v c="$below_cpu" -v k="$below_kb" -v cpu="$below_most" 'BEGIN { exit !(c <= cpu && k <= 65536) }'; then
		pass "$1: $below_cpu s of CPU, of $below_most; $below_kb KB"
	else
		fail "$1: $below_cpu s of CPU, of $below_most; $below_kb KB, of 65536"
	fi
}
# honest NAME FILE: what is in the header is in the graph; and with what was lost it is the CPU time that the kernel counted,
# as far as chance lets so many samples tell.
honest() {
	ok "$1: the header's samples are there, $(header "$2" lost) lost" test "$(header "$2" samples)" -eq "$(total "$2")"
	honest_cpu=$(header "$2" cpu_s)
	[ -z "$honest_cpu" ] || ok "$1: samples and lost ones are what was used ($honest_cpu s)" awk -v samples="$(header "$2" samples)" \
		-v n="$(($(header "$2" samples) + $(header "$2" lost)))" -v ns="$(header "$2" period_ns)" -v cpu="$honest_cpu" \
		'BEGIN { off = 0.05 + 3 / sqrt(n + 1); exit !(n * ns / 1e9 >= cpu * (1 - off) && samples * ns / 1e9 <= cpu * (1 + off)) }'
}

exits "10,000 processes" 0 "gp-record -a --by pid -o o.folded -- $W/many fork 10000"
honest "10,000 processes" o.folded
below "10,000 processes" o.folded
# Who was there before, and gone before anybody looked, has none.
unnamed=$(grep ';\[unnamed\];' o.folded | total /dev/stdin)
ok "10,000 processes: hardly any without a name ($unnamed samples)" test "$((unnamed * 20))" -le "$(total o.folded)"
exits "processes, an interval each 200 ms" 0 "gp-record -q -a --every 0.2 -- $W/many fork 3000 >s.folded"
ok "... summed up" test "$(gp-merge s.folded | total /dev/stdin)" -eq "$(grep '^#{' s.folded | grep -o '"samples":[0-9]*' | awk -F: '{ n += $2 } END { print n }')"
exits "processes without BPF" 0 "GP_NO_BPF=1 gp-record -o o.folded -- $W/many fork 3000"
honest "processes without BPF" o.folded
below "processes without BPF" o.folded 0.25
exits "fork without exec" 0 "gp-record -F 999 -o o.folded -- $W/children 200 3"
ok "fork without exec: their parent's code" sh -c "grep -q '^children;.*;burn_child' o.folded"
not "fork without exec: nothing unknown but what ends" grep -Eq '^children;\[unknown:no-mapping' o.folded

exits "commands that begin" 0 "for i in 1 2 3 4 5 6 7 8; do gp-record -q -F 9999 -o begin.\$i -- true; done"
ok "commands that begin: in execve they are [exec]" sh -c 'cat begin.* | grep -q "^true;\[exec\];.*_sys_execve"'
not "... and not unknown, though nobody has the mappings from before" sh -c 'cat begin.* | grep "^true;\[unknown:.*_sys_execve"'

exits "2,000 threads" 0 "gp-record -F 499 --by tid -o o.folded -- $W/threads 1 2000"
honest "2,000 threads" o.folded
below "2,000 threads" o.folded
exits "2,000 threads, attached" 0 "$W/threads 1.5 2000 0 >truth & gp-record -F 499 -d 1 -p \$! -o o.folded; wait"
honest "2,000 threads, attached" o.folded
exits "an exec from a thread" 0 "gp-record -F 999 --by pid -o o.folded -- $W/exec_thread 0.6"
honest "an exec from a thread" o.folded
ok "an exec from a thread: one process, before and after" sh -c 'test "$(grep ";burn_" o.folded | cut -d ";" -f 1 | sort -u | wc -l)" -eq 1 &&
	grep -q "^pid=[0-9]*;exec_thread;.*;burn_before[; ]" o.folded && grep -q "^pid=[0-9]*;shares;.*;burn_a[; ]" o.folded'

exits "60,000 mappings" 0 "gp-record -F 499 -o o.folded -- $W/many maps 60000 0.5"
ok "60,000 mappings: that many ($(cat .got .err | grep -x '[0-9]*'))" sh -c "cat .got .err | grep -x '[0-9]*' | awk '{ exit !(\$1 >= 60000) }'"
honest "60,000 mappings" o.folded
ok "60,000 mappings: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "60,000 mappings" o.folded
exits "60,000 mappings, attached" 0 "$W/many maps 60000 2 >/dev/null &
	until [ \$(wc -l </proc/\$!/maps) -gt 60000 ]; do sleep 0.1; done; gp-record -F 499 -d 0.5 -p \$! -o o.folded; wait"
ok "60,000 mappings, attached: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "60,000 mappings, attached" o.folded 0.15 0.12 # 2 us for each that the kernel prints and we read
exits "a flood of mprotect" 0 "gp-record -F 499 -o o.folded -- $W/many jit 300000 0.5"
honest "a flood of mprotect" o.folded
ok "a flood of mprotect: whole stacks" grep -q '^many;_start;.*;main;burn_many ' o.folded
below "a flood of mprotect" o.folded

# Few descriptors, for 100 programs that are each a file of its own: what cannot be opened is said, and what can be has
# its names.
mkdir bin
i=0
while [ $i -lt 100 ]; do
	cp "$W/shares" bin/p$i
	echo $i >>bin/p$i
	i=$((i + 1))
done
for few in 24 64 256; do
	exits "$few file descriptors for 100 programs" 0 "ulimit -n $few; gp-record -F 499 -o o.folded -- sh -c \
		'for p in bin/*; do \$p 0.03 quiet & done; wait'"
	honest "$few file descriptors" o.folded
	grep '^p[0-9]*;' o.folded >ours
	named=$(grep ';main;burn_[ab] ' ours | total /dev/stdin) marked=$(grep ';\[unknown:no-file\];' ours | total /dev/stdin)
	ok "$few file descriptors: $named samples named, $marked marked" test $((named + marked)) -gt 100
	if [ "$marked" -gt 0 ]; then
		ok "$few file descriptors: counted" grep -q '"notes":.*files.u0020not.u0020opened' o.folded
		says "$few file descriptors: said" 'ulimit -n'
	fi
	not "$few file descriptors: no other's names" grep -Ev '_\[k\] |;(main|_start|_dl_[a-z_]*)[; ]|\[|__libc|dl|rtld' ours
done
ok "256 file descriptors are enough" test "$marked" -eq 0

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
