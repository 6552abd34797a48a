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
# median, and two bounds of the true one: below the first once in 400 times, above the second once in 40 (by signs:
# whatever the noise looks like). Who accuses has to be surer than who shows the usual 95 %.
sum_up() {
	awk '
	function sort(a, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
	}
	# How many coins of n show heads so seldom, or fewer.
	function rank(n, seldom,   k, b, p) {
		for (k = 0; p + (b = k ? b * (n - k + 1) / k : 0.5 ^ n) <= seldom; k++)
			p += b
		return k
	}
	function median(a, n) { return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2 }
	NF == 6 { n++; eintr += $1; more += $4; s[n] = $2; t[n] = $5; c[n] = 100 * ($6 / $3 - 1) }
	END {
		sort(s, n); sort(t, n); sort(c, n)
		k = rank(n, 1 / 400)
		low = k ? c[k] : -100
		k = rank(n, 1 / 40)
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

# --- what work takes: one process, that goes on all the time, measures its turns by its own CPU time, while recorders
# come and go. Each recording and the time before it are a pair, of the same memory at nearly the same moment.
traced_for() {
	timeout "$2" strace -f -o /dev/null -p "$1" 2>/dev/null
}
recorded_for() {
	gp-record -q -F "$HZ" -p "$1" -d "$2" -o o.folded
}
# seesaw NAME SECONDS: turns.txt, and in spans when it was quiet (from, to) and recorded (from, to)
seesaw() {
	rm -f spans
	disturb 0 0 "$2" >turns.txt & seesaw_target=$!
	from=$(date +%s.%N)
	while sleep 0.6 && kill -0 $seesaw_target 2>/dev/null; do
		to=$(date +%s.%N)
		"$1" $seesaw_target 0.6
		after=$(date +%s.%N)
		echo "$from $to $(recorded "$1" "$to" "$after")" >>spans
		from=$after
	done
	wait $seesaw_target
}
# recorded NAME FROM TO: when samples were taken between the two, as the header says
recorded() {
	recorded_at=$(sed -n '1s/.*"start":"\([^"]*\)","duration_s":\([0-9.]*\).*/\1 \2/p' o.folded 2>/dev/null)
	case $1 in
	recorded_for) awk -v a="$(date -d "${recorded_at% *}" +%s.%N)" -v d="${recorded_at#* }" 'BEGIN { printf "%.3f %.3f", a, a + d }' ;;
	*) awk -v a="$2" -v b="$3" 'BEGIN { printf "%.3f %.3f", a + 0.1, b - 0.1 }' ;;
	esac
}
# pair_up NAME: of the turns wholly inside of a span the median; NAME.pairs as pairs() makes it
pair_up() {
	awk '
	function median_within(a, b,   v, m, i, j, t) {
		for (i = 1; i <= n; i++)
			if (begin[i] >= a && end[i] <= b) {
				for (j = ++m; j > 1 && v[j - 1] > took[i]; j--)
					v[j] = v[j - 1]
				v[j] = took[i]
			}
		return m < 3 ? 0 : m % 2 ? v[(m + 1) / 2] : (v[m / 2] + v[m / 2 + 1]) / 2
	}
	NR == FNR { if (NF == 3) { begin[++n] = $1; end[n] = $2; took[n] = $3 } next }
	{ quiet = median_within($1, $2); with = median_within($3, $4) }
	quiet && with { print 0, 0, quiet, 0, 0, with }' turns.txt spans >>"$1.pairs"
}
# verdict NAME SECONDS TIMES: below 1 %, above, or unclear after so many times so long
verdict() {
	rm -f "$1.pairs"
	verdict_is=unclear verdict_left=$3
	while [ "$verdict_is" = unclear ] && [ "$verdict_left" -gt 0 ]; do
		seesaw "$1" "$2"
		pair_up "$1"
		sum_up "$1" >sum
		verdict_is=$(awk '{ print ($8 < 1 ? "below" : $7 > 1 ? "above" : "unclear") }' sum)
		verdict_left=$((verdict_left - 1))
	done
	awk '{ printf "%.2f %% (%.2f to %.2f, %d pairs)", $6, $7, $8, $1 }' sum >figure
}
busy="the machine is too busy to tell"
HZ=99
verdict recorded_for 14 6
case $verdict_is in
below) pass "99 Hz: work takes less than 1 % longer: $(cat figure)" ;;
above) fail "99 Hz: work takes more than 1 % longer: $(cat figure)" ;;
*) skip "99 Hz: work takes less than 1 % longer" "$busy: $(cat figure)" ;;
esac
HZ=999
verdict recorded_for 10 1
echo "# 999 Hz: work takes $(cat figure) longer"
if [ -s traced.pairs ]; then
	verdict traced_for 10 2
	case $verdict_is in
	above) pass "a tracer makes work take longer, and that is seen: $(cat figure)" ;;
	below) fail "a tracer makes work take longer, and that is not seen: $(cat figure)" ;;
	*) skip "a tracer makes work take longer, and that is seen" "$busy: $(cat figure)" ;;
	esac
fi
done_testing
