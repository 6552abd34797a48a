#!/bin/sh
# Called as flamegraph.pl or inferno-flamegraph, gp-flame takes their command lines and draws the same frames in the
# same places and colours: compared with the programs where they are, and with what was written down else.
. "$(dirname "$0")/lib/tap.sh"

same=$TOP/tests/lib/same-picture.pl
# GP_COMPAT_RECORD=FILE tests/compat.t, with both programs there, writes it anew.
recorded=$TOP/tests/lib/compat.recorded
mkdir compat
ln -s "$B/gp-flame" compat/flamegraph.pl
ln -s "$B/gp-flame" compat/inferno-flamegraph
PERL=${GP_FLAMEGRAPH:-/usr/share/perl5/Devel/NYTProf}/flamegraph.pl

cat >some <<'S'
java;start_thread;java/lang/Thread.run_[j];Ljava/util/HashMap.get_[i];org/x/Y.z_[j] 40
java;start_thread;JavaThread::run;Interpreter;com.sun.Foo.bar 25
java;start_thread;java/lang/Thread.run_[j];sys_read_[k];vfs_read_[k] 31
node;uv_run;node::Start;LazyCompile:*main /home/a/app.js:10;Builtin:Map 22
node;uv_run;node::Start;LazyCompile:~x /home/a/node_modules/y.js:1;/a/b/c.js 11
node;uv_run; ;do_syscall_64_[k] 5
perl;Perl_runops;main.pl;Foo::bar 14
python3;main (/usr/lib/python3.11/x.py:1);f (/a/site-packages/b.py:2);<built-in method len>;<frozen importlib> 18
rust;std::rt::lang_start;app`core::ops::call;alloc::vec::push;<std::x as y>;app::run;memcpy 17
a`mod`func;libc.so.6`malloc;x 3
main;very_long_function_name_that_will_not_fit_into_its_box_whatever_happens;b 1
S
# Two columns: more, less, none, new and gone.
cat >two <<'S'
a;b 1 3
a;c 5 2
a 3 3
a;d;e 0 7
a;d 4 0
S
printf 'z;y 3\na;b 1\na;c 2\na;b 4\nz;x 1\n' >order
printf 'a 0\n' >nothing
printf 'a 1\n' >one
printf 'a;b\t<b>&"x"\n' >bad.attr
printf 'main\ttitle=the main one\thref=https://x.example/\nb\tid=bee\n' >names.attr
# What neither of them can split: names sort as lines do.
awk 'BEGIN { srand(7); for (i = 0; i < 400; i++) { s = "p" int(3 * rand()); n = int(9 * rand())
	for (k = 0; k < n; k++) s = s ";f" int(5 * rand()) "_"; print s "_", int(1 + 50 * rand()) } }' | sort >random
seq 1 300 | awk '{ print "m;f" $1 "_", ($1 * $1) % 977 + ($1 == 7 ? 300000 : 0) }' >small

# like PROGRAM [-c] WHAT words...: theirs and ours, frames, places, (-c) colours and status
like() {
	program=$1 colours=
	shift
	[ "$1" = -c ] && { colours=-c; shift; }
	"compat/$program" "$@" >ours.svg 2>ours.err
	ours=$?
	now="$program $* = $ours $(perl "$same" -l ours.svg | cksum)"
	[ -z "${GP_COMPAT_RECORD:-}" ] || printf '%s\n' "$now" >>"$GP_COMPAT_RECORD"
	if [ "$program" = flamegraph.pl ] && [ -e "$PERL" ]; then
		perl "$PERL" "$@" >theirs.svg 2>theirs.err
	elif [ "$program" != flamegraph.pl ] && command -v "$program" >/dev/null; then
		"$program" --pretty-xml "$@" >theirs.svg 2>theirs.err
	else
		# What was drawn, here, when it was the same as theirs.
		ok "$program $* (as recorded, there is no $program)" grep -qxF -- "$now" "$recorded"
		return
	fi
	theirs=$?
	# shellcheck disable=SC2086
	if perl "$same" $colours theirs.svg ours.svg >differs && [ "$theirs" = "$ours" ]; then
		pass "$program $*"
	else
		{ echo "status: theirs $theirs, ours $ours"; cat differs ours.err; } | head -20 >why
		fail "$program $*" - <why
	fi
}

# ---- flamegraph.pl, the version there is: its colours are random but for --hash

for file in some random order small; do
	like flamegraph.pl "$file"
	like flamegraph.pl -c --hash "$file"
done
for palette in hot mem io red green blue yellow purple aqua orange; do
	like flamegraph.pl -c --hash --colors "$palette" some
done
like flamegraph.pl --width 700 some
like flamegraph.pl -width=700 some
like flamegraph.pl --wid 700 --hei=20 some
like flamegraph.pl -c --HASH --COLORS=io some
like flamegraph.pl -c -color=mem -hash some
like flamegraph.pl --minwidth 3 small
like flamegraph.pl --min 0.5 small
like flamegraph.pl --minwidth 0 small
like flamegraph.pl --reverse some
like flamegraph.pl --inverted some
like flamegraph.pl --inv --rev random
like flamegraph.pl --total 1000 some
like flamegraph.pl --total 3 some
like flamegraph.pl --factor 2 --countname ms --nametype Frame: some
like flamegraph.pl --fonttype Arial --fontsize 14 --fontwidth 0.6 some
like flamegraph.pl --title 'A title' some
like flamegraph.pl --encoding UTF-8 some
like flamegraph.pl --nameattr names.attr order
like flamegraph.pl -c two
like flamegraph.pl -c --negate two
like flamegraph.pl order some
like flamegraph.pl nothing
like flamegraph.pl nothere
like flamegraph.pl --bogus some
like flamegraph.pl --width x some
like flamegraph.pl --h 3 some
like flamegraph.pl --help

# ---- inferno-flamegraph

for file in some random order small; do
	like inferno-flamegraph -c "$file"
	like inferno-flamegraph -c --hash "$file"
	like inferno-flamegraph -c --deterministic "$file"
done
for palette in aqua blue green hot io java js mem orange perl python purple red rust wakeup yellow; do
	like inferno-flamegraph -c --colors "$palette" some
	like inferno-flamegraph -c -c "$palette" --hash some
done
like inferno-flamegraph -c -i some
like inferno-flamegraph -c --inverted --width 900 some
like inferno-flamegraph -c --reverse some
like inferno-flamegraph -c --minwidth 1 small
like inferno-flamegraph -c --minwidth=0 small
like inferno-flamegraph -c --minwidth 0.5 --width 400 random
like inferno-flamegraph -c --colordiffusion some
like inferno-flamegraph -c --height 24 --fontsize 10 some
like inferno-flamegraph -c --factor 3 --countname ns some
like inferno-flamegraph -c --title T --subtitle S --notes N some
like inferno-flamegraph -c --bgcolors '#ff00ff' some
like inferno-flamegraph -c --stroke-color '#000000' --search-color '#00ff00' --uicolor '#123456' some
like inferno-flamegraph -c --truncate-text-right some
like inferno-flamegraph -c --no-javascript some
like inferno-flamegraph -c -q some
like inferno-flamegraph -c --base uv_run some
like inferno-flamegraph -c --no-sort one
like inferno-flamegraph -c --nameattr names.attr one
like inferno-flamegraph -c two
like inferno-flamegraph -c --negate two
like inferno-flamegraph -c order some
like inferno-flamegraph nothing
like inferno-flamegraph nothere
like inferno-flamegraph --bogus some
like inferno-flamegraph --colors bogus some
like inferno-flamegraph --wid 500 some
like inferno-flamegraph --minwidth x some
like inferno-flamegraph --flamechart --reverse some

done_testing
