#!/bin/sh
# A minute of every hour, kept for two weeks, for the day on which somebody asks what was different:
# keep-days.sh directory [seconds]. gp.cron has the entry.
set -eu
directory=${1:?where to keep them is wanted}
mkdir -p "$directory"

gp-record -q -a -F 19 -d "${2:-60}" -z -o "$directory/$(date -u +%Y%m%dT%H%M%SZ).folded.gz"
find "$directory" -name '*.folded.gz' -mtime +14 -delete
