#!/bin/sh
# gp-flame against inferno-flamegraph and flamegraph.pl, side by side: the least of 5 alternated runs.
# The page in Chromium: a million frames, and an SVG of 10,000 boxes.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-$PWD/build}
PATH=$B:$PATH
D=$B/bench-flame
mkdir -p "$D" || exit 1
trap 'rm -rf "$D"' EXIT
trap 'exit 1' HUP INT TERM
"${CC:-gcc}" -O2 -o "$D/input" tests/bench/folded_input.c && "${CC:-gcc}" -O2 -o "$D/measure" tests/bench/measure.c || exit 1

# row WHAT FIGURE BAR
row() { printf '%s\t%s\t%s\n' "$1" "$2" "$3"; }

# least FILE N: the least of column N
least() { cut -d ' ' -f "$2" "$1" | sort -n | head -n 1; }

# side NAME command...: one measured run, kept
side() {
	name=$1
	shift
	"$D/measure" "$@" 2>/dev/null >>"$D/$name" || echo "$name failed" >&2
}

# against WHAT MEMORY-BAR RATIO-BAR OURS THEIRS
against() {
	ours=$(least "$D/$4" 2) theirs=$(least "$D/$5" 2)
	row "$1, CPU" "$(awk "BEGIN { printf \"%.2f s, theirs %.2f s: %.1f x\", $ours, $theirs, $theirs / $ours }")" "$3"
	[ -z "$2" ] || row "$1, peak memory" "$(awk "BEGIN { printf \"%.0f MB, theirs %.0f MB\", $(least "$D/$4" 3) / 1024, $(least "$D/$5" 3) / 1024 }")" "$2"
}

"$D/input" distinct 200 >"$D/distinct.folded"
"$D/input" repeated 300 >"$D/repeated.folded"
if command -v inferno-flamegraph >/dev/null; then
	for _ in 1 2 3 4 5; do
		side svg gp-flame -q "$D/distinct.folded"
		side inferno inferno-flamegraph -q "$D/distinct.folded"
		side page gp-flame --html "$D/distinct.folded"
		side repeated gp-flame -q "$D/repeated.folded"
		side inferno-repeated inferno-flamegraph -q "$D/repeated.folded"
	done
	side inferno-whole inferno-flamegraph -q --minwidth 0 "$D/distinct.folded"
	against "gp-flame of 200 MB all distinct, against inferno-flamegraph" "<= 1/5" ">= 3 x" svg inferno
	against "gp-flame --html of the same, against inferno-flamegraph --minwidth 0" "" ">= 3 x" page inferno-whole
	against "gp-flame of 300 MB of 1,000 stacks, against inferno-flamegraph" "" ">= 6 x" repeated inferno-repeated
else
	row "gp-flame against inferno-flamegraph" "no inferno-flamegraph" ""
fi
perl=${GP_FLAMEGRAPH:-/usr/share/perl5/Devel/NYTProf}/flamegraph.pl
if [ -e "$perl" ]; then
	head -c 40000000 "$D/distinct.folded" | sed '$d' >"$D/some.folded"
	for _ in 1 2 3 4 5; do side some gp-flame -q "$D/some.folded"; done
	side perl perl "$perl" "$D/some.folded"
	against "gp-flame of 40 MB all distinct, against flamegraph.pl" "" ">= 40 x" some perl
else
	row "gp-flame against flamegraph.pl" "no flamegraph.pl" ""
fi

# Frames as calls make them: a graph of functions, walked at random. Then as many boxes as an SVG may have.
awk 'BEGIN { srand(3)
	for (n = 0; n < 60000; n++) {
		line = "srv;main;task" n % 50; at = n % 50; depth = 15 + int(45 * rand())
		for (i = 0; i < depth; i++) {
			fan = at % 3 ? 1 : 2 + at % 4
			at = (at * 7919 + int(fan * rand()) * 104729 + 1) % 20000
			line = line ";ns" at % 37 "::Class" at % 997 "::method_" at
		}
		print line, 1 + int(100 * rand())
	} }' >"$D/graph.folded"
awk 'BEGIN { for (i = 0; i < 9997; i++) printf "a;b%d;c%d 1\n", i / 100, i }' >"$D/boxes.folded"
if ! command -v chromium >/dev/null; then
	row "the page in a browser" "no chromium" ""
	exit 0
fi
gp-flame -o "$D/graph.html" "$D/graph.folded"
gp-flame -q --minwidth 0 -o "$D/boxes.svg" "$D/boxes.folded"
# Milliseconds from an action until its frame is on the screen; the median of 5.
cat >"$D/steps" <<'EOF'
eval globalThis.median = async (act, before) => { const all = [], seen = () => new Promise(done => requestAnimationFrame(() => setTimeout(done))); for (let i = 0; i < 5; i++) { if (before) { before(i); await seen(); await seen() } const from = performance.now(); act(i); await seen(); all.push(performance.now() - from) } return Math.round(all.sort((a, b) => a - b)[2]) }; ''
EOF
cp "$D/steps" "$D/steps.svg"
cat >>"$D/steps" <<'EOF'
eval Math.round(performance.getEntriesByName('drawn')[0].startTime)
eval globalThis.at = canvas.getBoundingClientRect(); median(i => canvas.dispatchEvent(new MouseEvent('click', { clientX: at.left + 200 + 100 * i, clientY: at.bottom - 80 - 18 * i })), () => reset.click())
eval median(i => { search.value = 'method_1' + i; search.dispatchEvent(new Event('input')) })
eval Math.round(performance.memory.usedJSHeapSize / 1e6)
EOF
cat >>"$D/steps.svg" <<'EOF'
eval const all = [...document.querySelectorAll('.frames rect')], press = r => r.dispatchEvent(new MouseEvent('click', { bubbles: true })), one = i => all.find(r => r.textContent.startsWith('b' + (10 + i) + '\n')), whole = all[all.length - 1]; median(i => press(one(i)), () => press(whole))
eval median(i => press(whole), i => press(one(i)))
EOF
frames=$(perl -ne 'END { print $n } chomp; s/ \d+$//; $p = ""; for (split /;/) { $p .= ";$_"; $n++ unless $seen{$p}++ }' "$D/graph.folded")
perl tests/lib/browser.pl -w 1600 -h 900 "$D/graph.html" <"$D/steps" | sed 1d >"$D/got" || exit 1
row "page of $frames frames: size" "$(($(wc -c <"$D/graph.html") / 1000)) kB" "<= 6 MB a million"
row "page of $frames frames: drawn after navigation" "$(sed -n 1p "$D/got") ms" "<= 1000 ms"
row "page of $frames frames: zoom" "$(sed -n 2p "$D/got") ms" "<= 100 ms"
row "page of $frames frames: search" "$(sed -n 3p "$D/got") ms" "<= 100 ms"
row "page of $frames frames: heap" "$(sed -n 4p "$D/got") MB" "<= 300 MB"
perl tests/lib/browser.pl -w 1200 -h 900 "$D/boxes.svg" <"$D/steps.svg" | sed 1d >"$D/got" || exit 1
row "SVG of 10,000 boxes: zoom" "$(sed -n 1p "$D/got") ms" "<= 150 ms"
row "SVG of 10,000 boxes: reset" "$(sed -n 2p "$D/got") ms" "<= 300 ms"
