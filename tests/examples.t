#!/bin/sh
# What pages, help and examples/ tell people to type works: run in a directory with what they name.
# Times are cut short, and what a machine need not have (nginx, sudo) is a stand-in of that name.
. "$(dirname "$0")/lib/tap.sh"

for needed in gp-record gp-merge gp-flame; do
	[ -x "$B/$needed" ] || skip_all "$needed is not built"
done

mkdir bin
stand_in() {
	cat >"bin/$1"
	chmod +x "bin/$1"
}
stand_in make <<'EOS'
#!/bin/sh
i=0
while [ $i -lt 300000 ]; do i=$((i + 1)); done
EOS
cp bin/make bin/cargo
cp bin/make bin/pytest
stand_in sudo <<'EOS'
#!/bin/sh
exec "$@"
EOS
ln -s /bin/sh bin/nginx
# Busy on both sides of the kernel's door.
bin/nginx -c 'while :; do : </dev/null; done' &
load=$!
trap 'kill $load; cd /; rm -rf "$T"' EXIT
stand_in pidof <<EOS
#!/bin/sh
echo $load
EOS
cp bin/pidof bin/pgrep
stand_in sysctl <<'EOS'
#!/bin/sh
exit 0
EOS
PATH=$T/bin:$PATH

cat >a.profile <<'EOS'
#{"gp":1,"tool":"gp-record","event":"cpu-clock","unit":"samples","period_ns":10101010}
nginx;main;left 7
nginx;main;right;read;do_syscall_64_[k] 3
EOS
have_perf_data=
if command -v perf >/dev/null && perf record -q -o a.data -e cpu-clock -e page-faults -g -- make >/dev/null 2>&1; then
	have_perf_data=yes
fi

# What an example reads: every word that looks like a profile.
prepare() {
	mkdir here
	cd here || exit 1
	for word in $(printf '%s' "$1" | tr '<>|;&()' '       '); do
		case $word in
		hour-\*.folded.gz) gzip -c ../a.profile >hour-01.folded.gz ;;
		/*) ;;
		*\*.folded) cp ../a.profile "$(printf %s "$word" | tr '*' 1)"; cp ../a.profile "$(printf %s "$word" | tr '*' 2)" ;;
		*.folded) cp ../a.profile "$word" ;;
		*.folded.gz) gzip -c ../a.profile >"$word" ;;
		*.tar.* | *.tgz) cp ../a.profile web1.folded; tar caf "$word" web1.folded 2>/dev/null || tar czf "$word" web1.folded ;;
		*perf.data) [ -z "$have_perf_data" ] || cp ../a.data "$word" ;;
		esac
	done
}

# try WHERE COMMAND
try() {
	# A minute becomes a third of a second.
	short=$(printf '%s\n' "$2" | sed 's/ -d  *[0-9][0-9.]*[a-z]*/ -d 0.3/g; s/--delay  *[0-9][0-9.]*[a-z]*/--delay 0.1/g; s/-j *[0-9]*//; s/-p 1234/-p '$load'/')
	tap_name="$1: $(printf '%s' "$2" | tr '\n#' '; ' | cut -c 1-100)"
	case $2 in
	*perf.data*) [ -n "$have_perf_data" ] || { skip "$tap_name" "no perf to record a perf.data"; return; } ;;
	esac
	case $2 in
	*' -G '* | *--cgroup*) skip "$tap_name" "its cgroup is not here"; return ;;
	*gp-record\ -a* | *gp-record*\ -a\ *) may_record_machine || { skip "$tap_name" "may not record the machine"; return; } ;;
	esac
	prepare "$2"
	# Each command of a pipeline counts, not only the last. What waits for keys gets a terminal, and q.
	printf 'set -e\n%s\n' "$short" >../script
	set -- bash -o pipefail ../script
	case $short in
	*gp-view*)
		printf 'wait (^|[^0])[1-9][0-9,]* samples?( |$)\ntype q\nended 0\nrestored\n' >../keys
		set -- "$B/work/terminal" ../keys "$@"
		;;
	esac
	if "$@" >../out 2>&1; then
		pass "$tap_name"
	else
		fail "$tap_name" - <../out
	fi
	cd .. && rm -rf here
}

# The commands of a page's EXAMPLES: a .Dl is one, a .Bd with prompts is one script.
examples_of_page() {
	awk '
	/^\.Sh/ { on = $0 ~ /EXAMPLES/; next }
	!on { next }
	/^\.Dl/ { sub(/^\.Dl */, ""); print; print "%%"; next }
	/^\.Bd/ { block = 1; next }
	/^\.Ed/ { block = 0; print "%%"; next }
	block { print }' "$1" | sed 's/^\$ //; s/\\e/\\/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\-/-/g; s/\\&//g; s/\\(ti/~/g; s/\\(ha/^/g'
}

# run WHERE: a script between lines %% on stdin
run() {
	script=
	while IFS= read -r line; do
		if [ "$line" = %% ]; then
			try "$1" "$script" </dev/null
			script=
		else
			script="${script:+$script
}$line"
		fi
	done
}

for page in "$TOP"/man/*.[157]; do
	examples_of_page "$page" >commands
	run "$(basename "$page")" <commands
done
for source in "$TOP"/cmd/gp-*.c; do
	p=$(basename "$source" .c)
	"$p" -h | sed '1,/^Examples:/d' | sed -n 's/^    //p' | sed 'a %%' >commands
	run "$p -h" <commands
done
sed -n '/^```sh/,/^```/p' "$TOP/README.md" | grep -v '^```' | grep -v '^#' | grep . | sed 'a %%' >commands
run README.md <commands

# examples/
for script in "$TOP"/examples/*.sh; do
	ok "$(basename "$script") is sh" sh -n "$script"
	ok "$(basename "$script") says what it answers" sh -c "sed -n 2p '$script' | grep -q '^# .*'"
done
if may_record_machine; then
	exits "machine.sh" 0 "$TOP/examples/machine.sh 0.5"
	ok "machine.sh: the functions that use most" grep -Eq '^ *[0-9.]+ % .' .got
	ok "machine.sh: a picture" grep -q '</svg>' machine.svg
	exits "demo.sh" 0 "LOAD='while :; do :; done' $TOP/examples/demo.sh 0.5"
	ok "demo.sh says where they are" grep -qx "$T/flame.svg" .got
	ok "demo.sh: a picture" grep -q '</svg>' flame.svg
	ok "demo.sh: a page" grep -qi '</html>' flame.html
	exits "slow-minute.sh" 0 "$TOP/examples/slow-minute.sh 0.5"
	ok "slow-minute.sh: a page" grep -qi '</html>' slow-minute.html
	ok "slow-minute.sh: with slices of time" sh -c 'gp-fold slow-minute.html | grep -q "^time=000000\.[0-9]00;"'
	# The entry of cron, as cron runs it.
	sed -n 's/^[0-9*]* [0-9*]* \* \* \* root //p' "$TOP/examples/gp.cron" |
		sed "s,/usr/local/share/doc/gp,$TOP,; s,/var/lib/gp,$T/kept," >entry
	exits "gp.cron" 0 "$(cat entry) 0.3"
	ok "gp.cron: a profile is kept" sh -c 'gzip -dc kept/*.folded.gz | grep -q "^#{"'
else
	skip "machine.sh, demo.sh, slow-minute.sh, gp.cron" "may not record the machine"
fi
# An ordinary user without sudo gets what he may, or is told what to type.
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
	skip "demo.sh of an ordinary user" "it needs root to become one"
else
	chmod 755 .
	mkdir -m 777 theirs
	mkdir progs
	cp "$B"/gp-record "$B"/gp-merge "$B"/gp-flame "$TOP/examples/demo.sh" progs
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
	exits "demo.sh of an ordinary user" "$([ "$paranoid" -le 2 ]; echo $?)" \
		"cd theirs && LOAD='while :; do :; done' PATH=$T/progs:/usr/bin:/bin \
		setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all ../progs/demo.sh 0.5 </dev/null"
	if [ "$paranoid" -le 2 ]; then
		ok "demo.sh of an ordinary user: a picture that is his" sh -c \
			'grep -q "</svg>" theirs/flame.svg && test "$(stat -c %u theirs/flame.svg)" = 65534'
	else
		says "demo.sh of an ordinary user: what to type" "sysctl kernel.perf_event_paranoid=2"
	fi
fi
for name in command.sh ci-job.sh fleet.sh keep-days.sh; do
	exits "$name without operands" 2 "timeout 20 $TOP/examples/$name"
	says "$name without operands: what is wanted" wanted
done
exits "command.sh" 0 "$TOP/examples/command.sh make"
ok "command.sh: a picture" grep -q '</svg>' command.svg
exits "command.sh ends as its command" 7 "$TOP/examples/command.sh sh -c 'make; exit 7'"
exits "ci-job.sh" 0 "ARTIFACTS=kept-ci $TOP/examples/ci-job.sh make"
ok "ci-job.sh: a page" grep -qi '</html>' kept-ci/profile.html
exits "ci-job.sh fails as its command" 7 "ARTIFACTS=kept-ci $TOP/examples/ci-job.sh sh -c 'make; exit 7'"
mkdir hourly
for hour in 01 02 13; do gzip -c a.profile >"hourly/20260131T${hour}0000Z.folded.gz"; done
gzip -c a.profile >hourly/20260130T010000Z.folded.gz
exits "nightly-page.sh" 0 "DAY=20260131 $TOP/examples/nightly-page.sh hourly pages"
is "nightly-page.sh: the profiles of the day, each by its label" "gp-fold --no-header pages/20260131.html | cut -d ';' -f 1 | sort -u" <<'W'
file=20260131T010000Z.folded.gz
file=20260131T020000Z.folded.gz
file=20260131T130000Z.folded.gz
W
exits "nightly-page.sh of a day without profiles" 1 "DAY=20250101 $TOP/examples/nightly-page.sh hourly pages"
cp a.profile web1.folded
cp a.profile web2.folded
exits "fleet.sh" 0 "$TOP/examples/fleet.sh web1.folded web2.folded"
ok "fleet.sh: both are in it" sh -c 'grep -q host=web1 .got && grep -q host=web2 .got'
done_testing
