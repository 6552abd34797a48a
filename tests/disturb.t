#!/bin/sh
# Who is sampled does not notice: no system call comes back with EINTR, nobody leaves the CPU more often, and work
# takes no longer. Each is measured beside runs without a recorder, and what does disturb must be seen.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
PATH=$W:$PATH
may_record_machine || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip_all "perf events are refused"

# A run leaves "EINTR switches ns-a-turn" behind, by its name.
bare() { disturb "$@"; }
launched() { gp-record -q -F "$HZ" $MODE -o o.folded -- disturb "$@"; }
attached() {
	disturb "$@" &
	gp-record -q -F "$HZ" $MODE -p $! -o o.folded
	wait $!
}
traced() { strace -f -o /dev/null disturb "$@"; }
# As a sampler does that stops what it looks at.
stopped() {
	disturb "$@" &
	while kill -STOP $! 2>/dev/null; do
		sleep 0.002
		kill -CONT $!
		sleep 0.01
	done
	wait $!
}

# pairs NAME COUNT [waits turns]: so many runs of it beside as many bare ones, added to NAME.pairs
pairs() {
	pairs_of=$1 pairs_left=$2
	shift 2
	while [ "$pairs_left" -gt 0 ]; do
		if [ $((pairs_left % 2)) -eq 0 ]; then
			one=$(bare "$@") other=$($pairs_of "$@" 2>err)
		else
			other=$($pairs_of "$@" 2>err) one=$(bare "$@")
		fi
		echo "$one $other" >>"$pairs_of.pairs"
		pairs_left=$((pairs_left - 1))
	done
}

# Of pairs: EINTRs without and with; medians of switches without and with; of what turns took more, in percent, the
# median, and the bounds within which the true one lies but once in 200 times (by signs: whatever the noise looks like).
sum_up() {
	awk '
	function sort(a, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
	}
	function median(a, n) { return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2 }
	NF == 6 { n++; eintr += $1; more += $4; s[n] = $2; t[n] = $5; c[n] = 100 * ($6 / $3 - 1) }
	END {
		sort(s, n); sort(t, n); sort(c, n)
		for (k = 0; p + (b = k ? b * (n - k + 1) / k : 0.5 ^ n) <= 0.0025; k++)
			p += b
		low = k ? c[k] : -100
		high = k ? c[n + 1 - k] : 100
		print n + 0, eintr + 0, more + 0, median(s, n), median(t, n), median(c, n), low, high
	}' "$1.pairs"
}
# calm NAME of its pairs: neither EINTRs nor switches; prints what was disturbed
calm() {
	sum_up "$1" | awk '
	$1 < 1 { print "nothing ran" }
	$3 > 0 { print $3 " system calls interrupted" }
	$5 > $4 * 1.03 + 4 { print "left the CPU " $5 " times instead of " $4 }'
}

# watch NAME MODE COUNT ...
watch() {
	watch_name=$1 watch_how=$2
	shift 2
	rm -f "$watch_how.pairs"
	pairs "$watch_how" "$@"
	wrong=$(calm "$watch_how")
	if [ -z "$wrong" ]; then
		pass "$watch_name: $(sum_up "$watch_how" | awk '{ print $2 " EINTR before, " $3 " with; switches " $4 ", " $5 }')"
	else
		fail "$watch_name" "$wrong: $(cat "$watch_how.pairs" err)"
	fi
}

HZ=99 MODE=
watch "99 Hz" launched 5 20 500
watch "99 Hz, attached" attached 4 60 500
HZ=999
watch "999 Hz" launched 4 20 500
MODE="--stack-size 65528 --complete"
watch "999 Hz, as much of each stack as can be, and --complete" attached 4 60 500
GP_NO_BPF=1
export GP_NO_BPF
watch "999 Hz, --complete without BPF" attached 4 60 500
unset GP_NO_BPF
if may_record_machine; then
	MODE="-a"
	watch "999 Hz, the machine" launched 4 20 500
fi

# --- what disturbs is seen
MODE=
pairs stopped 2 60 500
ok "stopping it for a moment, 80 times a second, interrupts system calls" sh -c "echo '$(calm stopped)' | grep -q interrupted"
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	pairs traced 2 20 500
	ok "... a tracer makes it leave the CPU" sh -c "echo '$(calm traced)' | grep -q 'left the CPU'"
else
	skip "a tracer makes it leave the CPU" "no strace"
fi

# --- what work takes: pairs until it is clear on which side of 1 % it is
# verdict NAME PAIRS SECONDS TURNS: below, above, or unclear after so many pairs and so long
verdict() {
	rm -f "$1.pairs"
	verdict_end=$(($(date +%s) + $3))
	verdict_is=unclear
	while [ "$verdict_is" = unclear ]; do
		pairs "$1" 6 1 "$4"
		sum_up "$1" >sum
		verdict_is=$(awk '{ print ($8 < 1 ? "below" : $7 > 1 ? "above" : "unclear") }' sum)
		if [ "$(wc -l <"$1.pairs")" -ge "$2" ] && [ "$(date +%s)" -ge $verdict_end ]; then break; fi
	done
	awk '{ printf "%.2f %% (%.2f to %.2f, %d pairs)", $6, $7, $8, $1 }' sum >figure
}
busy="the machine is too busy to tell"
HZ=99
verdict launched 12 30 3000
case $verdict_is in
below) pass "99 Hz: work takes less than 1 % longer: $(cat figure)" ;;
above) fail "99 Hz: work takes more than 1 % longer: $(cat figure)" ;;
*) skip "99 Hz: work takes less than 1 % longer" "$busy: $(cat figure)" ;;
esac
HZ=999
verdict launched 12 0 3000
echo "# 999 Hz: work takes $(cat figure) longer"
if [ -s traced.pairs ]; then
	verdict traced 12 20 1000
	case $verdict_is in
	above) pass "a tracer makes work take longer, and that is seen: $(cat figure)" ;;
	below) fail "a tracer makes work take longer, and that is not seen: $(cat figure)" ;;
	*) skip "a tracer makes work take longer, and that is seen" "$busy: $(cat figure)" ;;
	esac
fi
done_testing
