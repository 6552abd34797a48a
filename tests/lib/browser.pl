#!/usr/bin/perl
# A browser for the tests: opens a file in headless Chromium, does what stdin says line by line, prints what
# it is asked for. DevTools protocol over a pipe (--remote-debugging-pipe): JSON, each message ended by NUL.
#
#	browser.pl [-d] [-n] [-r] [-t] [-w WIDTH] [-h HEIGHT] [-q QUERY] [FILE] <steps
#	-d dark   -n without scripts   -r reduced motion   -t touch   -q what follows the file's address: '?s=x'
#
#	open [options] FILE	another page, in a tab of its own
#	block N			prints "\001block N": what follows belongs to it
#	eval EXPRESSION		prints its value (promises are waited for)
#	run FILE		evaluates a script
#	move X Y | click X Y | drag X Y X Y [shift] | wheel X Y DX DY [ctrl] | key [Shift+]NAME | type TEXT
#	touch X Y [X Y] ...	a finger a pair; touch alone lifts them; in all of these {EXPRESSION} is its value
#	cost ACT ## BEFORE	medians of 5: milliseconds till the next frame is drawn, and of the main thread's CPU; and how
#				many times as long as on a calm machine a fixed piece of work took, done in between
#	drawn [options] FILE	these three, from navigation to the mark "drawn"
#	heap			MB of objects, of arrays' contents, and of the document
#	scheme dark|light
#	shot FILE.png
#	requests		prints every request that was no file or data
use strict;
use warnings;
use File::Temp qw(tempdir);
use Getopt::Std;
use JSON::PP;
use MIME::Base64;
use POSIX ();
use Text::ParseWords qw(shellwords);

my %opt;
sub options {
	local @ARGV = @_;
	%opt = (w => 1200, h => 800, q => '');
	getopts('dnrtw:h:q:', \%opt) && @ARGV <= 1 or die "usage: browser.pl [-dnrt] [-w width] [-h height] [file]\n";
	return $ARGV[0];
}
my $first = options(@ARGV);
my $home = tempdir('gp-browser.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($browser) = grep { -x } map { my $n = $_; map { "$_/$n" } split /:/, $ENV{PATH} } qw(chromium chromium-browser google-chrome);
$browser or die "no chromium\n";
$SIG{ALRM} = sub { die "the browser does not answer\n" };
alarm 100; # for it to start, then for a step

pipe(my $to_read, my $to_write) && pipe(my $from_read, my $from_write) or die "pipe: $!\n";
my $pid = fork // die "fork: $!\n";
if (!$pid) {
	# Both are duplicated out of the way first: 3 and 4 may be in use.
	my @fd = map { POSIX::fcntl($_, POSIX::F_DUPFD(), 10) } $to_read, $from_write;
	POSIX::dup2($fd[0], 3);
	POSIX::dup2($fd[1], 4);
	POSIX::dup2(POSIX::open('/dev/null', POSIX::O_WRONLY()), $_) for 1, 2;
	setpgrp;
	exec { $browser } $browser, qw(--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run
	    --hide-scrollbars --force-color-profile=srgb --remote-debugging-pipe), "--user-data-dir=$home", 'about:blank'
	    or POSIX::_exit(127);
}
END {
	if ($pid) {
		my $status = $?;
		kill 'KILL', -$pid;
		waitpid $pid, 0;
		$? = $status;
	}
}
close $to_read;
close $from_write;
$to_write->autoflush(1);
local $SIG{PIPE} = 'IGNORE';

my ($last, $session, $pending, @events, @requests) = (0, undef, '');

sub message {
	my $end;
	while (($end = index $pending, "\0") < 0) {
		sysread($from_read, $pending, 1 << 20, length $pending) or die "the browser has gone\n";
	}
	my $message = substr $pending, 0, $end + 1, '';
	chop $message;
	return decode_json($message);
}

sub take {
	my ($event) = @_;
	my $url = ($event->{method} // '') eq 'Network.requestWillBeSent' ? $event->{params}{request}{url} : '';
	push @requests, $url if $url && $url !~ /^(file|data|about):/;
	push @events, $event;
}

sub call {
	my ($method, %params) = @_;
	my $id = ++$last;
	my %call = (id => $id, method => $method, params => \%params);
	$call{sessionId} = $session if $session;
	print $to_write encode_json(\%call), "\0";
	while (my $answer = message()) {
		if (!$answer->{id}) {
			take($answer);
		} elsif ($answer->{id} == $id) {
			die "$method: $answer->{error}{message}\n" if $answer->{error};
			return $answer->{result};
		}
	}
}

# The document asked for is there with all it consists of: about:blank has a load event, too.
sub wait_for_load {
	my ($loader) = @_;
	until (grep { $_->{method} eq 'Page.lifecycleEvent' && $_->{params}{name} eq 'load' &&
	    $_->{params}{loaderId} eq $loader } @events) {
		take(message());
	}
}

# Two frames: what was asked for has been drawn.
sub settle {
	return if $opt{n};
	call('Runtime.evaluate', awaitPromise => JSON::PP::true,
	    expression => 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

sub mouse {
	my ($type, $x, $y, @more) = @_;
	call('Input.dispatchMouseEvent', type => $type, x => 0 + $x, y => 0 + $y, @more);
}

# In a shared machine the time that passes says little; the main thread's CPU time can be compared.
my $next_frame = 'new Promise(done => requestAnimationFrame(() => setTimeout(done)))';

sub cpu_ms {
	my ($time) = grep { $_->{name} eq 'ThreadTime' } @{ call('Performance.getMetrics')->{metrics} };
	return 1000 * $time->{value};
}

my $spin = '(() => { let sum = 0; for (let i = 0; i < 2e7; i++) sum = Math.imul(sum, 31) + i | 0; return sum })()';

# How many times as long as it would on a calm machine does work take, with the frame that shows it: one at most every
# 17 ms, and about as long till it is composed.
sub busy {
	my $cpu = cpu_ms();
	my $wall = evaluate("(() => { const from = performance.now(); $spin; " .
	    "return $next_frame.then(() => performance.now() - from) })()");
	return $wall / (cpu_ms() - $cpu + 34);
}

sub median {
	return (sort { $a <=> $b } @_)[@_ / 2];
}

sub evaluate {
	my ($expression) = @_;
	my $result = call('Runtime.evaluate', expression => $expression, returnByValue => JSON::PP::true,
	    awaitPromise => JSON::PP::true);
	die "$result->{exceptionDetails}{exception}{description}\n" if $result->{exceptionDetails};
	return $result->{result}{value};
}

my $target;

sub look_of {
	my ($scheme) = @_;
	call('Emulation.setEmulatedMedia', features => [ { name => 'prefers-color-scheme', value => $scheme },
	    { name => 'prefers-reduced-motion', value => $opt{r} ? 'reduce' : 'no-preference' }]);
}

sub open_page {
	my ($file) = @_;
	my $old = $target;
	$session = undef;
	@events = @requests = ();
	$target = call('Target.createTarget', url => 'about:blank')->{targetId};
	call('Target.closeTarget', targetId => $old) if $old;
	$session = call('Target.attachToTarget', targetId => $target, flatten => JSON::PP::true)->{sessionId};
	call("$_.enable") for qw(Page Runtime Network Performance);
	call('Emulation.setDeviceMetricsOverride', width => 0 + $opt{w}, height => 0 + $opt{h}, deviceScaleFactor => 1,
	    mobile => JSON::PP::false);
	look_of($opt{d} ? 'dark' : 'light');
	call('Emulation.setTouchEmulationEnabled', enabled => JSON::PP::true, maxTouchPoints => 2) if $opt{t};
	call('Emulation.setScriptExecutionDisabled', value => JSON::PP::true) if $opt{n};
	$file = $file =~ m{^/} ? $file : POSIX::getcwd() . "/$file";
	$file =~ s/([%#?])/sprintf '%%%02X', ord $1/ge;
	call('Page.setLifecycleEventsEnabled', enabled => JSON::PP::true);
	wait_for_load(call('Page.navigate', url => "file://$file$opt{q}")->{loaderId});
	settle();
}
open_page($first) if defined $first;

my %code = (Escape => 27, Backspace => 8, Enter => 13, F3 => 114, Tab => 9, End => 35, Home => 36, ArrowLeft => 37,
    ArrowUp => 38, ArrowRight => 39, ArrowDown => 40);
my $touching = 0;
$| = 1;
binmode STDIN, ':encoding(UTF-8)';
while (<STDIN>) {
	chomp;
	my ($step, $rest) = split ' ', $_, 2;
	next if !$step || $step =~ /^#/;
	alarm 100;
	$rest =~ s/\{([^}]*)\}/evaluate($1)/ge if $step =~ /^(move|click|drag|wheel|touch)$/ && $rest;
	if ($step eq 'open') {
		open_page(options(shellwords($rest)));
	} elsif ($step eq 'block') {
		print "\001block $rest\n";
	} elsif ($step eq 'run') {
		open my $script, '<:encoding(UTF-8)', $rest or die "$rest: $!\n";
		local $/;
		call('Runtime.evaluate', expression => scalar <$script>);
	} elsif ($step eq 'eval') {
		my $result = call('Runtime.evaluate', expression => $rest, returnByValue => JSON::PP::true,
		    awaitPromise => JSON::PP::true);
		my $value = $result->{exceptionDetails} ? $result->{exceptionDetails}{exception}{description} :
		    $result->{result}{value};
		$value = ref $value ? JSON::PP->new->canonical->allow_nonref->encode($value) : $value // 'undefined';
		utf8::encode($value);
		print "$value\n";
	} elsif ($step eq 'move') {
		mouse('mouseMoved', split ' ', $rest);
		settle();
	} elsif ($step eq 'click') {
		mouse($_, (split ' ', $rest), button => 'left', clickCount => 1) for qw(mousePressed mouseReleased);
		settle();
	} elsif ($step eq 'drag') {
		my ($x, $y, $to_x, $to_y, $shift) = split ' ', $rest;
		my @with = (button => 'left', buttons => 1, $shift ? (modifiers => 8) : ());
		mouse('mousePressed', $x, $y, @with, clickCount => 1);
		mouse('mouseMoved', $x + ($to_x - $x) * $_ / 4, $y + ($to_y - $y) * $_ / 4, @with) for 1 .. 4;
		mouse('mouseReleased', $to_x, $to_y, @with, clickCount => 1);
		settle();
	} elsif ($step eq 'wheel') {
		my ($x, $y, $dx, $dy, $ctrl) = split ' ', $rest;
		mouse('mouseWheel', $x, $y, deltaX => 0 + $dx, deltaY => 0 + $dy, $ctrl ? (modifiers => 2) : ());
		settle();
	} elsif ($step eq 'touch') {
		my @at = split ' ', $rest // '';
		my @points;
		push @points, { x => 0 + shift @at, y => 0 + shift @at, id => scalar @points } while @at;
		call('Input.dispatchTouchEvent', type => !@points ? 'touchEnd' : $touching ? 'touchMove' : 'touchStart',
		    touchPoints => \@points);
		$touching = @points;
		settle();
	} elsif ($step eq 'key') {
		my $shift = $rest =~ s/^Shift\+(?=.)//;
		my @key = (key => $rest, windowsVirtualKeyCode => $code{$rest} // ord uc $rest);
		push @key, text => $rest if length $rest == 1;
		push @key, text => "\r" if $rest eq 'Enter';
		push @key, modifiers => 8 if $shift;
		call('Input.dispatchKeyEvent', type => 'keyDown', @key);
		call('Input.dispatchKeyEvent', type => 'keyUp', @key);
		settle();
	} elsif ($step eq 'type') {
		call('Input.insertText', text => $rest);
		settle();
	} elsif ($step eq 'cost') {
		my ($act, $before) = split / ## /, $rest;
		my (@wall, @cpu, @busy);
		for my $i (0 .. 4) {
			evaluate("globalThis.i = $i; $before; $next_frame.then(() => $next_frame)");
			push @busy, busy();
			my $cpu = cpu_ms();
			push @wall, evaluate("(() => { const from = performance.now(); $act; " .
			    "return $next_frame.then(() => performance.now() - from) })()");
			push @cpu, cpu_ms() - $cpu;
		}
		printf "%.0f %.0f %.2f\n", median(@wall), median(@cpu), median(@busy);
	} elsif ($step eq 'drawn') {
		my (@wall, @cpu, @busy);
		for my $i (0 .. 4) {
			my $before = $target ? busy() : 0;
			open_page(options(shellwords($rest)));
			push @wall, evaluate("performance.getEntriesByName('drawn')[0].startTime");
			push @cpu, cpu_ms();
			my $after = busy();
			push @busy, $before > $after ? $before : $after;
		}
		printf "%.0f %.0f %.2f\n", median(@wall), median(@cpu), median(@busy);
	} elsif ($step eq 'heap') {
		call('HeapProfiler.collectGarbage');
		my $heap = call('Runtime.getHeapUsage');
		printf "%s\n", join ' ', map { sprintf '%.0f', $heap->{$_} / 1e6 } qw(usedSize backingStorageSize embedderHeapUsedSize);
	} elsif ($step eq 'scheme') {
		look_of($rest);
		settle();
	} elsif ($step eq 'shot') {
		open my $png, '>:raw', $rest or die "$rest: $!\n";
		print $png decode_base64(call('Page.captureScreenshot')->{data});
		close $png or die "$rest: $!\n";
	} elsif ($step eq 'requests') {
		print "$_\n" for @requests;
	} else {
		die "unknown step: $_\n";
	}
}
