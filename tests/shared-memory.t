#!/bin/sh
# Processes that have one memory (clone() with CLONE_VM, vfork()): what one maps is the other's code as well. Each has the
# names of what was there when it was sampled, and its own name.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
need_work
"$W/sharing" child 0.01 >.truth || skip_all "no such processes here"

hold "a library replaced by a child, its parent runs in it" "-v least=200" "" "$W/sharing" child 0.5
has "... under its own name" '^sharing;.*;main;burn_both;run_plugin;plugin_burn_b'
has "... and the child under its" '^second;.*;second;load_both'
hold "the other way round" "-v least=200" "" "$W/sharing" parent 0.5
has "... under its own name" '^second;.*;second;burn_both;run_plugin;plugin_burn_b'
hold "a child of vfork" "-v least=200" "" "$W/sharing" vfork 0.5
has "... under its own name" '^second;_start;.*;main;by_vfork;run_plugin;plugin_burn_a'
has "... and its parent, in what it loaded" '^sharing;_start;.*;main;by_vfork;run_plugin;plugin_burn_a'
GP_NO_BPF=1 hold "without BPF" "-v least=200" "" "$W/sharing" child 0.5

# Its parent becomes another program: the memory stays the child's.
gp-record -F "$HZ" -o .profile -- "$W/sharing" orphan 0.5 >.truth 2>.err
has "one of the two becomes another program" '^shares;_start;.*;main;burn_[ab]'
has "... the other goes on in the old one" '^second;.*;second;burn_both;run_plugin;plugin_burn_b'
lacks "... and neither in the other's" '^(second;.*burn_both.*;(burn_[ab]|\[unknown)|shares;.*(plugin|burn_both|\[unknown))'

# They were there before us: only the second library is to come.
for mode in child parent; do
	"$W/sharing" $mode 1.2 >.truth &
	target=$!
	until child=$(pgrep -P $target); do sleep 0.02; done
	gp-record -F 499 -p "$target,$child" -o .profile 2>.err
	wait $target
	has "attached to both, $mode" ';burn_both;run_plugin;plugin_burn_b'
	has "... the first library too" ';burn_both;run_plugin;plugin_burn_a'
	lacks "... nothing is unknown" '\[unknown'
done
done_testing
