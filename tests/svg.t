#!/bin/sh
# What a browser makes of gp-flame's SVG: zoom and its history, search, tips, links, keys, fingers, both schemes, screen
# readers, any window, other people's pages, and no script at all.
# alone: it measures time
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"
PATH=$TOP/build-tools/bin:$PATH

# Pictures to look at stay in the build folder.
shots=$B/shots
mkdir -p "$shots"

# 100 samples over a width of 1168: main has 80 of them, two callees with the same name, one of them recursive.
cat >in <<'END'
#{"gp":1,"event":"cpu-clock","unit":"samples","target":"-a","host":"web1","samples":100}
idle 20
main 10
main;parse_[j];lex_[i] 30
main;parse_[j];parse_[j] 10
main;run::all;</script><b>x 20
main;run::all;lex_[i] 10
END
# Rows from the bottom, where the mouse finds them: all 149, main and idle 131, parse and run::all 113, lex 95.
gp-flame -o x.svg in
words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); globalThis.texts = () => [...document.querySelectorAll(".frames")].filter(g => !/-1000000/.test(g.getAttribute("transform"))).flatMap(g => [...g.querySelectorAll("text")]); const shown = () => texts().map(t => { const r = t.previousElementSibling; return t.textContent + " " + Math.round(r.x.baseVal.value) + " " + Math.round(r.width.baseVal.value) + (r.classList.contains("above") ? " above" : "") + (r.classList.contains("match") ? " match" : "") }).join(", "); const press = (name, nth) => { texts().filter(t => t.textContent === name)[nth || 0].previousElementSibling.dispatchEvent(new MouseEvent("click", { bubbles: true })); return shown() }; const tip = () => { const t = document.querySelector(".tip"); return t.matches(":popover-open") ? [...t.children].map(p => p.textContent).join(" | ") : "" }; const details = () => document.querySelector(".details").textContent; const matched = () => document.querySelector(".matched").textContent; const button = words => [...document.querySelectorAll("button")].find(b => b.textContent === words); const moved = act => new Promise(done => { addEventListener("popstate", () => requestAnimationFrame(() => done(shown())), { once: true }); act() }); const hash = () => decodeURIComponent(location.hash); const at = () => document.getElementById(document.querySelector("[role=tree]").getAttribute("aria-activedescendant")).textContent.split(",")[0]; void 0'
all='lex 366 350, parse 717 117, parse 366 467, <\/script><b>x 834 234, lex 1067 117, run::all 834 350, main 250 934, idle 16 234, all 16 1168'
all=$(printf '%s' "$all" | sed 's/\\//')
zoomed='run::all 16 1168, lex 795 389, </script><b>x 16 779, main 16 1168 above, all 16 1168 above'

# ---- zoom, and the way back

later "zoom by clicks: to a frame, out to a pale one, reset" x.svg <<END
eval $words
	undefined
eval shown().split(', ').sort().join() === '$all'.split(', ').sort().join() || shown()
	true
eval press('run::all')
	$zoomed
eval press('main')
	main 16 1168, run::all 746 438, lex 1038 146, </script><b>x 746 292, parse 162 584, parse 600 146, lex 162 438, all 16 1168 above
eval button('Reset zoom').hidden
	false
eval button('Reset zoom').click(); shown().split(', ').length
	9
eval button('Reset zoom').hidden
	true
eval errors
	[]
requests
END

later "history: the browser's back and forward, Backspace and Shift Backspace, a new zoom after going back" x.svg <<END
eval $words
	undefined
eval press('run::all'); press('main'); history.length
	4
eval moved(() => history.back())
	$zoomed
eval moved(() => history.back()).then(s => s.split(', ').length)
	9
eval moved(() => history.forward())
	$zoomed
eval globalThis.wait = moved(() => 0); 0
	0
key Backspace
eval wait.then(s => s.split(', ').length)
	9
key Backspace
eval globalThis.wait = moved(() => 0); shown().split(', ').length
	9
key Shift+Backspace
eval wait
	$zoomed
eval press('all'); hash()
	
eval moved(() => history.back()).then(() => hash())
	#zoom=main;run::all
eval errors
	[]
END

# ---- search

later "search: each stack once, self, case, next and previous, Esc; a broken expression is searched as it is" x.svg <<END
eval $words; const count = () => matched() + '|' + document.querySelectorAll('.frames:not([transform*="-1000000"]) .match').length
	undefined
key /
type PARSE|lex
eval count()
	Matched 50.00 %, self 50.00 %|4
key Escape
eval count()
	|0
key /
type ^main$
eval count()
	Matched 80.00 %, self 10.00 %|1
key Escape
key Ctrl+f
type Lex
eval [count(), button('Aa').getAttribute('aria-pressed'), hash()]
	["Matched 40.00 %, self 40.00 %|2","false","#s=Lex"]
eval button('Aa').click(); [count(), button('Aa').getAttribute('aria-pressed'), button('›').disabled, hash()]
	["Matched 0.00 %, self 0.00 %|0","true",true,"#S=Lex"]
eval button('Aa').click(); document.querySelector('[role=tree]').focus()
	undefined
key c
eval count()
	Matched 0.00 %, self 0.00 %|0
key c
key n
eval tip()
	lex | inlined, 30 samples, 30.00 % | 75.00 % of its caller | self 30 samples, 30.00 %
key n
eval tip()
	lex | inlined, 10 samples, 10.00 % | 33.33 % of its caller | self 10 samples, 10.00 %
key N
key N
eval tip().slice(0, 30)
	lex | inlined, 10 samples, 10.
key F3
key Enter
eval tip().slice(0, 30)
	lex | inlined, 30 samples, 30.
key Shift+Enter
eval tip().slice(0, 30)
	lex | inlined, 10 samples, 10.
eval button('‹').click(); tip().slice(0, 30)
	lex | inlined, 30 samples, 30.
eval press('idle'); document.querySelector('[role=tree]').focus(); count()
	Matched 40.00 %, self 40.00 %|0
key n
eval shown()
	idle 16 234, lex 366 350 match, parse 717 117, parse 366 467, </script><b>x 834 234, lex 1067 117 match, run::all 834 350, main 250 934, all 16 1168
key Escape
key /
type (
eval [count(), document.querySelector('input').validity.valid]
	["Matched 0.00 %, self 0.00 %|0",false]
eval errors
	[]
END
gp-flame --search LEX -o s.svg in
later "--search highlights from the start" s.svg <<END
eval $words
	undefined
eval [matched(), shown().match(/ match/g).length]
	["Matched 40.00 %, self 40.00 %",2]
END

# ---- tips

later "tip: self, total, share of all, of the view and of the caller; the line below has the same words" x.svg <<END
eval $words
	undefined
move 400 131
eval [tip(), details()]
	["main | native, 80 samples, 80.00 % | self 10 samples, 10.00 %","main · native, 80 samples, 80.00 % · self 10 samples, 10.00 %"]
move 1100 95
eval tip()
	lex | inlined, 10 samples, 10.00 % | 33.33 % of its caller | self 10 samples, 10.00 %
move 400 300
eval tip() + details()
	
eval press('main').slice(0, 4)
	main
move 1100 95
eval tip()
	lex | inlined, 10 samples, 10.00 % | 12.50 % of the view, 33.33 % of its caller | self 10 samples, 10.00 %
eval const box = document.querySelector('.tip').getBoundingClientRect(); box.right <= innerWidth && box.bottom <= innerHeight
	true
eval document.elementFromPoint(1100, 95).closest('.frames').querySelector('title').textContent
	
eval errors
	[]
END
cat >two <<'END'
#{"gp":1,"columns":2,"kind":"diff","names":["old","<new>"],"unit":"samples"}
m;a 100 300
m;b 500 200
m 300 300
new 0 90
gone 80 0
END
gp-flame -q -o two.svg two
later "tip of two columns: both, the change in words, self and total" two.svg <<END
eval $words
	undefined
move 900 113
eval tip()
	m | native, ×0.89 | old 900 samples, 91.84 %; <new> 800 samples, 89.89 % | −100 samples, -1.95 points, ×0.89 | self old 300 samples, 30.61 %; <new> 300 samples, 33.71 % | self ±0 samples, +3.10 points, unchanged
shot $shots/svg-diff.png
END

# ---- links

printf 'other;x 50\nmain 3\nmain;run::all 9\nmain;run::all;y_[k] 5\nmain;parse_[j] 4\n' >later
gp-flame -q --order weight --width 700 -o later.svg later
long=$(printf '%0300d' 0)
printf 'main;a%s;b%s;c%s;d%s;e%s;f%s;g%s;leaf 1\nidle 9\n' "$long" "$long" "$long" "$long" "$long" "$long" "$long" >deep
gp-flame -q -o deep.svg deep
later "links name frames: they are the address" x.svg <<END
eval $words
	undefined
eval press('</script><b>x'); location.hash
	#zoom=main;run::all;%3C/script%3E%3Cb%3Ex
END
later "and open other data, another order and width, as far as the names lead" -q '#zoom=main;run::all;lex&S=all' later.svg <<END
eval $words
	undefined
eval [shown(), matched()]
	["run::all 16 668 match, y 445 239, main 16 668 above, all 16 668 above","Matched 19.72 %, self 12.68 %"]
END
later "the page's links too: suffixes are not shown here" -q '#zoom=main;parse_[j]' x.svg <<END
eval $words
	undefined
eval shown().split(',')[0]
	parse 16 1168
END
printf 'm;f_[k] 3\nm;f_[p] 2\n' >same
gp-flame -q -o same.svg same
later "frames of one name are told apart" same.svg <<END
eval $words
	undefined
eval press('f', 1); const first = hash(); press('m'); press('f', 1); [first, hash()].sort()
	["#zoom=m;f_[Python]","#zoom=m;f_[kernel]"]
eval history.replaceState(null, '', '#zoom=m;f_[Python]'); dispatchEvent(new PopStateEvent('popstate')); document.querySelector('[role=tree]').textContent.includes('Python, 2 samples') && at()
	f
END
later "long names are shortened, and found again" deep.svg <<END
eval $words
	undefined
eval press('leaf'); const link = location.hash; [link.length < 2000, /^#zoom=main;(~[0-9a-z]+;){7}leaf$/.test(link)]
	[true,true]
eval press('all'); moved(() => { location.hash = link }).then(() => at())
	leaf
END
later "s= of older links is read" -q '?s=lex' x.svg <<END
eval $words
	undefined
eval matched()
	Matched 40.00 %, self 40.00 %
END
# flamegraph.pl: pixels of 1,200 with margins of 10; inferno: the value. Rows of 16 from 37.
for query in '?x=836.0&y=53' '?x=70&y=53&s=all' '?x=836.0&y=77'; do
	later "x and y of older links: $query" -q "$query" x.svg <<END
eval $words
	undefined
eval shown().replace(/ match/g, '')
	$zoomed
END
done
later "and nonsense opens the whole" -q '?x=z&y=1e9#zoom=%zz;;&s' x.svg <<END
eval $words
	undefined
eval [shown().split(', ').length, errors]
	[9,[]]
END

# ---- keys alone

later "keys alone: arrows, Home, Enter, 0, Esc; the sheet" x.svg <<END
eval $words
	undefined
key ArrowUp
eval [at(), document.activeElement.getAttribute('role'), document.querySelector('.cursor').style.display]
	["all","tree",""]
key ArrowUp
eval at()
	main
key ArrowLeft
eval at()
	idle
key ArrowRight
key ArrowUp
key ArrowUp
eval tip()
	lex | inlined, 30 samples, 30.00 % | 75.00 % of its caller | self 30 samples, 30.00 %
key ArrowRight
key ArrowRight
key ArrowRight
eval at()
	lex
key ArrowDown
eval at()
	run::all
key Enter
eval shown()
	$zoomed
key ArrowDown
key Enter
eval shown().slice(0, 12)
	main 16 1168
key Home
eval at()
	main
key 0
eval shown().split(', ').length
	9
key ArrowUp
key Escape
eval [tip(), document.querySelector('.cursor').style.display]
	["","none"]
key ?
eval const sheet = document.querySelector('dialog'); [sheet.open, sheet.contains(document.activeElement), sheet.querySelectorAll('dt').length > 8]
	[true,true,true]
shot $shots/svg-keys.png
key n
key Escape
eval sheet.open
	false
eval errors
	[]
END
later "every control is reached by Tab" x.svg <<END
eval $words
	undefined
eval press('main').length > 0
	true
key Tab
eval document.activeElement.textContent
	Reset zoom
key Enter
eval shown().split(', ').length
	9
key Tab
eval document.activeElement.localName
	input
key Tab
eval document.activeElement.textContent
	Aa
key Tab
eval document.activeElement.textContent
	?
key Tab
eval document.activeElement.getAttribute('role')
	tree
END
gp-flame --inverted -o down.svg in
later "--inverted: arrows go the other way, the mouse too" down.svg <<END
eval $words
	undefined
key ArrowDown
key ArrowDown
eval at()
	main
key ArrowUp
eval at()
	all
move 400 113
eval tip().slice(0, 4)
	main
eval press('run::all') === '$zoomed' || shown()
	true
END

# ---- fingers

later "touch: a tap shows, a second one zooms, one beside closes; nothing needs to hover" -t x.svg <<END
eval $words
	undefined
touch 900 113
touch
eval [tip(), shown().split(', ').length]
	["run::all | C++, Rust, 30 samples, 30.00 % | 37.50 % of its caller | self 0 samples, 0.00 %",9]
touch 900 113
touch
eval [shown(), tip()]
	["$zoomed","run::all | C++, Rust, 30 samples, 30.00 % | 100.00 % of the view, 37.50 % of its caller | self 0 samples, 0.00 %"]
touch 100 131
touch
eval [shown(), tip().slice(0, 4)]
	["$zoomed","main"]
touch 100 131
touch
eval shown().slice(0, 12)
	main 16 1168
touch 600 400
touch
eval tip()
	
eval [getComputedStyle(document.querySelector('.frames')).touchAction, Math.min(...[...document.querySelectorAll('button:not([hidden])')].filter(b => b.offsetWidth).map(b => Math.min(b.offsetWidth, b.offsetHeight))) >= 24, errors]
	["manipulation",true,[]]
END

# ---- screen readers

later "a tree with names, numbers and levels, which holds what is in sight" x.svg <<END
eval $words; const rows = () => [...document.querySelectorAll('[role=treeitem]')].map(r => r.getAttribute('aria-level') + ' ' + r.textContent + ' ' + ['expanded', 'selected', 'posinset', 'setsize'].map(k => r.getAttribute('aria-' + k)).join(' '))
	undefined
eval [document.documentElement.getAttribute('role'), document.title, document.querySelectorAll('[role=tree] [role=treeitem]').length]
	["graphics-document","cpu-clock of the whole machine on web1",3]
key ArrowUp
key ArrowUp
key ArrowUp
eval rows()
	["1 all, 100 samples, 100.00 %, self 0 samples, 0.00 % true false 1 1","2 main, native, 80 samples, 80.00 %, self 10 samples, 10.00 % true false 2 2","3 parse, JIT, Java (C2), 40 samples, 40.00 %, 50.00 % of its caller, self 0 samples, 0.00 % true true 1 2","4 lex, inlined, 30 samples, 30.00 %, 75.00 % of its caller, self 30 samples, 30.00 %  false 1 2","4 parse, JIT, Java (C2), 10 samples, 10.00 %, 25.00 % of its caller, self 10 samples, 10.00 %  false 2 2","3 run::all, C++, Rust, 30 samples, 30.00 %, 37.50 % of its caller, self 0 samples, 0.00 % false false 2 2"]
eval [...document.querySelectorAll('.frames')].every(g => g.getAttribute('aria-hidden') === 'true')
	true
eval document.querySelector('.matched').localName
	output
END
axe=$TOP/build-tools/node_modules/axe-core/axe.min.js
printf '<!DOCTYPE html><html lang="en"><head><title>Host</title></head><body><main><h1>Host</h1>\n' >inline.html
sed 1d x.svg >>inline.html
printf '<p><a href="#here">a link</a></p></main></body></html>\n' >>inline.html
printf '<!DOCTYPE html><html lang="en"><head><title>Host</title></head><body><main><h1>Host</h1><img src="x.svg" alt="Where the time goes"><object data="x.svg" type="image/svg+xml" aria-label="Where the time goes"></object></main></body></html>\n' >embedded.html
found='eval axe.run(document).then(all => all.violations.map(v => v.id + " " + v.nodes.map(n => n.html.slice(0, 200)).join(" ")))'
for scheme in "" -d; do
	if [ -e "$axe" ]; then
		# shellcheck disable=SC2086
		later "axe-core finds nothing: at first, zoomed and searched, the sheet $scheme" $scheme x.svg <<END
run $axe
$found
	[]
eval $words
	undefined
eval press('run::all').length > 0
	true
key /
type lex
key n
$found
	[]
key ?
$found
	[]
END
		# shellcheck disable=SC2086
		later "axe-core finds nothing: in a page $scheme" $scheme inline.html <<END
run $axe
$found
	[]
END
		# shellcheck disable=SC2086
		later "axe-core finds nothing: <img> and <object> $scheme" $scheme embedded.html <<END
run $axe
$found
	[]
END
	else
		skip "axe-core finds nothing $scheme" "no axe-core"
	fi
done

# ---- in somebody's page

later "in a page: it works, leaves the address and the keys alone until it has the focus" inline.html <<END
eval $words
	undefined
key ArrowUp
key /
key ?
eval [document.querySelector('dialog').open, document.activeElement.localName]
	[false,"body"]
eval press('run::all') === '$zoomed' || shown()
	true
eval [location.hash, history.length]
	["",2]
eval document.querySelector('[role=tree]').focus()
	undefined
key Backspace
eval shown().split(', ').length
	9
key Shift+Backspace
eval shown() === '$zoomed'
	true
key 0
key ArrowUp
eval [at(), tip().slice(0, 3)]
	["all","all"]
key /
type lex
eval matched()
	Matched 40.00 %, self 40.00 %
eval errors
	[]
END
later "as <object> it zooms, as <img> it is drawn" embedded.html <<END
eval const inner = document.querySelector('object').contentDocument; document.querySelector('img').naturalWidth + ' ' + (inner ? 'open' : 'closed')
	1200 closed
shot $shots/svg-embedded.png
END

# ---- both schemes

contrast='const light = v => { const w = v.map(x => (x /= 255) <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * w[0] + .7152 * w[1] + .0722 * w[2] }; const rgb = c => c.match(/[\d.]+/g).slice(0, 3).map(Number); const contrast = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05); const page = () => { const c = getComputedStyle(document.querySelector(".page")).fill; return rgb(c) }; const least = () => Math.min(...[...document.querySelectorAll(".frames text")].map(t => { const style = getComputedStyle(t.previousElementSibling), part = +style.fillOpacity, under = page(); const over = (top, bottom, share) => top.map((v, i) => share * v + (1 - share) * bottom[i]), text = rgb(getComputedStyle(t).fill), id = (style.fill.match(/#(\w+)/) || [])[1]; if (!id) return contrast(text, over(rgb(style.fill), under, part)); const fill = rgb(getComputedStyle(document.querySelector("#" + id + " rect")).fill), stripe = getComputedStyle(document.querySelector("#" + id + " path")); return Math.min(contrast(text, over(fill, under, part)), contrast(text, over(over(rgb(stripe.stroke), fill, +stripe.strokeOpacity), under, part))) }))'
awk 'BEGIN { n = split("_[k] _[j] _[1] _[0] _[i] _[p] _[rb] _[php] _[net] _[w] ::x  ]", end, " ")
	for (i = 0; i <= n; i++) for (k = 0; k < 6; k++) print "p;" (end[i] == "]" ? "[" : "") "f" k end[i], 1
	for (k = 0; k < 6; k++) { print "host=h" k ";p 1"; print "LazyCompile:*f" k, 1 } }' >kinds
awk 'BEGIN { for (i = 1; i < 12; i++) print "f" i, 1000 * i, int(40000 / i); print "n 0 1000"; print "g 1000 0" }' >changes
gp-flame --width 4500 -o kinds.svg kinds
for colours in hot io yellow; do
	gp-flame --width 4500 --colors "$colours" -o "$colours.svg" kinds
done
gp-flame -q --width 4500 -o changes.svg changes
for scheme in "" -d; do
	for colours in kinds changes hot io yellow; do
		# shellcheck disable=SC2086
		later "contrast is at least 4.5: $colours $scheme, plain, searched, found, zoomed" $scheme $colours.svg <<END
eval $words; $contrast
	undefined
eval least() >= 4.5 || least()
	true
eval const field = document.querySelector('input'), look = text => { field.value = text; field.dispatchEvent(new Event('input')) }; look('nowhere'); least() >= 4.5 || least()
	true
eval look('.'); least() >= 4.5 || least()
	true
eval look(''); press(texts()[0].textContent); document.querySelectorAll('.above').length > 0 && least() >= 4.5 || least()
	true
eval contrast(rgb(getComputedStyle(document.querySelector('.soft')).fill), page()) >= 4.5
	true
END
	done
done
later "dark is dark" -d x.svg <<'END'
eval [getComputedStyle(document.querySelector('.page')).fill, getComputedStyle(document.querySelector('.tip')).backgroundColor]
	["rgb(23, 25, 29)","rgb(31, 34, 39)"]
END
later "reduced motion: nothing moves, with it or without" -r x.svg <<END
eval $words
	undefined
eval press('run::all'); [document.getAnimations().length, [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e); return s.transitionDuration !== '0s' || s.animationName !== 'none' || s.scrollBehavior === 'smooth' }).length]
	[0,0]
END

# ---- windows

awk 'BEGIN { srand(3); split("_[k] _[j] _[i] _[p] _[rb] _[php] _[w]", s, " "); for (i = 0; i < 600; i++) { line = "svc;main;loop"; at = 1; d = 2 + int(20 * rand() * rand()); for (k = 0; k < d; k++) { at = (at * 31 + (rand() < .75 ? 0 : int(3 * rand())) * 17 + 1) % 400; line = line ";" (at % 3 ? "ns" at % 9 "::method_" at : "function_" at) (at % 5 == 0 ? s[1 + at % 7] : "") } print line, 1 + int(90 * rand()) } }' >graph
gp-flame -q --title 'A title that is much too long for a narrow window, whatever one does' --minwidth 0.5 -o graph.svg graph
fits='const part = s => document.querySelector(s).getBoundingClientRect(); const bar = part(".bar"), head = [part(".title"), part(".subtitle"), part(".legend"), part(".frames:not([transform*=\"-1000000\"])")]; const fits = () => [document.documentElement.scrollWidth <= innerWidth, [...document.querySelectorAll("text, .bar > *")].filter(t => t.getClientRects().length).every(t => t.getBoundingClientRect().right <= innerWidth + 1 || /-1000000/.test(t.parentNode.getAttribute("transform"))), head.every((r, i) => !i || r.top >= head[i - 1].top), bar.left > head[0].right || bar.bottom <= head[0].top, head[2].bottom <= head[3].top]'
for width in 400 1600; do
	for scheme in "" -d; do
		# shellcheck disable=SC2086
		later "a window of $width $scheme: as wide as it is, nothing beside it, nothing on each other" $scheme -w $width graph.svg <<END
eval $words; $fits
	undefined
eval fits()
	[true,true,true,true,true]
eval const root = texts().find(t => t.textContent === 'all').previousElementSibling; [root.x.baseVal.value, root.width.baseVal.value]
	[16,$((width - 32))]
shot $shots/svg-$width$scheme.png
eval press('loop').length > 0
	true
key /
type function_
shot $shots/svg-$width$scheme-searched.png
eval fits()
	[true,true,true,true,true]
eval errors
	[]
END
	done
done
gp-flame -q --width 700 -o fixed.svg in
later "--width is the width, whatever the window's" -w 400 fixed.svg <<END
eval $words
	undefined
eval [document.documentElement.getAttribute('width'), shown().split(', ').pop()]
	["700","all 16 668"]
END
awk 'BEGIN { for (i = 0; i < 1500; i++) printf "f%d;", i; print "leaf 1"; print "f0;b 1" }' >deepest
gp-flame -q -o deepest.svg deepest
later "1,500 frames deep: keys scroll, tips stay in the window" deepest.svg <<END
eval $words
	undefined
key ArrowUp
eval const tipIn = () => { const r = document.querySelector('.tip').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight }; const cursorIn = () => { const r = document.querySelector('.cursor').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight }; [scrollY > 25000, cursorIn(), tipIn()]
	[true,true,true]
eval press('leaf').length > 0
	true
key Home
eval [at(), cursorIn(), tipIn()]
	["leaf",true,true]
END

# ---- as inferno-flamegraph: as wide as the window, too

mkdir compat
ln -s "$B/gp-flame" compat/inferno-flamegraph
grep -v '^#' in >plain
compat/inferno-flamegraph -q --title T plain >ours.svg
if command -v inferno-flamegraph >/dev/null; then
	inferno-flamegraph -q --title T plain >theirs.svg
	places="map(r => { const b = r.getBoundingClientRect(); return Math.round(b.x) + ' ' + Math.round(b.width) }).sort().join()"
	for width in 400 1200 1600; do
		printf 'open -w %s theirs.svg\neval [...document.querySelectorAll("#frames > g rect")].%s\n' $width "$places"
		printf 'open -w %s ours.svg\neval %s; texts().map(t => t.previousElementSibling).%s\n' $width "$words" "$places"
	done | browse >got 2>err
	for width in 400 1200 1600; do
		head -n 2 got >pair
		sed -i 1,2d got
		ok "inferno-flamegraph: places in a window of $width are inferno's" sh -c "cat pair err; [ \$(sort -u pair | wc -l) = 1 ] && grep -q '^10 .*,10 ' pair"
	done
else
	skip "inferno-flamegraph: places in a window are inferno's" "no inferno-flamegraph"
fi
later "inferno-flamegraph: as wide as the window" -w 640 ours.svg <<END
eval $words
	undefined
eval shown().split(', ').find(box => box.startsWith('all'))
	all 10 620
END

# ---- without script

later "without script every box and text is there" -n x.svg <<END
shot $shots/svg-still.png
END
browsed
ok "as a picture of some size" test "$(wc -c <"$shots/svg-still.png")" -gt 5000
gp-flame --no-javascript -o still.svg in
ok "the same boxes and texts as with script" sh -c "sed '/<script/,/<.script>/d' x.svg | cmp - still.svg"
ok "no control that does nothing" sh -c "! grep -qi '<button\|<input\|onclick' still.svg"

# ---- large pictures

awk 'BEGIN { for (i = 0; i < 9997; i++) printf "a;b%d;c%d 1\n", i / 100, i }' >many
gp-flame -q --minwidth 0 -o many.svg many
boxes=$(grep -c '<rect class="k' many.svg)
ok "10,000 boxes: at most 140 bytes each, and 32 kB of script and style" test "$(wc -c <many.svg)" -le $((boxes * 140 + 32000))
# Milliseconds from an action until its frame is on the screen, of so many zooms and resets the best: other work on the
# machine can only lengthen them.
timing='const seen = () => new Promise(done => requestAnimationFrame(() => setTimeout(done))); const took = async act => { await seen(); await seen(); const from = performance.now(); act(); await seen(); return performance.now() - from }; const timed = async (rounds, zoom, reset) => { const zooms = [], resets = []; for (let i = 0; i < rounds; i++) { zooms.push(await took(() => zoom(i))); resets.push(await took(reset)) } return [zooms, resets].map(list => Math.ceil(Math.min(...list))).join(" ") }; const press = r => r.dispatchEvent(new MouseEvent("click", { bubbles: true })); void 0'
{
	printf 'open -h 900 many.svg\neval %s\n' "$timing"
	echo "eval const all = [...document.querySelectorAll('.frames rect')], some = [10, 11, 12, 13, 14].map(i => all.find(r => r.textContent.split(String.fromCharCode(10))[0] === 'b' + i)); timed(5, i => press(some[i]), () => press(all.at(-1)))"
	# It takes seconds: three times will do.
	if command -v inferno-flamegraph >/dev/null && inferno-flamegraph -q --minwidth 0 many >many.theirs.svg; then
		printf 'open -h 900 many.theirs.svg\neval %s\n' "$timing"
		echo "eval const all = [...document.querySelectorAll('#frames g')], named = name => all.find(g => g.textContent.startsWith(name + ' ')).querySelector('rect'), some = [10, 11, 12].map(i => named('b' + i)), whole = named('all'); timed(3, i => press(some[i]), () => press(whole))"
	fi
} | browse 2>err | grep -v undefined >took.ms
read -r zoom reset <<END
$(sed -n 1p took.ms)
END
read -r their_zoom their_reset <<END
$(sed -n 2p took.ms)
END
if [ -e many.theirs.svg ]; then
	ok "10,000 boxes: zooms in half of inferno's time (${zoom:-?} ms, ${their_zoom:-?})" test "${zoom:-9999}" -le $((${their_zoom:-0} / 2))
	ok "10,000 boxes: resets in half of inferno's time (${reset:-?} ms, ${their_reset:-?})" test "${reset:-9999}" -le $((${their_reset:-0} / 2))
else
	skip "10,000 boxes: faster than inferno's" "no inferno-flamegraph"
fi
ok "10,000 boxes: zooms in 150 ms (${zoom:-?} ms)" test "${zoom:-9999}" -le 150
ok "10,000 boxes: resets in 300 ms (${reset:-?} ms)" test "${reset:-9999}" -le 300

done_testing
