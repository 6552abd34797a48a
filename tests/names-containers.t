#!/bin/sh
# --by container and cgroup across cgroup namespaces: from the host, and from a container that has a view of its own.
# together: it looks at its own processes, by their numbers
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
need_work
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
unshare --cgroup true 2>/dev/null || skip_all "no cgroup namespaces here"

id_a=$(printf '%064d' 0 | tr 0 a)
id_b=$(printf '%064d' 0 | tr 0 b)
for type in cgroup2 cgroup; do
	root=$(awk -v type=$type '$3 == type && ($3 == "cgroup2" || $4 ~ /memory/) { print $2; exit }' /proc/self/mounts)
	top=gp-containers-$$
	a=$top/docker-$id_a.scope b=$top/docker-$id_b.scope
	if [ -z "$root" ] || ! mkdir -p "$root/$a/inside" "$root/$b" 2>/dev/null; then
		skip "$type" "there is none to write to"
		continue
	fi
	# shellcheck disable=SC2016
	enter='echo $$ >"$0/cgroup.procs" && exec unshare --cgroup "$@"'
	sh -c "$enter" "$root/$a/inside" "$W/shares" 6 quiet & one=$!
	sh -c "$enter" "$root/$b" "$W/shares" 6 quiet & two=$!
	sleep 0.3
	gp-record -q -a --by container,cgroup,pid -d 0.6 -F 499 -o .profile 2>.err
	has "$type: a container with a view of its own, from outside" "^container=aaaaaaaaaaaa;cgroup=[^;]*docker-$id_a.scope/inside;pid=$one;shares;"
	has "$type: and another" "^container=bbbbbbbbbbbb;cgroup=[^;]*docker-$id_b.scope;pid=$two;shares;"
	sh -c "$enter" "$root/$b" gp-record -q -a --by container,pid -d 0.6 -F 499 -o .profile 2>.err
	has "$type: from inside, another container is known by its path" "^container=aaaaaaaaaaaa;pid=$one;shares;"
	has "$type: from inside, one's own is where the view begins" "^container=\[host\];pid=$two;shares;"
	sh -c "$enter" "$root/$b" gp-record -q -a --by cgroup,pid -d 0.6 -F 499 -o .profile 2>.err
	has "$type: from inside, another's group is shown as the kernel does" "^cgroup=/\.\./docker-$id_a.scope/inside;pid=$one;shares;"
	# What is mounted here is a hierarchy seen from outside of the view.
	if [ $type = cgroup2 ]; then
		exits "$type: -G from inside, by the directory" 0 \
			"sh -c '$enter' $root/$b gp-record -G $root/$a/inside --by pid -d 0.5 -F 499 -o g.folded"
		has "... its task" "^pid=$one;shares;" g.folded
		lacks "... and no other" "^pid=$two;" g.folded
		exits "... without BPF it is refused" 1 \
			"GP_NO_BPF=1 sh -c '$enter' $root/$b gp-record -G $root/$a/inside -d 0.1 -o g.folded"
	else
		exits "$type: -G from inside, of a mount from outside" 1 \
			"sh -c '$enter' $root/$b gp-record -G $root/$a/inside -d 0.1 -o g.folded"
	fi
	says "... and it is said why" 'outside our cgroup namespace'
	# shellcheck disable=SC2016
	mounted='mkdir -p view && mount -t "$0" ${1:+-o "$1"} none view && shift && exec "$@"'
	kind=$([ $type = cgroup ] && awk -v root="$root" '$2 == root { n = split($4, word, ","); print word[n] }' /proc/self/mounts)
	sh -c "$enter" "$root/$b" unshare -m sh -c "$mounted" $type "$kind" gp-record -q -G view --by pid -d 0.5 -F 499 -o g.folded 2>.err
	has "$type: mounted anew it is our own" "^pid=$two;shares;" g.folded
	lacks "... and no other" "^pid=$one;" g.folded
	kill $one $two
	wait $one $two 2>/dev/null
	sleep 0.1
	rmdir "$root/$a/inside" "$root/$a" "$root/$b" "$root/$top"
done
done_testing
