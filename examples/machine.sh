#!/bin/sh
# Where does this machine's CPU time go? A picture, and the ten functions that use most: machine.sh [seconds]
set -eu

gp-record -a -d "${1:-30}" -o machine.folded
gp-flame machine.folded >machine.svg

# A stack's last frame is the function that was running; the number behind the last blank says how often.
awk '/^#/ { next }
	{ count = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); self[$0] += count; all += count }
	END { for (name in self) printf "%5.1f %% %s\n", 100 * self[name] / all, name }' machine.folded |
	sort -rn | head
