#!/usr/bin/perl
# same-picture.pl [-c] THEIRS OURS: the same frames in the same rows, x and widths to a tenth of a pixel, and
# with -c the same colours. Differences go to stdout.
# same-picture.pl -l OURS: its boxes, a line each.
use strict;
use warnings;

my $list = @ARGV && $ARGV[0] eq '-l' ? shift : 0;
my $colours = @ARGV && $ARGV[0] eq '-c' ? shift : 0;
my ($theirs, $ours) = @ARGV;
my %char = (lt => '<', gt => '>', amp => '&', quot => '"', '#39' => "'", apos => "'");

sub slurp { open my $f, '<', $_[0] or die "$_[0]: $!\n"; local $/; <$f> // '' }
sub plain { my $t = shift; $t =~ s/&(#?\w+);/$char{$1} \/\/ "&$1;"/ge; $t }

# Rows count from the root, which is the widest and at the top or bottom.
sub rows {
	my ($height, @boxes) = @_;
	my ($root) = grep { $_->{name} eq 'all' } @boxes or return [];
	my @out = map { { %$_, d => int(abs($_->{y} - $root->{y}) / $height + 0.5) } } @boxes;
	[sort { $a->{d} <=> $b->{d} || $a->{x} <=> $b->{x} || $a->{name} cmp $b->{name} } @out]
}

sub theirs {
	my ($svg, @boxes, $height) = slurp(shift);
	my ($inner) = $svg =~ /<svg id="frames" x="10" width="(\d+)"/;
	while ($svg =~ m{<title>((?:[^<]|<(?!/title))*?) \([\d,.]+ [^()]*\)</title>\s*(?:<a[^>]*>\s*)?<rect x="([\d.]+)(%?)" y="([\d.]+)" width="([\d.]+)%?" height="([\d.]+)" fill="([^"]*)"}g) {
		my %b = (name => plain($1), y => $4, fill => $7);
		my $scale = $3 ? $inner / 100 : 1;
		$height = $6 + 1;
		@b{qw(x w)} = ($2 * $scale + ($3 ? 10 : 0), $5 * $scale);
		$b{name} =~ s/_\[[kwij]\]$//;
		$b{name} =~ tr/<>/()/; # flamegraph.pl does
		push @boxes, \%b;
	}
	rows($height || 16, @boxes)
}

sub ours {
	my ($svg, @boxes, $height) = slurp(shift);
	while ($svg =~ m{<rect class="[^"]*"(?: fill="([^"]*)")? x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" data-l="\d+" data-t="\d+"[^>]*><title>([^\n<]*)}g) {
		my %b = (fill => $1 // '', x => $2, y => $3, w => $4, name => plain($6));
		$height = $5 + 1;
		$b{name} = '' if $b{name} eq '(empty)';
		$b{name} =~ tr/<>/()/;
		push @boxes, \%b;
	}
	rows($height || 16, @boxes)
}

if ($list) {
	printf "%d %s %.1f %.1f %s\n", @$_{qw(d name x w fill)} for @{ours($theirs)};
	exit 0;
}
my ($a, $b, $bad) = (theirs($theirs), ours($ours), 0);
print "boxes: theirs ", scalar @$a, ", ours ", scalar @$b, "\n" and $bad = 1 if @$a != @$b;
for my $i (0 .. ($#$a < $#$b ? $#$a : $#$b)) {
	my ($t, $o) = ($a->[$i], $b->[$i]);
	next if $t->{d} == $o->{d} && $t->{name} eq $o->{name} && abs($t->{x} - $o->{x}) < 0.12 &&
	    abs($t->{w} - $o->{w}) < 0.12 && (!$colours || $t->{fill} eq $o->{fill});
	printf "theirs: row %d %s x %.2f width %.2f %s\nours:   row %d %s x %.2f width %.2f %s\n",
	    @$t{qw(d name x w fill)}, @$o{qw(d name x w fill)};
	last if ++$bad > 5;
}
exit($bad ? 1 : 0);
