#!/bin/sh
# Colours, by formulas written down a second time here and by inferno-flamegraph where that is: every palette, by every
# way of choosing its numbers. And that text can be read on each of them.
. "$(dirname "$0")/lib/tap.sh"

# rgb.pl PALETTE MODE, names on stdin: "name rgb(...)" a line. MODE: sum (flamegraph.pl's own), hash, fnv, or range:
# then the bounds "name r-r,g-g,b-b".
cat >rgb.pl <<'P'
my ($palette, $mode) = @ARGV;
my %base = (
	hot => [205, 50, 2, 0, 230, 0, 0, 55, 1], mem => [0, 0, 0, 190, 50, 1, 0, 210, 0], io => [80, 60, 0, 80, 60, 0, 190, 55, 1],
	red => [200, 55, 0, 50, 80, 0, 50, 80, 0], green => [50, 60, 0, 200, 55, 0, 50, 60, 0], blue => [80, 60, 0, 80, 60, 0, 205, 50, 0],
	yellow => [175, 55, 0, 175, 55, 0, 50, 20, 0], purple => [190, 65, 0, 80, 60, 0, 190, 65, 0],
	aqua => [50, 60, 0, 165, 55, 0, 165, 55, 0], orange => [190, 65, 0, 90, 65, 0, 0, 0, 0]);
my %pick = (
	wakeup => sub { 'aqua' },
	chain => sub { /_\[w\]/ ? 'aqua' : 'blue' },
	java => sub { /_\[j\]$/ ? 'green' : /_\[i\]$/ ? 'aqua' : m{^L?(?:java|javax|jdk|net|org|com|io|sun)/} ? 'green' :
	    /:::/ ? 'green' : /::/ ? 'yellow' : /_\[k\]$/ ? 'orange' : 'red' },
	js => sub { /_\[j\]$/ ? (m{/} ? 'green' : 'aqua') : /::/ ? 'yellow' : m{/.*\.js} ? 'green' : /:/ ? 'aqua' : $_ eq ' ' ? 'green' :
	    /_\[k\]$/ ? 'orange' : 'red' },
	perl => sub { /::/ ? 'yellow' : /Perl|\.pl/ ? 'green' : /_\[k\]$/ ? 'orange' : 'red' },
	python => sub { m{(?:^|[/\\])site-packages(?:[/\\]|$)} ? 'aqua' :
	    m{(?:^|[/\\])[pP]ython[0-9.]*(?:[/\\]|$)|^<(?:built-in|method|frozen)} ? 'yellow' : 'red' },
	rust => sub { my $n = $_; $n =~ s/^.*?`//; $n =~ /^(?:<?(?:core|std|alloc)::)/ ? 'orange' : $n =~ /::/ ? 'aqua' : 'yellow' });
sub hashed {
	my $n = shift;
	$n =~ s/^..*?`//s;
	my ($v, $max, $weight, $mod) = (0, 1, 1, 10);
	for my $c (split //, substr $n, 0, 3) { $v += (ord($c) % $mod) / ($mod - 1) * $weight; $max += $weight; $weight *= 0.7; $mod++ }
	1 - $v / $max
}
sub fnv {
	my ($n, $h, @v) = (shift, 0xcbf29ce484222325);
	{ use integer; for (unpack 'C*', $n) { $h = ($h ^ $_) * 0x100000001b3 } }
	for (1 .. 3) { push @v, unpack 'f', pack 'f', unpack('Q', pack 'q', $h) / 18446744073709551615.0; use integer; $h *= 0x100000001b3 }
	@v
}
binmode STDIN;
while (<STDIN>) {
	chomp;
	my $seen = tr/<>/()/r;
	my $name = $_;
	local $_ = $seen;
	my $b = $base{exists $pick{$palette} ? $pick{$palette}->() : $palette};
	my @v;
	if ($mode eq 'sum') { srand unpack '%32C*', $_; @v = (rand 1) x 3 }
	elsif ($mode eq 'hash') { my $end = hashed(scalar reverse $_); @v = (hashed($_), $end, $end) }
	elsif ($mode eq 'fnv') { @v = fnv($_) }
	my @part = map { my ($from, $span, $which) = @$b[3 * $_ .. 3 * $_ + 2];
		$mode eq 'range' ? "$from-" . ($from + ($span ? $span - 1 : 0)) : $from + int($span * $v[$which]) } 0 .. 2;
	printf "%s %s\n", $name =~ s/_\[[kjiw]\]$//r, $mode eq 'range' ? join ',', @part : "rgb(@{[join ',', @part]})";
}
P
# drawn.pl: "name rgb(...)" of an SVG's frames, the root left out
cat >drawn.pl <<'P'
local $/; $_ = <STDIN>;
my %char = (lt => '<', gt => '>', amp => '&', quot => '"', '#39' => "'");
while (m{<rect class="[^"]*" fill="([^"]*)"[^>]*><title>([^\n<]*)\n}g) { my ($fill, $name) = ($1, $2);
	$name =~ s/&(#?\w+);/$char{$1}/g; print "$name $fill\n" unless $name eq 'all' }
P
cat >within.pl <<'P'
open my $r, '<', shift or die;
my %range; /^(.*) (\S+)$/ and push @{$range{$1}}, $2 while <$r>;
while (<STDIN>) { /^(.*) rgb\((\d+),(\d+),(\d+)\)$/ or die "no colour: $_"; my ($name, @c) = ($1, $2, $3, $4);
	my $fits = grep { my @b = split /,/; @b == grep { my ($l, $h) = split /-/, $b[$_]; $c[$_] >= $l && $c[$_] <= $h } 0 .. 2 } @{$range{$name}};
	print "$name: @c, not in @{$range{$name}}\n" and $bad = 1 unless $fits }
exit !!$bad;
P

cat >names <<'N'
main
a
ab
ba
std::vector<int>::push_back
<std::x as y>::z
core::fmt::write
<core::option::Option<T> as X>::y
alloc::vec
my::app::run
libc.so.6`malloc
app`std::rt::lang_start
java/lang/Thread.run_[j]
Ljava/util/HashMap.get_[i]
Lorg/x/Y.z
javax/swing/A
net/b
io/c
sun/d
javafoo/e
com.sun.Foo.bar
JavaThread::run
a:::b
Interpreter
sys_read_[k]
vfs_read_[w]
/a/b/c.js
/a/node_modules/x.js:3
LazyCompile:*main /home/a/app.js:10
Builtin:Map
thing_[j]
/thing_[j]
Perl_runops_standard
main.pl
Foo::bar
f (/usr/lib/python3.11/x.py:1)
f (/a/site-packages/b.py:2)
f (/a/Python2/c.py)
<built-in method len>
<frozen importlib>
<method 'x'>
-[NSObject init]
+[NSString new]
[unknown]
x.y
[libx.so.1]
für_süß
x y
`a`b
N
awk '{ print $0 " " NR }' names >profile
palettes='hot mem io red green blue yellow purple aqua orange wakeup chain java js perl python rust'
for palette in $palettes; do
	for mode in sum hash fnv; do
		case $mode in sum) how= ;; hash) how=--hash ;; fnv) how=--deterministic ;; esac
		perl rgb.pl "$palette" "$mode" <names | sort >want
		# shellcheck disable=SC2086
		gp-flame --minwidth 0 --colors "$palette" $how profile | perl drawn.pl | sort >got
		ok "$palette ${how:-as flamegraph.pl has it by itself}: every name's rgb" diff want got
	done
	perl rgb.pl "$palette" range <names >range
	gp-flame --minwidth 0 --colors "$palette" --random profile | perl drawn.pl >one
	gp-flame --minwidth 0 --colors "$palette" --random profile | perl drawn.pl >other
	ok "$palette --random: within its bounds" perl within.pl range <one
	ok "$palette --random: another picture each time" sh -c '! cmp -s one other'
done
printf 'ab 1\nba 1\n' | gp-flame --colors hot | perl drawn.pl | cut -d ' ' -f 2 | sort -u >got
ok "flamegraph.pl's own: anagrams are of one colour" test "$(wc -l <got)" -eq 1

# ---- what inferno-flamegraph draws, for names that no sorting of lines splits

if command -v inferno-flamegraph >/dev/null; then
	ln -s "$B/gp-flame" inferno-flamegraph
	grep -v ü profile >plain
	for palette in aqua blue green hot io java js mem orange perl python purple red rust wakeup yellow; do
		for how in '' --hash --deterministic; do
			# shellcheck disable=SC2086
			inferno-flamegraph -q --pretty-xml --minwidth 0 --colors "$palette" $how plain >theirs.svg
			# shellcheck disable=SC2086
			./inferno-flamegraph -q --minwidth 0 --colors "$palette" $how plain >ours.svg
			ok "inferno's $palette ${how:-by itself}: the same rgb" perl "$TOP/tests/lib/same-picture.pl" -c theirs.svg ours.svg
		done
	done
else
	skip "inferno's palettes" "no inferno-flamegraph"
fi
done_testing
