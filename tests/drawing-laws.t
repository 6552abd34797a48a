#!/bin/sh
# What is true of every picture, over random profiles: with labels, with one column and two.
. "$(dirname "$0")/lib/tap.sh"

boxes=$TOP/tests/lib/boxes.pl
rounds=5

# random.pl SEED COLUMNS [bare]: lines as they come, names that go on before ';', labels, recursion,
# empty frames.
cat >random.pl <<'P'
my ($seed, $columns, $bare) = @ARGV;
srand $seed;
my @ends = ('', '', '', '_[k]', '_[j]', '.part.0', '(int)', '::x', ' y', '-', '2');
sub name { 'f' . int(rand 7) . $ends[rand @ends] }
my $labels = $seed % 2 && !$bare;
for (1 .. 300) {
	my @stack = ('p' . int(rand 3));
	unshift @stack, 'pid=' . int(rand 3) if $labels && rand() < .9;
	unshift @stack, 'host=h' . int(rand 2) if $labels;
	my $deep = int rand 9;
	push @stack, rand() < .15 ? $stack[-1] : name() for 1 .. $deep;
	push @stack, '', name() if rand() < .03;
	print join(';', @stack), map({ ' ' . int(rand() < .1 ? 0 : 1 + 10 ** rand 4) } 1 .. $columns), "\n";
}
P
# The boxes of one column of canonical text, worked out the slow way: "depth left total name", as boxes.pl has them.
cat >layout.pl <<'P'
my (%node, @out);
sub add { my ($n, $v, @f) = @_; $n->{t} += $v; @f ? add($n->{c}{shift @f} //= {}, $v, @f) : ($n->{s} += $v) }
my $root = {};
while (<STDIN>) { next if /^#/; /^(.*) (\d+)$/ or die; add($root, $2, split /;/, $1, -1) if $2 }
sub shown { my $n = shift; $n =~ s/_\[[kj]\]$//; $n eq '' ? '(empty)' : $n }
my @todo = ([$root, 0, 0, 'all']);
while (my $at = shift @todo) {
	my ($n, $d, $l, $name) = @$at;
	push @out, [$d, $l, $n->{t}, $name];
	$l += $n->{s} // 0;
	for (sort keys %{$n->{c}}) { push @todo, [$n->{c}{$_}, $d + 1, $l, shown($_)]; $l += $n->{c}{$_}{t} }
}
print "@$_\n" for sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @out;
P
# fits.pl: of boxes "depth left total name", no parent's children are wider than it; and the first row is not
# wider than the whole. What is missing of a whole was said to be lost.
cat >fits.pl <<'P'
my (@row, $bad);
while (<STDIN>) { my ($d, $l, $t) = split / /; push @{$row[$d]}, [$l, $t] }
for my $d (1 .. $#row) { for my $p (@{$row[$d - 1]}) { my $sum = 0;
	$_->[0] >= $p->[0] && $_->[0] < $p->[0] + $p->[1] and $sum += $_->[1] for @{$row[$d]};
	$bad = 1 if $sum > $p->[1] } }
exit !!$bad;
P

# all NAME: the rounds of it that failed are in bad
all() {
	if [ -s bad ]; then fail "$1" - <bad; else pass "$1"; fi
	: >bad
}
# hold WHAT command...: or this round is bad
hold() {
	what=$1
	shift
	"$@" >hold.out 2>&1 || { echo "seed $seed: $what" && head -5 hold.out; } >>bad
}
# pieces FILE: its lines shuffled and dealt to three files
pieces() { sort -R "$1" >shuffled && rm -f piece.* && split -n r/3 shuffled piece.; }

: >bad
for seed in $(seq "$rounds"); do
	perl random.pl "$seed" 1 >in
	pieces in
	gp-merge in >canonical
	gp-flame --minwidth 0 in >out.svg
	perl layout.pl <canonical >want
	hold "boxes lie in their parents and on nobody" sh -c "perl $boxes <out.svg >got"
	hold "and are those of the trie" cmp want got
	for order in name weight; do
		for width in 0 2 1%; do
			gp-flame -q --order "$order" --minwidth "$width" in >a.svg
			gp-flame -q --order "$order" --minwidth "$width" piece.* >b.svg
			hold "order $order, width $width: order and files" cmp a.svg b.svg
			hold "order $order, width $width: boxes" sh -c "perl $boxes <a.svg >a && perl fits.pl <a"
		done
	done
	hold "inverted" sh -c "gp-flame --minwidth 0 --inverted in | perl $boxes | cmp - want"
	hold "reversed" sh -c "gp-flame --minwidth 0 --reverse in | perl $boxes >/dev/null"
	hold "a chart" sh -c "gp-flame -q --flamechart in | perl $boxes >/dev/null"
	hold "text" sh -c "gp-flame -q --text in >a && gp-flame -q --text piece.* | cmp - a"
	hold "page, order and files" sh -c "gp-flame --html piece.* >a; gp-fold --no-header a >b; gp-merge --no-header in | cmp - b"
	hold "page is the identity" sh -c "gp-flame --html canonical >a && gp-fold a | cmp - canonical"
	hold "page of the page" sh -c "gp-fold a | gp-flame --html | cmp - a"
	hold "tabs" sh -c 'gp-flame --html --separate piece.* >tabs.html; gp-fold tabs.html | gp-merge --no-header >a; gp-merge --no-header in | cmp - a'
done
all "one column: boxes, order, files, page, of $rounds random profiles"

for seed in $(seq "$rounds"); do
	perl random.pl "$seed" 2 >lines
	pieces lines
	head='#{"gp":1,"columns":2,"kind":"diff","names":["one","other"]}'
	for f in lines piece.*; do { echo "$head" && cat "$f"; } >"$f.2"; done
	gp-merge lines.2 >canonical
	for layout in union new base; do
		# Rows of two columns as one, by hand.
		perl -ne 'next if /^#/; /^(.*) (\d+) (\d+)$/ or die; print "$1 ", $ARGV_layout eq "new" ? $3 : $ARGV_layout eq "base" ? $2 : $2 > $3 ? $2 : $3, "\n"; BEGIN { $ARGV_layout = shift }' "$layout" canonical >one
		perl layout.pl <one >want
		gp-flame --minwidth 0 --layout "$layout" lines.2 >out.svg
		hold "$layout: boxes" sh -c "perl $boxes <out.svg >got"
		hold "$layout: those of the trie" cmp want got
		gp-flame --minwidth 0 --layout "$layout" piece.*.2 >b.svg
		hold "$layout: order and files" cmp out.svg b.svg
	done
	hold "text" sh -c "gp-flame -q --text lines.2 >a && gp-flame -q --text piece.*.2 | cmp - a"
	hold "page is the identity" sh -c "gp-flame --html canonical >a && gp-fold a | cmp - canonical"
done
all "two columns: boxes by each layout, order, files, page, of $rounds random profiles"

# ---- --max-frames

# frames.pl: of canonical text, how many frames there are but [small], the least of them, and the sum.
cat >frames.pl <<'P'
my (%w, $sum);
while (<STDIN>) { next if /^#/; /^(.*) (\d+)$/ or die; $sum += $2; my $p = '';
	for (split /;/, $1, -1) { $p .= "\0$_"; $w{$p} += $2 } }
my @frames = grep { !/\0\[small\]$/ } keys %w;
my ($least) = sort { $a <=> $b } map { $w{$_} } @frames;
printf "%d %d %d\n", scalar @frames, $least // 0, $sum;
P
for seed in $(seq "$rounds"); do
	perl random.pl "$seed" 1 bare >in
	gp-merge in >canonical
	read -r frames _ sum <<-E
	$(perl frames.pl <canonical)
	E
	for most in 0 1 100 "$((frames - 1))"; do
		gp-flame --html --max-frames "$most" in >a.html 2>err
		gp-fold a.html >limited
		read -r left least now <<-E
		$(perl frames.pl <limited)
		E
		hold "--max-frames $most: so many are left, not $left" test "$left" -eq "$most"
		hold "--max-frames $most: nothing is lost" test "$now" -eq "$sum"
		# Of what went nothing is wider than what stays: by a full sort.
		want=$(perl -e 'my %w; while (<STDIN>) { next if /^#/; /^(.*) (\d+)$/; my $p = ""; for (split /;/, $1, -1) { $p .= "\0$_"; $w{$p} += $2 } }
		    my @s = sort { $b <=> $a } values %w; print $s[$ARGV[0] - 1] // 0' "$most" <canonical)
		[ "$most" -eq 0 ] || hold "--max-frames $most: the least that stays is $want, not $least" test "$least" -eq "$want"
		hold "--max-frames $most: said" grep -q "^gp-flame: the .* smallest frame.* of the whole, .* \[small\], so that no more than $most are left$" err
		hold "--max-frames $most: a note" sh -c 'head -n 1 limited | grep -q "smallest"'
		gp-flame -q --minwidth 0 --max-frames "$most" in >a.svg
		hold "--max-frames $most: SVG" sh -c "perl $boxes <a.svg >got && perl layout.pl <limited | cmp - got"
		hold "--max-frames $most: text" sh -c "gp-flame -q --text --max-frames $most in | grep -q ."
	done
	hold "--max-frames of all of them" sh -c "gp-flame --html --max-frames $frames canonical >a 2>err && ! grep . err && gp-fold a | cmp - canonical"
done
all "--max-frames leaves the widest, and the sum, of $rounds random profiles"
perl random.pl 3 2 >in
is "--max-frames of two columns: both sums stay" 'gp-flame -q --html --max-frames 50 in >a; gp-fold --no-header a | perl -ne "/ (\d+) (\d+)\$/; \$b += \$1; \$n += \$2; END { print qq(\$b \$n\n) }"' <<E
$(perl -ne '/ (\d+) (\d+)$/; $b += $1; $n += $2; END { print "$b $n\n" }' in)
E
printf 'host=a;p;x;y 5\nhost=b;p;x 3\nhost=c;p 1\n' >in
is "--max-frames leaves labels" 'gp-flame -q --html --max-frames 1 in >a; gp-fold --no-header a' <<'E'
host=a;[small] 5
host=b;[small] 3
host=c;[small] 1
E
printf 'a;b 5\nc 1\na;b 1\nd;e 1\n' >in
is "--max-frames of a chart: in their places" "gp-flame -q --minwidth 0 --flamechart --max-frames 3 in | perl $boxes" <<'E'
0 0 8 all
1 0 5 a
1 5 1 c
1 6 2 [small]
2 0 5 b
E
exits "--max-frames takes a number" 2 'gp-flame --max-frames x in'
done_testing
