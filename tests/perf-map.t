#!/bin/sh
# Code that programs make: named by the perf map of their own process, and by none that is not theirs.
# together: it looks at its own commands, by names
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work

sweep() { # the maps that programs left
	sed -n 's,^/tmp/perf-[0-9]*\.map$,&,p' "$T/.truth" | while read -r left; do
		rm -f "$left.target"
		if [ -d "$left" ] && [ ! -h "$left" ]; then rmdir "$left"; else rm -f "$left"; fi
	done
}

# record MODE: tests/work/perf-map.c, recorded
record() {
	gp-record -F "$HZ" -o "$T/.profile" -- "$W/perf-map" "$1" 0.5 >"$T/.truth" 2>"$T/.err" ||
		fail "$1: recorded" - <"$T/.err"
	sweep
}

# named WHAT MODE NAME: the code has that name in every stack
named() {
	record "$2"
	has "$1" ";$3 "
	lacks "$1, always" ';\[jit\]( |;)'
}

unnamed() {
	record "$2"
	has "$1" ';\[jit\] '
	lacks "$1, never" 'made_'
}

gp-record -F 99 -d 0.1 -o probe -p $$ 2>.err || skip_all "gp-record may not record: $(head -1 .err)"
named "by its map" plain 'made_code'
named "with 0x before the numbers" prefix 'made_code'
named "a name with blanks and what the format writes otherwise" odd 'LazyCompile:\*f a:b /x\.js:1:2'
named "the last of several entries" twice 'made_last'
named "an entry before half a line" half 'made_code'
named "an entry between lines that are none" noise 'made_code'
named "a child that goes on with its parent's code" fork 'made_code'
unnamed "a fifo" fifo
unnamed "a link" link
unnamed "a folder" folder
unnamed "an empty map" empty
unnamed "an entry next to the code" beside
unnamed "half a line alone" half-only
unnamed "one written before the program began" stale
# Two programs of one process, and the map of the second.
record exec
has "another program by exec has its own" ';made_second '
has "which does not name the first's code" ';\[jit\] '

# Short lives: between two looks at the rings they begin, write their map and end.
gp-record -F "$HZ" -o "$T/.profile" -- sh -c 'for i in 1 2 3 4 5 6 7 8; do "$0" plain 0.1; done' "$W/perf-map" >"$T/.truth" 2>"$T/.err"
sweep
has "processes of 100 ms" ';made_code '
seen=$(awk '/;made_code / { named += $NF } /;\[jit\]( |;)/ { bare += $NF } END { print named + 0, bare + 0 }' "$T/.profile")
ok "... each of them (named, not: $seen)" test "${seen#* }" -eq 0
record_short() { gp-record -F "$HZ" -o "$T/.profile" -- sh -c "$1; true" "$W/perf-map" >"$T/.truth" 2>"$T/.err"; sweep; }
record_short '"$0" plain 0.1'
has "one alone" ';made_code '
record_short 'sh -c "(\"$0\" plain 0.06 & wait)" "$0"'
has "one whose makers are gone as well" ';made_code '
gp-record -F "$HZ" -o "$T/.profile" -- "$W/perf-map" plain 0.06 >"$T/.truth" 2>"$T/.err"
sweep
has "the command itself" ';made_code '
record_short '"$0" stale 0.1'
lacks "a map from before it began is not taken" 'made_'
if [ "$(id -u)" -eq 0 ]; then
	record_short '"$0" foreign 0.1'
	lacks "nor another user's" 'made_'
fi

# A hundred at once do not take a hundred descriptors.
cat >hundred.sh <<'S'
i=0
while [ $i -lt 100 ]; do "$1" plain 1 & i=$((i + 1)); done
wait
S
sh -c "ulimit -n 40; gp-record -F $HZ -o .profile -- sh hundred.sh $W/perf-map" >"$T/.truth" 2>"$T/.err"
sweep
seen=$(awk '/;made_code / { named += $NF } /;\[jit\]( |;)/ { bare += $NF } END { print named + 0, bare + 0 }' "$T/.profile")
ok "a hundred programs, 40 descriptors (named, not: $seen)" test "${seen% *}" -gt 100 -a "${seen#* }" -eq 0

# An endless one: it grows as long as the program runs.
start=$(date +%s)
record endless
ok "a map that grows without end is no trouble" test $(($(date +%s) - start)) -lt 30
has "and names" ';made_code '

# Of a process that was there before nobody knows how many threads it has: its map is not read at the end of each.
"$W/perf-map" threads 2 >"$T/.truth" &
target=$!
tries=0
until [ -s "$T/.truth" ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
gp-record -q -F "$HZ" -d 1 -p $target -o .profile
wait $target
sweep
has "threads that end, and a map that does not name their code" ';\[jit\] '
cost=$(sed -n '1s/.*"self_cpu_s":\([0-9.]*\).*/\1/p' .profile)
ok "... cost little ($cost s)" awk "BEGIN { exit !($cost < 1) }"

# Maps of 200 MB that are holes, and such of lines that are nothing: of these not all are read.
record_many() {
	gp-record -F "$HZ" -o "$T/.profile" -- sh -c "for i in $1; do \"\$0\" $2 0.05; done" "$W/perf-map" >"$T/.truth" 2>"$T/.err"
	sweep
}
record_many '1 2 3 4 5 6 7 8 9 10 11 12' threads
ok "many large maps cost little for what they are ($(key self_cpu_s) s)" awk "BEGIN { exit !($(key self_cpu_s) < 2) }"
record_many '1 2 3' sparse
has "between holes there may be names" ';made_code '
lacks "... and all is read" 'perf.u0020maps'
record_many '1 2 3 4' lines
has "that not all were read is said" 'perf maps of [0-9]* programs were not read' "$T/.err"
has "... and noted" 'perf.u0020maps.u0020of.u0020[0-9]*.u0020programs.u0020not.u0020read'

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	unnamed "another user's" foreign
	named "its own after it gave up root" dropped 'made_code'
else
	skip "another user's" "needs root"
fi
if unshare --mount --pid --fork --mount-proc true 2>/dev/null; then
	# Our own folder may lie in the /tmp that is hidden.
	gp-record -F "$HZ" -o "$T/.profile" -- unshare --mount --pid --fork --mount-proc sh -c \
		"exec 3<'$W/perf-map' && mount -t tmpfs none /tmp && cp /proc/self/fd/3 /tmp/perf-map &&
		chmod 700 /tmp/perf-map && exec /tmp/perf-map plain 0.6" >"$T/.truth" 2>"$T/.err"
	has "of its own /tmp, by the number it knows itself" ';made_code '
else
	skip "of its own /tmp, by the number it knows itself" "no namespaces"
fi

# Its root's /tmp may be a link: it leads to what is there inside of that root, and not to what is there for us.
if [ "$(id -u)" -eq 0 ] && [ -L /lib ] && unshare --mount sh -c 'mount --bind /usr /mnt' 2>/dev/null; then
	mkdir -p root/usr root/mnt ours
	cp "$W/perf-map" root/
	for link in /lib*; do ln -s "$(readlink "$link")" root/; done
	ln -s /mnt root/tmp
	unshare --mount sh -c 'mount --rbind /usr root/usr && exec chroot root /perf-map plain 6' >"$T/.truth" &
	target=$!
	tries=0
	until [ -s "root/mnt/perf-$target.map" ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
	for where in inside outside; do
		rm -f .profile
		[ $where = inside ] || mv "root/mnt/perf-$target.map" ours/
		unshare --mount sh -c 'mount --bind ours /mnt && exec gp-record -q -F 999 -d 0.5 -p "$1" -o .profile' sh $target 2>"$T/.err"
		if [ $where = inside ]; then
			has "/tmp is a link in its root: followed as it would" ';made_code '
		else
			has "... and not out of it" ';\[jit\] '
			lacks "... never" 'made_'
		fi
	done
	kill $target
	wait $target 2>/dev/null
else
	skip "/tmp is a link in its root" "needs root, mount namespaces, and libraries below /usr"
fi

# What V8 writes stays as it is.
if command -v node >/dev/null && node --version | grep -qE '^v(1[4-9]|2)'; then
	cat >hot.js <<-'J'
		function veryHot(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i % 7); return s }
		require("fs").writeFileSync("pid", String(process.pid)); const t = Date.now(); while (Date.now() - t < 700) veryHot(1e6)
	J
	gp-record -F "$HZ" -o "$T/.profile" -- node --perf-basic-prof --interpreted-frames-native-stack hot.js >"$T/.truth" 2>"$T/.err"
	has "node: V8's own names" ';(JS|LazyCompile):[*~^+]?veryHot .*hot\.js:1'
	rm -f "/tmp/perf-$(cat pid).map"
else
	skip "node: V8's own names" "no node"
fi
done_testing
