#!/bin/sh
# The folded format: what is written is canonical, what is read is what others write.
# together: gp-record is a word in it
# shellcheck disable=SC2016
. "$(dirname "$0")/lib/tap.sh"

# reads NAME 'printf text' <<the stacks: also of the same text behind a header
reads() {
	cat >"$T/.wanted"
	reads_text=$2
	is "$1" "printf '$reads_text' | gp-merge --no-header" <"$T/.wanted"
	is "$1, after a header" "printf '#{\"gp\":1}\n$reads_text' | gp-merge --no-header" <"$T/.wanted"
}

# skips NAME 'printf text' 'what stderr says behind the name' <<the stacks that are left
skips() {
	cat >"$T/.wanted"
	exits "$1" 0 "printf '$2' | gp-merge --no-header"
	says "$1: said once, at the end" "^gp-merge: standard input: $3\$"
	if cmp -s "$T/.got" "$T/.wanted"; then pass "$1: the rest"; else fail "$1: the rest" - <"$T/.got"; fi
	exits "$1: --strict" 1 "printf '$2' | gp-merge --strict"
	if [ -s "$T/.got" ]; then fail "$1: --strict writes nothing"; else pass "$1: --strict writes nothing"; fi
}

# Lines and values.

reads 'a stack a line, sorted frame by frame, a stack before its extensions' \
    'b 1\nmain;a.x 1\nmain;a;c 1\nmain;a 1\nmain;a;b 1\nmain 2\n' <<'WANT'
b 1
main 2
main;a 1
main;a;b 1
main;a;c 1
main;a.x 1
WANT

reads 'spaces in frames' 'main;operator new(unsigned long);a b  c 3\n' <<'WANT'
main;operator new(unsigned long);a b  c 3
WANT

reads 'TAB, or several blanks, before the value' 'main;a\t3\nmain;b \t  4\n' <<'WANT'
main;a 3
main;b 4
WANT

reads 'TAB and control characters in a frame are written ?' 'ma\tin;a\001b;c\033[1m;d\177 3\n' <<'WANT'
ma?in;a?b;c?[1m;d? 3
WANT

reads 'NUL in a frame' 'main;a\000b 3\n' <<'WANT'
main;a?b 3
WANT

reads 'CRLF' 'main;a 1\r\nmain;b 2\r\n' <<'WANT'
main;a 1
main;b 2
WANT

reads 'trailing blanks' 'main;a 1 \nmain;b 2\t \n' <<'WANT'
main;a 1
main;b 2
WANT

reads 'leading blanks' '  main;a 1\n\tmain;a 2\nmain;a 4\n' <<'WANT'
main;a 7
WANT

reads 'no last newline' 'main;a 1\nmain;a 2' <<'WANT'
main;a 3
WANT

reads 'blank lines' '\nmain;a 1\n\n  \n\r\nmain;a 2\n\n' <<'WANT'
main;a 3
WANT

reads 'duplicate lines are added' 'main;a 1\nmain;b 2\nmain;a 3\nmain;a 3\nmain;a 3\n' <<'WANT'
main;a 10
main;b 2
WANT

reads 'a prefix stack' 'main 5\nmain;a 3\n' <<'WANT'
main 5
main;a 3
WANT

reads 'annotations are part of the name' 'java;run_[j];x_[i];y_[0];z_[1];do_syscall_64_[k];w_[w] 2\n' <<'WANT'
java;run_[j];x_[i];y_[0];z_[1];do_syscall_64_[k];w_[w] 2
WANT

reads 'UTF-8' 'größe;日本;🔥 3\n' <<'WANT'
größe;日本;🔥 3
WANT

reads 'characters that XML minds' 'a<b>;"c"&d 3\n' <<'WANT'
a<b>;"c"&d 3
WANT

printf 'main;a\377\300b 3\n' >invalid
exits 'invalid UTF-8 is kept' 0 'gp-merge --no-header invalid'
ok 'invalid UTF-8 is kept, byte by byte' cmp invalid .got

is 'a UTF-8 BOM' "printf '\357\273\277main;a 3\nmain;b 1\n' | gp-merge --no-header" <<'WANT'
main;a 3
main;b 1
WANT
is 'a UTF-8 BOM before a header' "printf '\357\273\277#{\"gp\":1,\"unit\":\"ns\"}\nmain;a 3\n' | gp-merge | grep -c '\"unit\":\"ns\"'" <<'WANT'
1
WANT

# A line of every width of character; more of them than one read takes.
i=0
while [ $i -lt 3000 ]; do
	echo "mäin;日本;🔥 $i"
	i=$((i + 1))
done >utf8
if command -v iconv >/dev/null; then
	for code in UTF-16LE UTF-16BE; do
		if [ $code = UTF-16LE ]; then mark='\377\376'; else mark='\376\377'; fi
		is "$code with a BOM" "{ printf '$mark'; iconv -f UTF-8 -t $code utf8; } | gp-merge --no-header" <<'WANT'
mäin;日本;🔥 4498500
WANT
		is "$code, CRLF, no last newline" \
		    "{ printf '$mark'; printf 'main;ä 1\r\nmain;ä 2' | iconv -f UTF-8 -t $code; } | gp-merge --no-header" <<'WANT'
main;ä 3
WANT
	done
else
	skip 'UTF-16' 'no iconv'
fi
is 'UTF-16 cut in a character, unpaired surrogates' \
    "printf '\377\376a\000\000\330b\000 \0005\000\n\000c\000 \0001\000\n\000\001' | gp-merge --no-header 2>/dev/null" <<'WANT'
a�b 5
c 1
WANT

reads 'an empty frame in the middle' 'a;;b 5\n' <<'WANT'
a;;b 5
WANT

reads 'an empty last frame' 'a;b; 5\na;b;  2\n' <<'WANT'
a;b; 7
WANT

reads 'an empty process name has a name' ';a 5\nhost=x; 2\n' <<'WANT'
[unnamed];a 5
host=x;[unnamed] 2
WANT

reads 'zero is dropped' 'a 0\nb 1\nc 0.0\nb 0\n' <<'WANT'
b 1
WANT

is 'nothing but zeros' "printf 'a 0\n' | gp-merge --no-header" </dev/null
is 'nothing at all' "gp-merge --no-header </dev/null" </dev/null

reads 'large values are exact' \
    'a 4294967297\nb 9007199254740993\nb 9007199254740992\nc 18446744073709551614\nc 1\nd 00000000000000000000007\n' <<'WANT'
a 4294967297
b 18014398509481985
c 18446744073709551615
d 7
WANT

skips 'a value of 2^64 or more' 'a 1\nb 18446744073709551616\nc 36893488147419103232\nd 1e20\n' \
    '3 lines skipped, first at line 2: value of 2\^64 or more' <<'WANT'
a 1
WANT

exits 'a sum of 2^64 is an error' 1 "printf 'a;b 18446744073709551615\na;b 1\n' | gp-merge"
says 'a sum of 2^64 is named' '^gp-merge: the sum does not fit into 64 bits: a;b$'
if [ -s .got ]; then fail 'a sum of 2^64 writes nothing'; else pass 'a sum of 2^64 writes nothing'; fi
exits 'a sum of 2^64 of many lines' 1 "yes 'a;b 999999999999999999' | head -n 1000 | gp-merge"

skips 'negative values, signs, no value, no stack' 'a;b 3\nc -5\nd +5\n5\n 6\ne\nf x5\ng 5x\nh .\ni 1.2.3\nj 1e\n' \
    '10 lines skipped, first at line 2: negative value' <<'WANT'
a;b 3
WANT
skips 'no value' 'a 1\na;b\n' '1 line skipped, first at line 2: no value' <<'WANT'
a 1
WANT
skips 'no stack' 'a 1\n 5\n' '1 line skipped, first at line 2: no stack' <<'WANT'
a 1
WANT

is 'values of other forms' "printf 'a 5.\nb 1e3\nc 2.50e1\nd 7E0\nmain;foo 1e3 5\n' | gp-merge --no-header" <<'WANT'
a 5
b 1000
c 25
d 7
main;foo 1e3 5
WANT

is 'fractions are exact: times the scale of the header' \
    "printf 'a;b 1.5\na;b 2.25\nc .5\nd 7\ne 2.50e-1\n' | gp-merge | sed 's/\"version\":\"[^\"]*\"/V/'" <<'WANT'
#{"gp":1,"tool":"gp-merge",V,"scale":1000}
a;b 3750
c 500
d 7000
e 250
WANT
is 'fractions are exact: without a header' "printf 'a;b 1.5\na;b 2.25\nc .5\nd 7\ne 0.10\ne .9\n' | gp-merge --no-header" <<'WANT'
a;b 3.75
c 0.5
d 7
e 1
WANT
is 'fractions as fine as they come' "printf 'a 0.000000000000000001\na 3\nb 0.1\nb 0.2\n' | gp-merge --no-header" <<'WANT'
a 3.000000000000000001
b 0.3
WANT
is 'fractions and whole numbers of other files' "printf 'a 3\n' >whole; printf '#{\"gp\":1,\"scale\":10}\na 5\n' >tenths
printf 'a 0.0625\n' >fine; gp-merge whole tenths fine | tail -n +2; gp-merge --no-header fine whole tenths" <<'WANT'
a 35625
a 3.5625
WANT
is 'a fraction in a file with a scale' "printf '#{\"gp\":1,\"scale\":10}\na 5.5\n' | gp-merge --no-header" <<'WANT'
a 0.55
WANT
skips 'too fine to be exact' 'a 0.1\nb 0.0000000000000000001\n' \
    '1 line skipped, first at line 2: value with more than 18 decimals' <<'WANT'
a 0.1
WANT
exits 'exact or refused' 1 "printf 'a 18446744073709551615\nb 0.1\n' | gp-merge"
says 'exact or refused, said' 'does not fit into 64 bits'
exits 'exact or refused, a later line' 1 "printf 'b 0.1\na 18446744073709551615\n' | gp-merge"
says 'exact or refused, a later line, said' 'standard input: line 2: .*does not fit'
exits 'a scale that is none' 1 "printf '#{\"gp\":1,\"scale\":7}\na 5\n' | gp-merge"
says 'a scale that is none, said' 'not a power of ten'

# Comments, and stacks that look like them.

reads 'comments' 'a 1\n# text\n# interval 100\n#\n#\tx 4\n#{ 3\n# {"x":1} 5\n#{"x":1}\na 1\n' <<'WANT'
a 2
WANT
is 'comments before all' "printf '# austin: 3.0.0\n# mode: wall\na 1\n# interval: 100\n' | gp-merge --no-header" <<'WANT'
a 1
WANT
reads 'a process name that begins with #' '#x 7\n#x;# y;#z 2\n\\#x 1\nhost=a;#x 3\n' <<'WANT'
\#x 8
\#x;# y;#z 2
host=a;\#x 3
WANT

# Numbers at the end of names.

is 'a leaf that ends in a number, one column' "printf '#{\"gp\":1}\nmain;foo 42 7\nbar  1 2\nbaz 1.5 2\nq 1.2.3 4\n' | gp-merge --no-header" <<'WANT'
bar _1 2
baz_1.5 2
main;foo_42 7
q 1.2.3 4
WANT
is 'the majority of lines has one value' "printf 'main;foo 42 7\nmain;foo 1 2\nmain;bar 9\nx;y 3\na 9\n' | gp-merge --no-header" <<'WANT'
a 9
main;bar 9
main;foo_1 2
main;foo_42 7
x;y 3
WANT
exits 'the majority of lines has two values' 0 \
    "printf 'main;foo 42 7\nmain;bar 9\nmain;foo 1 2\nx;y\t3\t0\nz 0 0\n' | gp-merge | sed 's/\"version\":\"[^\"]*\"/V/'"
says 'the majority of lines has two values, said' 'most lines end in two numbers'
says 'the others are skipped, counted, said' '1 line skipped, first at line 2: no second value'
cat >want <<'WANT'
#{"gp":1,"tool":"gp-merge",V,"columns":2,"kind":"diff","names":["base","new"]}
main;foo 43 9
x;y 3 0
WANT
ok 'two columns are added columnwise' cmp .got want
exits 'two columns by the majority: --strict' 1 "printf 'a 1 2\na 3\nb 3 4\n' | gp-merge --strict"
is 'two columns by the header' \
    "printf '#{\"gp\":1,\"columns\":2,\"kind\":\"diff\",\"names\":[\"base\",\"new\"]}\na;b 1 2\na 5\na;b 3 0\nx 2 4\n' | gp-merge --no-header 2>/dev/null" <<'WANT'
a;b 4 2
x 2 4
WANT
is 'fractions in two columns' "printf 'a 1.5 2\nb 3 4\nb 1 .25\n' | gp-merge --no-header 2>/dev/null" <<'WANT'
a 1.5 2
b 4 4.25
WANT

# Size.

awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%sframe%d", i ? ";" : "", i; print " 3" }' >deep
is 'a stack of 10,000 frames' 'cat deep deep | gp-merge --no-header | cksum; sed "s/ 3$/ 6/" deep | cksum | sed "s/^/# /" >&2' <<WANT
$(sed 's/ 3$/ 6/' deep | cksum)
WANT
awk 'BEGIN { for (i = 0; i < 200; i++) { printf "main"; for (k = 0; k < 10000; k++) printf ";f%d", k; print ";g" i " 1" } }' >deeps
ok '200 stacks of 10,000 frames' timeout 20 gp-merge -o deeps.out deeps
is '200 stacks of 10,000 frames: all there' "grep -c '^main;f0;.*;g[0-9]* 1\$' deeps.out" <<'WANT'
200
WANT
awk 'BEGIN { printf "main;"; for (i = 0; i < 2000000; i++) printf "0123456789"; print " 3" }' >long
is 'a line of 20 MB' "cat long long | timeout 20 gp-merge --no-header | { head -c 20; tail -c 4; }" <<'WANT'
main;0123456789012349 6
WANT
awk 'BEGIN { printf "main"; for (i = 0; i < 5000000; i++) printf ";a"; print " 3" }' >frames
ok 'a stack of 5 million frames' timeout 20 gp-merge -o /dev/null frames
rm -f long frames deeps deeps.out

# parse o print is the identity on canonical files.

cat >canonical <<'WANT'
#{"gp":1,"tool":"gp-record","version":"0.1.0","host":"web1","start":"2026-01-31T12:00:00.000Z","duration_s":30.0,"event":"cpu-clock","unit":"samples","freq_hz":99,"period_ns":10101010,"cpus":2,"target":"-a","labels":["time","host"],"samples":412,"lost":0,"truncated":1,"unresolved":0,"cpu_s":4.25,"sampled_s":4.125,"notes":["user\u0020side\u0020only"],"self_cpu_s":0.031,"self_rss_kb":12345,"scale":1000,"work":7,"sources":3,"a":{"b":[1,2.5,null,true,"ä\u0020\t"]},"z":1e300}
[unnamed] 1
\#x;a 2
a;;b; 18446744073709551615
java;Thread.run_[j];Parser.parse_[i] 412
main;a;b 1
main;a b_12 7
main;a.x 3
python3;main (app.py:10)_[p];[truncated];[libc.so.6+0x1234] 7
time=000001.000;host=web1;host\=x;y 3
time=000012.300;host=web1;a 3
WANT
cat >two <<'WANT'
#{"gp":1,"tool":"gp-merge","version":"0.1.0","columns":2,"kind":"diff","names":["base","new"]}
main;a 1 0
main;b 0 2
main;b_1 5 6
WANT
# gp-merge signs as itself; all else is as it was.
sed '1s/"tool":"gp-record"/"tool":"gp-merge"/' canonical >signed
version=$(gp-merge -V | cut -d' ' -f2)
sed -i "1s/\"version\":\"[^\"]*\"/\"version\":\"$version\"/" signed two
exits 'canonical text is read' 0 'gp-merge signed'
ok 'and written as it was' cmp signed .got
exits 'canonical text of another tool' 0 'gp-merge canonical'
ok 'changes by tool and version alone' cmp signed .got
exits 'two columns are read' 0 'gp-merge two'
ok 'and written as they were' cmp two .got
exits 'without a header' 0 'tail -n +2 canonical | gp-merge --no-header'
tail -n +2 canonical >bare
ok 'lines as they were' cmp bare .got
exits 'what is written is canonical' 0 \
    "printf '# {\"z\": 1, \"gp\" : 1, \"unit\":\"ns\"}\n  b;c 12 3\n#q;\ta 1.5\n;  2\n' | gp-merge --label a=b >once; gp-merge once >twice; cmp once twice"
if grep -q '^#{[^ ]*}$' once; then pass 'a header has no blank'; else fail 'a header has no blank' - <once; fi
is 'a header that is not JSON is left out and said' "printf '#{\"gp\":1,\na 1\n' | gp-merge --no-header 2>&1" <<'WANT'
gp-merge: standard input: line 1: the header is not JSON, left out
a 1
WANT

done_testing
