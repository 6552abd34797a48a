#!/bin/sh
# Links that a target has put where its files were, or beside them: they lead nowhere outside its own root.
# together: it looks at its own processes, by their numbers
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
[ "$(id -u)" -eq 0 ] || skip_all "needs root for mounts"
unshare -m true 2>/dev/null || skip_all "no unshare -m"

cat >work.c <<'C'
volatile unsigned long x;
__attribute__((noipa)) static void secret_work(void) { for (int i = 0; i < 100000; i++) x += i; }
int main(void) { for (;;) secret_work(), x++; }
C
cc -O2 -static -Wl,--build-id=none -o full work.c || skip_all "no static programs"

# --- another file where the mapped one was, in a mount of its own, by a link to one of ours
echo ours >outside
mkdir place
cat >link.sh <<'S'
mount -t tmpfs none place && cp full place/program && { place/program & } || exit
until [ "$(cat /proc/$!/comm)" = program ]; do sleep 0.05; done
mount -t tmpfs none place && ln -s "$PWD/outside" place/program && echo $! >pid.new && mv pid.new pid && wait
S
unshare -m sh link.sh &
for _ in $(seq 100); do [ -s pid ] && break; sleep 0.1; done
one=$(cat pid)
if strace -y -o /dev/null true 2>/dev/null; then
	strace -f -y -qq -e trace=open,openat,openat2 -o opened gp-record -q -F 199 -d 1 -p "$one" -o o.folded
	ok "a link where the file was: what it leads to is not opened" sh -c \
		'grep -q "place/program" opened && ! grep "= [0-9]*<.*/outside>" opened | grep -v O_PATH'
else
	skip "a link where the file was: what it leads to is not opened" "no strace"
	gp-record -q -F 199 -d 1 -p "$one" -o o.folded
fi
ok "... and the mapped one has its names" grep -q ';main;secret_work ' o.folded
kill "$one"

# --- debug files, in a root of its own
jail=$T/jail
mkdir -p "$jail$T"
objcopy --only-keep-debug full program.debug
objcopy --strip-all --add-gnu-debuglink=program.debug full "$jail$T/program"
# jailed NAME: the profile of the program, there
jailed() {
	exits "$1" 124 "gp-record -q -F 199 -o o.folded -- timeout 1 chroot $jail $T/program"
}
jailed "no debug file in its root"
ok "... it has no names" grep -q ';\[program\] ' o.folded
not "... also if there is one at the same path in ours" grep -q 'secret_work' o.folded
ln -s "$T/program.debug" "$jail$T/program.debug"
jailed "a link to ours"
not "... is none" grep -q 'secret_work' o.folded
rm "$jail$T/program.debug"
cp program.debug "$jail/inside"
ln -s /inside "$jail$T/program.debug"
jailed "a link inside its root"
ok "... is one" grep -q ';secret_work ' o.folded
rm "$jail$T/program.debug"
mkdir "$jail$T/.debug"
mv "$jail/inside" "$jail$T/.debug/program.debug"
jailed "a file in .debug there"
ok "... is one" grep -q ';secret_work ' o.folded
# Attached: /proc/PID/maps shows our own path of it.
chroot "$jail" "$T/program" & one=$!
until [ "$(cat /proc/$one/comm)" = program ]; do sleep 0.05; done
gp-record -q -F 199 -d 1 -p $one -o o.folded
ok "... when attached to, too" grep -q ';secret_work ' o.folded
ln -s "$T/program.debug" "$jail$T/program.debug"
rm -r "$jail$T/.debug"
gp-record -q -F 199 -d 1 -p $one -o o.folded
not "... but no link to ours" grep -q 'secret_work' o.folded
kill $one
done_testing
