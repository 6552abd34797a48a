#!/bin/sh
# Code that is not where its file says, and code that changes where it is: a program's text that was copied onto anonymous
# or huge pages keeps its names and its stacks; what stays writable, or is written over in place, never has another's.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
need_work

# on_huge LEAST NAME: what the program said of itself
on_huge() {
	huge_kb=$(sed -n 's/^huge //p' "$T/.err")
	if [ "${huge_kb:-0}" -ge "$1" ]; then pass "... on huge pages: $huge_kb KB"; else skip "... on huge pages" "$2"; fi
}

for kind in plain small all; do
	hold "text, $kind" "" "" "$W/moved" $kind 0.4
done
hold "text on a huge page" "" "" "$W/moved" huge 0.4
on_huge 2048 "transparent_hugepage is never, or memory is in pieces"
GP_NO_BPF=1 hold "... without BPF" "" "" "$W/moved" huge 0.4
if "$W/moved" table 0.01 >/dev/null 2>&1; then
	hold "text in hugetlbfs" "" "" "$W/moved" table 0.4
	on_huge 2048 "the kernel does not tell"
else
	skip "text in hugetlbfs" "this machine keeps no huge pages (vm.nr_hugepages)"
fi
# The file's own pages, where a file system has huge ones.
mkdir shm
cat >in-shm.sh <<'S'
mount -t tmpfs -o huge=always none shm && cp "$1" shm/moved && shift && exec "$@"
S
if unshare -m sh in-shm.sh "$W/moved" true 2>/dev/null; then
	hold "the file's own huge page" "-v only=moved" "" unshare -m sh in-shm.sh "$W/moved" shm/moved file 0.4
	on_huge 2048 "this kernel has none for text"
else
	skip "the file's own huge page" "no tmpfs with huge pages"
fi

# attach KIND: to one that has moved its text
attach() {
	"$W/moved" "$1" 1.5 >.truth 2>.moved &
	target=$!
	until [ -s .moved ]; do sleep 0.02; done
	gp-record -q -F 499 -p $target -d 0.4 -o .profile 2>.err
	kill $target
	wait $target 2>/dev/null
}
for kind in small huge all; do
	attach "$kind"
	has "attached, $kind" '^moved;_start;.*;main;(moved_recursion;){21}burn_stayed'
	lacks "... nothing is unknown" '\[(jit|unknown|truncated)'
done
# A child of it, and an interval after the other.
exits "by intervals" 0 "gp-record -q -F 499 --every 0.2 -- $W/moved huge 0.6 >s.folded"
gp-merge s.folded >.profile
has "... in each" '^moved;_start;.*;main;(moved_recursion;){21}burn_stayed;burn_moved'
lacks "... nothing is unknown" '\[(jit|unknown|truncated)'

# ---- what stays writable may be anything
for how in "" attached; do
	for kind in writable patched; do
		if [ "$how" ]; then
			attach "$kind"
		else
			gp-record -q -F 499 -o .profile -- "$W/moved" $kind 0.5 >.truth 2>.err
		fi
		has "text that stays writable, $kind${how:+, $how}: stacks say so" '^moved;\[unknown:jit\];\[jit\];burn_stayed'
		lacks "... no name of what was there" ';(moved_recursion|burn_moved)[; ]'
		lacks "... nor a whole stack without it" '^moved;_start;.*;main;burn_stayed'
	done
done

# ---- a page of a JIT that is writable for ever, and is written over in place
"$W/rewritten" framed 0.01 >/dev/null
if [ $? -eq 3 ]; then
	skip "code that is written over in place" "this kernel maps nothing that is writable and executable"
else
	hold "code that is written over in place" "" "" "$W/rewritten" framed 0.6
	has "... its callees, the first" '^rewritten;_start;.*;main;call_code;\[jit\];called_first'
	has "... and the second" '^rewritten;_start;.*;main;call_code;\[jit\];called_second'
	has "... busy itself" '^rewritten;_start;.*;main;call_loop;\[jit\] '
	lacks "... neither in the other's" 'called_first.*called_second|called_second.*called_first|call_loop;.*called'
	hold "... without frame pointers" "-v marked=1" "" "$W/rewritten" bare 0.6
	has "... says so" '^rewritten;\[unknown:jit\];\[jit\];called_first'
	lacks "... and ends there" '_start;.*called_'
	hold "... with a perf map" "" "" "$W/rewritten" map 0.6
	rm -f "$(grep -x '/tmp/perf-[0-9]*\.map' .err)"
	has "... who is busy last has its name" '^rewritten;_start;.*;main;call_loop;made_loop '
	lacks "... and none is without" '\[jit\]'
fi

# ---- the second opinion, on the same bytes of all memory
if "$B/unit/whole" -n 2 -- "$W/moved" plain 1 >/dev/null 2>&1; then
	# second NAME KIND
	second() {
		if "$B/unit/whole" -n 60 -- "$W/moved" "$2" 2 >.whole 2>&1 && awk '{ is[$1] = $2 } END { exit !(is["stops"] >= 20 &&
		    is["complete"] >= 99 && is["different"] == 0 && is["identical"] >= 0.9 * is["stops"]) }' .whole; then
			pass "second opinion, $1: $(tr '\n' ' ' <.whole)"
		else
			fail "second opinion, $1" - <.whole
		fi
	}
	second "text as it is" plain
	second "on anonymous pages" small
	second "on a huge page" huge
	second "all of it" all
	second "pages of its file" file
else
	skip "the second opinion" "not even an own child may be stopped here"
fi
done_testing
