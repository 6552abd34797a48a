#!/bin/sh
B=${B:-$(cd "$(dirname "$0")/../.." && pwd)/build}
# What a user frame costs: by rows once they are compiled (samples walked again and again, each stack cold in
# the cache), by rows with everything at first sight included, and by libunwind.
set -eu
oracle=$B/unit/oracle
if [ ! -x "$oracle" ]; then
	printf 'unwinding\tbuild/unit/oracle is not built (make unit)\t\n'
	exit 0
fi
frames() {
	name=$1
	shift
	command -v "$1" >/dev/null || return 0
	"$oracle" -b -d 3 -- "$@" 2>/dev/null | awk -v name="$name" '
		$1 == "ns-per-frame-again" { again = $2 }
		$1 == "ns-per-frame" { first = $2; libunwind = $4 }
		END { printf "a frame of %s: by rows; first sight included; by libunwind\t%.0f; %.0f; %.0f ns\t20-80 ns by rows\n",
			name, again, first, libunwind }'
}
frames perl perl -e 'sub f { my $n = shift; $n < 2 ? 1 : f($n - 1) + f($n - 2) } f(26)'
frames python3 python3 -c 'import json; [json.loads(json.dumps(list(range(500)))) for i in range(4000)]'
frames bash bash -c 'for ((i = 0; i < 300000; i++)); do x=$i; done'
