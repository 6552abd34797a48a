#!/bin/sh
# gp-fold against perf script on one perf.data: at least 10,000 samples with copied stacks of a program that
# is 30 calls deep and keeps no frame pointers. CPU of both, side by side; nothing collapses perf's text.
set -eu
B=${B:-$(cd "$(dirname "$0")/../.." && pwd)/build}
PATH=$B:$PATH
T=$(mktemp -d "${TMPDIR:-/tmp}/gp-bench.XXXXXX")
trap 'rm -rf "$T"' EXIT
WANTED=10000

if ! command -v perf >/dev/null; then
	printf 'gp-fold against perf script\tperf is absent\t\n'
	exit 0
fi
{
	echo 'static volatile unsigned long sink;'
	echo '__attribute__((noinline)) static unsigned long f30(long n) { for (long i = 0; i < n; i++) sink += i; return sink; }'
	i=29
	while [ $i -ge 1 ]; do
		echo "__attribute__((noinline)) static unsigned long f$i(long n) { volatile char pad[64]; pad[0] = 1; return f$((i + 1))(n) + pad[0]; }"
		i=$((i - 1))
	done
	echo 'int main(void) { for (;;) f1(100000); }'
} >"$T/deep.c"
"${CC:-cc}" -O2 -fomit-frame-pointer -o "$T/deep" "$T/deep.c"

# The rate is 999 Hz a CPU; a busy machine gives fewer samples a second, so record until there are enough.
seconds=$((WANTED / 999 / $(nproc) + 2))
samples=0
while [ "$samples" -lt $WANTED ] && [ $seconds -lt 100 ]; do
	for _ in $(seq "$(nproc)"); do
		timeout $seconds "$T/deep" &
	done
	perf record -N -a -F 999 --call-graph dwarf -m 4M -o "$T/perf.data" -- sleep $seconds >"$T/log" 2>&1 ||
		{ echo "perf record: $?" >&2; cat "$T/log" >&2; exit 1; }
	wait || :
	samples=$(gp-fold -q --no-header "$T/perf.data" | awk '{ n += $NF } END { print n + 0 }')
	seconds=$((seconds * 2))
done

# cpu N command...: milliseconds of CPU a run, over N runs
cpu() {
	n=$1
	shift
	(
		for _ in $(seq "$n"); do "$@" >/dev/null 2>&1; done
		times
	) | awk -v n="$n" 'NR == 2 { split($1 "m" $2, t, /[ms]+/); print 1000 * (t[1] * 60 + t[2] + t[3] * 60 + t[4]) / n }'
}

no_bpf() {
	GP_NO_BPF=1 gp-fold "$@"
}

cpu 1 gp-fold "$T/perf.data" >/dev/null # both find the file in memory
perf=$(cpu 3 perf script --no-inline -i "$T/perf.data")
with=$(cpu 10 gp-fold "$T/perf.data")
kallsyms=$(cpu 10 no_bpf "$T/perf.data")
without=$(cpu 10 gp-fold --user-only "$T/perf.data")
ratio() {
	awk -v p="$perf" -v g="$2" -v n="$samples" -v w="$1" -v bar="$3" 'BEGIN {
		printf "gp-fold, %d dwarf samples, %s, against perf script --no-inline\t%.0f ms to %.0f ms: 1/%.1f\t%s\n",
		    n, w, g, p, p / g, bar }'
}
ratio "kernel named" "$with" "<= 1/5"
ratio "kernel named by kallsyms" "$kallsyms" "<= 1/5"
ratio "without the kernel" "$without" "<= 1/8"
