# Sourced by every tests/*.t: a few words that print TAP. POSIX sh.
# Each test runs in a directory of its own, which is removed at its end.
# shellcheck shell=sh

set -u
LC_ALL=C
export LC_ALL
TOP=$(cd "$(dirname "$0")/.." && pwd)
B=${B:-$TOP/build}
PATH=$B:$PATH
export PATH TOP B
# What a sanitizer reports must not look like our own status 1.
ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS-}
export ASAN_OPTIONS
T=$(mktemp -d "${TMPDIR:-/tmp}/gp-test.XXXXXX") || exit 1
trap 'cd /; rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T" || exit 1
count=0
failures=0

pass() {
	count=$((count + 1))
	printf 'ok %d - %s\n' "$count" "$1"
}

# fail NAME [lines of why on stdin with "-"]
fail() {
	count=$((count + 1))
	failures=$((failures + 1))
	printf 'not ok %d - %s\n' "$count" "$1"
	if [ "${2-}" = - ]; then sed 's/^/# /'; elif [ -n "${2-}" ]; then printf '%s\n' "$2" | sed 's/^/# /'; fi
}

# ok NAME command...: it succeeds
ok() {
	tap_name=$1
	shift
	if "$@" >"$T/.out" 2>&1; then pass "$tap_name"; else fail "$tap_name" - <"$T/.out"; fi
}

# not NAME command...: it fails
not() {
	tap_name=$1
	shift
	if "$@" >"$T/.out" 2>&1; then fail "$tap_name" - <"$T/.out"; else pass "$tap_name"; fi
}

# is NAME 'shell command' <<wanted stdout
is() {
	cat >"$T/.want"
	if sh -c "$2" >"$T/.got" 2>"$T/.err" && cmp -s "$T/.want" "$T/.got"; then
		pass "$1"
	else
		{ diff "$T/.want" "$T/.got"; cat "$T/.err"; } | head -50 >"$T/.out"
		fail "$1" - <"$T/.out"
	fi
}

# exits NAME STATUS 'shell command': with that status; stdout is in .got, stderr in .err
exits() {
	sh -c "$3" >"$T/.got" 2>"$T/.err"
	tap_status=$?
	if [ "$tap_status" -eq "$2" ]; then pass "$1"; else fail "$1" "status $tap_status, not $2: $(head -c 2000 "$T/.err")"; fi
}

# says NAME PATTERN: the last exits' stderr has a line that matches (grep -E)
says() {
	if grep -Eq -- "$2" "$T/.err"; then pass "$1"; else fail "$1" "no '$2' in: $(head -c 2000 "$T/.err")"; fi
}

# skip NAME WHY: visible in the summary
skip() {
	count=$((count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$count" "$1" "$2"
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

may_record_machine() {
	[ "$(id -u)" -eq 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 0 ]
}

done_testing() {
	printf '1..%d\n' "$count"
	[ "$failures" -eq 0 ]
	exit
}
