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
LC_ALL=C sort some >sorted
awk 'BEGIN { srand(7); for (i = 0; i < 400; i++) { s = "p" int(3 * rand()); n = int(9 * rand())
	for (k = 0; k < n; k++) s = s ";f" int(5 * rand()) "_"; print s "_", int(1 + 50 * rand()) } }' | sort >random
seq 1 300 | awk '{ print "m;f" $1 "_", ($1 * $1) % 977 + ($1 == 7 ? 300000 : 0) }' >small

# like [-m] PROGRAM [-c] words...: theirs and ours, frames, places, (-c) colours and status. -m: the last word is a
# file, of which theirs gets the lines from last to first.
like() {
	mirrored=
	[ "$1" = -m ] && { mirrored=yes; shift; }
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
		for file; do :; done
		if [ "$mirrored" ]; then mkdir -p mirrored && tac "$file" >"mirrored/$file" && cd mirrored || exit 1; fi
		"$program" --pretty-xml "$@" >"$T/theirs.svg" 2>"$T/theirs.err"
	else
		# What was drawn, here, when it was the same as theirs.
		ok "$program $* (as recorded, there is no $program)" grep -qxF -- "$now" "$recorded"
		return
	fi
	theirs=$?
	cd "$T" || exit 1
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
like flamegraph.pl --width 1.5 some
like flamegraph.pl --fontsize x some
like flamegraph.pl --fontsize 10.5 some
like flamegraph.pl --minwidth x some
like flamegraph.pl --nohash some
like flamegraph.pl --title
like flamegraph.pl --w 700 some
like flamegraph.pl --c io some
like flamegraph.pl -ti x -inv some
like flamegraph.pl -- some
like flamegraph.pl --count apples --name Thing: some
like flamegraph.pl --height 30 random
like flamegraph.pl --minwidth 10 --reverse --inverted random
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
for palette in aqua blue green hot io java js mem orange perl python purple red rust wakeup yellow; do
	like inferno-flamegraph -c --deterministic --colors="$palette" -i some
done
like inferno-flamegraph -c --bgcolors blue --hash some
like inferno-flamegraph -c --base uv_run --base start_thread some
like inferno-flamegraph -c --base f1_ random
like inferno-flamegraph -c --base f1_ --base=f2_ --hash -i random
like inferno-flamegraph -c --nametype Thing: --fonttype Arial --fontwidth 0.7 --fontsize 14 some
like inferno-flamegraph -c --pretty order
like inferno-flamegraph -c --width 2000 --minwidth 0.001 random
like inferno-flamegraph -c -qi some
like inferno-flamegraph -c -ijava
like inferno-flamegraph -c -cjava some
like inferno-flamegraph -c -c=java some
like inferno-flamegraph -c -vv --verbose some
like inferno-flamegraph -c --reverse --colordiffusion random
like inferno-flamegraph -c --stroke-color none some
# Its flame chart is the mirror of what it was given: of the lines from last to first it is ours.
like -m inferno-flamegraph --flamechart random
like -m inferno-flamegraph --flamechart order
like -m inferno-flamegraph -c --flamechart --hash random
like inferno-flamegraph -c --deterministic --reverse two
like inferno-flamegraph -c --no-sort two
like inferno-flamegraph -c --no-sort sorted
like inferno-flamegraph -c --no-sort random
like inferno-flamegraph --no-sort order
like inferno-flamegraph --no-sort --reverse sorted
like inferno-flamegraph --flamechart --no-sort sorted
like inferno-flamegraph --colordiffusion --colors red some
like inferno-flamegraph -c red --colordiffusion some
like inferno-flamegraph --hash --deterministic some
like inferno-flamegraph -i --inverted some
like inferno-flamegraph --title a --title b some
like inferno-flamegraph --colors chain some
like inferno-flamegraph --colors HOT some
like inferno-flamegraph --colors kind some
like inferno-flamegraph --color red some
like inferno-flamegraph --bgcolors bogus some
like inferno-flamegraph --search-color red some
like inferno-flamegraph --stroke-color bogus some
like inferno-flamegraph --uicolor red some
like inferno-flamegraph --width x some
like inferno-flamegraph --width -5 some
like inferno-flamegraph --factor x some
like inferno-flamegraph --title
like inferno-flamegraph --inverted=true some
like inferno-flamegraph --version
like inferno-flamegraph -V
like inferno-flamegraph --help
like inferno-flamegraph -x some
like inferno-flamegraph --random some
like inferno-flamegraph --total 3 some
like inferno-flamegraph --encoding x some
like inferno-flamegraph --subtitle '' --notes '<a>' --title '<b>' some
like inferno-flamegraph some nothere
like inferno-flamegraph -- some
like inferno-flamegraph nothing
like inferno-flamegraph nothere
like inferno-flamegraph --bogus some
like inferno-flamegraph --colors bogus some
like inferno-flamegraph --wid 500 some
like inferno-flamegraph --minwidth x some
like inferno-flamegraph --flamechart --reverse some

# ---- what is not copied: their faults

exits "flamegraph.pl: one file that is missing is not left out silently" 2 'compat/flamegraph.pl some nothere'
exits "flamegraph.pl: an unknown palette is not black" 255 'compat/flamegraph.pl --colors bogus some'
exits "flamegraph.pl: a title is text" 0 "compat/flamegraph.pl --title '<b>&\"x' some >out.svg"
ok "as XML has it" grep -q '&lt;b&gt;&amp;&quot;x</text>' out.svg
exits "--factor leaves shares alone" 0 'compat/flamegraph.pl --factor 0.1 order >out.svg'
ok "which are of the values" grep -q '36.36 %' out.svg
printf 'a;b 3\nc 1\n' >leaf
exits "inferno-flamegraph --base: a stack that ends in the symbol stays" 0 'compat/inferno-flamegraph --base b leaf >out.svg'
ok "with its value" grep -q '^native, 3 samples, 100.00 %' out.svg
printf 'main;a 1\nmain;a;b 1\nmain;a.x 1\nmain;a;c 1\n' >split.folded
for program in flamegraph.pl inferno-flamegraph; do
	is "$program: a box is not split" "compat/$program split.folded | grep -c '<title>a\$'" <<-W
	1
	W
done
printf 'a;b 1 3\na;b 1 9\n' >two-lines
is "the deltas of a stack's lines are summed" "compat/flamegraph.pl --colors hot two-lines | grep -o 'fill=\"rgb(255,[^\"]*\"' | sort -u" <<'W'
fill="rgb(255,0,0)"
fill="rgb(255,255,255)"
W

# ---- the same options under our own name

# Each taken, exactly or cut to what is unique, and drawn
while IFS='|' read -r option argument; do
	for word in "--$option" "--$(printf %s "$option" | sed 's/.$//')"; do
		case $word in
		# Cut by one these are other options, or several.
		--nam | --colo | --color | --has | --sub | --c) continue ;;
		esac
		if [ "$argument" ]; then set -- "$word" "$argument"; else set -- "$word"; fi
		if gp-flame -q "$@" order >out.svg 2>why && perl "$TOP/tests/lib/boxes.pl" <out.svg >boxes && [ -s boxes ]; then
			pass "gp-flame $*"
		else
			fail "gp-flame $*" - <why
		fi
	done
done <<'O'
title|x
subtitle|x
width|700
height|20
minwidth|0.1px
minwidth|0.1%
minwidth|2
fonttype|Arial
fontsize|11
fontwidth|0.6
countname|apples
nametype|Frame:
colors|hot
color|java
bgcolors|blue
hash|
random|
deterministic|
cp|
reverse|
inverted|
flamechart|
negate|
notes|text
factor|2
total|100
nameattr|names.attr
encoding|UTF-8
search-color|#112233
stroke-color|#112233
uicolor|#112233
truncate-text-right|
colordiffusion|
no-sort|
pretty-xml|
no-javascript|
quiet|
verbose|
show-from|a
O
for letter in -i -c -n -s; do exits "gp-flame $letter has no second meaning" 2 "gp-flame $letter hot order"; done
for word in -width=500 --TITLE --inferno --base; do exits "gp-flame $word is misuse" 2 "gp-flame $word x order"; done
exits "a prefix of several is misuse" 2 'gp-flame --font Arial order'
done_testing
