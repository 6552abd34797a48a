#!/bin/sh
# Every fuzz target over its seeds, whole, cut short and with bits flipped: nothing crashes, nothing hangs.
# `make fuzz` goes on from there.
. "$(dirname "$0")/lib/tap.sh"

# Targets are trusted to end because the runner would say so.
cat >endless.c <<'C'
#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	for (volatile size_t i = 0; size > 2 && data[2] == 'e'; i++)
		continue;
	return 0;
}
C
printf 'like' >harmless
printf 'forever' >forever
printf 'the end' >slow
if "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -o endless endless.c "$TOP/tests/lib/seeds.c"; then
	exits "an input that does not end is a failure" 1 'SEED_MS=100 ./endless harmless forever slow'
	says "and is named" 'takes too long: slow'
else
	skip "an input that does not end is a failure" "no C compiler"
fi

for source in "$TOP"/tests/fuzz/*.c; do
	target=$(basename "$source" .c)
	set --
	for seed in "$TOP/tests/fuzz/$target"/*; do
		[ ! -f "$seed" ] || set -- "$@" "$seed"
	done
	ok "$target has seeds" test $# -gt 0
	# What fuzzers have found to go other ways: hundreds of small files, so packed.
	if [ -e "$TOP/tests/fuzz/$target.tar.gz" ]; then
		mkdir "$target"
		tar -xzf "$TOP/tests/fuzz/$target.tar.gz" -C "$target"
		set -- "$@" - "$target"/*
	fi
	# What is damaged is said, a thousand times: only the end of it tells.
	if timeout 200 "$B/fuzz/$target" "$@" >said 2>&1; then
		pass "$target takes $# seeds and what is left of them"
	else
		tail -n 40 said >end
		fail "$target takes $# seeds and what is left of them" - <end
	fi
done
done_testing
