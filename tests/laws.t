#!/bin/sh
# What is true of every program, whoever wrote it: found by wildcard.
# together: of gp-record it wants statuses
. "$(dirname "$0")/lib/tap.sh"

cat >busy <<'EOS'
#!/bin/sh
i=0
while [ $i -lt 300000 ]; do i=$((i + 1)); done
EOS
chmod +x busy
cat >profile.folded <<'EOS'
busy;main;left 7
busy;main;right 3
EOS

# Keys end it, and a screen is what it prints: the laws of output are not for it. tests/view.t has its own.
is_interactive() {
	[ "$1" = gp-view ]
}
# How people run it, to the end and with output. What is not named here is a filter of folded text.
ordinary() {
	case $1 in
	gp-record) echo "gp-record -q $T/busy" ;;
	gp-fold) [ -s "$T/perf.data" ] && echo "gp-fold -q $T/perf.data" ;;
	*) echo "$1 $T/profile.folded" ;;
	esac
}
is_filter() {
	case $1 in
	gp-record | gp-fold) return 1 ;;
	esac
}
perf record -q -o perf.data -e cpu-clock -F 999 -g -- ./busy >/dev/null 2>&1 || rm -f perf.data

# Devices of our own: root would lose the machine's if that law is broken.
null=/dev/null
full=/dev/full
if [ "$(id -u)" -eq 0 ]; then
	null=$T/null
	full=$T/full
	mknod null c 1 3 2>/dev/null && mknod full c 1 7 2>/dev/null && : 2>/dev/null >null || null=
fi

# silent NAME: the last exits printed nothing on stdout
silent() {
	if [ -s .got ]; then fail "$1" - <.got; else pass "$1"; fi
}

has_its_papers() {
	ok "$1 has a man page" test -e "$TOP/man/$1.1"
	ok "gp(7) has a line for $1" grep -q "^\.Xr $1 1" "$TOP/man/gp.7"
	for file in "$1.bash" "_$1" "$1.fish"; do
		ok "$1 has completions/$file" test -e "$TOP/completions/$file"
	done
	ok "$1 has a test of its own" sh -c "ls $TOP/tests/*.t | grep -v /laws.t | xargs grep -lq '$1 '"
}

for source in "$TOP"/cmd/gp-*.c; do
	p=$(basename "$source" .c)

	exits "$p -h is help" 0 "$p -h"
	ok "$p -h says nothing on stderr" test ! -s .err
	ok "$p -h begins with what it is for" grep -q "^$p: [a-z]" .got
	ok "$p -h has the usage" grep -q "^usage: $p " .got
	sed '1,/^Examples:/d' .got | grep -c "^    .*$p" >examples
	ok "$p -h has three examples or more" test "$(cat examples)" -ge 3
	ok "$p -h fits a terminal" sh -c '! grep -E "^.{101}" .got'
	mv .got help
	exits "$p --help" 0 "$p --help"
	ok "$p --help is -h" cmp help .got
	exits "$p -V" 0 "$p -V"
	ok "$p -V is name and version" grep -Eqx "$p [0-9]+\.[0-9]+\.[0-9]+" .got

	for bad in --no-such-option -! --output; do
		exits "$p $bad is misuse" 2 "$p $bad"
		says "$p $bad: the usage on stderr" "^usage: $p "
		silent "$p $bad: nothing on stdout"
	done
	exits "$p: a word with controls is misuse" 2 "$p --no-such-$(printf '\302\23331m\033[31m')"
	ok "$p: they do not reach the terminal" perl -0777 -ne 'exit 1 if /[\0-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/' .err
	ok "$p's usage in help and in misuse are one" sh -c \
		"sed -n '/^usage:/,/^\$/p' help | grep . >a; sed -n '/^usage:/,\$p' .err >b; diff a b"

	exits "$p -h >/dev/full" 1 "$p -h >/dev/full"
	says "$p -h >/dev/full: a message" "^$p: .*No space left"
	exits "$p -h >&-" 1 "$p -h >&-"
	says "$p -h >&-: a message" "^$p: ."

	if is_interactive "$p"; then
		exits "$p without a terminal" 1 "setsid -w $p profile.folded </dev/null"
		says "$p without a terminal: what to type instead" "^$p: .*gp-"
		silent "$p without a terminal: nothing on stdout"
		exits "$p of no such file" 1 "$p $T/nowhere/file"
		says "$p of what is not there: it is named" "^$p: .*$T/nowhere/"
		exits "$p of a directory" 1 "$p $T"
		says "$p of a directory: it is named" "^$p: .*$T"
		has_its_papers "$p"
		continue
	fi
	run=$(ordinary "$p")
	if [ -z "$run" ]; then
		skip "$p in ordinary use" "no perf to record a perf.data"
		continue
	fi
	exits "$p runs" 0 "$run"
	if [ ! -s .got ]; then
		fail "$p prints something"
		continue
	fi
	mv .got plain
	exits "$p >/dev/full" 1 "$run >/dev/full"
	says "$p >/dev/full: a message" "^$p: .*No space left"
	exits "$p >&-" 1 "$run >&-"
	says "$p >&-: a message" "^$p: ."
	exits "$p into a pipe that is closed" 1 \
		"perl -e 'pipe R, W; close R; open STDOUT, q(>&), \\*W; exec @ARGV' $run"
	ok "$p into a pipe that is closed: quietly" test ! -s .err

	set -- $run
	shift
	exits "$p -o FILE" 0 "$p -o out.file $*"
	silent "$p -o FILE: nothing on stdout"
	ok "$p -o FILE: there it is" test -s out.file
	chmod 600 out.file
	ln -sf out.file out.link
	exits "$p -o LINK" 0 "$p -o out.link $*"
	ok "$p -o LINK: still a link" test -L out.link
	is "$p -o FILE: its mode stays" "stat -c %a out.file" <<-!
	600
	!
	if [ -n "$null" ]; then
		exits "$p -o DEVICE" 0 "$p -o $null $*"
		ok "$p -o DEVICE: it stays a device" test -c "$null"
		exits "$p -o FULL" 1 "$p -o $full $*"
		says "$p -o FULL: it is named" "^$p: .*$full"
	else
		skip "$p -o DEVICE" "no device can be made here"
	fi
	exits "$p -o FILE in no directory" 1 "$p -o $T/nowhere/x $*"
	says "$p -o FILE in no directory: it is named" "^$p: .*$T/nowhere/x"
	echo before >out.file
	sh -c "$p -o out.file -- $T/nowhere/it" >.got 2>.err
	is "$p -o FILE that fails: it is as it was" "cat out.file" <<-!
	before
	!
	ls -A >after
	ok "$p leaves no temporary files" sh -c '! grep -E "^out\.file\.|^x\." after'
	rm -f out.file out.link

	if [ "$p" = gp-record ]; then
		exits "$p of no such command" 127 "$p $T/nowhere/command"
	else
		exits "$p of no such file" 1 "$p $T/nowhere/file"
	fi
	says "$p of what is not there: it is named" "^$p: .*$T/nowhere/"
	silent "$p of what is not there: nothing on stdout"
	if [ "$p" != gp-record ]; then
		exits "$p of a directory" 1 "$p $T"
		says "$p of a directory: it is named" "^$p: .*$T"
		exits "$p of a closed stdin" 1 "$p - <&-"
		says "$p of a closed stdin: a message" "^$p: ."
	fi

	if is_filter "$p"; then
		is "$p reads stdin without operands" "$p <profile.folded" <plain
		is "$p reads stdin as -" "$p - <profile.folded" <plain
		is "$p reads a pipe" "cat profile.folded | $p" <plain
		is "$p takes options after operands" "$p profile.folded -q" <plain
		is "$p takes operands after --" "$p -- profile.folded" <plain
		gzip -k profile.folded
		is "$p reads what is compressed" "$p <profile.folded.gz" <plain
		rm profile.folded.gz
	fi

	has_its_papers "$p"
done

# Ctrl-C reaches all of a pipeline, and it ends with a picture.
if [ -x "$B/gp-record" ] && [ -x "$B/gp-merge" ] && [ -x "$B/gp-flame" ]; then
	target='sh -c "while :; do :; done"'
	may_record_machine && target=-a
	sh -c 'while :; do :; done' &
	load=$!
	exits "Ctrl-C on a pipeline" 0 "$TOP/tests/lib/interrupt 'gp-record $target | gp-merge | gp-flame >flame.svg'"
	kill $load
	ok "Ctrl-C on a pipeline: the picture is whole" sh -c 'tail -c 20 flame.svg | grep -q "</svg>"'
	ok "Ctrl-C on a pipeline: the load is in it" grep -Eq '>(sh|dash|bash)' flame.svg
else
	skip "Ctrl-C on a pipeline" "not all of it is built"
fi
done_testing
