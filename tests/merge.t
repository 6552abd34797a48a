#!/bin/sh
# gp-merge: profiles added up, their headers, labels, files of every kind.
# together: gp-record is a word in it
. "$(dirname "$0")/lib/tap.sh"

version=$(gp-merge -V | cut -d' ' -f2)
# The header without what is the same in every test.
heads() {
	sed -n "1s/\"gp\":1,\"tool\":\"gp-merge\",\"version\":\"$version\"//p"
}

cat >a <<'END'
#{"gp":1,"tool":"gp-record","version":"0.0.9","host":"web1","start":"2026-01-31T12:00:05.250Z","duration_s":10.1,"event":"cpu-clock","unit":"samples","freq_hz":99,"period_ns":10101010,"cpus":2,"target":"-a","samples":6,"lost":1,"cpu_s":0.5,"notes":["user\u0020side\u0020only"],"self_cpu_s":0.031,"self_rss_kb":9000,"mine":[1,2]}
main;a 1
main;b 5
END
cat >b <<'END'
#{"gp":1,"tool":"gp-record","version":"0.0.9","host":"web2","start":"2026-01-31T12:00:05.5Z","duration_s":20.2,"event":"cpu-clock","unit":"samples","freq_hz":99,"period_ns":10101010,"cpus":4,"target":"-a","samples":13,"truncated":2,"cpu_s":0.25,"notes":["no\u0020BPF","user\u0020side\u0020only"],"self_cpu_s":0.002,"self_rss_kb":8000}
main;b 6
main;c 7
END
cat >c <<'END'
main;c 9
END

# Stacks.

is 'profiles are added' 'gp-merge --no-header a b c' 2>/dev/null <<'WANT'
main;a 1
main;b 11
main;c 16
WANT
is 'without operands stdin is read' 'gp-merge --no-header <a' <<'WANT'
main;a 1
main;b 5
WANT
is '- is stdin' 'gp-merge --no-header a - <b' <<'WANT'
main;a 1
main;b 11
main;c 7
WANT
is 'nothing is a profile too' 'gp-merge </dev/null | wc -l' <<'WANT'
1
WANT
ok 'adding is commutative' sh -c 'gp-merge -q --no-header a b c >1 && gp-merge -q --no-header c b a >2 && cmp 1 2'
ok 'and associative, header and all' sh -c 'gp-merge a b >ab && gp-merge -q ab c >1 && gp-merge -q b c >bc && gp-merge -q a bc >2 && cmp 1 2'
ok 'of one profile nothing changes' sh -c 'gp-merge a b >1 && gp-merge 1 >2 && cmp 1 2'

# Headers.

is 'one input: its header stays' 'gp-merge a | head -n 1' <<WANT
$(sed -n "1s/gp-record/gp-merge/;1s/0.0.9/$version/;1p" a)
WANT
gp-merge a b | heads >.head
is 'several: counted is added, lists united, the earlier start, equal stays, sources told' 'cat .head' <<'WANT'
#{,"start":"2026-01-31T12:00:05.250Z","duration_s":30.3,"event":"cpu-clock","unit":"samples","freq_hz":99,"period_ns":10101010,"target":"-a","samples":19,"lost":1,"truncated":2,"cpu_s":0.75,"notes":["user\u0020side\u0020only","no\u0020BPF"],"self_cpu_s":0.033,"self_rss_kb":9000,"sources":2}
WANT
gp-merge a b >ab
gp-merge ab b | heads >.head
is 'sources are added' "grep -o '\"sources\":[0-9]*\|\"duration_s\":[0-9.]*' .head" <<'WANT'
"duration_s":50.5
"sources":3
WANT
exits 'a profile without a header is unknown' 0 'gp-merge a c'
says 'and said' '^gp-merge: profiles without a header: 1 of 2, what they count is not known$'
gp-merge -q a c >ac
is 'its header then says less' "head -n 1 ac | grep -o '\"unit\":\"[a-z]*\"\|\"notes\":[^]]*\|\"duration_s\"\|\"samples\":'" <<'WANT'
"unit":"samples"
"notes":["user\u0020side\u0020only","profiles\u0020without\u0020a\u0020header\u0020were\u0020added"
WANT
exits 'with -q it is not said' 0 'gp-merge -q a c'
if [ -s .err ]; then fail 'with -q nothing is said' - <.err; else pass 'with -q nothing is said'; fi
is 'none has a header: ours is short' 'gp-merge c c' <<WANT
#{"gp":1,"tool":"gp-merge","version":"$version","sources":2}
main;c 18
WANT

sed '1s/"unit":"samples"/"unit":"ns"/' b >ns
exits 'other units are refused' 1 'gp-merge a ns'
says 'both named, and --force' '^gp-merge: ns: unit is ns, .* samples: --force'
if [ -s .got ]; then fail 'nothing on stdout'; else pass 'nothing on stdout'; fi
sed '1s/10101010/1001001/;1s/"freq_hz":99/"freq_hz":999/' b >fast
exits 'other periods are refused' 1 'gp-merge a fast'
says 'both named, and --force' '^gp-merge: fast: period_ns is 1001001, .* 10101010: --force'
is 'and added by --force' 'gp-merge --force a fast | tee forced | tail -n +2' <<'WANT'
main;a 1
main;b 11
main;c 7
WANT
not 'there is no period any more' grep period forced
sed '1s/10101010/1001001/;1s/"unit":"samples"/"unit":"ns"/' b >ns2
ok 'time may be looked at in any period' gp-merge ns ns2

printf '#{"gp":1,"columns":2,"kind":"diff","names":["base","new"]}\nmain;a 1 2\nmain;b 0 3\n' >pair
printf 'main;a 10 20\nmain;c 5 0\n' >bare.diff
is 'two columns are added columnwise' 'gp-merge -q pair bare.diff | tail -n +2' <<'WANT'
main;a 11 22
main;b 0 3
main;c 5 0
WANT
exits 'one column and two are refused' 1 'gp-merge a pair'
says 'and said' '^gp-merge: pair has two columns, what comes before it has one'
exits 'in any order' 1 'gp-merge bare.diff a'
says 'and said' '^gp-merge: a has one column, what comes before it has two'
printf '#{"gp":1,"columns":2,"kind":"ratio","names":["cycles","instructions"]}\nmain;a 1 2\n' >ratio
exits 'columns of another meaning are refused' 1 'gp-merge pair ratio'
says 'and said' '^gp-merge: ratio: kind is ratio, .* diff'
exits 'other columns are not known' 1 "printf '#{\"columns\":3}\na 1 2 3\n' | gp-merge"

# Streams.

{ cat a; echo '#'; cat b; echo '#'; } >stream
ok 'a stream of profiles is added up' sh -c 'gp-merge a b >1 && gp-merge stream >2 && cmp 1 2'
ok 'also without its ends' sh -c 'cat a b | gp-merge >2 && cmp 1 2'
is 'a stream of profiles that are not ours' "printf '#{\"x\":1}\na 1\n#\n#{\"x\":2}\nb 1\n#\n' | gp-merge | sed 's/.*sources/sources/'" <<'WANT'
sources":2}
a 1
b 1
WANT
is 'of empty profiles too' "printf '#{\"gp\":1,\"samples\":0}\n#\n#{\"gp\":1,\"samples\":0}\n#\n' | gp-merge" <<WANT
#{"gp":1,"tool":"gp-merge","version":"$version","samples":0,"sources":2}
WANT
exits 'a stream with two periods is refused' 1 'cat a fast | gp-merge'

# Labels.

printf 'time=000001.000;pid=3;java;x 1\njava;x 2\n\\#a;x 4\n' >labelled
is 'labels come first, after time, in their order' 'gp-merge --label host=web1 --label=x_y=2 labelled' <<WANT
#{"gp":1,"tool":"gp-merge","version":"$version","labels":["host","x_y"]}
host=web1;x_y=2;\\#a;x 4
host=web1;x_y=2;java;x 2
time=000001.000;host=web1;x_y=2;pid=3;java;x 1
WANT
is 'a label is written as a frame' "gp-merge --no-header --label 'host=a;b c
d' c" <<'WANT'
host=a:b c?d;main;c 9
WANT
is 'a process that looks like a new label' "printf 'x_y=1;a 1\nhost=b;x_y=1 2\n' | gp-merge --no-header --label x_y=2" <<'WANT'
x_y=2;host=b;x_y\=1 2
x_y=2;x_y\=1;a 1
WANT
is 'a process that looks like a label of another file' \
    "printf 'x_y=1;a 1\nx_y=1 1\n' >names; printf '#{\"gp\":1,\"labels\":[\"x_y\"]}\nx_y=1;a 1\n' >labels
gp-merge --no-header -q names labels; gp-merge --no-header -q labels names" <<'WANT'
x_y=1;a 1
x_y\=1 1
x_y\=1;a 1
x_y=1;a 1
x_y\=1 1
x_y\=1;a 1
WANT
cat >late <<'END'
#{"gp":1,"start":"2026-01-31T12:00:05.250Z","labels":["time"]}
time=000000.000;pid=1;a;b 1
time=000001.5;a;b 1
x;time=000001.5 3
END
cat >early <<'END'
#{"gp":1,"start":"2026-01-31T12:00:03Z","labels":["time"]}
time=000000.000;a;b 1
time=000002.250;pid=1;a;b 5
time=000004;a;b 7
END
cat >want <<'END'
time=000000.000;a;b 1
time=000002.250;pid=1;a;b 6
time=000003.75;a;b 1
time=000004;a;b 7
x;time=000001.5 3
END
is 'time is counted from the earlier start' 'gp-merge --no-header early late' <want
is 'in whatever order they come' 'gp-merge --no-header late early' <want
is 'and only where both say when they began' "sed 's/\"start\":[^,]*,//' early | gp-merge --no-header late - | grep -c '^time=000001.5;\|^time=000004;'" <<'WANT'
2
WANT
is 'by file' 'gp-merge --no-header -q --by-file a c - <b' <<'WANT'
file=-;main;b 6
file=-;main;c 7
file=a;main;a 1
file=a;main;b 5
file=c;main;c 9
WANT
exits 'a label without a value' 2 'gp-merge --label host a'
exits 'a label without a key' 2 'gp-merge --label =x a'
exits 'a label with a bad key' 2 'gp-merge --label Host=x a'
says 'says what a label is' 'KEY=VALUE'

# Files.

gzip -k a
is 'gzip' 'gp-merge --no-header a.gz' <<'WANT'
main;a 1
main;b 5
WANT
cat a.gz a.gz >aa.gz
is 'gzip after gzip' 'gp-merge --no-header aa.gz' <<'WANT'
main;a 2
main;b 10
WANT
for packer in bzip2 xz zstd lz4; do
	if command -v $packer >/dev/null; then
		is "$packer" "$packer -q -c a | gp-merge --no-header" <<'WANT'
main;a 1
main;b 5
WANT
	else
		skip "$packer" 'not there'
	fi
done
mkdir d
cp a d/a
cp b d/b
tar cf day.tar d
is 'an archive: all its members' 'gp-merge --no-header day.tar' <<'WANT'
main;a 1
main;b 11
main;c 7
WANT
tar czf day.tar.gz d
is 'a compressed archive, by member' 'gp-merge --no-header --by-file day.tar.gz' <<'WANT'
file=day.tar.gz:d/a;main;a 1
file=day.tar.gz:d/a;main;b 5
file=day.tar.gz:d/b;main;b 6
file=day.tar.gz:d/b;main;c 7
WANT
gzip -k d/a
xz -k d/b 2>/dev/null || gzip -c d/b >d/b.xz
tar cf packed.tar d/a.gz d/b.xz d/a
is 'an archive of compressed files' 'gp-merge --no-header --by-file packed.tar' <<'WANT'
file=packed.tar:d/a;main;a 1
file=packed.tar:d/a;main;b 5
file=packed.tar:d/a.gz;main;a 1
file=packed.tar:d/a.gz;main;b 5
file=packed.tar:d/b.xz;main;b 6
file=packed.tar:d/b.xz;main;c 7
WANT
rm d/a.gz d/b.xz
printf 'BZh91 ustar;PK 3\n' >words
is 'text that begins like a packed file' 'gp-merge --no-header words' <<'WANT'
BZh91 ustar;PK 3
WANT
awk 'BEGIN { for (i = 0; i < 20000; i++) print "main;f" i * 7919 % 20011, i }' >many
gzip -c many | head -c 20000 >cut.gz
exits 'a cut file is an error' 1 'gp-merge a cut.gz'
says 'and named' '^gp-merge: read cut.gz: '
if [ -s .got ]; then fail 'nothing on stdout'; else pass 'nothing on stdout'; fi
cp cut.gz d/cut.gz
tar cf cut.tar d/a d/cut.gz
exits 'a cut file in an archive is an error' 1 'gp-merge cut.tar'
says 'and named' '^gp-merge: read cut.tar:d/cut.gz: '
tar cf whole.tar many
head -c 100000 whole.tar >short.tar
exits 'a cut archive is an error' 1 'gp-merge short.tar'
says 'and named' '^gp-merge: read short.tar:many: '
exits 'a file that is not there' 1 'gp-merge a nothing b'
says 'is named' '^gp-merge: open nothing: No such file or directory$'
if [ -s .got ]; then fail 'nothing on stdout'; else pass 'nothing on stdout'; fi
exits 'a directory' 1 'gp-merge d'
says 'is named' '^gp-merge: read d: Is a directory$'
printf 'a 1\nb\n' >bad
is 'what is skipped is said once a file' 'gp-merge bad a bad 2>&1 >/dev/null | grep -v header' <<'WANT'
gp-merge: bad: 1 line skipped, first at line 2: no value
gp-merge: bad: 1 line skipped, first at line 2: no value
WANT

# Output.

is '-o' 'gp-merge --no-header -o out a && cat out' <<'WANT'
main;a 1
main;b 5
WANT
ok '-z' sh -c 'gp-merge -z a | gzip -d >1 && gp-merge a | cmp - 1'
ok 'much, compressed' sh -c 'gp-merge -z -o many.gz many && gzip -d <many.gz >1 && gp-merge many | cmp - 1'
printf old >keep
chmod 640 keep
ln -s keep link
ln -s absent dangling
exits 'what fails leaves the file as it was' 1 'gp-merge -o keep a nothing'
is 'as it was' 'cat keep; ls | grep -c keep' <<'WANT'
old1
WANT
is 'a link is followed, the mode kept' 'gp-merge -o link a; stat -c %a,%F keep; stat -c %F link; gp-merge a | cmp - keep' <<'WANT'
640,regular file
symbolic link
WANT
is 'a link to what is not there yet' 'gp-merge -o dangling a; stat -c %F absent dangling' <<'WANT'
regular file
symbolic link
WANT
is 'input and output may be one' 'gp-merge -o keep keep keep; gp-merge --no-header keep' <<'WANT'
main;a 2
main;b 10
WANT
mkfifo fifo
is 'a fifo is written' 'cat fifo & gp-merge --no-header -o fifo a; wait' <<'WANT'
main;a 1
main;b 5
WANT
exits '-o into a directory that is not there' 1 'gp-merge -o no/where a'
says 'is named' '^gp-merge: open no/where: No such file or directory$'
exits 'a full disk' 1 'gp-merge a >/dev/full'
says 'is noticed' '^gp-merge: write standard output: No space left on device$'
# Another program, or a terminal's, may have made a descriptor that we share one that does not wait.
# shellcheck disable=SC2016
unwaiting() { perl -MFcntl -e 'fcntl($_, F_SETFL, O_NONBLOCK) for *STDIN, *STDOUT; exec @ARGV' "$@"; }
seq 40000 | sed 's/.*/main;f&;a_long_name_of_a_leaf 1/' >long.folded
unwaiting gp-merge long.folded </dev/null 2>.err | { sleep 0.3; cat; } >.got
ok "a reader that is slow, at a pipe that does not wait" test "$(grep -c "^main;" .got)" -eq 40000
{ sleep 0.2; echo 'a;b 3'; } | { unwaiting gp-merge --no-header 2>.err | cat; } >.got
ok "a writer that is" grep -qx 'a;b 3' .got
exits 'a closed stdout' 1 'gp-merge a >&-'
says 'is noticed' '^gp-merge: open standard output: Bad file descriptor$'
is 'what cannot be said does not get into the file' 'gp-merge --no-header -o out bad 2>&-; cat out' <<'WANT'
a 1
WANT
is 'a reader that goes away is status 1, in silence' '{ gp-merge many; echo $? >status; } 2>said | head -n 1 >/dev/null
while [ ! -s status ]; do sleep 0.05; done; cat status said' <<'WANT'
1
WANT

# Ctrl-C goes to the whole pipeline: what the recorder writes at its end is still taken. More than a pipe
# holds is written first: once that is through, gp-merge reads.
cat >recorder <<'END'
trap 'echo "main;a 1"; [ "$1" = once ] && exit 0' INT
yes 'main;b 1' | head -n 30000
echo ready >fed
while :; do sleep 0.05; done
END
# What is given by mistake.

printf 'PERFILE2\150\0\0\0 1\n' >perf.data
exits 'a perf.data' 1 'gp-merge perf.data'
says 'names the program that reads it' '^gp-merge: perf.data is a perf.data: gp-fold '
exits 'a program' 1 'gp-merge /proc/self/exe'
printf 'a 1\n' | gp-flame >a.svg
printf 'a 1\n' | gp-flame --html >a.html
exits 'a picture' 1 'gp-merge a a.svg'
says 'says which' '^gp-merge: a.svg is a picture'
exits 'a page' 1 'gp-flame a.html'
says 'names the program that gives its profile back' '^gp-flame: a.html is a page: gp-fold '

# interrupts TIMES: runs recorder | gp-merge as a terminal's foreground job
interrupts() {
	rm -f fed merged status
	perl -e 'setpgrp(0, 0); $SIG{INT} = "DEFAULT"; exec "sh", "-c", $ARGV[0]' \
	    "trap : INT; sh recorder $1 | sh -c 'trap : INT; gp-merge --no-header >merged; echo \$? >status'" 2>/dev/null &
	job=$!
	while [ ! -s fed ] && kill -0 $job; do sleep 0.05; done
	kill -INT -$job
	while [ "$1" = twice ] && [ ! -s status ] && kill -INT -$job; do sleep 0.2; done
	while [ ! -s status ]; do sleep 0.05; done
	kill -KILL -$job 2>/dev/null
	wait $job 2>/dev/null
}
if command -v perl >/dev/null; then
	interrupts once
	is 'after a Ctrl-C the end of the input is taken' 'cat status merged' <<'WANT'
0
main;a 1
main;b 30000
WANT
	interrupts twice
	is 'a second one ends it' 'cat status merged' <<'WANT'
130
WANT
else
	skip 'Ctrl-C' 'no perl'
fi

printf 'hello world\nno stacks\n' >prose
exits 'text of which no line is a stack could not be merged' 1 'gp-merge prose'
says 'and one line says why' '^gp-merge: prose: no line of it is a stack; line 1: no value$'
ok 'nothing is written' test ! -s .got
exits 'nor beside one that could' 1 'printf "a 1\n" >good; gp-merge good prose'
exits 'nothing at all is an empty profile' 0 'gp-merge </dev/null'
exits 'so is one of comments, or of zeros' 0 'printf "# a\n\nb 0\n" | gp-merge'
exits 'one good line is enough' 0 'printf "hello world\na 1\n" | gp-merge'

done_testing
