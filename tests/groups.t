#!/bin/sh
# Control groups that are recorded while processes come into them and leave them, and while they are removed and made
# again: -G, --by cgroup and container.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"

HZ=499 # what profile.sh would set to more
# ticks PID: of CPU time that it has used, 10 ms each. used PID TICKS: until it has used so many more, whatever else the
# machine does.
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }
used() {
	used_most=$(($(ticks "$1") + $2)) used_tries=0
	until [ "$(ticks "$1")" -ge $used_most ] || [ $((used_tries += 1)) -gt 1000 ]; do sleep 0.02; done
}
# samples PATTERN: those in lines that match, as ticks
samples() { grep -v '^#' o.folded | grep -E -- "$1" | awk -v hz=$HZ '{ n += $NF } END { print int(n * 100 / hz) }'; }
# most NAME PATTERN TICKS: at least half of them; few: no more than those, and some for being late
most() { ok "$1: $(samples "$2") of $3 ticks, $(key lost o.folded) lost" test "$(samples "$2")" -ge $(($3 / 2)); }
few() { ok "$1: $(samples "$2") of $3 ticks" test "$(samples "$2")" -le $(($3 + 60)); }
# record OPTIONS: in the background, until finish
record() {
	gp-record -q -F $HZ -o o.folded "$@" 2>.err & recorder=$!
	listening $recorder
	sleep 0.2
}
finish() {
	kill $recorder
	wait $recorder || fail "$1: status $?" - <.err
}
# looked: until the recorder has waited for records a few times
waits() { awk '/^voluntary/ { print $2 }' "/proc/$recorder/status"; }
looked() {
	looked_most=$(($(waits) + 4)) looked_tries=0
	until [ "$(waits)" -ge $looked_most ] || [ $((looked_tries += 1)) -gt 500 ]; do sleep 0.02; done
}
# inside GROUP command ...: runs in it, in the background; its number is in $started
inside() {
	# shellcheck disable=SC2016
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$@" & started=$!
}
end() {
	kill "$@" 2>/dev/null
	wait "$@" 2>/dev/null
}
# remove GROUP ...: as soon as nobody is in it any more
remove() {
	for remove_group; do
		remove_tries=0
		until rmdir "$remove_group" 2>/dev/null || [ $((remove_tries += 1)) -gt 100 ]; do sleep 0.02; done
	done
}

# coming NAME: into a group that is recorded, and out of it
coming() {
	"$W/shares" 60 quiet & joiner=$!
	inside "$group" "$W/shares" 60 quiet
	leaver=$started
	record -G "$group" --by pid
	first=$(ticks $leaver)
	used $leaver 20
	echo $joiner >"$group/cgroup.procs"
	echo $leaver >"$root/cgroup.procs"
	then=$(ticks $leaver)
	used $joiner 150
	used $leaver $((then + 150 - $(ticks $leaver)))
	finish "$1: come and gone"
	end $joiner $leaver
	most "$1: who comes into the group" "^pid=$joiner;shares;" 150
	few "$1: who leaves it" "^pid=$leaver;shares;" $((then - first))

	# What it was is known by then, and its commands are gone when anybody asks.
	record -G "$group"
	# shellcheck disable=SC2016
	sh -c 'i=0; while [ $i -lt 500000 ]; do i=$((i + 1)); done; echo $$ >"$0/cgroup.procs"
		for i in $(seq 200); do "$@"; done' "$group" "$W/shares" 0.01 quiet
	finish "$1: commands"
	most "$1: commands of a shell that came into it" "^shares;" 200
}

# again NAME: the group is removed, and made again at once, and later
again() {
	record -G "$group" --by pid
	all=
	for pause in 0 0 0.6; do
		remove "$group"
		sleep $pause
		mkdir "$group"
		inside "$group" "$W/shares" 60 quiet
		looked
		used $started 100
		all="$all $started"
		end $started
	done
	finish "$1: made again"
	for one in $all; do
		most "$1: in a group that was made again" "^pid=$one;shares;" 100
	done
}

# placed NAME PROGRAMS: what was started in the container is said to be in it, however short
placed() {
	record -a --by container
	sleep 1
	finish "$1"
	end $started
	known=$(samples "^container=bbbbbbbbbbbb;$2;") all=$(samples "^[^;]*;$2;")
	ok "$1 are where their parent is: $known of $all ticks" test "$known" -gt $((all * 9 / 10))
}

for type in cgroup2 cgroup; do
	root=$(awk -v type=$type '$3 == type && ($3 == "cgroup2" || $4 ~ /memory|pids|cpu/) { print $2; exit }' /proc/self/mounts)
	top=$root/gp-groups-$$
	id=$(printf '%064d' 7 | tr 0 b)
	if [ -z "$root" ] || ! mkdir -p "$top/moving" "$top/docker-$id.scope" 2>/dev/null; then
		skip "groups of $type" "there is none to write to"
		continue
	fi
	group=$top/moving
	if [ $type = cgroup2 ]; then
		coming "$type"
		again "$type"
	fi
	GP_NO_BPF=1
	export GP_NO_BPF
	coming "$type without BPF"
	again "$type without BPF"
	unset GP_NO_BPF

	inside "$top/docker-$id.scope" "$W/children" 100000 1 exec
	placed "$type: short commands" '(shares|children)'
	# shellcheck disable=SC2016
	inside "$top/docker-$id.scope" sh -c 'for i in $(seq 100000); do sh -c "$0 0.001 quiet; :"; done' "$W/shares"
	placed "$type: short commands of short commands" shares

	# Where there are several hierarchies v2 is shown.
	if [ $type = cgroup2 ]; then
		inside "$group" "$W/shares" 60 quiet
		record -a --by cgroup,pid
		used $started 20
		echo $started >"$top/docker-$id.scope/cgroup.procs"
		then=$(ticks $started)
		used $started 300
		finish "$type: moved"
		most "$type: --by cgroup: where it was moved to" "^cgroup=[^;]*/docker-$id.scope;pid=$started;" 300
		end $started
	fi
	remove "$top/docker-$id.scope" "$group" "$top"
	not "$type: no group is left" test -d "$top"
done
done_testing
