#!/bin/sh
# gp-flame's drawing options: orders, flame charts, filters, colours, two columns, text.
. "$(dirname "$0")/lib/tap.sh"

boxes=$TOP/tests/lib/boxes.pl

# boxes_of NAME 'options' 'printf text' <<wanted "depth left total name"
boxes_of() {
	name=$1 options=$2 text=$3
	cat >want
	# shellcheck disable=SC2059
	printf "$text" >in
	# shellcheck disable=SC2086
	if gp-flame $options in >out.svg 2>err && perl "$boxes" <out.svg >got 2>>err && xmllint --huge --noout out.svg 2>>err &&
	    cmp -s want got; then
		pass "$name"
	else
		{ diff want got; cat err; } | head -30 >why
		fail "$name" - <why
	fi
}

# shows NAME PATTERN: in the last picture
shows() {
	if grep -Eq -- "$2" out.svg; then pass "$1"; else fail "$1" "no '$2' in: $(grep -v '^svg{' out.svg | head -30)"; fi
}
command -v xmllint >/dev/null || xmllint() { :; }

# ---- orders

boxes_of "--order weight: the widest callee first" "--order weight" 'm;a 1\nm;b 5\nm;c;x 1\nm;c;y 2\nz 20\n' <<'W'
0 0 29 all
1 0 20 z
1 20 9 m
2 20 5 b
2 25 3 c
2 28 1 a
3 25 2 y
3 27 1 x
W
boxes_of "--order input: as they came" "--order input" 'z;y 3\na;b 1\na;c 2\na;b 4\nz;x 1\n' <<'W'
0 0 11 all
1 0 4 z
1 4 7 a
2 0 3 y
2 3 1 x
2 4 5 b
2 9 2 c
W
awk 'BEGIN { srand(9); for (i = 0; i < 2000; i++) { s = "p" int(4 * rand()); n = int(9 * rand())
	for (k = 0; k < n; k++) s = s ";f" int(6 * rand()); print s, int(1 + 50 * rand()) } }' >random
for options in "--order weight" "--order input" "--no-sort" "--flamechart" "--flamechart --minwidth 3" "--reverse" "--order weight --minwidth 1"; do
	# shellcheck disable=SC2086
	gp-flame -q $options random >out.svg
	ok "boxes lie in each other, never on each other ($options)" sh -c "perl $boxes <out.svg | grep -q ."
done
sort -R random >shuffled
ok "the order of lines does not matter to --order weight" sh -c 'gp-flame -q --order weight random >x; gp-flame -q --order weight shuffled | cmp - x'

# ---- flame charts

boxes_of "--flamechart: lines as they came, equal neighbours are one box" "--flamechart" 'a;b 1\nc 1\na;d 1\na;b 1\na;b 2\n' <<'W'
0 0 6 all
1 0 1 a
1 1 1 c
1 2 4 a
2 0 1 b
2 2 1 d
2 3 3 b
W
boxes_of "by the label time, whatever the order of lines" "--flamechart" 'time=000002.000;a;x 2\ntime=000001.000;a;x 3\ntime=000000.000;b 1\ntime=000003.000;a;w 1\n' <<'W'
0 0 7 all
1 0 1 b
1 1 6 a
2 1 5 x
2 6 1 w
W
boxes_of "small frames of a chart lie where they are" "--flamechart --width 132 --minwidth 4" 'a 50\nb 2\nc 3\nd 40\ne 1\nf 4\n' <<'W'
0 0 100 all
1 0 50 a
1 50 5 [small]
1 55 40 d
1 96 4 f
W
exits "--flamechart and --reverse is misuse" 2 'gp-flame --flamechart --reverse in'

# ---- time

text='time=000000.500;a;x 1\ntime=000001.000;a;y 2\ntime=000001.500;b 4\ntime=000002.000;a;x 8\nc 16\n'
boxes_of "--time: what began in it, its end not included; what has no time goes" "--time 1..2" "$text" <<'W'
0 0 6 all
1 0 2 time=000001.000
1 2 4 time=000001.500
2 0 2 a
2 2 4 b
3 0 2 y
W
boxes_of "--time, twice, with a chart" "--flamechart --time 0..0.75 --time 1.5..9" "$text" <<'W'
0 0 13 all
1 0 1 a
1 1 4 b
1 5 8 a
2 0 1 x
2 5 8 x
W
exits "--time outside: a picture that says so" 1 'gp-flame --time 5..6 in'
for range in 2..1 1 1.. ..1 a..b 1..1 -1..2 1e0..2 1..inf; do
	exits "--time $range is misuse" 2 "gp-flame --time $range in"
done

# ---- filters

text='main;a;b 1\nmain;a;b;b 2\nmain;c;lib::x;lib::y 3\nother;c 4\n'
boxes_of "--focus" "--focus ^b$" "$text" <<'W'
0 0 3 all
1 0 3 main
2 0 3 a
3 0 3 b
4 1 2 b
W
boxes_of "--ignore, twice" "--ignore ^a --ignore ther" "$text" <<'W'
0 0 3 all
1 0 3 main
2 0 3 c
3 0 3 lib::x
4 0 3 lib::y
W
boxes_of "--hide leaves the value" "--hide ^a$|^c$" "$text" <<'W'
0 0 10 all
1 0 6 main
1 6 4 other
2 0 3 b
2 3 3 lib::x
3 1 2 b
3 3 3 lib::y
W
boxes_of "--show-from" "--show-from ^(a|c)$" "$text" <<'W'
0 0 10 all
1 0 3 a
1 3 7 c
2 0 3 b
2 7 3 lib::x
3 1 2 b
3 7 3 lib::y
W
boxes_of "--collapse" "--collapse ^lib::" "$text" <<'W'
0 0 10 all
1 0 6 main
1 6 4 other
2 0 3 a
2 3 3 c
2 6 4 c
3 0 3 b
3 3 3 lib::x
4 1 2 b
W
boxes_of "--merge-recursion" "--merge-recursion --focus b" "$text" <<'W'
0 0 6 all
1 0 6 main
2 0 3 a
2 3 3 c
3 0 3 b
3 3 3 lib::x
4 3 3 lib::y
W
boxes_of "--depth" "--depth 2" "$text" <<'W'
0 0 10 all
1 0 6 main
1 6 4 other
2 0 3 a
2 3 3 c
2 6 4 c
W
boxes_of "--reverse" "--reverse" 'a;b 1\nc;b 2\n' <<'W'
0 0 3 all
1 0 3 b
2 0 1 a
2 1 2 c
W
boxes_of "labels stay where they are" "--reverse --show-from ^b" 'host=x;a;b;c 1\n' <<'W'
0 0 1 all
1 0 1 host=x
2 0 1 c
3 0 1 b
W
exits "a wrong expression" 1 "gp-flame --focus 'a(' in"
says "is said" "regular expression 'a\\('"
exits "nothing left: a picture that says so, status 1" 1 'gp-flame --focus nowhere in'
awk 'BEGIN { for (i = 0; i < 60; i++) printf "a"; print "!;b 1" }' >slow
exits "an expression that explodes ends" 0 'timeout 20 gp-flame --hide "^(a+)+\$" slow'
printf 'a\377b;c 1\n' >in
exits "and bytes that are not UTF-8 are searched" 0 'gp-flame --focus c in'

# ---- colours

printf 'main;a;b_[k] 3\nmain;x::y 4\njava/lang/Foo_[j];[libc.so.6];py (a/b.py:3)_[p] 5\n' >some
for colours in kind module package runtime self safe hot mem io wakeup chain java js perl python rust red green blue yellow purple aqua orange; do
	exits "--colors $colours" 0 "gp-flame --colors $colours -o out.svg some"
	ok "is XML" xmllint --noout out.svg
done
exits "unknown colours are misuse" 2 'gp-flame --colors nothing some'
says "and the list" 'kind, module, package, runtime, self, safe, hot, mem'
exits "--color is --colors" 0 'gp-flame --color java some'
# What gives v: Perl's own generator, seeded with the sum of the bytes.
for name in main a kmalloc std::vector 'x y'; do
	want=$(perl -e 'srand(unpack "%32C*", $ARGV[0]); $v = rand(1); printf "rgb(%d,%d,%d)", 205 + int(50 * $v), int(230 * $v), int(55 * $v)' "$name")
	printf '%s 1\n' "$name" | gp-flame --colors hot >out.svg
	ok "flamegraph.pl's own colour of '$name'" grep -qF "fill=\"$want\"" out.svg
done
# name, java, js and perl as flamegraph.pl has them, python and rust as inferno.
while IFS='|' read -r name palette means; do
	printf '%s 1\n' "$name" | gp-flame --colors "$palette" --hash >out.svg
	ok "$palette: '$name' is $means" grep -q ">$means</text>" out.svg
done <<'R'
java/lang/X|java|Java
Lorg/x.y|java|Java
x_[j]|java|Java
x_[i]|java|inlined
a:::b|java|Java
a::b|java|C++
x_[k]|java|kernel
com.sun.X|java|native
x|java|native
/a/x.js:1|js|JavaScript
x_[j]|js|built in
/x_[j]|js|JavaScript
a::b|js|C++
a:b|js|built in
x_[k]|js|kernel
Perl_x|perl|Perl
x.pl|perl|Perl
A::b|perl|C++
f (/usr/lib/python3.1/x.py)|python|Python's own
f (/x/site-packages/y.py)|python|site-packages
f (x.py)|python|user code
core::x|rust|Rust's own
m`std::x|rust|Rust's own
my::x|rust|Rust
main|rust|other
x_[w]|chain|waker
R
boxes_of "chain: what is behind the separator was woken" "--colors chain" 'a;--;b;c 2\n' <<'W'
0 0 2 all
1 0 2 a
2 0 2 --
3 0 2 b
4 0 2 c
W
shows "the separator is grey" 'fill="rgb\(160,160,160\)"'
printf 'b;a 2\nb 1\n' >in
rm -f palette.map
gp-flame --cp --colors mem in >out.svg
ok "--cp keeps colours" grep -q '^a->rgb(0,' palette.map
printf 'a->rgb(1,2,3)\nnonsense\nb->rgb(300,1,1)\n' >palette.map
gp-flame --cp in >out.svg 2>err
shows "and takes them" 'fill="rgb\(1,2,3\)"'
ok "lines that are none are counted" grep -q 'palette.map: 2 lines skipped' err
ok "--random differs, all else does not" sh -c 'gp-flame --random in >x; gp-flame --random in | cmp -s - x && exit 1; gp-flame --deterministic in >x; gp-flame --deterministic in | cmp - x'

# contrast FILE: of the boxes' colours with the text that stands on them, the least, light and dark
cat >contrast.pl <<'P'
sub lum { my $c = hex shift; my @w = (.2126, .7152, .0722); my $s = 0;
	for (0 .. 2) { my $v = ($c >> (16 - 8 * $_) & 255) / 255; $s += $w[$_] * ($v <= .03928 ? $v / 12.92 : (($v + .055) / 1.055) ** 2.4) } $s }
sub contrast { my ($a, $b) = sort { $a <=> $b } map { lum($_) } @_; ($b + .05) / ($a + .05) }
local $/; $_ = <STDIN>;
my ($light, $dark) = /^(.*?)\@media(.*?)<\/style>/s or die;
my $least = 99;
for ([$light, '1f2328'], [$dark, 'f3f2ee']) { my ($css, $text) = @$_;
	while ($css =~ /\.k\d+\{fill:#(\w+)\}/g) { my $c = contrast($1, $text); $least = $c if $c < $least } }
while (/<rect class="([wb])[^"]*" fill="rgb\((\d+),(\d+),(\d+)\)"/g) {
	my $c = contrast(sprintf('%02x%02x%02x', $2, $3, $4), $1 eq 'w' ? 'ffffff' : '000000'); $least = $c if $c < $least }
printf "%.2f\n", $least; exit($least < 4.5);
P
awk 'BEGIN { n = split("_[k] _[i] _[j] _[1] _[0] _[p] _[rb] _[php] _[net] _[w]", s, " ")
	for (i = 0; i < 40; i++) { print "f" i " 1"; print "a::f" i " 1"; print "JS:f" i " 1"; print "host=h" i " 1"; print "[x" i "] 1"
	for (k = 1; k <= n; k++) print "f" i s[k] " 1" } }' >kinds
awk 'BEGIN { for (i = 1; i < 12; i++) print "f" i, 1000 * i, int(40000 / i); print "n 0 1000"; print "g 1000 0" }' >changes
for colours in kind package self safe runtime hot red blue purple; do
	gp-flame --colors "$colours" kinds >out.svg
	ok "text on boxes has a contrast of 4.5 ($colours)" sh -c 'perl contrast.pl <out.svg'
done
gp-flame -q changes >out.svg
ok "text on boxes has a contrast of 4.5 (changes)" sh -c 'perl contrast.pl <out.svg'

# ---- words, sizes, markup

printf '#{"gp":1,"unit":"ns","notes":["one\\u0020<note>","two"]}\nmain;averylongname 2000000\n' >in
gp-flame in >out.svg
shows "notes of the header are the description" '<desc>one &lt;note&gt;'
gp-flame --notes 'mine ]]>' --countname apples --factor 2 in >out.svg
shows "own notes" '<desc>mine \]\]&gt;</desc>'
shows "--countname and --factor" '4,000,000 apples, 100.00 %'
gp-flame --fontsize 20 --height 40 --fonttype 'A"; }x{' --fontwidth 0.7 in >out.svg
shows "--height" 'height="39" data-l'
shows "--fontsize" '.frames text\{font-size:20px\}'
shows "a font's name cannot leave its place" 'font-family:"A x"|font-family:"A; x"|font-family:"A;? ?x"'
gp-flame --total 4000000 in >out.svg
shows "--total" '50.00 %'
exits "--total that is less than there is" 0 'gp-flame --total 1 in >/dev/null'
says "is said, and left out" '--total 1 is less than what there is'
gp-flame --truncate-text-left --width 100 --search x in >out.svg
shows "--truncate-text-left" '>\.\.[a-z]*name</text>'
gp-flame --no-javascript --pretty-xml in >out.svg
ok "--no-javascript" sh -c '! grep -q "<script" out.svg'
shows "--pretty-xml" '^  <rect'
printf 'für 1\n' | gp-flame --encoding ISO-8859-1 >out.svg
ok "--encoding: text is the same in any" sh -c 'xmllint --xpath "string(//*[local-name()=\"rect\"]/*[local-name()=\"title\"])" out.svg | grep -q "^für$"' || :
shows "and declared" 'encoding="ISO-8859-1"'
exits "--encoding of nonsense is misuse" 2 "gp-flame --encoding 'a\"b' in"
gp-flame --bgcolors blue --search-color '#112233' --stroke-color '#445566' --uicolor '#778899' in >out.svg
for colour in e0e0ff 112233 445566 778899; do shows "colours asked for: $colour" "#$colour"; done
exits "a colour that is none is misuse" 2 "gp-flame --stroke-color red in"
exits "--fontsize 0 is misuse" 2 'gp-flame --fontsize 0 in'
printf 'a\thref=https://x.example/?a=1&b\ttitle=<T>\tid=i"d\tclass=mine\nb\thref= java\tscript:x\nc\thref=JaVaScRiPt:alert(1)\tg_extra=onclick="x()" data-x="1" data-x="2"\n' >attr
printf 'a 1\nb 2\nc 3\n' >in
gp-flame --no-javascript --nameattr attr in >out.svg
ok "--nameattr: XML" xmllint --noout out.svg
shows "links" '<a href="https://x.example/\?a=1&amp;b" target="_top"'
shows "titles" '<title>&lt;T&gt;</title>'
shows "classes" 'class="k[0-9]+ mine"'
ok "nothing of it runs" sh -c '! grep -i "href=\"java\|onclick" out.svg'
shows "what is harmless goes through" 'data-x="1"'
# Keys and values that run or fetch, in every way that a browser would take them.
cat >attr <<'A'
a	href=javascript:alert(1)	a_extra=onclick="x()" style="x" href="javascript:x" xlink:href="x"	g_extra=onload='x()' ONMOUSEOVER="x" data-ok="1"
b	href=data:text/html,<script>x</script>	title=</title><script>x</script>	id="><script>x</script>	class="><script>
c	href=vbscript:x	target="><script>x</script>	g_extra=filter="URL(https://x.example/)" mask="url(#x)" data-ok="</script>"
d	href=https://x.example/"onmouseover="x	a_extra=data-ok="2" onfocus="x"
A
printf 'a;a 1\nb 2\nc 3\nd 4\n' >in
gp-flame --no-javascript --nameattr attr in >out.svg
ok "--nameattr of an enemy: XML" xmllint --noout out.svg
is "nothing runs, nothing is fetched: attributes there are" "xmllint --xpath '//@*' out.svg | sed 's/=.*//' | tr -d ' ' | grep -iE '^(on|style|filter|mask|xlink)' | sort -u" </dev/null
is "elements there are: no script" "grep -ic '<script' out.svg || :" <<'W'
0
W
is "links there are" "grep -o 'href=\"[^\"]*\"' out.svg" <<'W'
href="https://x.example/&quot;onmouseover=&quot;x"
W
ok "what is harmless goes through" sh -c 'grep -c "data-ok" out.svg | grep -qx "[34]"'
printf 'no tab\n' >attr
exits "a line without TAB" 1 'gp-flame --nameattr attr in'

# ---- two columns

printf '#{"gp":1,"columns":2,"kind":"diff","names":["old","<new>"],"unit":"samples"}\nm;a 100 300\nm;b 500 200\nm 300 300\nnew 0 90\ngone 80 0\nchance 100 104\n' >./diff
boxes_of "union: the wider of both" "" "$(sed 's/%/%%/g' diff)\n" <<'W'
0 0 1374 all
1 0 104 chance
1 104 80 gone
1 184 1100 m
1 1284 90 new
2 484 300 a
2 784 500 b
W
shows "names, numbers and shares" '^old 100 samples, 9.26 %; &lt;new&gt; 300 samples, 30.18 %$'
shows "in words" '^\+200 samples, \+20.92 points, ×3.0</title>'
shows "new" '^native, new$'
shows "removed" '^native, removed$'
shows "self and total" '^self old 300 samples'
shows "marked by pattern: new" 'class="k104 new"'
shows "marked by pattern: gone" 'class="k96 gone"'
shows "changes within chance are grey" '<rect class="k100" [^>]*><title>chance'
shows "and said" 'may be chance'
shows "the legend names the sides" '>only in &lt;new&gt;</text>'
boxes_of "--layout new" "--layout new" "$(sed 's/%/%%/g' diff)\n" <<'W'
0 0 994 all
1 0 104 chance
1 104 800 m
1 904 90 new
2 404 300 a
2 704 200 b
W
gp-flame --layout base diff | perl "$boxes" >got
ok "--layout base" grep -qx '1 100 80 gone' got
gp-flame --negate diff >out.svg
shows "--negate" 'class="k96 new"'
gp-flame --delta self diff >out.svg
shows "--delta self" '<rect class="k100" [^>]*><title>m$'
gp-flame --delta points diff >out.svg
shows "--delta points" '>3 points more</text>'
gp-flame --colors hot diff >out.svg
shows "reference colours on request" 'fill="rgb\(255,[0-9]+,[0-9]+\)"'
sed 1d diff >bare
exits "without a header by majority" 0 'gp-flame bare'
says "said" "taken for a diff's"
printf '#{"gp":1,"columns":2,"kind":"ratio","names":["cycles","instructions"],"unit":"events","period":100}\na 100000 300000\nb 500000 200000\nfew 300 90000\nc 400000 400000\n' >ratio
gp-flame -q ratio >out.svg
shows "a ratio: width is the denominator" 'data-l="0" data-t="100000"'
shows "the number and its interval" '^instructions per cycles 3, with 95 % between 2.79 and 3.22; of the whole 0.99'
shows "grey where too few samples" '<rect class="k100" [^>]*><title>few'
shows "above the whole's" '<rect class="k103" [^>]*><title>a$'

# ---- text

printf 'main;averyveryverylong;b 30\nmain;c 20\nzz 3\n' >in
is "--text" 'gp-flame --text --width 40 in' <<'W'
Flame graph · 53 samples
[all                                   ]
[main                               ][z]
[averyveryverylong   ][c            ]
[b                   ]

Self:
  56.60 %  b  30 samples
  37.74 %  c  20 samples
   5.66 %  zz  3 samples
W
is "of two columns" 'gp-flame --text --width 60 diff | tail -n 6' <<'W'
  36.39 %  b  ×0.40
  21.83 %  m  unchanged
  21.83 %  a  ×3.0
   7.57 %  chance  ×1.04
   6.55 %  new  new
   5.82 %  gone  removed
W
printf 'a\033[31mb;c\302\233d\342\200\256e 1\n' >bad
ok "nothing of a name reaches the terminal" sh -c "gp-flame --text bad | LC_ALL=C tr -d '\\n -~' | od -An -tx1 | grep -qv '1b\|9b\|ae'"
if command -v script >/dev/null; then
	TERM=xterm script -qec 'gp-flame --text --width 40 in' /dev/null >typed 2>/dev/null </dev/null
	ok "colours on a terminal" grep -q "$(printf '\033')\[48;2;" typed
	NO_COLOR=1 script -qec 'gp-flame --text --width 40 in' /dev/null >typed 2>/dev/null </dev/null
	ok "none with NO_COLOR" sh -c '! grep -q "$(printf "\033")\[" typed && grep -q "\[main" typed'
else
	skip "colours on a terminal" "no script"
fi
exits "--text of nothing: status 1" 1 'printf "" | gp-flame --text'
ok "and a line that says so" grep -q 'No samples' .got
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf 1" }' >deep
is "10,000 frames deep: the first rows, the last, and how many between" 'gp-flame --text --width 20 deep | sed -n "2p;3p;13,15p;25p"' <<'W'
[all               ]
[f0                ]
[f10               ]
... 9979 rows of boxes in the same places ...
[f9990             ]
[leaf              ]
W
printf 'a;b 90\na;c 1\na;d 1\ne 1\n' >in
exits "what is narrower than a column is said" 0 'gp-flame --text --width 20 in'
says "with its share" '^gp-flame: 3 frames narrower than a column: 0.00 % in boxes \[small\], 3.23 % not drawn$'
exits "--depth says what it cut" 0 'gp-flame --text --width 20 --depth 1 in'
says "with its share" '^gp-flame: 98.92 % of the whole lies deeper than 1 frame and counts for the last of them$'
exits "--text and --html is misuse" 2 'gp-flame --text --html in'
for needs in '--separate' '--csp' '--link https://x.example/{file}'; do
	exits "$needs without a page is misuse" 2 "gp-flame $needs in in"
done
exits "--csp to standard output is misuse" 2 'gp-flame --html --csp in'
for run in javascript:x data:x vbscript:x file:///x ' javascript:x' 'HTTPS:x'; do
	exits "--link '$run' is misuse" 2 "gp-flame --html --link '$run' in"
done

printf 'a;b 10 20\na;c 30 90\nd 50 50\n' >in
is "--text of two columns without a header" 'gp-flame -q --text --width 50 in' <<'W'
Flame graph · base, new
[all ×1.78                                       ]
[a ×2.8                          ][d             ]
[b   ][c ×3.0                    ]

Self:
  56.25 %  c  ×3.0
  31.25 %  d  unchanged
  12.50 %  b  ×2.0
W
printf '#{"gp":1,"unit":"samples","columns":2,"kind":"ratio","names":["i","c"]}\na;b 100 300\na;c 500 200\nfew 80 0\n' >in
is "--text of a ratio: by its denominator" 'gp-flame -q --text --width 50 in | tail -n 3' <<'W'
  73.53 %  c  0.4
  14.71 %  b  3
  11.76 %  few  no ratio
W
gp-flame -q -o x.svg in
is "an SVG of it" "grep -o 'native, [^<]*' x.svg" <<'W'
native, 3
native, 0.4
native, 0.833
native, no ratio
W
printf '#{"gp":1,"unit":"samples","columns":2,"kind":"diff"}\na;b 100 300\na;c 500 200\ngone 80 0\n' >in
is "the table of a page without script has what is gone, and shares of one whole" "gp-flame -q --html in | sed -n '/<table>/,/<.table>/s/<[^>]*>/ /gp' | tr -s ' ' | sed 1,2d" <<'W'
 500 samples 56.82 % 500 samples 56.82 % c 
 300 samples 34.09 % 300 samples 34.09 % b 
 80 samples 9.09 % 80 samples 9.09 % gone 
 0 samples 0.00 % 800 samples 90.91 % a 
 
W
printf 'a;b 5\nz 3\nz;z;q 4\n' >in
is "a stack of which nothing is left is nobody's own" "gp-flame -q --text --hide '^a$|^b$' --width 60 in | sed -n '/Self/,\$p'" <<'W'
Self:
  33.33 %  q  4 samples
  25.00 %  z  3 samples
W

done_testing
