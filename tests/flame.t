#!/bin/sh
# gp-flame: what it draws, and that it draws from anything.
. "$(dirname "$0")/lib/tap.sh"

boxes=$TOP/tests/lib/boxes.pl
unpack=$TOP/tests/lib/unpack.pl
if command -v xmllint >/dev/null; then
	is_xml() { xmllint --huge --noout "$1"; }
elif command -v python3 >/dev/null; then
	is_xml() { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"; }
else
	skip "pictures are XML" "neither xmllint nor python3"
	is_xml() { :; }
fi

# draws NAME PRINTF-TEXT [options] <<wanted boxes: "depth left total name". The picture is XML, no box is split,
# leaves its parent or lies on its neighbour; and the page of what gp-merge makes of the text holds just that.
draws() {
	name=$1 text=$2
	shift 2
	cat >want
	# shellcheck disable=SC2059
	printf "$text" >in
	if gp-flame "$@" in >out.svg 2>err && perl "$boxes" <out.svg >got 2>>err && is_xml out.svg 2>>err &&
	    cmp -s want got && gp-merge in >canonical 2>>err && gp-flame --html canonical 2>>err | perl "$unpack" >page 2>>err &&
	    cmp canonical page >>err 2>&1; then
		pass "$name"
	else
		{ diff want got; cat err; } | head -30 >why
		fail "$name" - <why
	fi
}

# shows NAME PATTERN: the last picture has a line that matches (grep -E)
shows() {
	if grep -Eq -- "$2" out.svg; then pass "$1"; else fail "$1" "no '$2' in: $(grep '<title>' out.svg | head -20)"; fi
}

# ---- layout

draws "a box is never split" 'main;a 1\nmain;a;b 1\nmain;a.x 1\nmain;a;c 1\n' <<'E1'
0 0 4 all
1 0 4 main
2 0 3 a
2 3 1 a.x
3 1 1 b
3 2 1 c
E1

draws "own value lies left, callees in order of names" 'z 1\nmain;c 2\nmain 5\nmain;a 3\n' <<'E1'
0 0 11 all
1 0 10 main
1 10 1 z
2 5 3 a
2 8 2 c
E1

draws "a stack and its prefix" 'main 5\nmain;a 3\n' <<'E1'
0 0 8 all
1 0 8 main
2 5 3 a
E1

draws "the same frame below itself" 'f;f;f 2\nf;f 1\n' <<'E1'
0 0 3 all
1 0 3 f
2 0 3 f
3 1 2 f
E1

printf 'a;b 1\na;c 2\n' >one
printf 'a;c 3\nd 4\n' >two
is "operands are added up, in any order" 'gp-flame one two | perl '"$boxes"' >x; gp-flame two one | perl '"$boxes"' | cmp x && cat one two | gp-flame | perl '"$boxes"'' <<'E1'
0 0 10 all
1 0 6 a
1 6 4 d
2 0 1 b
2 1 5 c
E1
ok "same input, same bytes" sh -c 'gp-flame one two >x && gp-flame one two | cmp - x && gp-flame --html two one >x && gp-flame --html one two | cmp - x'

awk 'BEGIN { srand(5); for (i = 0; i < 3000; i++) { s = "p" int(4 * rand()); n = int(12 * rand())
	for (k = 0; k < n; k++) s = s ";f" int(9 * rand()) (rand() < .3 ? ".part" : ""); print s, int(1 + 50 * rand()) } }' >random
for options in "" "--minwidth 2" "--minwidth 0.5%" "--minwidth 0" "--inverted" "--width 333"; do
	# shellcheck disable=SC2086
	gp-flame $options random >out.svg 2>err
	ok "boxes of a random profile lie in each other, never on each other ($options)" sh -c "perl $boxes <out.svg >got && grep -q . got"
	ok "and it is XML" is_xml out.svg
done
sort -R random >shuffled
ok "the order of lines does not matter" sh -c 'gp-flame random 2>/dev/null >x; gp-flame shuffled 2>/dev/null | cmp - x'
ok "inverted is the same upside down" sh -c "gp-flame --minwidth 0 random | perl $boxes >x; gp-flame --minwidth 0 --inverted random | perl $boxes | cmp - x"
ok "the page holds every frame" sh -c "gp-merge random >x; gp-flame --html x | perl $unpack | cmp - x"

# ---- small frames

draws "small frames of one parent are one box at its right end" 'm;a 1\nm;b 900\nm;b;x 1\nm;c 1\nm;d 97\n' --width 132 --minwidth 3 <<'E1'
0 0 1000 all
1 0 1000 m
2 0 901 b
2 901 97 d
E1
gp-flame --width 132 --minwidth 3 in 2>err >out.svg
ok "what is too narrow even together is said" grep -q '^gp-flame: 3 frames narrower than --minwidth: 0.00 % in boxes \[small\], 0.30 % not drawn$' err
draws "and is drawn when together it is wide enough" 'm;a 20\nm;b 900\nm;b;x 1\nm;c 20\nm;d 59\n' --width 132 --minwidth 3px <<'E1'
0 0 1000 all
1 0 1000 m
2 0 901 b
2 901 59 d
2 960 40 [small]
E1
shows "with their number and share" '^2 small frames, 40 samples, 4.00 %'
draws "by percent" 'm;a 20\nm;b 900\nm;c 20\nm;d 60\n' --minwidth 3% <<'E1'
0 0 1000 all
1 0 1000 m
2 0 900 b
2 900 60 d
2 960 40 [small]
E1
exits "nothing is said of what is drawn whole" 0 'gp-flame one two >/dev/null && ! gp-flame one two 2>&1 >/dev/null | grep .'
for width in x 1em -1 0x1 1e3 '' 101% inf nan .; do
	exits "--minwidth '$width' is misuse" 2 "gp-flame --minwidth '$width' one"
done
for width in 0 0.5 0.1px 0.01% 100%; do
	exits "--minwidth $width is a width" 0 "gp-flame --minwidth $width one"
done
exits "--width 0 is misuse" 2 'gp-flame --width 0 one'

# ---- whatever text there is

draws "spaces in frames" 'my prog;operator new(unsigned long) 3\n' <<'E1'
0 0 3 all
1 0 3 my prog
2 0 3 operator new(unsigned long)
E1
draws "CRLF, a TAB before the value, blanks behind it and in front" 'main;a 3\r\nmain;b\t4\nmain;c 5  \n  main;d   6\n' <<'E1'
0 0 18 all
1 0 18 main
2 0 3 a
2 3 4 b
2 7 5 c
2 12 6 d
E1
draws "a UTF-8 BOM, UTF-8, no last newline" '\357\273\277main;f\303\274r 3\nmain;\346\227\245\346\234\254 2' <<'E1'
0 0 5 all
1 0 5 main
2 0 3 für
2 3 2 日本
E1
draws "UTF-16 with a BOM" '\377\376m\000;\000a\000 \0003\000\n\000' <<'E1'
0 0 3 all
1 0 3 m
2 0 3 a
E1
draws "no UTF-8: bytes are kept, U+FFFD is shown" 'main;a\377b\300\200 3\nmain;\355\240\200 1\n' <<'E1'
0 0 4 all
1 0 4 main
2 0 3 a�b��
2 3 1 ���
E1
draws "characters that XML forbids" 'main;a\357\277\276b\357\277\277 1\nmain;c\302\205d 1\n' <<'E1'
0 0 2 all
1 0 2 main
2 0 1 a�b�
2 1 1 c�d
E1
printf 'main;a\000b\001c\033[31m\177\tz 3\n' >in
gp-flame in >out.svg
ok "control characters and NUL" is_xml out.svg
draws "empty frames" 'a;;b 1\na;b; 5\n;a 2\n' <<'E1'
0 0 8 all
1 0 2 [unnamed]
1 2 6 a
2 0 2 a
2 2 1 (empty)
2 3 5 b
3 2 1 b
3 3 5 (empty)
E1
draws "lines without a stack or a value, comments, blank lines" ' 5\n5\n# text\n# interval 100\n\nmain 2\nmain;a\n' <<'E1'
0 0 2 all
1 0 2 main
E1
draws "# before a name" '#x 7\n' <<'E1'
0 0 7 all
1 0 7 \#x
E1
draws "fractions, exactly" 'a 1.5\nb 2.25\nc 5.\n' <<'E1'
0 0 8750 all
1 0 1500 a
1 1500 2250 b
1 3750 5000 c
E1
shows "and shown as they are" '^native, 2.25 samples, 25.71 %'
draws "negative values are skipped, zeros leave nothing" 'a -3\nb 0\nc +5\nd 2\nd;e 0\n' <<'E1'
0 0 2 all
1 0 2 d
E1
draws "values beyond 2^53" 'a 9007199254740993\na 2\nb 9007199254740991\n' <<'E1'
0 0 18014398509481986 all
1 0 9007199254740995 a
1 9007199254740995 9007199254740991 b
E1
draws "the largest sum" 'a 18446744073709551614\nb 1\n' <<'E1'
0 0 18446744073709551615 all
1 0 18446744073709551614 a
E1
printf 'a 18446744073709551615\nb 1\n' >in
exits "a sum of 2^64 is an error" 1 'gp-flame in'
ok "and nothing is drawn" test ! -s .got
draws "duplicate lines" 'a;b 1\na;b 2\na;b 3\n' <<'E1'
0 0 6 all
1 0 6 a
2 0 6 b
E1
draws "marks of XML and HTML" 'm;<b>&"x'"'"';</script><script>alert(1)</script>;]]>;<!-- -->;javascript:x 3\n' <<'E1'
0 0 3 all
1 0 3 m
2 0 3 <b>&"x'
3 0 3 </script><script>alert(1)</script>
4 0 3 ]]>
5 0 3 <!-- -->
6 0 3 javascript:x
E1
gp-flame --html in >out.html
is "no name gets out of the page's data" "grep -o '<script' out.html | wc -l | tr -d ' '" <<'E1'
6
E1

awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf 1" }' >deep
ok "10,000 frames deep" sh -c "gp-flame deep | tee out.svg | perl $boxes | wc -l | grep -qx ' *10002'"
ok "and it is XML" is_xml out.svg
awk 'BEGIN { for (n = 0; n < 200; n++) { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf" n, 1 } }' >deep
ok "200 stacks of 10,000 frames, in linear time" timeout 20 sh -c "gp-flame deep | perl $boxes | wc -l | grep -qx ' *10201'"
awk 'BEGIN { printf "main;"; for (i = 0; i < 2000000; i++) printf "0123456789"; print " 7" }' >long
ok "a name of 20 MB is shown to 4 KB" sh -c "gp-flame long >out.svg && [ \$(wc -c <out.svg) -lt 40000 ]"
ok "and is XML" is_xml out.svg
ok "and kept whole in the page" sh -c "gp-flame --html long | perl $unpack | cmp - long"

# ---- what is said

draws "suffixes are told as kinds" 'java;run_[j];get_[i];c1_[1];in_[0];sys_read_[k];py_[p];rb_[rb];php_[php];net_[net];w_[w];a::b;x_[y];[jit] 2\n' <<'E1'
0 0 2 all
1 0 2 java
2 0 2 run
3 0 2 get
4 0 2 c1
5 0 2 in
6 0 2 sys_read
7 0 2 py
8 0 2 rb
9 0 2 php
10 0 2 net
11 0 2 w
12 0 2 a::b
13 0 2 x_[y]
14 0 2 [jit]
E1
for kind in kernel inlined 'JIT, Java (C2)' 'Java (C1)' 'Java (interpreted)' Python Ruby PHP .NET waker 'C\+\+, Rust' 'mark or unnamed' native; do
	shows "tooltip of a $kind frame" "^$(printf %s "$kind" | sed 's/[().]/\\&/g'), 2 samples, 100.00 %"
	shows "legend of $kind" "<rect class=\"k[0-9]+\" .*rx=\"2\"/><text .*>$(printf %s "$kind" | sed 's/[().]/\\&/g')</text>"
done
draws "labels" 'host=web1;time=1;main;key=x 2\n' <<'E1'
0 0 2 all
1 0 2 host=web1
2 0 2 time=1
3 0 2 main
4 0 2 key=x
E1
shows "labels have a kind" '^label, 2 samples'
ok "but key=value elsewhere is a name" sh -c "grep -A1 '<title>key=x' out.svg | grep -q '^native'"
printf 'a;same_name 5\nb;c;same_name 1\n' | gp-flame >x
printf 'zz;same_name 900\nq 3\n' | gp-flame >y
is "a name has one colour in every profile" "sed -n 's/.*\\(class=\"k[0-9]*\"\\).*<title>same_name\$/\\1/p' x y | sort -u | wc -l | tr -d ' '" <<'E1'
1
E1

printf 'main;averyveryverylongfunctionname 1\nmain;b 9\n' | gp-flame --width 1200 >out.svg
shows "a name that does not fit is cut" '^<text [^>]*>avery[a-z]*\.\.</text>'
ok "and whole in the tooltip" grep -q '<title>averyveryverylongfunctionname$' out.svg

printf '#{"gp":1,"event":"cpu-clock","unit":"ns","target":"-a","host":"web1","start":"2026-11-30T12:00:00.5Z","duration_s":30.04,"samples":1234,"lost":5,"truncated":0}\nmain;a 1500000000\nmain 20\n' >in
gp-flame in >out.svg
shows "title from the header" '<text class="title" [^>]*>cpu-clock of the whole machine on web1</text>'
shows "and what was measured" '>2026-11-30 12:00:00 UTC · 30.0 s · 1.50 s \(1,500,000,020 ns\) · 1,234 samples · 5 lost<'
shows "readable units, the exact number in brackets" '^native, 1.50 s \(1,500,000,000 ns\), 100.00 %'
gp-flame --title 'A <b>&"' --subtitle 'x y' in >out.svg
shows "own title and subtitle" '<text class="title" [^>]*>A &lt;b&gt;&amp;&quot;</text>'
shows "own subtitle" '>x y<'
ok "is XML" is_xml out.svg
printf '#{"gp":1,"unit":"bytes"}\nmain;a 3145728\n' | gp-flame >out.svg
shows "bytes" '3.00 MiB \(3,145,728 bytes\), 100.00 %'
printf 'a 1\nb 3\n' | gp-flame --search 'x"<' >out.svg
shows "a search to begin with" 'data-search="x&quot;&lt;"'
ok "is XML" is_xml out.svg
shows "a dark page has its own colours" '^@media \(prefers-color-scheme:dark\)'

# ---- nothing to draw

for text in '' '#{"gp":1,"unit":"samples"}\n' 'a 0\nb;c 0\n' '# only a comment\n'; do
	# shellcheck disable=SC2059
	printf "$text" >in
	exits "no samples: status 1" 1 'gp-flame -o out.svg in'
	says "and a word" 'no stacks with a count'
	ok "and a picture" is_xml out.svg
	shows "that says so" 'No samples'
	exits "and a page" 1 'gp-flame --html in'
	ok "that unpacks to nothing" sh -c "perl $unpack <.got | grep -v '^#' | cmp - /dev/null"
done
exits "a file that is not there draws nothing" 1 'gp-flame nothere.folded'
ok "not even an empty picture" test ! -s .got
exits "text that is no profile: an empty picture" 1 'echo "hello world" | gp-flame'

# ---- where it goes

ok "-o" sh -c 'gp-flame -o x.svg one && grep -q "^<svg" x.svg'
ok "-o NAME.html is a page" sh -c 'gp-flame -o x.html one && grep -q "^<!DOCTYPE html>" x.html'
ok "--html is one on stdout" sh -c 'gp-flame --html one | cmp - x.html'
ok "the page names nothing that could be fetched" sh -c '! sed "s,http://www.w3.org/[a-z0-9/]*,,g" x.html | grep -E "https?:|src=|@import|url\("'
gzip -k one
ok "compressed operands" sh -c 'gp-flame one.gz >x && gp-flame one | cmp - x'
exits "a full disk" 1 'gp-flame one >/dev/full'
says "is said" 'standard output: No space left'
# A program of a pipeline is killed by the terminal's SIGINT unless it waits for the end of its input.
mkfifo feed
sh -c 'exec gp-flame <feed >piped.svg' &
flame=$!
exec 3>feed
printf 'main;a 3\n' >&3
for _ in 1 2 3 4 5 6 7 8 9 10; do
	grep -q '^SigCgt:.*[2367abef]$' "/proc/$flame/status" && break
	sleep 0.1
done
kill -INT "$flame"
exec 3>&-
wait "$flame"
ok "SIGINT leaves it to the end of its input" sh -c "perl $boxes <piped.svg | grep -q '2 0 3 a'"

# ---- no option is read and then forgotten

printf 'main;quux 20\nmain;foo;bar_[k] 10\nmain;foo;foo;baz 3\n' >plain
printf '#{"gp":1,"labels":["time"]}\ntime=000000.000;b 1\ntime=000001.000;a 1\n' >timed
printf 'm;a 1000 3000\nm;b 5000 2000\nm 2000 2000\n' >two
printf 'foo\thref=http://host/\n' >attributes
gp-flame -q plain >plain.svg
gp-flame -q timed >timed.svg
gp-flame -q two >two.svg
while read -r with; do
	for option in $(gp-flame -h | sed -n 's/^  ...  *--\([a-z-]*\).*/\1/p'); do
		case $with in "$option "* | "$option") echo "$option" >>tried ;; esac
	done
	of=plain
	case $with in time* | flamechart) of=timed ;; delta* | negate | layout*) of=two ;; esac
	# shellcheck disable=SC2086 # words
	gp-flame -q --$with $of >with.svg
	not "--$with: seen" cmp -s with.svg $of.svg
done <<'!'
html
text
time 0..0.5
title T
subtitle S
notes N
countname c
nametype n
width 500
height 30
minwidth 50%
max-frames 1
inverted
reverse
order weight
order input
flamechart
no-sort
focus quux
ignore quux
show-from foo
hide foo
collapse foo
merge-recursion
depth 1
colors java
color java
hash
deterministic
random
cp
colordiffusion
bgcolors blue
search-color #00ff00
stroke-color #000000
uicolor #123456
delta self
delta points
negate
layout new
layout base
search foo
nameattr attributes
total 100
factor 2
fonttype F
fontsize 20
fontwidth 2
encoding latin1
pretty-xml
no-javascript
!
sort -u tried >tried.sorted
is "the others are those of pages, of reading, and a default" \
	"gp-flame -h | sed -n 's/^  ...  *--\([a-z-]*\).*/\1/p' | grep -v '^$' | sort -u | comm -23 - tried.sorted" <<'!'
csp
force
help
link
output
quiet
separate
strict
truncate-text-left
truncate-text-right
verbose
version
!

done_testing
