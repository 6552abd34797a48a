#!/bin/sh
# Whatever text there is: every row is read as it should be, and drawn as an SVG, as a page and in the terminal.
. "$(dirname "$0")/lib/tap.sh"

boxes=$TOP/tests/lib/boxes.pl
if command -v xmllint >/dev/null; then
	is_xml() { xmllint --huge --noout "$1"; }
else
	skip "SVGs are XML" "no xmllint"
	is_xml() { :; }
fi

# What canonical text is drawn as, worked out the slow way: a hash of prefixes. "total name", by depth and place.
cat >trie.pl <<'P'
my (%total, %self, @order);
while (<STDIN>) {
	next if /^#(?:$|[ \t{])/;
	/^(.*) (\d+)$/s or die "not canonical: $_";
	my ($path, $value, $all) = ('', $2, $2);
	$total{''} += $value;
	for my $frame (split /;/, $1, -1) { $path .= "\0$frame"; push @order, $path unless exists $total{$path}; $total{$path} += $value }
}
sub shown { my $n = shift; $n =~ s/_\[(?:k|j|i|p|w|0|1|rb|php|net)\]$//; $n = '(empty)' if $n eq '';
	$n =~ s/[\0-\x08\x0b-\x1f\x7f]/\xef\xbf\xbd/g; $n }
printf "%s all\n", $total{''} if $total{''};
my $depth = sub { $_[0] =~ tr/\0// };
for my $d (1 .. 64) { printf "%s %s\n", $total{$_}, shown((split /\0/, $_, -1)[-1]) for grep { $depth->($_) == $d } @order }
P

# row NAME PRINTF-TEXT STATUS MESSAGE ("" for none, else what stderr says) <<canonical text without the header
row() {
	name=$1 status=$3 message=$4
	cat >want
	# shellcheck disable=SC2059
	printf "$2" >in
	perl trie.pl <want >want.boxes
	exits "$name: SVG" "$status" 'gp-flame --minwidth 0 in >out.svg'
	ok "$name: is XML" is_xml out.svg
	perl "$boxes" <out.svg >got.boxes 2>wrong
	[ ! -s wrong ] || fail "$name: boxes lie in each other" - <wrong
	cut -d ' ' -f 3- got.boxes >drawn
	sort want.boxes >a
	sort drawn >b
	ok "$name: its boxes are the profile's" diff a b
	if [ -n "$message" ]; then says "$name: says so" "$message"; else ok "$name: nothing is said" test ! -s .err; fi
	exits "$name: page" "$status" 'gp-flame --html in >out.html'
	exits "$name: the page is the profile" 0 'gp-fold --no-header out.html >page'
	ok "$name: byte for byte" cmp want page
	exits "$name: text" "$status" 'gp-flame --text --width 70 in >out.txt'
	if [ "$status" -eq 0 ]; then
		# The first box above all, cut where it must be.
		first=$(sed -n 2p want.boxes | cut -d ' ' -f 2- | cut -c 1-2)
		ok "$name: text has its boxes" grep -qF -- "$first" out.txt
	else
		ok "$name: text says so" grep -q '^No samples' out.txt
	fi
	# Bytes that a terminal obeys: controls of ASCII and, in UTF-8, of Latin-1.
	ok "$name: no control reaches a terminal" perl -0777 -ne 'exit 1 if /[\0-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/' out.txt
}

row "spaces in frames" 'my prog;operator new(unsigned long) 3\n' 0 '' <<'E'
my prog;operator new(unsigned long) 3
E
row "a type with ; is two frames: an importer's business" 'm;[u8; 8] 1\n' 0 '' <<'E'
m;[u8; 8] 1
E
row "a frame that ends in digits, in a file of one column" 'main;a 1\nmain;foo 42 7\nmain;b 2\n' 0 'end in two numbers: 1' <<'E'
main;a 1
main;b 2
main;foo_42 7
E
row "TAB before the value" 'main;a\t3\n' 0 '' <<'E'
main;a 3
E
row "TAB in a frame" 'main;a\tb 3\n' 0 '' <<'E'
main;a?b 3
E
row "CRLF" 'main;a 3\r\nmain;b 1\r\n' 0 '' <<'E'
main;a 3
main;b 1
E
row "trailing blanks" 'main;a 3  \nmain;b 1\t \n' 0 '' <<'E'
main;a 3
main;b 1
E
row "leading blanks" '   main;a 3\n' 0 '' <<'E'
main;a 3
E
row "UTF-8" 'main;f\303\274r;\346\227\245\346\234\254\360\237\224\245 3\n' 0 '' <<'E'
main;für;日本🔥 3
E
printf 'main;a\377b;\303 3\n' >in
exits "bytes that are not UTF-8: SVG" 0 'gp-flame in >out.svg'
ok "bytes that are not UTF-8: is XML" is_xml out.svg
exits "bytes that are not UTF-8: page" 0 'gp-flame --html in >out.html'
ok "bytes that are not UTF-8: kept in the page" sh -c 'gp-fold --no-header out.html | cmp - in'
ok "bytes that are not UTF-8: text is UTF-8" sh -c "gp-flame --text in | iconv -f UTF-8 -t UTF-8 >/dev/null"
row "UTF-16, little-endian" '\377\376m\000;\000a\000 \0003\000\n\000' 0 '' <<'E'
m;a 3
E
row "UTF-16, big-endian" '\376\377\000m\000;\000a\000 \0003\000\n' 0 '' <<'E'
m;a 3
E
row "a UTF-8 byte order mark" '\357\273\277main;a 3\n' 0 '' <<'E'
main;a 3
E
row "NUL and controls" 'main;a\000b\001c\033[31m\177 3\n' 0 '' <<'E'
main;a?b?c?[31m? 3
E
row "an empty frame in the middle" 'a;;b 5\n' 0 '' <<'E'
a;;b 5
E
row "an empty frame at the end" 'a;b; 5\n' 0 '' <<'E'
a;b; 5
E
row "an empty frame at the start" ';a 5\n' 0 '' <<'E'
[unnamed];a 5
E
row "no stack" ' 5\nm 1\n' 0 'in: 1 line skipped' <<'E'
m 1
E
row "a number alone" '5\nm 1\n' 0 'in: 1 line skipped' <<'E'
m 1
E
row "5." 'm 5.\n' 0 '' <<'E'
m 5
E
row "1e3" 'm 1e3\n' 0 '' <<'E'
m 1000
E
row "negative, signed" 'm -3\nm +5\nm 2\n' 0 'in: 2 lines skipped' <<'E'
m 2
E
row "zero" 'm 0\nn 2\n' 0 '' <<'E'
n 2
E
row "all zero" 'm 0\nn 0\n' 1 'no stacks with a count' </dev/null
row "nothing at all" '' 1 'no stacks with a count' </dev/null
row "beyond 2^32" 'm;a 5000000000\nm 1\n' 0 '' <<'E'
m 1
m;a 5000000000
E
row "beyond 2^53, exactly" 'm;a 9007199254740993\n' 0 '' <<'E'
m;a 9007199254740993
E
row "a comment" '# text\nm 2\n' 0 '' <<'E'
m 2
E
row "a comment that ends in a number" '# interval 100\nm 2\n' 0 '' <<'E'
m 2
E
row "a name that begins with #" '#x 7\n' 0 '' <<'E'
\#x 7
E
row "blank lines" '\n\nm 2\n\n' 0 '' <<'E'
m 2
E
row "duplicate lines" 'm;a 1\nm;a 2\nm;a 3\n' 0 '' <<'E'
m;a 6
E
row "no final newline" 'm;a 1\nm;b 2' 0 '' <<'E'
m;a 1
m;b 2
E
row "suffixes, known and not" 'j;a_[k];b_[j];c_[i];d_[w];e_[0];f_[1];g_[x] 2\n' 0 '' <<'E'
j;a_[k];b_[j];c_[i];d_[w];e_[0];f_[1];g_[x] 2
E
row "specials of XML" 'm;<b>&"x'"'"';]]>;<!-- --> 3\n' 0 '' <<'E'
m;<b>&"x';]]>;<!-- --> 3
E
row "a stack and its prefix" 'main 5\nmain;a 3\n' 0 '' <<'E'
main 5
main;a 3
E
row "a sibling whose name goes on before ;" 'main;a 1\nmain;a;b 1\nmain;a.x 1\nmain;a;c 1\nmain;a(int) 1\nmain;a2 1\n' 0 '' <<'E'
main;a 1
main;a;b 1
main;a;c 1
main;a(int) 1
main;a.x 1
main;a2 1
E
row "what is no text of stacks" 'hello world\nno stacks here\n' 1 'no stacks with a count' </dev/null

# ---- rows whose canonical form needs a header, or that have two columns

printf 'a 1.5\nb 2.25\nc .5\n' >in
exits "fractions: SVG" 0 'gp-flame in >out.svg'
is "fractions: exact widths" 'perl '"$boxes"' <out.svg' <<'E'
0 0 4250 all
1 0 1500 a
1 1500 2250 b
1 3750 500 c
E
ok "fractions: page" sh -c 'gp-merge in >canonical; gp-flame --html canonical >out.html; gp-fold out.html | cmp - canonical'
is "fractions: text" 'gp-flame --text --width 50 in | grep "%"' <<'E'
  52.94 %  b  2.25 samples
  35.29 %  a  1.5 samples
  11.76 %  c  0.5 samples
E
printf 'a 18446744073709551615\nb 1\n' >in
for how in '' --html --text; do
	exits "a sum of 2^64 ${how:-SVG}" 1 "gp-flame $how in"
	says "a sum of 2^64 ${how:-SVG}: said" '2\^64'
	ok "a sum of 2^64 ${how:-SVG}: nothing drawn" test ! -s .got
done
printf 'a 36893488147419103232\nb 1\n' >in
for how in '' --html --text; do
	exits "a value of 2^65 ${how:-SVG}" 0 "gp-flame $how in"
	says "a value of 2^65 ${how:-SVG}: the line is named" 'line 1'
done
printf 'm;a 1 3\nm;b 5 2\nm;a 2 2\n' >in
for how in '' --html --text; do
	exits "two columns ${how:-SVG}" 0 "gp-flame $how in"
	says "two columns ${how:-SVG}: by majority, and said" "taken for a diff's"
done
printf 'm;a 1 3\nm;b 5 2\nm;c 7\n' >in
for how in '' --html --text; do
	exits "mixed lines ${how:-SVG}" 0 "gp-flame $how in"
	says "mixed lines ${how:-SVG}: the others are counted" '1 line skipped'
done
is "duplicate lines of two columns: both are summed" 'printf "m;a 1 3\nm;b 5 2\nm;a 2 2\n" | gp-flame -q --html >out.html; gp-fold --no-header out.html' <<'E'
m;a 3 5
m;b 5 2
E

# ---- very deep, very long

awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf 1" }' >deep
ok "10,000 frames deep: SVG" sh -c "gp-flame deep | perl $boxes | wc -l | grep -qx ' *10002'"
ok "10,000 frames deep: page" sh -c 'gp-flame --html deep >out.html; gp-fold --no-header out.html | cmp - deep'
awk 'BEGIN { for (n = 0; n < 200; n++) { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf" n, 1 } }' >deep
for how in '' --html --text; do
	ok "200 stacks of 10,000 frames, in linear time ${how:-SVG}" timeout 30 gp-flame $how deep
done
awk 'BEGIN { printf "main;"; for (i = 0; i < 2000000; i++) printf "0123456789"; print " 7" }' >long
ok "a name of 20 MB: SVG shows 4 KB" sh -c 'gp-flame long >out.svg && [ $(wc -c <out.svg) -lt 40000 ]'
ok "a name of 20 MB: is XML" is_xml out.svg
ok "a name of 20 MB: whole in the page" sh -c 'gp-flame --html long >out.html && gp-fold --no-header out.html | cmp - long'
ok "a name of 20 MB: text is short" sh -c '[ $(gp-flame --text --width 80 long | wc -c) -lt 2000 ]'

# ---- more frames than a picture has by itself

perl -e 'my $f = ";f" x 99; print "m;s$_$f $_\n" for 1 .. 170000' >many
exits "17 million frames: page" 0 'timeout 120 gp-flame --html -o many.html many'
says "17 million frames: said" '^gp-flame: the 1,000,001 smallest frames, 0\.35 % of the whole, are \[small\], so that no more than 16,000,000 are left$'
ok "17 million frames: a note of the page" sh -c 'grep -q "class=\"header\".*\"notes\":\[\"the.u00201,000,001.u0020smallest" many.html'
is "17 million frames: the sum stays" "gp-fold --no-header many.html | awk '{ sum += \$NF } /\[small\]/ { n++ } END { printf \"%.0f %d\n\", sum, (n > 0) }'" <<W
$((170000 * 170001 / 2)) 1
W
rm -f many.html
exits "17 million frames: SVG" 0 'timeout 120 gp-flame many >out.svg'
ok "17 million frames: it is small" test "$(wc -c <out.svg)" -lt 100000
exits "17 million frames: text" 0 'timeout 120 gp-flame --text --width 80 many'
ok "17 million frames: it is short" test "$(wc -l <.got)" -lt 200
done_testing
