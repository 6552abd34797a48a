#!/bin/sh
# Many machines in one picture: fleet.sh web1.folded web2.folded ... >fleet.svg
# Each machine's stacks stand on a label of its own, made from the file's name.
set -eu
: "${1:?profiles are wanted, one of each machine}"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

for profile; do
	host=$(basename "$profile")
	gp-merge --label "host=${host%%.*}" "$profile" >"$parts/${host%%.*}"
done
gp-merge "$parts"/* | gp-flame
