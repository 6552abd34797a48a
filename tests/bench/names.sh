#!/bin/sh
# Naming: 10,000 addresses in the ten largest ELF files of the machine, 3,000 of the kernel's.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-$TOP/build}
[ -e "$B/libgp.a" ] || make -s -C "$TOP" build/libgp.a
# shellcheck disable=SC2046 # words
${CC:-cc} -O2 -g -std=gnu11 -D_GNU_SOURCE -I"$TOP/lib" -o "$B/bench-names" "$TOP/tests/bench/names.c" \
	"$B/libgp.a" $(make -s -C "$TOP" print-LIBS)
files=$(find / -xdev -type f -size +1M \( -perm -u+x -o -name '*.so*' \) -printf '%s %p\n' 2>/dev/null | sort -rn |
	awk '!seen[$1]++ { print $2 }' | while read -r f; do
		[ "$(head -c 4 "$f" | od -An -c | tr -d ' ')" = '177ELF' ] && echo "$f"
	done | head -10)
# shellcheck disable=SC2086 # words
"$B/bench-names" $files >"$B/bench-names.out"
awk -v OFS='\t' '
	$1 == "user" {
		print "naming: 10,000 addresses in the ten largest ELF files", $2 " ms", "100 ms"
		print "naming: peak memory of that", int($4 / 1024 + 0.5) " MB", "32 MB"
	}
	$1 == "bpf" { print "naming: " $3 " kernel addresses by BPF", $2 " ms", "5 ms" }
	$1 == "kallsyms" { print "naming: " $3 " kernel addresses from kallsyms", $2 " ms", "50 ms" }
' "$B/bench-names.out"
