#!/bin/sh
# Short programs whose file is gone, or in mounts of their own, when the recorder comes to open it: the right names, or
# [unknown:no-file]. On overlayfs numbers of inodes are used again, and no generation tells it.
# together: it looks at its own processes, by their numbers
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

cat >judge.awk <<'A'
NR == FNR { kind[$1] = $2; next }
match($0, /^pid=[0-9]+/) && (pid = substr($0, 5, RLENGTH - 4)) in kind {
	all += $NF
	unknown += /\[unknown:no-file\]/ ? $NF : 0
	named += /;burn_/ ? $NF : 0
	wrong += kind[pid] == "shares" && /;burn_(first|second|thread)/ || kind[pid] == "rename" && /;burn_[ab][; ]/ ? $NF : 0
}
END { print all + 0, named + 0, unknown + 0, wrong + 0 }
A
cat >loop.sh <<'S'
cd "$1" || exit
for _ in 1 2 3 4 5 6 7 8 9 10; do
	for kind in shares rename; do
		cp "$2/$kind" t
		./t 0.06 quiet >/dev/null &
		echo $! $kind $(stat -c %i t) >&3
		wait
		rm t
	done
done
S
mkdir lower upper work merged plain
loop() {
	gp-record -q -a -F 499 --by pid -o .profile -- sh loop.sh "$2" "$W" 3>pids 2>.err
	read -r all named unknown wrong <<-S
		$(awk -f judge.awk pids .profile)
	S
	numbers=$(cut -d ' ' -f 3 pids | sort -u | wc -l)
	ok "one path, two programs in turn, $1, 20 times under $numbers numbers: $wrong of $named names wrong ($unknown unknown)" \
		test "$wrong" -eq 0 -a "$all" -gt 100 -a $((named + unknown)) -gt $((all / 2))
}
loop "plain" plain
if mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged 2>.log; then
	loop "on overlayfs" merged
	umount merged
else
	skip "on overlayfs" "$(head -n 1 .log)"
fi

# Each a file of its own, below a root of its own, made by who lives on.
cat >apart.sh <<'S'
mount -t tmpfs none apart && cd apart || exit
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	cp "$1" p$i
	echo $i >>p$i
done
for d in usr lib lib64 bin; do
	[ ! -e /$d ] || { mkdir $d && mount --bind /$d $d; } || exit
done
exec chroot . /bin/sh -c 'for p in /p*; do $p 0.04 quiet; done; sleep 0.6'
S
mkdir apart
if unshare -m true 2>/dev/null; then
	gp-record -q -F 499 -o .profile -- unshare -m sh apart.sh "$W/shares" >/dev/null 2>.err
	read -r named unknown <<-S
		$(awk '/^p[0-9]+;/ { named += /;burn_[ab][; ]/ ? $NF : 0; unknown += /\[unknown:no-file\]/ ? $NF : 0 } END { print named + 0, unknown + 0 }' .profile)
	S
	ok "in mounts of their own: $named named, $unknown unknown" test "$named" -gt 100 -a $((10 * unknown)) -lt "$named"
else
	skip "in mounts of their own" "no unshare -m"
fi
done_testing
