#!/bin/sh
# Which moments of this minute were slow, and what ran in them? slow-minute.html: slow-minute.sh [seconds]
# A slice of a tenth of a second is a cell of the page's heat map; a range of them is dragged to see its graph.
set -eu

gp-record -a -F 99 -d "${1:-60}" --by time=100ms -o slow-minute.folded
gp-flame --title "a slow minute of $(hostname)" -o slow-minute.html slow-minute.folded
echo "$PWD/slow-minute.html"
