#!/bin/sh
# gp-merge against inferno-collapse-recursive -n 1, both one thread: 300 MB of 1,000 stacks, and 200 MB in which
# every stack is another. Runs take turns; of each the least CPU time counts, which noise can only add to.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/gp-bench.XXXXXX")
trap 'rm -rf "$T"' EXIT
PATH=${B:-$TOP/build}:$PATH:${GP_INFERNO:-$HOME/.cargo/bin}:$HOME/.cargo/bin
TURNS=7

for tool in folded_input measure; do
	"${CC:-cc}" -O2 -o "$T/$tool" "$TOP/tests/bench/$tool.c"
done
peer=inferno-collapse-recursive
command -v $peer >/dev/null || peer=

# turns FILE: lines "program seconds-of-CPU peak-KiB"
turns() {
	for _ in $(seq $TURNS); do
		[ -z "$peer" ] || echo "peer $("$T/measure" $peer -n 1 "$1")"
		echo "ours $("$T/measure" gp-merge "$1")"
	done | awk '{ print $1, $3, $4 }'
}

# rows NAME BAR MEMORY-BAR: a table row of what turns() says
rows() {
	awk -v OFS='\t' -v name="$1" -v bar="$2" -v memory_bar="$3" '
		!($1 in time) || $2 < time[$1] { time[$1] = $2 }
		$3 > memory[$1] { memory[$1] = $3 }
		END {
			if (!("peer" in time)) {
				printf "gp-merge, %s\t%.0f ms, %.0f MB\tinferno is absent\n", name, time["ours"] * 1000, memory["ours"] / 1024
				exit
			}
			printf "gp-merge, %s, against inferno -n 1\t%.0f ms to %.0f ms: %.1f x\t%s\n", name, time["ours"] * 1000,
			    time["peer"] * 1000, time["peer"] / time["ours"], bar
			if (memory_bar != "")
				printf "gp-merge, %s, peak memory\t%.0f MB to %.0f MB: 1/%.1f\t%s\n", name, memory["ours"] / 1024,
				    memory["peer"] / 1024, memory["peer"] / memory["ours"], memory_bar
		}'
}

"$T/folded_input" repeated 300 >"$T/repeated"
turns "$T/repeated" | rows '300 MB of 1,000 stacks' '>= 3 x' ''
rm "$T/repeated"
"$T/folded_input" distinct 200 >"$T/distinct"
turns "$T/distinct" | rows '200 MB all distinct' '>= 1.5 x' '<= 1/4'
