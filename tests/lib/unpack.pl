#!/usr/bin/perl
# A page of gp-flame --html on stdin back to folded text: the format is told in lib/render/pack.h.
use strict;
use warnings;

binmode $_ for *STDIN, *STDOUT;
my $page = do { local $/; <STDIN> };
my ($header) = $page =~ m{<script type="application/json" class="header" data-tab="0">(.*?)</script>} or die "no header\n";
my ($names) = $page =~ m{<script type="text/plain" class="names" data-tab="0">(.*?)</script>}s or die "no names\n";
my ($recent, $columns, $rows) =
    $page =~ m{<script type="text/plain" class="rows" data-tab="0" data-recent="(\d)" data-columns="(\d)">(.*?)</script>}s or die "no rows\n";

sub number {
	my ($text) = @_;
	my ($value, $unit) = (0, 1);
	for (;;) {
		$$text =~ /\G(.)/gs or die "cut short\n";
		my $digit = ord($1) - ($1 lt '<' ? 32 : 33);
		return $value + $digit * $unit if $digit < 47;
		$value += ($digit - 47) * $unit;
		$unit *= 47;
	}
}

my (@names, @path, %recent);
my $written = '';
for my $line (split /\n/, $names) {
	pos($line) = 0;
	my ($shared) = (number(\$line), number(\$line));
	$written = substr($written, 0, $shared) . substr($line, pos $line);
	push @names, $written =~ s/\\(..)/chr hex $1/ger;
}
if ($header) {
	$header =~ s/\\u003c/</g;
	print "#$header\n";
}
pos($rows) = 0;
my ($frames, $count) = (number(\$rows), number(\$rows));
for (1 .. $count) {
	splice @path, @path - number(\$rows);
	for (1 .. number(\$rows)) {
		my $seen = $recent{@path ? $path[-1] : -1} //= [];
		my $code = number(\$rows);
		my $name = $code < $recent ? $seen->[$code] : $code - $recent;
		@$seen = ($name, grep { $_ != $name } @$seen);
		$#$seen = $recent - 1 if @$seen > $recent;
		push @path, $name;
		$frames--;
	}
	print join(';', map { $names[$_] } @path), (map { ' ' . number(\$rows) } 1 .. $columns), "\n";
}
die "$frames frames are missing\n" if $frames;
