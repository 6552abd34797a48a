#!/bin/sh
# What did this machine do yesterday, hour by hour? One page a day from the profiles that keep-days.sh keeps:
# nightly-page.sh directory [pages]. Every profile is a value of the label file, to be chosen, grouped by, and compared.
# In a crontab: 10 0 * * * root /usr/local/share/doc/gp/examples/nightly-page.sh /var/lib/gp /var/www/profiles
set -eu
directory=${1:?where keep-days.sh keeps its profiles is wanted}
pages=${2:-.}
day=${DAY:-$(date -u -d yesterday +%Y%m%d)}
mkdir -p "$pages"

set -- "$directory/$day"T*.folded.gz
[ -e "$1" ] || { echo "no profiles of $day in $directory" >&2; exit 1; }
(cd "$directory" && gp-merge -q --by-file "$day"T*.folded.gz) | gp-flame -q --title "$(hostname) on $day" -o "$pages/$day.html"
