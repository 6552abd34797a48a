#!/bin/sh
# Go that calls C that calls Go, three times over, from goroutines and from threads of C: each stack has the root it was
# under, and all that lies between, of both languages; or it is marked.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
[ -x "$W/cgo" ] || skip_all "no go with a C compiler"

# judge FILE DEPTH: "samples whole marked wrong" of stacks that were busy on either side
cat >judge.awk <<'A'
!/^cgo;/ || !/;(c_leaf_|main\.leaf)(left|right|Left|Right)/ { next }
{
	n = $NF
	sub(/ [0-9]+$/, "")
	count = split($0, frame, ";")
	marked = frame[2] ~ /^\[(truncated|unknown:)/
	wrong = /[lL]eft/ && /[rR]ight/
	if (!marked && !/^cgo;runtime\.goexit[^;]*;main\.main\.func[0-9]+;main\.root(Left|Right);/ &&
	    !/^cgo;(__)?clone3?;start_thread;c_root_(left|right);go(Left|Right);/)
		wrong = 1
	# The side that was entered last: Go by its function, C by its.
	side = /c_root_/ ? "c" : "go"
	if (marked)
		side = ""
	down = 0
	for (i = 2; i <= count; i++) {
		entered = frame[i] ~ /^main\.go(Left|Right)$/ ? "go" : frame[i] ~ /^c_(left|right)$/ ? "c" : ""
		if (entered) {
			wrong += entered == side
			side = entered
			down = 0
		}
		down += frame[i] == "c_down"
		if (frame[i] ~ /^c_leaf_/ && side)
			wrong += down != (frame[i] ~ /left/ ? depth : 2 * depth) + 1
		if (frame[i] ~ /^c_leaf_/ && side != "c" && !marked || frame[i] ~ /^main\.leaf/ && side != "go" && !marked)
			wrong++
	}
	all += n
	part += marked ? n : 0
	if (wrong) {
		bad += n
		print "# wrong: " substr($0, 1, 2000) >"wrong"
	}
}
END { print all + 0, all - part, part + 0, bad + 0 }
A
judge() {
	: >wrong
	awk -v depth="$2" -f judge.awk "$1" >verdict
	read -r all whole marked bad <verdict
}

# cgo NAME LEAST-WHOLE PAIRS DEPTH
cgo() {
	gp-record -F 999 -o cgo.folded -- "$W/cgo" 1 "$3" "$4" 2>.err
	judge cgo.folded "$4"
	if [ "$bad" -eq 0 ] && [ "$all" -gt 60 ]; then
		pass "$1: none of $all wrong ($whole whole, $marked marked)"
	else
		fail "$1: $bad of $all wrong" - <wrong
	fi
	[ "$2" -eq 0 ] || ok "... $2 % whole" test $((100 * whole)) -ge $(($2 * all))
}

cgo "goroutines and threads of C" 50 2 10
has "... a goroutine, busy in C" '^cgo;runtime.goexit[^;]*;main.main.func1;main.rootLeft;.*;runtime.asmcgocall[^;]*;c_left;(c_down;)*c_leaf_left' cgo.folded
has "... C again, above Go above C" ';main.rootLeft;.*;c_left;goLeft;crosscall2;.*;main.goLeft;.*;c_left;(c_down;)*c_leaf_left' cgo.folded
has "... Go, in a thread of C" '^cgo;(__)?clone3?;start_thread;c_root_right;goRight;crosscall2;.*;main.goRight;main.leafRight' cgo.folded
lacks "... what begins the program is a root" '^cgo;\[unknown:no-mapping\].*;runtime.rt0_go' cgo.folded
cgo "deep stacks of C" 50 1 80
GP_NO_BPF=1 cgo "without BPF" 0 1 10
ok "... those that are not whole say so" test $((whole + marked)) -eq "$all"

"$W/cgo" 3 1 >/dev/null &
target=$!
sleep 0.3
gp-record -q -F 999 -p $target -d 0.6 -o cgo.folded
kill $target
wait $target 2>/dev/null
judge cgo.folded 10
ok "attached: none of $all wrong ($whole whole)" test "$bad" -eq 0 -a "$all" -gt 30 -a "$whole" -gt 0

# The same bytes, walked twice, one thread after the other. What libunwind does not know of Go is explained. A thread
# that looks for its next goroutine (runtime.mcall) has left the last: seldom, cut there with that reason, never whole.
if "$B/unit/whole" -n 2 -- "$W/stacks" frame 1 >/dev/null 2>&1; then
	for program in cgo goroutines; do
		if "$B/unit/whole" -t -n 30 -- "$W/$program" 30 1 >.whole 2>&1 &&
		    awk '{ is[$1] = $2 } END { exit !(is["stops"] == 30 && is["switched"] < 15 &&
			is["complete"] * 30 / 100 + is["switched"] > 28.9 && is["different"] == 0) }' .whole; then
			pass "second opinion, $program: $(tr '\n' ' ' <.whole)"
		else
			fail "second opinion, $program" - <.whole
		fi
	done
else
	skip "the second opinion" "not even an own child may be stopped here"
fi
done_testing
