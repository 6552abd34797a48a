#!/bin/sh
# gp-record for days: a profile every interval, nothing lost between two of them, whatever happens to one.
# alone: it counts its own samples
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

cat >touch.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
/* Faults, one by one, spread over some time. */
int main(int c, char **v)
{
	for (int n = atoi(v[1]); n > 0; n--) {
		volatile char *p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*p = 1;
		munmap((void *)p, 4096);
		if (n % 100 == 0) usleep(1000 * atoi(v[2]));
	}
	return c < 3;
}
C
cc -O2 -o touch touch.c || skip_all "no compiler"

header() { sed -n 1p "$1" | grep -o "\"$2\":[^,}]*" | cut -d: -f2- | tr -d '"'; }
sum() { grep -hv '^#' "$@" | awk '{ n += $NF } END { print n + 0 }'; }

# Every fault is a sample: what neighbours have is together what there was.
exits "a command, an interval a second" 0 \
	"gp-record -e page-faults -c 1 --every 1 -o 'f-%Y%m%dT%H%M%SZ.folded.gz' -- ./touch 9000 30"
ok "a file an interval" sh -c 'test "$(ls f-*.gz | wc -l)" -ge 3'
ok "... named by when it began, compressed by its name" sh -c \
	'ls f-*.gz | grep -Eqx "f-20[0-9]{6}T[0-9]{6}Z.folded.gz" && gzip -t f-*.gz'
gzip -d f-*.gz
lost=0
uneven=
previous=
for file in f-*.folded; do
	lost=$((lost + $(header "$file" lost)))
	[ "$(header "$file" samples)" -eq "$(sum "$file")" ] || uneven="$uneven $file"
	seconds=$(date -u -d "$(header "$file" start)" +%s.%N)
	if [ -n "$previous" ]; then
		awk -v a="$seconds" -v b="$previous" 'BEGIN { exit !(a - b > 0.99 && a - b < 1.01) }' || uneven="$uneven $file"
	fi
	previous=$seconds
done
ok "each has the samples that it says, and begins where the one before ends" test -z "$uneven"
faults=$(grep -h ';main' f-*.folded | awk '{ n += $NF } END { print n }')
ok "all of them have all faults: $faults of 9000, $lost lost" test "$((faults + lost))" -ge 9000 -a "$faults" -le 9010
ok "gp-merge adds them up" test "$(gp-merge f-*.folded | sum /dev/stdin)" -eq "$(sum f-*.folded)"

exits "the last interval ends with -d" 0 "gp-record -a --every 1 -d 2 -o 'd-%s.folded'"
ok "... and there is no empty one behind it" sh -c 'test "$(ls d-*.folded | wc -l)" -eq 2'

# --- a stream
gp-record -a --every 0.25 -d 1 -o - >stream 2>stream.err
ok "-o -: a stream of profiles" test "$(grep -c '^#{' stream)" -eq 4
ok "... each ended by #" test "$(grep -cx '#' stream)" -eq 4
ok "... the last one too" test "$(tail -n 1 stream)" = '#'
ok "... added up" test "$(gp-merge stream | sum /dev/stdin)" -eq "$(sum stream)"
gp-record -q -a --every 0.25 -d 0.5 -z >stream.gz
ok "a compressed stream" test "$(gzip -dc stream.gz | grep -c '^#{')" -eq 2
ok "... added up" test "$(gp-merge stream.gz | sum /dev/stdin)" -eq "$(gzip -dc stream.gz | sum /dev/stdin)"
mkfifo pipe
gzip -dc <pipe >piped &
exits "a fifo is a stream" 0 'gp-record -a --every 0.25 -d 0.5 -z -o pipe'
wait
ok "... all of it" test "$(grep -cx '#' piped)" -eq 2
exits "a reader that leaves ends the recording" 0 \
	"timeout 20 sh -c '{ gp-record -a --every 0.2; echo \$? >status; } | head -n 1 >first'"
ok "... with status 1" test "$(cat status)" -eq 1
not "... and in silence" grep -Eqv 'samples in|records lost' .err
# Many more profiles than may wait for a reader, and than its pipe holds: none is thrown away, and no ring overflows.
"$W/shares" 4 quiet & busy=$!
"$W/shares" 4 quiet & busy="$busy $!"
cat >slowly.pl <<'P'
fcntl(STDIN, 1031, 4096); # F_SETPIPE_SZ
select(undef, undef, undef, 2.5);
print while <STDIN>;
P
exits "a reader that is slow" 0 "gp-record -a --by time=0.001 --every 0.1 -d 3 -F 199 | perl slowly.pl >slow"
# shellcheck disable=SC2086 # two numbers
kill $busy
joined=$(sed -n 's/.*: \([0-9]*\) intervals are in the profile of the one before.*/\1/p' .err)
ok "... gets every interval, $((joined + 0)) of 30 with the one before" test $(($(grep -cx '#' slow) + joined)) -eq 30
says "... which is said" 'written too slowly'
ok "... and every sample" test "$(sum slow)" -eq "$(sed -n 's/.*: \([0-9]*\) samples in .* profiles.*/\1/p' .err)"
ok "... which are many" test "$(sum slow)" -gt 300
# In the longest, when the recorder had nowhere to write. Where others keep the CPUs from it, it may miss some.
ok "... hardly one was lost then" sh -c "grep '^#{' slow | sed 's/.*\"duration_s\":\([0-9.]*\),.*\"samples\":\([0-9]*\),\"lost\":\([0-9]*\),.*/\1 \2 \3/' |
	sort -rn | awk '{ print; exit !(\$1 > 0.3 && \$3 <= \$2 / 10) }'"
ok "... each begins where the one before ends" sh -c "grep '^#{' slow | sed 's/.*\"start\":\"[^\"]*:\([0-9.]*\)Z\",\"duration_s\":\([0-9.]*\),.*/\1 \2/' |
	awk 'NR > 1 { d = \$1 - end; d -= 60 * int(d / 60 + (d < 0 ? -0.5 : 0.5)); if (d > 0.02 || d < -0.02) exit 1 } { end = \$1 + \$2 }'"

# --- bad days
# wait_for COMMAND: until it succeeds, 20 s at most
wait_for() {
	tries=0
	while ! sh -c "$1" 2>/dev/null && [ $tries -lt 200 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	[ $tries -lt 200 ]
}
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=256k none disk 2>/dev/null; then
	trap 'cd /; umount "$T/disk"; rm -rf "$T"' EXIT
	gp-record -a --every 1 -o 'disk/%Y%m%dT%H%M%S.folded' 2>disk.err &
	recorder=$!
	wait_for 'ls disk | grep -q .'
	dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null
	wait_for 'grep -q "No space" disk.err'
	ok "a full disk is said" grep -q 'disk/.*No space left' disk.err
	rm disk/filler
	ls disk >before
	wait_for 'ls disk | diff before - | grep -q ">"'
	ok "... and the recording goes on" sh -c 'ls disk | diff before - | grep -q ">"'
	kill -TERM $recorder
	wait $recorder
	ok "... and has status 1 at its end" test $? -eq 1
	ok "... which says how many were lost" grep -Eq '[0-9]+ of [0-9]+ intervals could not be written' disk.err
	ok "... and what there is is whole" test "$(for f in disk/*; do [ "$(header "$f" samples)" -eq "$(sum "$f")" ] || echo "$f"; done | wc -l)" -eq 0
else
	skip "a full disk" "needs root to mount one"
fi
gp-record -q -a --every 600 -o 't-%Y%m%dT%H%M%S.folded' &
recorder=$!
listening $recorder
sleep 0.3
kill -TERM $recorder
wait $recorder
ok "SIGTERM: status 0" test $? -eq 0
ok "SIGTERM writes the last" sh -c 'grep -q "^#{.*\"samples\":" t-*.folded'
exits "a directory that is not there is said at once" 1 "gp-record -a --every 1 -o 'nowhere/%s.folded'"
exits "intervals of one name" 2 "gp-record -a --every 1 -o 'same-%Y.folded'"
says "... are refused" 'a name of its own'
# Neighbours would have one name now and then, and one would overwrite the other.
for refused in "0.7 s-%s" "40 m-%H%M" "3599 h-%Y%m%dT%H" "23.5h h-%H" "30d m-%Y%m"; do
	exits "intervals that share a name at times: $refused" 2 \
		"gp-record -a -d 0.1 --every ${refused% *} -o '${refused#* }.folded'"
done
exits "intervals of less than a second" 2 "gp-record -a --every 0.5 -o 's-%Y%m%dT%H%M%SZ.folded'"
says "... are for a stream" '-o - writes a stream'
for taken in "1 s-%s" "60 m-%H%M" "1h h-%Y%m%dT%H" "90m h-%H" "31d m-%Y%m"; do
	exits "intervals that never do: $taken" 0 "gp-record -q -a -d 0.1 --every ${taken% *} -o '${taken#* }.folded'"
done
exits "an interval that is none" 2 'gp-record -a --every 1ms'

# --- memory, in short: processes and files that come and go; for ten thousand intervals: unit/intervals
cat >churn.sh <<'SH'
mkdir churn
i=0
while [ $i -lt 20 ]; do
	cp "$1" churn/p$i
	echo $i >>churn/p$i
	i=$((i + 1))
done
for round in 1 2 3 4 5 6 7 8 9; do
	for program in churn/p*; do $program 0.01 quiet; done
	echo $round >>rounds
done
SH
gp-record -q -F 499 --every 0.2 -o - -- sh churn.sh "$W/shares" >churned &
recorder=$!
# size ROUND: of the recorder's own memory, KB, when that has ended
size() {
	wait_for "grep -qx $1 rounds"
	awk '/^RssAnon:/ { print $2 }' "/proc/$recorder/status"
}
early=$(size 3) late=$(size 8)
wait $recorder
ok "memory does not grow: $early KB, later $late" test "$late" -gt 0 -a "$late" -le $((early + early / 5 + 256))
ok "... every interval has its samples" test "$(grep '^#{' churned | grep -o '"samples":[0-9]*' |
	awk -F: '{ n += $2 } END { print n }')" -eq "$(sum churned)"

# --- names
exits "without --every a name is a name" 0 "gp-record -o 'n-%Y.folded.gz' -- true"
ok "... and .gz is -z" gzip -t 'n-%Y.folded.gz'
printf 'a;b 1\n' >plain
exits ".gz, gp-merge" 0 'gp-merge -o m.gz plain'
ok "... is compressed once" sh -c 'gzip -dc m.gz | grep -qx "a;b 1"'
exits ".gz with -z" 0 'gp-merge -z -o mz.gz plain'
ok "... is compressed once" sh -c 'gzip -dc mz.gz | grep -qx "a;b 1"'
exits ".gz, gp-flame" 0 'gp-flame -o f.svg.gz plain'
ok "... is compressed" sh -c 'gzip -dc f.svg.gz | grep -q "</svg>"'

# --- as cron and systemd run it
mkdir bin
cp "$B/gp-record" bin
path=$(sed -n 's/^PATH=//p' "$TOP/examples/gp.cron" | sed "s,/usr/local/bin,$T/bin,")
entry=$(sed -n 's/^[0-9*]* [0-9*]* \* \* \* root //p' "$TOP/examples/gp.cron" |
	sed "s,/usr/local/share/doc/gp,$TOP,; s,/var/lib/gp,$T/kept,")
ok "cron: no % in the entry, which is a new line to it" sh -c "! echo '$entry' | grep -q %"
exits "cron's environment" 0 "cd / && env -i HOME=/root LOGNAME=root SHELL=/bin/sh PATH=$path /bin/sh -c '$entry 0.3'"
ok "cron: nothing to mail" sh -c '! grep -q . .got .err'
ok "cron: a profile is kept" sh -c 'gzip -dc kept/*.folded.gz | grep -q "^#{"'

unit=$TOP/examples/gp-record.service
sed "s,/usr/local/bin/gp-record,$T/bin/gp-record," "$unit" >gp-record.service
if command -v systemd-analyze >/dev/null; then
	exits "the unit: systemd-analyze verify" 0 "systemd-analyze verify --man=no ./gp-record.service"
	not "the unit: no word about it" grep -q gp-record .err
else
	skip "the unit: systemd-analyze verify" "no systemd-analyze"
fi
wanted='CAP_BPF CAP_CHECKPOINT_RESTORE CAP_DAC_READ_SEARCH CAP_IPC_LOCK CAP_PERFMON CAP_SYSLOG CAP_SYS_PTRACE'
for key in CapabilityBoundingSet AmbientCapabilities; do
	is "the unit: $key" "sed -n 's/^$key=//p' $unit | tr ' ' '\n' | sort | paste -sd ' '" <<-!
	$wanted
	!
done
caps=+bpf,+checkpoint_restore,+dac_read_search,+ipc_lock,+perfmon,+syslog,+sys_ptrace
as_unit="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,$caps --ambient-caps=-all,$caps --bounding-set=-all,$caps --no-new-privs"
if [ "$(id -u)" -eq 0 ] && $as_unit true 2>/dev/null; then
	mkdir -m 777 state
	chmod 755 .
	start=$(sed -n 's/^ExecStart=//p' gp-record.service | sed "s,%%,%,g; s,/var/lib/gp,$T/state,; s,--every 1h,--every 1,")
	cat >spin.c <<-'C'
	#include <unistd.h>
	volatile unsigned x;
	__attribute__((noipa)) void spin(void) { for (int i = 0; i < 200000; i++) x += i; }
	int main(void) { for (;;) { spin(); for (int i = 0; i < 1000; i++) getppid(); } }
	C
	cc -O2 -o spin spin.c
	mkdir -m 700 private
	cp spin private/deleted
	private/deleted & # root's, in a directory of root's, and gone
	spinner=$!
	sleep 0.1
	rm private/deleted
	exits "the unit's command with its capabilities" 0 "$as_unit $start -d 2"
	kill $spinner
	ok "... says nothing" sh -c '! grep -q . .got .err'
	ok "... an interval a file" sh -c 'test "$(ls state/*.folded.gz | wc -l)" -eq 2'
	ok "... other people's programs, deleted ones too, are named" sh -c "gzip -dc state/*.gz | grep -q '^deleted;.*;main;spin '"
	ok "... the kernel is named" sh -c "gzip -dc state/*.gz | grep -q '^deleted;.*;main;.*;[a-z0-9_]*_\[k\]'"
	not "... nothing is missing" sh -c "gzip -dc state/*.gz | grep -q 'no.u0020BPF'"

	# What its other lines hide from it: the kernel's list of names, homes, modules, everybody's /tmp.
	cat >as-unit.sh <<-S
	mount --bind $T /mnt && : >/mnt/nothing && chmod 0 /mnt/nothing && mount --bind /mnt/nothing /proc/kallsyms || exit 77
	for hidden in /home /root /usr/lib/modules /tmp; do
		[ ! -d \$hidden ] || mount -t tmpfs -o mode=\$([ \$hidden = /tmp ] && echo 1777 || echo 0) none \$hidden || exit 77
	done
	cd / && exec $as_unit $(echo "$start" | sed "s,$T,/mnt,g; s,cpu-,hidden-,") -d 2
	S
	cp spin private/deleted
	private/deleted &
	spinner=$!
	"$W/perf-map" plain 4 >map &
	mapped=$!
	sleep 0.1
	rm private/deleted
	unshare -m sh as-unit.sh >.got 2>.err
	hidden=$?
	kill $spinner $mapped
	wait $spinner $mapped 2>/dev/null
	rm -f "/tmp/perf-$mapped.map"
	if [ $hidden -eq 77 ]; then
		skip "the unit's command where its other lines hide things" "mounts are not allowed"
	else
		ok "the unit's command where its other lines hide things" test $hidden -eq 0
		ok "... says nothing" sh -c '! grep -q . .got .err'
		gzip -dc state/hidden-*.gz >hidden.folded
		ok "... programs and the kernel are named" grep -q '^deleted;.*;main;.*;[a-z0-9_]*_\[k\]' hidden.folded
		ok "... and what a program made, by its map in the other /tmp" grep -q '^perf-map;.*;made_code ' hidden.folded
	fi

	# Where the user has as many processes as he may, no writer can be started: nobody waits for a reader therefore.
	"$W/shares" 4 quiet & busy=$!
	"$W/shares" 4 quiet & busy="$busy $!"
	exits "no process more may be started" 0 \
		"$as_unit prlimit --nproc=1: bin/gp-record -a --by time=0.001 --every 0.1 -d 3 -F 999 | { sleep 2.5; cat >alone; }"
	# shellcheck disable=SC2086 # two numbers
	kill $busy
	joined=$(sed -n 's/.*: \([0-9]*\) intervals are in the profile of the one before.*/\1/p' .err)
	says "... is said" 'intervals become longer, until a process can be started .*: fork: '
	ok "... every interval is there, $((joined + 0)) of 30 with the one before" \
		test $(($(grep -cx '#' alone) + joined)) -eq 30
	ok "... and every sample" test "$(sum alone)" -eq "$(sed -n 's/.*: \([0-9]*\) samples in .* profiles.*/\1/p' .err)"
	ok "... none was written by the recorder before its end" test "$joined" -eq 29
	$as_unit prlimit --nproc=1: bin/gp-record -a --every 1 -o 'state/late-%Y%m%dT%H%M%SZ.folded' 2>late.err &
	recorder=$!
	ok "no process more, into files: it goes on" wait_for 'grep -q "intervals become longer" late.err'
	not "... nothing is written until there may be one" sh -c 'ls state | grep -q late-'
	$as_unit prlimit --pid $recorder --nproc=4096:
	ok "... then it is" wait_for 'ls state | grep -q late-'
	kill -TERM $recorder
	wait $recorder
	ok "... status 0" test $? -eq 0
	ok "... and all samples are there" test "$(sum state/late-*)" -eq \
		"$(sed -n 's/.*: \([0-9]*\) samples in .* profiles.*/\1/p' late.err)"
	longer=$(cat state/late-* | sed -n '1s/.*"duration_s":\([0-9]*\).*/\1/p')
	ok "... those of intervals that were not written in the first, of $longer s" test "${longer:-0}" -ge 2
else
	skip "the unit's command with its capabilities" "needs root and a setpriv that knows them"
fi
if command -v strace >/dev/null && command -v systemd-analyze >/dev/null && strace -o /dev/null true 2>/dev/null; then
	systemd-analyze --no-pager syscall-filter 2>/dev/null | awk '/^@/ { set = $1 } /^ +[@a-z]/ { print set, $1 }' >sets
	mkdir calls
	# shellcheck disable=SC2046 # words
	strace -f -qq -o strace.out $(sed -n 's/^ExecStart=//p' gp-record.service | sed "s,%%,%,g; s,/var/lib/gp,$T/calls,; s,--every 1h,--every 1,") -d 2 2>.err
	sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' strace.out | sort -u >used
	sed -n 's/^SystemCallFilter=//p' gp-record.service | tr ' ' '\n' |
		awk 'NR == FNR { in_set[$1] = in_set[$1] " " $2; next } { todo[++n] = $1 }
		END { while (n) { word = todo[n--]; if (word !~ /^@/) print word; else { m = split(in_set[word], more, " "); while (m) todo[++n] = more[m--] } } }' sets - |
		sort -u >allowed
	ok "the unit: its filter has the calls that were made ($(wc -l <used) of $(wc -l <allowed))" sh -c \
		'grep -qx perf_event_open used && grep -qx pwrite64 allowed && comm -23 used allowed | { ! grep .; }'
else
	skip "the unit: its filter" "no strace or no systemd-analyze"
fi
done_testing
