#!/bin/sh
# What gp-record costs, itself and its targets, and what perf costs for the same. All ratios come from runs
# side by side under the same load: every core busy in thirty frames without frame pointers.
#	BENCH_SECONDS	how long each recording is (10); the bars are for 30
# Lines: what <tab> measured <tab> bar.
set -u
LC_ALL=C
export LC_ALL
TOP=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-$TOP/build}
PATH=$B:$PATH
W=$B/work
S=${BENCH_SECONDS:-10}
T=$(mktemp -d) || exit 1
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cores=$(nproc)

if [ "$(id -u)" -ne 0 ]; then
	echo "record: needs root: a recording of the whole machine is what is measured"
	exit 0
fi
make -s -C "$TOP" B="$B" work >/dev/null || exit 1

# row WHAT MEASURED BAR
row() {
	printf '%s\t%s\t%s\n' "$1" "$2" "$3"
}

# load SECONDS: on every core, in the background
load() {
	pids=
	for core in $(seq "$cores"); do
		"$W/deep" "$1" >"$T/deep.$core" &
		pids="$pids $!"
	done
	sleep 0.3
}

unload() {
	# shellcheck disable=SC2086
	kill $pids 2>/dev/null
	wait 2>/dev/null
	pids=
}

# used NAME FIELD: the last line that usage wrote; 1 CPU seconds, 2 wall seconds, 3 KiB
used() {
	tail -1 "$T/$1" | cut -d' ' -f"$2"
}

# counted PROFILE: samples, lost
counted() {
	sed -n '1s/.*"samples":\([0-9]*\).*"lost":\([0-9]*\).*/\1, \2/p' "$1"
}

# calc EXPRESSION FORMAT
calc() {
	awk "BEGIN { printf \"$2\", $1 }"
}

# --- own CPU, and the whole path beside perf's
load $((S * 6 + 60))
"$W/usage" "$T/bpf" gp-record -q -a -d "$S" -o "$T/with.folded" 2>"$T/err"
GP_NO_BPF=1 "$W/usage" "$T/plain" gp-record -q -a -d "$S" -o "$T/without.folded" 2>>"$T/err"
for how in bpf plain; do
	bar=0.15
	name="with BPF"
	[ $how = bpf ] || { bar=0.25 name="without BPF"; }
	row "own CPU $name, ${S} s at 99 Hz, of a core per busy core" \
		"$(calc "100 * $(used $how 1) / $S / $cores" %.3f) % ($(calc "1000 * $(used $how 1)" %.0f) ms)" "<= $bar %"
done
row "  samples, lost, peak memory" "$(counted "$T/with.folded"), $(used bpf 3) KiB" ""
if command -v perf >/dev/null; then
	"$W/usage" "$T/perf" perf record -q -a -e cpu-clock -F 99 --call-graph dwarf -o "$T/perf.data" -- sleep "$S" 2>"$T/err"
	"$W/usage" "$T/script" perf script --no-inline -i "$T/perf.data" >/dev/null 2>"$T/err"
	perf=$(calc "$(used perf 1) + $(used script 1)" %.3f)
	row "whole path: perf record --call-graph dwarf + perf script --no-inline" "$perf s CPU" ""
	row "whole path: gp-record -a with BPF against it" "1/$(calc "$perf / $(used bpf 1)" %.1f)" "<= 1/15"
	row "whole path: gp-record -a without BPF against it" "1/$(calc "$perf / $(used plain 1)" %.1f)" "<= 1/7"
else
	row "whole path against perf" "no perf here (linux-perf)" "<= 1/15"
fi
unload

# --- what the targets pay: the same work with and without a recorder, at a rate that shows
i=0
: >"$T/toll"
while [ $i -lt 5 ]; do
	i=$((i + 1))
	alone=$("$W/toll" 40000 | cut -f2)
	gp-record -q -F 3999 -o "$T/toll.folded" -- "$W/toll" 40000 >"$T/toll.out" 2>"$T/err"
	recorded=$(cut -f2 "$T/toll.out")
	samples=$(sed -n '1s/.*"samples":\([0-9]*\).*/\1/p' "$T/toll.folded")
	calc "1000000 * ($recorded - $alone) / $samples" '%.2f\n' >>"$T/toll"
done
each=$(sort -n "$T/toll" | sed -n 3p)
row "charged to the targets, a sample (median of 5, at 3,999 Hz)" "$each us" "shown"
row "charged to the targets at 99 Hz, of a busy core" "$(calc "$each * 99 / 10000" %.2f) %" "shown"

# --- memory, with large ELF files in the profile
find / -xdev \( -path /proc -o -path '*/.debug' \) -prune -o -type f -size +8M -printf '%s %p\n' 2>/dev/null | sort -rn |
	while read -r _ file; do
		# 64-bit, x86-64
		[ "$(od -An -tx1 -N5 "$file" 2>/dev/null)" = " 7f 45 4c 46 02" ] || continue
		[ "$(od -An -tx1 -j18 -N2 "$file")" = " 3e 00" ] || continue
		case $(od -An -tx1 -j16 -N1 "$file") in " 02" | " 03") echo "$file" ;; esac
	done | head -10 >"$T/elfs"
total=$(tr '\n' '\0' <"$T/elfs" | xargs -0 stat -c %s | awk '{ n += $1 } END { printf "%.0f", n / 1e6 }')
for how in bpf plain; do
	xargs -d '\n' "$W/elfs" 6 <"$T/elfs" >/dev/null 2>&1 &
	pids=$!
	sleep 3 # it reads them all first
	[ $how = plain ] && { GP_NO_BPF=1 && export GP_NO_BPF; }
	"$W/usage" "$T/memory-$how" gp-record -q -F 999 -a -d 4 -o "$T/elfs.folded" 2>"$T/err"
	unset GP_NO_BPF
	wait "$pids"
	pids=
done
row "peak memory, $(wc -l <"$T/elfs") largest ELF files ($total MB) in the profile" \
	"$(calc "$(used memory-bpf 3) / 1024" %.1f) MB" "<= 32 MB"
row "  the same without BPF" "$(calc "$(used memory-plain 3) / 1024" %.1f) MB" "<= 32 MB"
row "  samples, lost, own CPU" "$(counted "$T/elfs.folded"), $(used memory-bpf 1) s" ""

# --- how soon the events count, with many processes there
if command -v strace >/dev/null; then
	i=0
	while [ $i -lt 500 ]; do
		sleep 100 &
		pids="$pids $!"
		i=$((i + 1))
	done
	for how in bpf plain; do
		[ $how = plain ] && { GP_NO_BPF=1 && export GP_NO_BPF; }
		i=0
		: >"$T/start"
		while [ $i -lt 5 ]; do
			i=$((i + 1))
			strace -f --seccomp-bpf -ttt -e trace=execve,perf_event_open,ioctl -o "$T/strace" \
				gp-record -q -a -d 0.3 -o /dev/null 2>"$T/err"
			awk '/execve\(/ && !begin { begin = $2 }
				/PERF_EVENT_IOC_ENABLE|perf_event_open/ { end = $2 }
				END { printf "%.1f\n", 1000 * (end - begin) }' "$T/strace" >>"$T/start"
		done
		unset GP_NO_BPF
		row "events enabled after start, 500 processes there$([ $how = plain ] && echo ", without BPF")" \
			"$(sort -n "$T/start" | sed -n 3p) ms (under strace)" "<= 20 ms"
	done
	unload
else
	row "events enabled after start, 500 processes there" "no strace here" "<= 20 ms"
fi
