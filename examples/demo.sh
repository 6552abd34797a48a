#!/bin/sh
# What does this machine do? flame.svg and flame.html in the current directory: demo.sh [seconds]
# Records the whole machine, through sudo if that is needed and there; else what an ordinary user may.
# $LOAD is something to look at, run by sh meanwhile; by default, files are packed and summed up.
set -u
seconds=${1:-5}
load=${LOAD:-'while :; do tar -cf - /usr/lib /usr/share 2>/dev/null | gzip -1 | cksum; done'}
profile=$(mktemp) || exit 1
trap 'rm -f "$profile"' EXIT
trap 'exit 1' HUP INT TERM

draw() {
	gp-flame "$profile" >flame.svg && gp-flame --html "$profile" >flame.html || exit 1
	echo "$PWD/flame.svg"
	echo "$PWD/flame.html"
	exit 0
}

# machine [sudo]: all of it, as whom that is allowed to. The file stays ours.
machine() {
	echo "Recording the whole machine for $seconds s${1:+ with $1}" >&2
	[ $# -eq 0 ] || "$@" true || return # asks for the password before anything runs
	# setsid: the load is a group of processes, ended together.
	setsid sh -c "$load" >/dev/null 2>&1 &
	work=$!
	"$@" "$(command -v gp-record)" -a -d "$seconds" >"$profile"
	recorded=$?
	kill -- -$work 2>/dev/null
	return $recorded
}

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 3)
if [ "$(id -u)" -eq 0 ] || [ "$paranoid" -le 0 ]; then
	machine && draw
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
	machine sudo && draw
fi
if [ "$paranoid" -le 2 ] || [ "$(id -u)" -eq 0 ]; then
	echo "Recording only the load of this demo for $seconds s: the whole machine needs root" >&2
	gp-record -d "$seconds" -o "$profile" -- timeout "$seconds" sh -c "exec >/dev/null 2>&1; $load"
	[ -s "$profile" ] && draw
fi
echo "Nothing may be recorded here. This allows what runs as you:" >&2
echo "    sudo sysctl kernel.perf_event_paranoid=2" >&2
exit 1
