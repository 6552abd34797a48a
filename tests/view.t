#!/bin/sh
# gp-view at a terminal of our own (tests/lib/terminal.c): what a person sees after which keys, and what is left behind.
# together: gp-record is a word in it
. "$(dirname "$0")/lib/tap.sh"

[ -x "$B/gp-view" ] || skip_all "gp-view is not built"
[ -x "$B/work/terminal" ] || skip_all "tests/lib/terminal is not built: make work"
PATH=$B/work:$PATH
export TERM=xterm-256color NO_COLOR=1
unset COLORTERM

# person: a script from stdin
person() {
	cat >script
}
# plays NAME 'terminal [options] script command': all goes as the script has it
plays() {
	is "$1" "terminal $2" </dev/null
}
# sees NAME 'terminal [options] script command' <<screen: the body of the screens that the script prints
sees() {
	is "$1" "terminal $2"
}

cat >a.folded <<'!'
#{"gp":1,"tool":"gp-record","event":"cpu-clock","unit":"samples","period_ns":10101010,"duration_s":10.0,"host":"web1","samples":1000,"lost":3,"notes":["3\u0020stacks\u0020were\u0020cut"]}
nginx;main;events;wait;do_syscall_64_[k] 120
nginx;main;events;handler;std::vector::push 300
nginx;main;events;handler;read;do_syscall_64_[k];vfs_read_[k] 200
nginx;main;init 3
python3;run (app.py:10)_[p];query (db.py:88)_[p] 377
!

# ---- the graph

person <<'!'
wait ^all( |$)
screen
type q
ended 0
restored
!
sees "a profile at 80x24" "script gp-view a.folded" <<'!'
cpu-clock on web1 · 10.0 s · 1,000 samples · 3 lost
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6 About  ? Keys   1 small frame
[all                                                                           ]
[nginx                                          ][python3                      ]
[main                                           ][run (app.py:10)              ]
[events                                         ][query (db.py:88)             ]
[handler                               ][wait   ]
[read          ][std::vector::push     ][do_sy..]
[do_syscall_64 ]
[vfs_read      ]











all
total 100.00 %, 1,000 samples · self 0.00 %, 0 samples
Enter zoom  Bksp back  / search  3 callers  h hide  u undo  ? keys  q quit
!
person <<'!'
wait ^all( |$)
type \e[B\e[B\e[B\e[B\e[C\r
wait of the zoom
screen
type \x7f
gone of the zoom
type \e[A\r
wait ^events  native
type \e[A\r
wait ^main  native
type 0
gone of the zoom
type --
wait ^events  native
type -
gone of the zoom
type q
ended 0
!
sees "zoom, and out as it came; above it lie its callers" "-s 12x50 script gp-view a.folded" <<'!'
cpu-clock on web1 · 10.0 s · 1,000 samples · 3 l..
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6
[wait                                            ]
[do_syscall_64                                   ]





wait  native
total 12.00 %, 120 samples, 100.00 % of the zoom..
Enter zoom  Bksp back  / search  3 callers  h hi..
!
person <<'!'
wait ^all( |$)
type \e[B
row 9
type \e[B\e[B\e[B\e[B\e[B\e[D\e[B\e[B
wait vfs_read  kernel
row 3
row 8
type \e[A\e[A\e[A\e[A\e[A\e[A\e[A
wait ^all$
type \e[C\e[D\e[H\e[F\e[5~\e[6~
type q
ended 0
!
sees "what does not fit is scrolled to" "-s 11x80 script gp-view a.folded" <<'!'
nginx  native
[main                                           ][run (app.py:10)              ]
[vfs_read      ]
!

# ---- colours, and signs for whom has none

person <<'!'
wait ^all( |$)
cells nginx
type /vfs
wait ^/vfs
cells vfs_read
type \r\e[B
wait nginx  native
cells nginx +..python
cells vfs_read
type q
ended 0
!
sees "without colours the chosen box is reversed, what is found underlined" "script gp-view a.folded" <<'!'
row 4 column 2 []
row 10 column 2 bold underline []
row 4 column 2 bold reverse []
row 10 column 2 bold underline []
!
person <<'!'
wait ^all( |$)
type /vfs\r
wait ^/vfs: 1
cells nginx
cells do_syscall
cells vfs_read
cells run .app
type q
ended 0
!
sees "256 colours by kind" "script env -u NO_COLOR gp-view a.folded" <<'!'
row 4 column 1 [48;5;217;38;5;16]
row 9 column 1 [48;5;216;38;5;16]
row 10 column 1 bold underline [48;5;91;38;5;231]
row 5 column 50 [48;5;117;38;5;16]
!
sees "16 colours by kind" "script env -u NO_COLOR TERM=xterm gp-view a.folded" <<'!'
row 4 column 1 [43;30]
row 9 column 1 [46;30]
row 10 column 1 bold underline [45;37]
row 5 column 50 [42;30]
!

# ---- search

person <<'!'
wait ^all( |$)
type /sys
wait ^/sys$
type \r
wait ^/sys: 1 function, total 32.00 %, self 12.00 %
type n
wait do_syscall_64  kernel
wait total 20.00 %
type n
wait total 12.00 %
type N
wait total 20.00 %
type c
wait case as written
type /SYS\r
wait ^/SYS: 0 functions, total 0.00 %
type c
wait ^/SYS: 1 function
type c
gone case
type n
wait nothing is found|do_syscall_64  kernel
type /read|sys\r
wait ^/read.sys: 3 functions, total 32.00 %, self 32.00 %
type /(
type \r
wait ^regular expression '\(': missing closing
type /xx\e
gone ^/xx
type 2/vector\r
wait vector::push  C
type 1\e
gone ^/vector
type q
ended 0
restored
!
plays "search: matched total and self without overlap, next and previous, case" "script gp-view a.folded"

# ---- table, callers

person <<'!'
wait ^all( |$)
type 2
wait FUNCTION
screen
type t
row 4
type a\e[B
type s\r
wait called by
type 1\e[B\e[B\e[B3
wait called by main
screen
type \e[A\r
wait called by nginx
type \x7f
wait called by main
type q
ended 0
!
sees "the table, and callers and callees" "-s 14x60 script gp-view a.folded" <<'!'
cpu-clock on web1 · 10.0 s · 1,000 samples · 3 lost
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6 About  ?
     SELF    TOTAL    FUNCTION
  37.70 %  37.70 %    query (db.py:88)
  30.00 %  30.00 %    std::vector::push
  20.00 %  20.00 %    vfs_read
  12.00 %  32.00 %    do_syscall_64
   0.30 %   0.30 %    init
   0.00 %  62.30 %    main
   0.00 %  62.30 %    nginx
   0.00 %  62.00 %    events
query (db.py:88)  Python
total 37.70 %, 377 samples · self 37.70 %, 377 samples
s self  t total  a name  Enter callers  / search  h hide  ..
   0.00 %  62.30 %    main
cpu-clock on web1 · 10.0 s · 1,000 samples · 3 lost
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6 About  ?
    SHARE    TOTAL    FUNCTION
 100.00 %  62.00 %    called by main
 100.00 %  62.00 %    events
  80.65 %  50.00 %        calls handler
  19.35 %  12.00 %        calls wait




events  native
total 62.00 %, 620 samples · self 0.00 %, 0 samples
Enter that function  Bksp the one before  1 graph  2 table..
!
cat >recursive.folded <<'!'
p;f;g;f;f;h 10
p;f 5
!
person <<'!'
wait ^all( |$)
type 2t
wait FUNCTION
row 4
row 5
row 6
type 3
wait calls h
row 4
row 5
row 6
row 7
row 8
type q
ended 0
!
sees "recursion counts once" "script gp-view recursive.folded" <<'!'
  33.33 % 100.00 %    f
   0.00 % 100.00 %    p
   0.00 %  66.67 %    g
 100.00 % 100.00 %    called by p
  66.67 %  66.67 %    called by g
 100.00 % 100.00 %    f
  66.67 %  66.67 %        calls g
  66.67 %  66.67 %        calls h
!

# ---- steps

person <<'!'
wait ^all( |$)
type \e[B\e[B\e[B\e[B\e[B\e[D\e[B
wait do_syscall_64  kernel
type h
wait Steps\(1\)
gone do_syscall
type Hm.in\r
wait Steps\(2\)
gone main
type m
wait Steps\(3\)
type i
wait Steps\(4\)
type 5
wait FUNC|callers above
row 3
row 4
row 5
row 6
type \e[B\e[Bd
wait Steps\(3\)
type u
wait Steps\(2\)
row 3
row 4
type U
wait No steps
type 1
wait do_syscall
wait main
type Fpython\r
wait python3
gone nginx
type uXpython\r
gone python3
type uRevents\r
gone main
type uC^(nginx|main)$\r
gone ^.main
type u
wait ^.main
type H(\r
wait ^regular expression
wait Steps  6
type H\e\e[B
wait nginx  native
type f
wait Steps\(1\)
type ux
wait Steps\(1\)
type ur
wait Steps\(1\)
type q
ended 0
restored
!
sees "steps, each of which is taken back" "script gp-view a.folded" <<'!'
  1  hide ^do_syscall_64_\[k\]$
  2  hide m.in
  3  recursion merged
  4  callers above callees
  1  hide ^do_syscall_64_\[k\]$
  2  hide m.in
!
person <<'!'
wait Steps\(6\)
type 5
wait hide
row 3
row 4
row 5
row 6
row 7
row 8
type 1
row 12
type q
ended 0
!
sees "steps of the command line" "-s 12x80 script gp-view --focus nginx --ignore init --hide main --show-from events --merge-recursion --reverse --search vfs a.folded" <<'!'
  1  only stacks with nginx
  2  no stacks with init
  3  stacks from events
  4  hide main
  5  recursion merged
  6  callers above callees
/vfs: 1 function, total 32.26 %, self 0.00 %  Enter zoom  Bksp back  / search ..
!
exits "a wrong expression on the command line" 1 "gp-view --hide '(' a.folded"
says "a wrong expression on the command line" "regular expression '\(': missing closing"

# ---- labels

cat >labels.folded <<'!'
#{"gp":1,"unit":"samples","labels":["host","pid"]}
host=web1;pid=7;a;b 40
host=web2;pid=8;a;c 30
host=web2;pid=9;a;b 20
z 10
!
person <<'!'
wait ^all( |$)
row 3
row 4
row 5
type 4
wait host: 2 values
screen
type \e[B\x20
wait 50 samples shown
type \e[B\x20
wait 90 samples shown
wait only host=web2 host=web1
type g
wait grouped by it
type 1
wait host=web1
row 4
type 4
type g
gone grouped
type *
wait all of them
wait 100 samples shown
type \e[A\r
wait 50 samples$
row 5
type q
ended 0
!
sees "labels choose and group" "-s 12x60 script gp-view labels.folded" <<'!'
[all                                                       ]
[a                                                   ][z   ]
[b                                 ][c               ]
Flame graph · 100 samples
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6 About  ?
host: 2 values
  [ ]   55.56 %  web2
  [ ]   44.44 %  web1
pid: 3 values
  [ ]   44.44 %  7
  [ ]   33.33 %  8
  [ ]   22.22 %  9
all of them
100 samples shown
Space choose  Enter only this  g group by  * all  1 graph ..
[host=web1               ][host=web2                       ]
[b                     ][c                                 ]
!
cat >times.folded <<'!'
#{"gp":1,"unit":"samples","labels":["time"]}
time=000000.000;a;b 1
time=000010.000;a;c 2
time=000020.000;a;c 4
!
person <<'!'
wait ^all( |$)
row 1
row 5
type q
ended 0
!
sees "--time" "script gp-view --time 10..15 --time 20..30 times.folded" <<'!'
Flame graph · 6 samples
[c                                                                             ]
!
exits "--time of nothing" 2 "gp-view --time 5 times.folded"

# ---- two columns

cat >diff.folded <<'!'
#{"gp":1,"columns":2,"kind":"diff","names":["old","new"],"unit":"samples"}
a;b;c 100 300
a;b;d 200 100
a;e 0 50
a;f 70 0
a;g 10 11
!
person <<'!'
wait ^all( |$)
row 4
row 5
row 6
type \e[B\e[B\e[B
wait ^c
row 22
row 23
type 2d
wait FUNC
row 4
row 6
row 7
type q
ended 0
!
sees "a diff: changes in words" "script gp-view diff.folded" <<'!'
[a ×1.21                                                                       ]
[b ×1.33                                                      ][e ..][f rem..][]
[c ×3.0                              ][d ×0.50                ]
c  old 100 samples, 26.32 %; new 300 samples, 65.08 %
+200 samples, +38.76 points, ×3.0
  47.54 %  47.54 %       ×3.0    c
  31.70 %  31.70 %      ×0.50    d
   0.00 % 100.00 %      ×1.21    a
!
sed 's/"diff"/"ratio"/' diff.folded >ratio.folded
person <<'!'
wait ^all( |$)
row 5
row 6
type \e[B\e[B\e[B
wait ^d
row 23
type q
ended 0
!
sees "a ratio: as wide as its denominator, with its interval" "script gp-view ratio.folded" <<'!'
[b                                                            ][f           ][g]
[c                  ][d                                       ]
new per old 0.5, with 95 % between 0.393 and 0.636; of the whole 1.21
!
person <<'!'
wait ^all( |$)
cells c ×3
cells d ×0
cells e new
type q
ended 0
!
sees "a diff: colours" "script env -u NO_COLOR gp-view diff.folded" <<'!'
row 6 column 1 [48;5;215;38;5;16]
row 6 column 39 [48;5;110;38;5;16]
row 5 column 64 [48;5;208;38;5;16]
!
grep -v '^#' diff.folded >bare.folded
person <<'!'
wait ^bare.folded: most lines end in two numbers|keys  q
wait ×1.21
type q
ended 0
!
plays "two columns without a header" "script gp-view bare.folded"
says "two columns without a header: said" "two numbers, taken for a diff"

# ---- names that are none

perl -e '
	print "p;x\e[31mred\a;\xc2\x9b2J;\xe2\x80\xaertl;\xf0\x9f\x98\x80smile;a\xcc\x81b;" . "A" x 20_000_000 . " 40\n";
	print "p;\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97;\xff\xfe;\xef\xbf\xbf;" . "\xcc\x81" x 1000 . "e;\xe2\x80\x8bz 40\n";
	print "p;" . "\xe6\xbc\xa2" x 100 . ";]0;title\xc2\x9c 10\n"' >hostile.folded
person <<'!'
wait ^all( |$)
screen
type 2
wait FUNCTION
type \e[B\e[B\e[B\e[B\e[B\e[B
type 3
type 6
type 1/.\r
type nnnnnnnnnnnnnnnn
type h
wait Steps.1
type q
ended 0
restored
!
sees "names that are none do no harm" "-s 14x60 script gp-view hostile.folded" <<'!'
Flame graph · 90 samples
 1 Graph  2 Table  3 Callers  4 Labels  5 Steps  6 About  ?
[all                                                       ]
[p                                                         ]
[x?[31mred?              ][漢字漢字                 ][漢.. ]
[�2J                     ][��                       ][]0   ]
[�rtl                    ][�                        ][tit..]
[😀smile                 ][e                        ]
[áb                      ][�z                       ]
[AAAAAAAAAAAAAAAAAAAAAA..]

all
total 100.00 %, 90 samples · self 0.00 %, 0 samples
Enter zoom  Bksp back  / search  3 callers  h hide  u undo..
!
person <<'!'
wait ^all( |$)
random 7 400
type q
ended 0
restored
!
plays "and under any keys" "script gp-view hostile.folded"

# ---- nothing, and what cannot be read

: >empty.folded
person <<'!'
wait nothing to draw
type 2
wait No function has a value
type 31456?1\r-hfn0wmi/x\rn
type q
ended 0
restored
!
plays "an empty profile" "script gp-view empty.folded"
printf 'wait without a profile\ntype 12?3\\e[B4q\nended 0\nrestored\n' >script
plays "an empty input" "script gp-view <empty.folded"
echo '#{"gp":1,"unit":"samples"}' >none.folded
printf 'wait nothing to draw\ntype 2345617\\rq\nended 0\nrestored\n' >script
plays "a profile of no stacks" "script gp-view none.folded"
plays "and fed" "script gp-view - <none.folded"
gzip -c a.folded | head -c 150 >bad.gz
printf 'wait gp-view: read bad.gz: \nended 1\nrestored\n' >script
plays "a damaged file" "-e script gp-view bad.gz"
printf 'ended 1\nrestored\n' >script
plays "a damaged file, fed" "script gp-view <bad.gz"
says "a damaged file, fed: said" "read standard input: "
exits "no such file" 1 "gp-view nowhere.folded"
says "no such file: it is named" "open nowhere.folded: No such file"
exits "--strict" 1 "echo x | gp-view --strict -"
printf 'nonsense\na;b 1\n' >half.folded
person <<'!'
wait ^all( |$)
wait ^.b
type q
ended 0
!
plays "a line that cannot be read" "script gp-view <half.folded"
says "a line that cannot be read: said when the screen is gone" "1 line skipped, first at line 1: no value"
# Status 1 also where a sanitizer looks for what is left behind.
exits "values that do not fit" 1 "printf 'a 18446744073709551615\na 1\n' >full.folded; gp-view full.folded"
says "values that do not fit: said" "does not fit into 64 bits"
exits "a perf.data" 1 "printf PERFILE2 >p.data; gp-view p.data"
gzip -c a.folded >a.folded.gz
printf 'wait ^all( |$)\nwait 2,000 samples\ntype q\nended 0\n' >script
plays "several files, one of them compressed, are added" "script gp-view a.folded a.folded.gz"
printf 'wait ^all( |$)\nwait 1,000 samples\ntype q\nended 0\n' >script
plays "compressed on stdin" "script gp-view <a.folded.gz"

# ---- no terminal

exits "without a terminal" 1 "setsid -w gp-view a.folded </dev/null"
says "without a terminal: what does without" "no terminal.*gp-flame --text"
printf 'ended 1\n' >script
plays "a terminal that is dumb" "script env TERM=dumb gp-view a.folded"
says "a terminal that is dumb: what does with it" "gp-flame --text"

# ---- a stream

{ cat a.folded; echo '#'; } >one
sed 's/vector::push 300/vector::push 900/; s/":1000/":1600/; /init/d' one >two
grep -v vector one >three
person <<'!'
wait Waiting for the first profile
type ?
wait Moving
type 1
feed one
wait profile 1
wait ^.std::|std::vector
type \e[B\r/vector\r
wait of the zoom
wait total 48.15 %
feed two
wait profile 2$
wait ^nginx  native
wait total 73.77 %
type \x20
wait profile 2, frozen, 0 waiting
feed three
wait 1 waiting
feed one
wait 2 waiting
wait total 73.77 %
type ]
wait profile 3, frozen, 1 waiting
wait total 0.00 %
type ]
wait profile 4, frozen, 0 waiting
type ]
wait this is the latest
type [[[[
wait this is the first
wait profile 1, frozen, 3 waiting
type p
wait profile 4$
into #{"gp":1,"unit":"samples"}\na;b 1\n
gone profile 5
eof
wait the last: the stream has ended
wait standard input ends within a profile, which is left out
type q
ended 0
restored
!
plays "a stream: zoom, choice and search stay, freezing loses nothing" "-p script gp-view"
says "a stream that ends within a profile: said" "ends within a profile"
person <<'!'
feed one
wait profile 1
type 2\e[B\e[B
wait ^vfs_read
feed two
wait profile 2
wait ^vfs_read
type t
feed one
wait profile 3
type 3
wait called by
feed three
wait profile 4
type 4
feed one
wait profile 5
type q
ended 0
restored
!
plays "a stream: the function that is chosen stays so" "-p script gp-view"
perl -0 -ne '$all .= $_; END { print $all x 162 }' one two three >long
person <<'!'
feed long
wait profile 486$
type [
wait profile 485, frozen, 1 waiting
type [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
wait this is the first that is kept
wait profile 427, frozen, 59 waiting
feed long
wait profile 427, frozen
into a;b 1\n#\n
type q
ended 0
!
plays "a long stream: as many as are kept" "-p script gp-view"
printf 'wait the only one\nwait samples\ntype q\nended 0\nrestored\n' >script
plays "a pipe without an end line is whole where it ends" "script sh -c 'cat a.folded | gp-view'"

# ---- every way out

for signal in INT TERM HUP QUIT SEGV BUS ABRT; do
	case $B:$signal in
	*address*:SEGV | *address*:BUS | *address*:ABRT) continue ;; # the sanitizer has these
	esac
	printf 'wait ^all( |$)\nsignal %s\nended %s\nrestored\n' $signal $signal >script
	plays "SIG$signal" "script sh -c 'ulimit -c 0; exec gp-view a.folded'"
done
printf 'wait ^all( |$)\ntype \\x03\nended INT\nrestored\n' >script
plays "Ctrl-C" "script gp-view a.folded"
printf 'wait Waiting\ntype \\x03\nwait is left to\ntype \\x03\nended INT\nrestored\n' >script
plays "Ctrl-C while something may come is the feeder's, a second one ours" "-p script gp-view"
printf 'wait Waiting\ntype \\x03\nwait 3 samples\ntype q\nended 0\nrestored\n' >script
cat >feeder <<'!'
trap : INT
perl -e '$SIG{INT} = sub { print "a;b 3\n"; exit }; sleep 30 while 1' | gp-view
!
plays "Ctrl-C on a pipeline ends it with a picture" "script sh feeder"
printf 'wait ^all\ntype \\x03\nended INT\nrestored\n' >script
plays "Ctrl-C of a file that is fed" "script gp-view <a.folded"
printf 'wait ^all( |$)\nhangup\nended 1\n' >script
plays "the terminal goes away" "script gp-view a.folded"
says "the terminal goes away: said" "terminal has gone"
person <<'!'
wait ^all( |$)
type \e[B
wait nginx  native
type \x1a
stopped
restored
cont
wait nginx  native
type \x1a
stopped
restored
resize 12x60
cont
wait Enter zoom
row 1
signal STOP
stopped
cont
wait nginx  native
type q
ended 0
restored
!
sees "Ctrl-Z and fg, twice; a size that changed meanwhile" "script gp-view a.folded" <<'!'
cpu-clock on web1 · 10.0 s · 1,000 samples · 3 lost
!

# ---- sizes

person <<'!'
wait ^all( |$)
resize 8x30
wait nginx
screen
resize 7x30
wait too small: 30x8
resize 1x1
resize 30x20
wait too small
resize 200x300
wait 1 Graph
type \e[B
wait nginx  native
resize 24x80
wait 1 Graph
type q
ended 0
restored
!
sees "sizes" "script gp-view a.folded" <<'!'
cpu-clock on web1 · 10.0 s ·..
 1 Graph  2 Table  3 Callers
[all                         ]
[nginx           ][python3   ]
[main            ][run (app..]
all
total 100.00 %, 1,000 sample..
Enter zoom  Bksp back  / sea..
!

# ---- anything typed

for seed in 1 2 3; do
	for profile in a.folded labels.folded diff.folded; do
		printf 'wait ^all( |$)\nrandom %s 300\ntype 1\nwait 1 Graph\ntype q\nended 0\nrestored\n' $seed >script
		plays "keys by chance, $seed, $profile" "script gp-view $profile"
	done
done

# ---- how long it takes, in CPU time: 40,000 stacks, a million frames

perl -e '
	my $n = 1;
	for my $i (0 .. 39_999) {
		my @f = ("main", map { $n = ($n * 1103515245 + 12345) % 2147483648; "f" . ($n >> 16) % ($_ < 5 ? 3 : 2000) } 1 .. 24);
		print join(";", @f), " ", 1 + $i % 7, "\n";
	}' >million.folded
person <<'!'
wait ^all( |$)
used 100000
type q
ended 0
!
terminal script gp-view million.folded >costs 2>&1
first=$(sed -n 's/^used: \([0-9]*\) ms/\1/p' costs)
printed=$(perl -e '
	system("gp-flame --text --width 80 million.folded >printed 2>&1") == 0 or die;
	my @t = times; printf "%d", 1000 * ($t[2] + $t[3])')
ok "the first picture costs less than three times that of gp-flame --text (${first:-?} ms, $printed ms)" \
	test "${first:-99999}" -lt $((printed * 3 + 50))
slow=1
case $B in *-address* | *-undefined*) slow=10 ;; esac
sed "s/^cost 100/cost $((150 * slow))/" >script <<'!'
wait ^all( |$)
cost 100 SELF 2
cost 100 TOTAL t
cost 100 called 3
cost 100 Bksp.back 1
cost 100 main \e[B
cost 100 of.the.zoom \e[B\r
cost 100 Bksp -
cost 100 /f7: /f7\r
cost 100 Steps.1. h
cost 100 Steps..6 u
cost 100 Steps.1. i
cost 100 Steps..6 u
cost 100 labels 4
type q
ended 0
!
exits "of a million frames no key costs more than 150 ms" 0 "terminal script gp-view million.folded"
sed 's/^/# /' .got

done_testing
