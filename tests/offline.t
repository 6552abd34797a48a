#!/bin/sh
# A CPU that goes offline while it is sampled. Everybody on the machine would notice: only where GP_TEST_OFFLINE
# is set.
. "$(dirname "$0")/lib/tap.sh"
last=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | sed 's/.*cpu//' | sort -n | tail -1)
switch=/sys/devices/system/cpu/cpu$last/online
[ "${GP_TEST_OFFLINE-}" ] || skip_all "it takes a CPU from everybody (GP_TEST_OFFLINE=1 allows it)"
[ -w "$switch" ] && [ "$(cat "$switch")" = 1 ] || skip_all "no CPU can be taken offline"
trap 'echo 1 >"$switch"; cd /; rm -rf "$T"' EXIT

gp-record -a -d 3 -o away.folded 2>err &
sleep 1
echo 0 >"$switch"
sleep 1
echo 1 >"$switch"
ok "the recording goes on" wait $!
ok "the header counts the CPU" grep -q '1.u0020CPUs.u0020went.u0020offline' away.folded
gp-record -a -d 1 -o after.folded 2>err
not "the next one has them all" grep -q 'went.u0020offline' after.folded
done_testing
