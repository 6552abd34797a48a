#!/bin/sh
# A CPU that goes offline while it is sampled. Everybody on the machine would notice: only where GP_TEST_OFFLINE
# is set.
. "$(dirname "$0")/lib/tap.sh"
last=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | sed 's/.*cpu//' | sort -n | tail -1)
switch=/sys/devices/system/cpu/cpu$last/online
[ "${GP_TEST_OFFLINE-}" ] || skip_all "it takes a CPU from everybody (GP_TEST_OFFLINE=1 allows it)"
[ -w "$switch" ] && [ "$(cat "$switch")" = 1 ] || skip_all "no CPU can be taken offline"
trap 'echo 1 >"$switch"; cd /; rm -rf "$T"' EXIT

# Somebody is on it, for as long as there is an it.
taskset -c "$last" sh -c 'while :; do :; done' & busy=$!
trap 'echo 1 >"$switch"; kill $busy; cd /; rm -rf "$T"' EXIT

gp-record -a --by cpu -d 3 -o away.folded 2>err &
recorder=$!
sleep 1
echo 0 >"$switch"
sleep 1
ok "it went" test "$(cat "$switch")" = 0
echo 1 >"$switch"
wait $recorder
ok "the recording goes on" test $? -eq 0
ok "the header counts the CPU" grep -q '1.u0020CPUs.u0020went.u0020offline' away.folded
ok "its samples until then are written" sh -c "grep '^cpu=$last;' away.folded | awk '{ n += \$NF } END { exit !(n > 20 && n < 200) }'"
ok "and those of the others, from then on too" sh -c \
	"grep '^cpu=' away.folded | grep -v '^cpu=$last;' | awk '{ n += \$NF } END { exit !(n > 150) }'"
gp-record -a --by cpu -d 1 -o after.folded 2>err
not "the next one has them all" grep -q 'went.u0020offline' after.folded
ok "... that one too" grep -q "^cpu=$last;" after.folded
done_testing
