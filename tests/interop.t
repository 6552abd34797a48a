#!/bin/sh
# Our files in the hands of others: the header does not hurt, nothing is left out, the total is the same.
# together: gp-record is a word in it
# shellcheck disable=SC2016
. "$(dirname "$0")/lib/tap.sh"

PATH=$PATH:${GP_INFERNO:-$HOME/.cargo/bin}:$HOME/.cargo/bin
DEBIAN=/usr/share/perl5/Devel/NYTProf/flamegraph.pl

cat >raw <<'END'
# {"gp": 1, "tool": "gp-record", "host": "web 1", "unit": "samples", "notes": ["user side only"], "labels": ["host"]}
#worker;run 2
main;operator new(unsigned long) 40
main;foo 12 7
host=web 1;java;Lcom/a/B|.run_[j];x_[i];do_syscall_64_[k] 412
python3;main (app.py:10)_[p];größe;[unknown:no-cfi] 3
[unnamed];[truncated];[libfoo.so+0x1234] 5
a;;b 6
END
gp-merge -o one raw
gp-merge -q -o two - <<'END'
main;a 1 2
main;b 10 20
#x 0 4
END
gp-merge -o many - <<END
$(awk 'BEGIN { for (i = 0; i < 3000; i++) print "main;f" i % 60 ";g" i % 7 ";h" i, i }')
END
stacks=7
total=475

# svg NAME COMMAND...: the picture of one, two and many columns has their totals
svg() {
	svg_name=$1
	shift
	"$@" one >one.svg 2>one.said
	is "$svg_name: the total" "grep -o '<title>all ([0-9,]* samples' one.svg" <<WANT
<title>all ($total samples
WANT
	is "$svg_name: every leaf" \
	    "grep -oE '<title>(run|operator new\(unsigned long\)|foo_12|do_syscall_64(_\[k\])?|\[unknown:no-cfi\]|\[libfoo.so\+0x1234\]|b) \([0-9]+' one.svg |
	    sed 's/_\[k\]//' | sort" <<'WANT'
<title>[libfoo.so+0x1234] (5
<title>[unknown:no-cfi] (3
<title>b (6
<title>do_syscall_64 (412
<title>foo_12 (7
<title>operator new(unsigned long) (40
<title>run (2
WANT
	is "$svg_name: only the header is no stack" "grep -ciE 'ignored 1 ' one.said" <<'WANT'
1
WANT
	"$@" many >many.svg 2>/dev/null
	is "$svg_name: the total of many" "grep -o '<title>all ([0-9,]* samples' many.svg | tr -d ," <<'WANT'
<title>all (4498500 samples
WANT
	"$@" two >two.svg 2>/dev/null
	is "$svg_name: two columns" "grep -o '<title>all ([0-9,]* samples\|<title>b (20 samples.*%)' two.svg | sort" <<'WANT'
<title>all (26 samples
<title>b (20 samples, 76.92%; +38.46%)
WANT
}

if [ -r $DEBIAN ]; then
	svg 'flamegraph.pl' perl $DEBIAN
else
	skip 'flamegraph.pl' 'no libdevel-nytprof-perl'
fi

if command -v inferno-flamegraph >/dev/null; then
	svg 'inferno-flamegraph' inferno-flamegraph
else
	skip 'inferno-flamegraph' 'not there'
fi
if command -v inferno-collapse-recursive >/dev/null; then
	# It refuses whatever is no stack, comments too.
	gp-merge --no-header one | sort >ours
	is 'inferno-collapse-recursive, without a header' 'inferno-collapse-recursive ours | sort | diff - ours' </dev/null
else
	skip 'inferno-collapse-recursive' 'not there'
fi
if command -v inferno-diff-folded >/dev/null; then
	is 'inferno-diff-folded, and we read it' 'inferno-diff-folded one one 2>/dev/null | gp-merge -q --no-header | awk "{ n += \$NF; m += \$(NF - 1) } END { print n, m }"' <<WANT
$total $total
WANT
else
	skip 'inferno-diff-folded' 'not there'
fi

speedscope=$(command -v speedscope)
if [ -n "$speedscope" ] && command -v node >/dev/null; then
	bundle=$(echo "$(dirname "$(readlink -f "$speedscope")")"/../dist/release/speedscope-*.js)
	node "$TOP/tests/lib/speedscope.js" "$bundle" one >said 2>why
	case $? in
	3) skip 'speedscope' 'its importer is not where it was' ;;
	*)
		is 'speedscope: the total, and every stack' 'cat said; head -n 5 why' <<WANT
$total $stacks
WANT
		is 'speedscope: many' "node '$TOP/tests/lib/speedscope.js' $bundle many" <<'WANT'
4498500 2999
WANT
		;;
	esac
else
	skip 'speedscope' 'not there'
fi

# What they write.

is 'lines of perf report -g folded, async-profiler, py-spy' 'printf "12.50%% a;b\n" | gp-merge -q --no-header; gp-merge --no-header <<END
java/lang/Thread.run_[0];a.b_[j] 7
main (x.py:1);f (x.py:3) 2
END' 2>/dev/null <<'WANT'
java/lang/Thread.run_[0];a.b_[j] 7
main (x.py:1);f (x.py:3) 2
WANT

done_testing
