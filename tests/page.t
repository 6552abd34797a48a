#!/bin/sh
# What a browser makes of gp-flame's pictures: zoom, search, reset, tooltips, keys, light and dark.
. "$(dirname "$0")/lib/tap.sh"

. "$TOP/tests/lib/browser.sh"

# 100 samples over a width of 1168: main has 80 of them, two callees with the same name, one of them recursive.
cat >in <<'EOF'
#{"gp":1,"event":"cpu-clock","unit":"samples","target":"-a","host":"web1","samples":100}
idle 20
main 10
main;parse_[j];lex_[i] 30
main;parse_[j];parse_[j] 10
main;run::all;</script><b>x 20
main;run::all;lex_[i] 10
EOF

# ---- the SVG. Rows from the bottom: all, main and idle, parse and run::all, ...

gp-flame -o x.svg in
box='const box = name => [...document.querySelectorAll(".frames rect")].reverse().find(r => r.textContent.startsWith(name + "\n"))'
looks='const look = name => { const r = box(name); return r.getAttribute("width") === "0" ? "hidden" : Math.round(r.getBBox().x) + " " + Math.round(r.getBBox().width) + (r.classList.contains("above") ? " above" : "") }'
middle='const middle = name => { const r = box(name).getBoundingClientRect(); return Math.round(r.x + r.width / 2) + " " + Math.round(r.y + 8) }'
press='const press = name => { const [x, y] = middle(name).split(" "); document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click", { bubbles: true })); return look(name) }'
steps "SVG: a click zooms, a click on what is below zooms out, reset" x.svg <<EOF
eval $box; $looks; $middle; $press
eval look('main')
	undefined
	250 934
eval press('run::all')
	16 1168
eval [look('all'), look('main'), look('idle'), look('parse'), look('lex')]
	["16 1168 above","16 1168 above","hidden","hidden","795 389"]
eval look('</script><b>x')
	16 779
eval press('main')
	16 1168
eval [look('all'), look('parse'), look('run::all')]
	["16 1168 above","162 584","746 438"]
eval document.querySelector('.reset').style.display
	
eval document.querySelector('.reset').dispatchEvent(new MouseEvent('click')); [look('all'), look('main'), look('idle')]
	["16 1168","250 934","16 234"]
eval document.querySelector('.reset').style.display
	none
requests
EOF

steps "SVG: search counts what matches once, Esc clears, a broken expression is searched as it is" x.svg <<'EOF'
eval const matched = () => document.querySelector('.matched').textContent + '|' + document.querySelectorAll('.match').length
	undefined
key /
type parse|lex
eval matched()
	Matched 50.00 %|4
key Escape
eval matched()
	|0
key /
type ^main$
eval matched()
	Matched 80.00 %|1
key Escape
key /
type (
eval matched() + document.querySelector('input').validity.valid
	Matched 0.00 %|0false
EOF

gp-flame --search lex -o s.svg in
steps "SVG: --search highlights from the start" s.svg <<'EOF'
eval document.querySelector('.matched').textContent + '|' + document.querySelectorAll('.match').length
	Matched 40.00 %|2
EOF
steps "SVG: the details of what the mouse is on" x.svg <<'EOF'
move 400 130
eval document.querySelector('.details').textContent
	main · native, 80 samples, 80.00 % · self 10 samples, 10.00 %
move 400 20
eval document.querySelector('.details').textContent
	
EOF

# Contrast of text on every box as it is drawn, by WCAG's formula; so too for a search.
contrast='const light = c => { const v = c.match(/[\d.]+/g).slice(0, 3).map(x => (x /= 255) <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2] }; const contrast = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05)'
awk 'BEGIN { n = split("_[k] _[j] _[1] _[0] _[i] _[p] _[rb] _[php] _[net] _[w] ::x  ]", end, " ")
	for (i = 0; i <= n; i++) for (k = 0; k < 40; k++) print "p;" (end[i] == "]" ? "[" : "") "f" k end[i], 1
	for (k = 0; k < 40; k++) { print "host=h" k ";p 1"; print "LazyCompile:*f" k, 1 } }' >kinds
gp-flame --width 9000 -o kinds.svg kinds
for scheme in "" -d; do
	# shellcheck disable=SC2086
	steps "SVG: contrast of all kinds and shades is at least 4.5 $scheme" $scheme kinds.svg <<EOF
eval $contrast; const least = () => Math.min(...[...document.querySelectorAll('.frames text')].map(t => contrast(getComputedStyle(t).fill, getComputedStyle(t.previousElementSibling).fill)))
eval new Set([...document.querySelectorAll('.frames rect')].map(r => r.getAttribute('class'))).size > 80
	undefined
	true
eval least() >= 4.5 || least()
	true
eval document.querySelector('.frames rect').classList.add('match'); document.querySelector('.frames').classList.add('sought'); least() >= 4.5 || least()
	true
eval contrast(getComputedStyle(document.querySelector('.soft')).fill, getComputedStyle(document.querySelector('.page')).fill) >= 4.5
	true
EOF
done
steps "SVG: dark is dark" -d x.svg <<'EOF'
eval getComputedStyle(document.querySelector('.page')).fill
	rgb(23, 25, 29)
EOF
steps "SVG: without script every box and text is there" -n x.svg <<'EOF'
shot still.png
EOF
ok "as a picture of some size" test "$(wc -c <still.png)" -gt 5000

# ---- the page: frames are on a canvas, so what the mouse finds there is asked for

gp-flame -o x.html in
# 1168 wide; rows of 18 from the bottom of the canvas.
at='const at = (x, row) => { const r = canvas.getBoundingClientRect(); return [r.left + x, r.bottom - row * 18 - 9] }; const on = (x, row) => { const [X, Y] = at(x, row); canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: X, clientY: Y })); return details.textContent }; const press = (x, row) => { const [X, Y] = at(x, row); canvas.dispatchEvent(new MouseEvent("click", { clientX: X, clientY: Y })); return reset.disabled }; const colour = (x, row) => [...canvas.getContext("2d").getImageData(x, canvas.height - row * 18 - 5, 1, 1).data].join(); const view2 = () => [0, 1, 2, 3].map(row => on(20, row).split(" · ")[0] + "|" + on(1150, row).split(" · ")[0]).join(", ")'
steps "page: what lies where, with self, total and share" x.html <<EOF
eval $at
	undefined
eval document.title
	cpu-clock of the whole machine on web1
eval document.querySelector('h1 + p').textContent
	100 samples
eval on(10, 0)
	all · 100 samples · 100.00 % · self 0 samples · 0.00 %
eval on(10, 1)
	idle · native · 20 samples · 20.00 % · self 20 samples · 20.00 %
eval on(300, 1)
	main · native · 80 samples · 80.00 % · self 10 samples · 10.00 %
eval on(400, 2)
	parse · JIT, Java (C2) · 40 samples · 40.00 %, 50.00 % of its caller · self 0 samples · 0.00 %
eval on(900, 3)
	</script><b>x · native · 20 samples · 20.00 %, 66.67 % of its caller · self 20 samples · 20.00 %
eval on(300, 2)
	
eval [tip.hidden, on(1150, 3), tip.hidden, tip.textContent.includes('lex')]
	[true,"lex · inlined · 10 samples · 10.00 %, 33.33 % of its caller · self 10 samples · 10.00 %",false,true]
eval colour(20, 5)
	0,0,0,0
eval colour(5, 1) !== colour(5, 5)
	true
eval [...document.querySelectorAll('#legend li')].map(li => li.textContent)
	["native","C++, Rust","inlined","JIT, Java (C2)"]
requests
EOF

steps "page: zoom, back, reset, flip" x.html <<EOF
eval $at
	undefined
eval press(900, 2)
	false
eval view2()
	all|all, main|main, run::all|run::all, </script><b>x|lex
eval on(20, 3)
	</script><b>x · native · 20 samples · 20.00 %, 66.67 % of the view, 66.67 % of its caller · self 20 samples · 20.00 %
eval press(20, 1)
	false
eval view2()
	all|all, main|main, |run::all, |lex
key Backspace
eval view2()
	all|all, main|main, run::all|run::all, </script><b>x|lex
key 0
eval view2()
	all|all, idle|main, |run::all, |lex
eval reset.disabled
	true
key i
eval on(20, canvas.height / 18 - 1).slice(0, 3) + on(20, canvas.height / 18 - 2).slice(0, 4)
	allidle
eval press(900, canvas.height / 18 - 2)
	false
key Escape
eval reset.disabled
	true
key ?
eval keys.open
	true
EOF

steps "page: search" x.html <<EOF
eval $at
	undefined
eval globalThis.before = colour(1000, 3); before === colour(1000, 3)
	true
key /
type parse|lex
eval matched.textContent
	Matched 50.00 %, self 50.00 %
eval colour(1150, 3)
	238,124,247,255
key Escape
eval matched.textContent + (before === colour(1000, 3))
	true
eval search.value = '['; search.dispatchEvent(new Event('input')); [matched.textContent, search.validity.valid]
	["Matched 0.00 %, self 0.00 %",false]
EOF
gp-flame --html --search lex --inverted in >s.html
steps "page: --search and --inverted from the start, dark" -d -w 420 -h 600 s.html <<EOF
eval $at
	undefined
eval matched.textContent
	Matched 40.00 %, self 40.00 %
eval on(5, canvas.height / 18 - 1).slice(0, 3)
	all
eval getComputedStyle(document.body).backgroundColor
	rgb(23, 25, 29)
eval document.documentElement.scrollWidth <= innerWidth
	true
EOF
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf 1"; print "f0;a\377b 1" }' >deep
gp-flame -o deep.html deep
steps "page: 10,000 frames deep on a canvas no larger than the window" deep.html <<EOF
eval $at
	undefined
eval [canvas.height <= 800, tall.clientHeight]
	[true,180036]
eval on(1100, 2).slice(0, 4)
	f1 ·
eval on(20, 2).slice(0, 5)
	a�b ·
eval view.scrollTop = 0; new Promise(done => view.onscroll = () => requestAnimationFrame(() => done(0)))
	0
eval on(1100, canvas.height / 18 - 1).slice(0, 4)
	leaf
EOF
gp-flame --html /dev/null >empty.html 2>/dev/null
steps "page: nothing to draw" empty.html <<'EOF'
eval [empty.hidden, empty.textContent]
	[false,"No samples: there is nothing to draw."]
key 0
requests
EOF
done_testing
