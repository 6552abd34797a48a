#!/bin/sh
# Sampling is unbiased where it may be: samples x period agree with the CPU time that the kernel charged,
# for short lives and many threads too. Where it may not be, the gap is said.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work

# agree NAME LEAST RECORD-OPTIONS command ...: within 3 %. Two cores that are busy with other things may
# skip clock ticks, so the best of three counts; a bias is there in all three.
agree() {
	agree_name=$1 agree_least=$2 agree_record=$3
	shift 3
	for agree_try in 1 2 3; do
		# shellcheck disable=SC2086
		gp-record -F $HZ $agree_record -o .profile -- "$@" >.truth 2>.err
		awk -v cpu=3 -v points=100 -v least="$agree_least" -f "$TOP/tests/lib/truth.awk" .truth .profile |
		    grep -E 'enough samples|samples x period|lost' >.agreed
		[ "$(grep -c '^ok' .agreed)" -eq 3 ] && break
		sed "s/^/# attempt $agree_try: /" .agreed
	done
	facts "$agree_name" "-v cpu=3 -v points=100 -v least=$agree_least" .truth .profile
	near "$agree_name: cpu_s" "$(key cpu_s)" "$(sed -n 's/^cpu_s	//p' .truth)" 3
	near "$agree_name: sampled_s" "$(key sampled_s)" "$(sed -n 's/^cpu_s	//p' .truth)" 3
}

if may_record_machine; then
	agree "one process" 1000 "" "$W/shares" 1.5
	agree "the kernel's time" 1000 "" "$W/syscalls" 1.5
	agree "300 children of 5 ms" 1000 "" "$W/children" 300 5
	agree "200 threads" 1000 "" "$W/threads" 1.6 200
	agree "children by vfork and exec" 1000 "" "$W/children" 150 5 exec
	lacks "children: nothing said of a gap" '-F 999' .err

	# A process that was there before, and what it starts and becomes; it ends, so the recording does.
	mkfifo start
	sh -c 'read -r line; "$1" 100 5; exec "$2" 0.8' sh "$W/children" "$W/shares" <start >.truth &
	target=$!
	exec 3>start
	gp-record -F $HZ -p "$target" -o .profile 2>.err &
	recorder=$!
	sleep 0.4
	echo >&3
	wait "$target"
	wait "$recorder"
	grep cpu_s .truth | tail -1 >.sum # the same process all the time
	facts "-p and its children" "-v cpu=5 -v least=900" .sum .profile
	has "-p: became shares" '^shares;_start;'
	has "-p: its children" '^children;_start;.*burn_child'
	exec 3>&-
else
	skip "privileged" "needs root or perf_event_paranoid <= 0"
fi

if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 2 ]; then
	skip "unprivileged" "perf_event_paranoid is above 2"
else
	public
	cd open || exit 1
	nobody ./gp-record -o profile -- work/children 200 5 >"$T/.truth" 2>"$T/.err"
	status=$?
	[ "$status" -eq 0 ] && pass "as nobody: status" || fail "as nobody: status $status" - <"$T/.err"
	has "as nobody: the gap is said, and the remedy" '-F 999' "$T/.err"
	has "as nobody: and the other remedy" 'CAP_PERFMON|cap_perfmon' "$T/.err"
	[ "$(wc -l <"$T/.err")" -le 4 ] && pass "as nobody: in few lines" || fail "as nobody: many lines" - <"$T/.err"
	near "as nobody: cpu_s" "$(key cpu_s profile)" "$(sed -n 's/^cpu_s	//p' "$T/.truth")" 8 # exits are counted, and printed before
	if awk -v s="$(key sampled_s profile)" -v c="$(key cpu_s profile)" 'BEGIN { exit !(s != "" && s < 0.97 * c) }'; then
		pass "as nobody: sampled_s shows the gap"
	else
		fail "as nobody: sampled_s $(key sampled_s profile), cpu_s $(key cpu_s profile)"
	fi
	nobody ./gp-record -F $HZ -o profile -- work/shares 1 >"$T/.truth" 2>"$T/.err"
	near "as nobody, one long life: sampled_s" "$(key sampled_s profile)" "$(key cpu_s profile)" 8 # user side only
fi
done_testing
