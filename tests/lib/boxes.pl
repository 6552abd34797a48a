#!/usr/bin/perl
# What an SVG of gp-flame shows: "depth left total name", by depth and place. Says on stderr, status 1, where
# a box overlaps its neighbour, leaves its parent, or the pixels do not fit the values.
use strict;
use warnings;

my ($svg, @boxes, %row, $bad) = do { local $/; <STDIN> };
my %char = (lt => '<', gt => '>', amp => '&', quot => '"');
my ($width, $total) = $svg =~ /<g class="frames" data-x="[\d.]+" data-width="([\d.]+)" data-total="(\d+)"/
    or exit;
while ($svg =~ /<rect class="[^"]*"(?: fill="[^"]*")? x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" data-l="(\d+)" data-t="(\d+)"[^>]*><title>([^\n]*)\n/g) {
	my %box = (x => $1, y => $2, w => $3, h => $4, l => $5, t => $6, name => $7);
	$box{name} =~ s/&(\w+);/$char{$1}/g;
	push @boxes, \%box;
}
my ($root) = grep { $_->{name} eq 'all' && $_->{t} == $total } @boxes[-1, 0];
$_->{d} = abs($_->{y} - $root->{y}) / ($root->{h} + 1) for @boxes;
push @{$row{$_->{d}}}, $_ for @boxes;
sub wrong { print STDERR "@_\n"; $bad = 1 }
for my $d (sort { $a <=> $b } keys %row) {
	my ($before, @parents) = (undef, sort { $a->{l} <=> $b->{l} } @{$row{$d - 1} // []});
	for my $box (sort { $a->{l} <=> $b->{l} } @{$row{$d}}) {
		printf "%d %s %s %s\n", @$box{qw(d l t name)};
		wrong("$box->{name} overlaps $before->{name}") if $before && ($box->{l} < $before->{l} + $before->{t} ||
		    $box->{x} < $before->{x} + $before->{w} - 0.001);
		shift @parents while @parents && $parents[0]{l} + $parents[0]{t} <= $box->{l};
		my $p = $parents[0];
		wrong("$box->{name} leaves its parent") if $d && (!$p || $box->{l} < $p->{l} ||
		    $box->{l} + $box->{t} > $p->{l} + $p->{t} || $box->{x} < $p->{x} - 0.001 ||
		    $box->{x} + $box->{w} > $p->{x} + $p->{w} + 0.001);
		wrong("$box->{name} is $box->{w} px wide") if abs($box->{w} - $box->{t} / $total * $width) > 0.02;
		$before = $box;
	}
}
exit($bad ? 1 : 0);
