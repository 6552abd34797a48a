#!/bin/sh
# Where does a command spend its time, with all its children? command.sh command [argument ...]
# Ends with the command's own status, so that it can stand in front of any command.
: "${1:?a command is wanted, and its arguments}"
gp-record -F 999 -o command.folded -- "$@"
status=$?
gp-flame command.folded >command.svg && echo "command.svg shows where the time went" >&2
exit $status
