#!/bin/sh
# Every fuzz target over its seeds, whole, cut short and with bits flipped: nothing crashes, nothing hangs.
# `make fuzz` goes on from there.
. "$(dirname "$0")/lib/tap.sh"

for source in "$TOP"/tests/fuzz/*.c; do
	target=$(basename "$source" .c)
	set --
	for seed in "$TOP/tests/fuzz/$target"/*; do
		[ ! -f "$seed" ] || set -- "$@" "$seed"
	done
	ok "$target has seeds" test $# -gt 0
	# What is damaged is said, a thousand times: only the end of it tells.
	if timeout 100 "$B/fuzz/$target" "$@" >said 2>&1; then
		pass "$target takes $# seeds and what is left of them"
	else
		tail -n 40 said >end
		fail "$target takes $# seeds and what is left of them" - <end
	fi
done
done_testing
