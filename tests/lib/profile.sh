# Sourced after tap.sh by tests that record: programs of tests/work/ under gp-record, held to their truth.
# shellcheck shell=sh

W=$B/work
RECORDER= # another way to run gp-record, for hold
HZ=999 # enough samples in a second of CPU time

need_work() {
	[ -x "$W/shares" ] || { printf 'Bail out! make work first\n'; exit 1; }
}

# facts NAME AWK-OPTIONS TRUTH PROFILE: one line of TAP for each fact
facts() {
	facts_of=$1
	# shellcheck disable=SC2086 # a list of options
	awk $2 -f "$TOP/tests/lib/truth.awk" "$3" "$4" >"$T/.facts"
	[ -s "$T/.facts" ] || fail "$facts_of: a profile" - <"$T/.err"
	while IFS="$(printf '\t')" read -r verdict fact; do
		if [ "$verdict" = ok ]; then
			pass "$facts_of: $fact"
		else
			fail "$facts_of: $fact" - <"$T/.err"
		fi
	done <"$T/.facts"
}

# hold NAME AWK-OPTIONS RECORD-OPTIONS command ...: recorded, it says the truth; the profile stays in .profile
hold() {
	hold_name=$1 hold_awk=$2 hold_record=$3
	shift 3
	rm -f "$T/.profile" "$T/.truth"
	# shellcheck disable=SC2086
	${RECORDER:-gp-record} -F $HZ $hold_record -o "$T/.profile" -- "$@" >"$T/.truth" 2>"$T/.err"
	hold_status=$?
	[ "$hold_status" -eq 0 ] || fail "$hold_name: status $hold_status" - <"$T/.err"
	facts "$hold_name" "$hold_awk" "$T/.truth" "$T/.profile"
}

# has NAME PATTERN [FILE]: a line of the profile matches (grep -E); lacks: none does
has() {
	if grep -Eq -- "$2" "${3-$T/.profile}"; then
		pass "$1"
	else
		fail "$1" "no '$2' in: $(cut -c1-300 "${3-$T/.profile}" | head -5)"
	fi
}

lacks() {
	if grep -Eq -- "$2" "${3-$T/.profile}"; then
		fail "$1" "'$2' is in: $(grep -E -- "$2" "${3-$T/.profile}" | cut -c1-300 | head -5)"
	else
		pass "$1"
	fi
}

# key NAME [FILE]: a number of the header
key() {
	sed -n "1s/.*\"$1\":\\([-0-9.e+]*\\).*/\\1/p" "${2-$T/.profile}"
}

# near NAME GOT WANTED PERCENT
near() {
	if awk -v got="${2:-none}" -v want="${3:-none}" -v off="$4" \
	    'BEGIN { exit !(got + 0 > 0 && got <= want * (1 + off / 100) && got >= want * (1 - off / 100)) }'; then
		pass "$1: ${2-} against ${3-}"
	else
		fail "$1" "${2:-nothing}, not within $4 % of ${3:-nothing}"
	fi
}

# nobody command ...: as a user without privileges (ourselves, if we are one). What it needs must be
# readable for all: public() copies programs to a place that is.
nobody() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"
	else
		"$@"
	fi
}

public() {
	chmod 755 "$T"
	mkdir -m 777 "$T/open" "$T/open/work"
	cp "$B/gp-record" "$T/open/"
	find "$W" -maxdepth 1 -type f -exec cp {} "$T/open/work/" \;
	chmod -R a+rX "$T/open"
}

# state PID: the letter of /proc/PID/stat, "gone" if there is none
state() {
	{ sed 's/.*) \(.\).*/\1/' "/proc/$1/stat"; } 2>/dev/null || echo gone
}

# listening PID: until it takes SIGTERM for itself, as a recorder does that has begun, and a shell about to become one
# may; 20 s at most
listening() {
	listening_tries=0
	until awk '/^Name:/ { other = $2 != "gp-record" }
	    /^SigCgt:/ { exit other || substr($2, length($2) - 3, 1) !~ /[4-7c-f]/ }' "/proc/$1/status" 2>/dev/null; do
		listening_tries=$((listening_tries + 1))
		[ $listening_tries -lt 1000 ] || return 1
		sleep 0.02
	done
}

# offspring: how many children this test has, zombies included, but for those that count them
offspring() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$$ '{
		name = $0
		sub(/^[^(]*\(/, "", name)
		sub(/\)[^)]*$/, "", name)
		sub(/.*\) . /, "")
		n += $1 == parent && name != "cat" && name != "awk" && name !~ /\.t$/ && name != "sh"
	} END { print n + 0 }'
}
