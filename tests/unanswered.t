#!/bin/sh
# Memory whose owner never lets it come: pages of a user's own file system, read for names (code that may be a
# library's, moved) and for stacks (--complete). The recorder goes on, says who it was, and nobody is left when the file
# system is gone.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
need_work
chmod 755 "$T" # its processes are another user's

# begin KIND [PROCESSES]: in the background, until end, or for a minute of CPU time: what hangs on it ends then, too
begin() {
	: >.ready # before the other does, who may be late
	"$W/unanswered" "$1" 60 "${2-1}" >>.ready 2>.refused &
	program=$!
	until [ "$(wc -l <.ready)" -ge "${2-1}" ]; do
		kill -0 $program 2>/dev/null || return 1
		sleep 0.02
	done
	target=$(sed -n 's/^ready //p' .ready | head -n 1)
}

# left: recorders and their readers that still run; a zombie has no program
left() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$(readlink -f "$B/gp-record")" 2>/dev/null
}

end() {
	kill $program
	wait $program 2>/dev/null
	tries=0
	until [ -z "$(left)" ] || [ $((tries += 1)) -gt 500 ]; do sleep 0.02; done
	if [ -z "$(left)" ]; then pass "... and nobody is left"; else fail "... left: $(left)"; fi
}

# record NAME OPTIONS: ended by itself, not by the file system's end
record() {
	rm -f .profile
	# shellcheck disable=SC2086 # a list of options
	gp-record $2 >.profile 2>.err
	recorded=$?
	[ "$(state "$target")" != gone ] || recorded=late
	if [ "$recorded" = 0 ]; then pass "$1: it ends"; else fail "$1: $recorded" - <.err; fi
	has "... with the process in it" '^unanswered;'
}

if ! begin text; then
	wait $program
	[ $? -ne 3 ] || skip_all "$(cat .refused)"
	fail "the program" - <.refused
	done_testing
fi
"$W/shares" 100 >/dev/null &
other=$!
record "the machine" "-a -d 1"
says "... who it was" "^gp-record: the memory of process $target is not read any more: "
ok "... is said once" test "$(grep -c 'not read any more' .err)" -eq 1
has "... the other processes are there, with names" '^shares;_start;.*;main;'
record "a process" "-p $target -d 1"
says "... who it was" "^gp-record: the memory of process $target is not read any more: "
GP_NO_BPF=1 record "intervals" "-a -d 1 --every 0.3"
ok "... each is written" test "$(grep -c '^#{' .profile)" -ge 3
# A Ctrl-C is for the recorder; who reads for it has no say.
timeout -s INT 1 gp-record -a -o .profile 2>.err
ok "SIGINT to all: it ends" test "$(state "$target")" != gone
has "... with its profile" '^shares;_start;.*;main;'
kill $other
end

begin stack
GP_NO_BPF=1 record "--complete" "-p $target -d 1 --stack-size 1024 --complete"
says "... who it was" "^gp-record: the memory of process $target is not read any more: "
has "... what it lacks is marked" '^unanswered;\[truncated\];burn_deep;'
lacks "... and not made up" '^unanswered;.*burn_on_stack'
end

# A little later than at once, again and again.
begin late
record "what comes late" "-p $target -d 2"
ok "... is waited for, but not for long" test "$(grep -c 'came too slowly' .err)" -eq 1
end

# Each may cost a wait, but not for ever.
begin text 10
record "ten such processes" "-a -F 499 -d 3"
ok "... eight are waited for" test "$(grep -c 'not read any more' .err)" -eq 8
says "... and no more" '^gp-record: that was the 8th such process'
end
done_testing
