#!/bin/sh
# Hands: keys alone, touch, the mouse; what leaves the page (nothing), what moves (nothing, if that is preferred), and
# what screen readers are given.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"

awk 'BEGIN {
	print "#{\"gp\":1,\"event\":\"cpu-clock\",\"unit\":\"samples\",\"labels\":[\"time\",\"host\"]}"
	for (t = 0; t < 20; t++) for (h = 1; h <= 2; h++) {
		printf "time=%05.1f;host=web%d;java;main_[j];lex_[i] %d\n", t / 2, h, h * 10
		printf "time=%05.1f;host=web%d;java;parse %d\n", t / 2, h, t < 10 ? 10 : 30
	} }' >in
gp-flame -o x.html in
words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); const chips = () => [...document.querySelectorAll("#steps li")].map(l => l.firstChild.textContent); const on = (x, y) => { const r = canvas.getBoundingClientRect(); canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + x, clientY: r.bottom - y })); return details.textContent.split(" · ").slice(0, 3).join(" ") }; const focused = () => document.activeElement.textContent || document.activeElement.id || document.activeElement.getAttribute("aria-label"); const wait = ms => new Promise(done => setTimeout(done, ms)); 0'

# Every control is reached by Tab, and Enter or Space work it; Esc closes.
later "keys alone: every control by Tab, panels, labels, comparison, saving" x.html <<END
eval $words
	0
eval const stops = () => [...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter(e => !e.disabled && e.offsetParent && e.tabIndex >= 0).length; globalThis.reached = new Set(); stops() >= 15
	true
eval addEventListener('focusin', e => reached.add(e.target)); document.body.focus()
	undefined
$(i=0; while [ $i -lt 30 ]; do i=$((i + 1)); echo "key Tab"; done)
eval [reached.size >= stops(), [...reached].map(e => getComputedStyle(e).outlineStyle !== undefined).every(Boolean)]
	[true,true]
key Escape
eval view.focus()
	undefined
key L
eval focused()
	Group by
key Enter
eval chips()
	["by host"]
key Tab
eval document.activeElement.getAttribute('role')
	listbox
key ArrowDown
key Enter
eval [chips(), on(20, 9)]
	[["host: web1","by host"],"all 600 samples 100.00 %"]
key C
eval focused()
	Keep this as A
key Enter
key Escape
eval [document.getElementById('panel').hidden, focused()]
	[true,"Compare"]
key u
eval view.focus()
	undefined
key t
key End
key ArrowRight
eval [range.textContent.split(' · ')[0], document.activeElement.id]
	["0–1 s","load"]
key Escape
key C
key Tab
key Enter
eval [other.hidden, focused()]
	[false,"Side by side"]
key Tab
key Enter
eval [chips().at(-1), other.hidden]
	["Compared with A: host web1",true]
key Escape
key S
eval Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { globalThis.copied = text } } }); focused()
	Link to this view
key Enter
eval copied.includes('compare=diff')
	true
key Tab
key Enter
eval [document.getElementById('said').textContent.includes('the comparison'), errors]
	[true,[]]
requests
END

later "keys alone: table, callers, steps taken back, menu" x.html <<END
eval $words
	0
eval view.focus()
	undefined
key 3
key ArrowDown
key Enter
eval chips()
	["Callers and callees of lex"]
key u
eval [chips(), document.querySelectorAll('[aria-pressed=true]')[0].textContent]
	[[],"Graph"]
key ArrowUp
key ArrowUp
key ArrowUp
key m
key ArrowUp
eval focused()
	Copy subtree, folded
key Home
key ArrowDown
key ArrowDown
key Enter
eval chips()
	["Only stacks with ^parse\$"]
key u
key h
eval chips()
	["Hidden ^parse\$"]
key u
key f
key i
eval [chips(), errors]
	[["Only stacks with ^java\$"],[]]
END

# Rows of 18 from the bottom of the view: all, java, then main and parse.
# Rows of 18 from the bottom of the view: all, java, then main and parse.
later "the mouse: Ctrl and wheel, drags; the strip of time" x.html <<END
eval $words
	0
eval globalThis.row = n => Math.round(canvas.getBoundingClientRect().bottom - 18 * n - 9); globalThis.strip = () => Math.round(load.getBoundingClientRect().top + 20); [reset.disabled, on(20, 9)]
	[true,"all 1,400 samples 100.00 %"]
wheel 300 {row(1)} 0 -200 ctrl
wheel 300 {row(1)} 0 -200 ctrl
eval globalThis.before = canvas.toDataURL(); reset.disabled
	false
drag 600 {row(1)} 500 {row(1)}
eval [before !== canvas.toDataURL(), back.disabled]
	[true,false]
click 600 {row(1)}
key 0
click 200 {row(2)}
eval on(1000, 45)
	main JIT, Java (C2) 600 samples
key 0
drag 200 {strip()} 400 {strip()}
eval range.textContent.split(' · ')[0]
	1–4 s
drag 900 {strip()} 1000 {strip()} shift
eval [range.textContent.split(' · ')[0], errors]
	["1–4 s, 7–9 s",[]]
END

later "touch: a tap zooms, two fingers scale, one moves, a long press opens the menu" -t -w 400 -h 900 x.html <<END
eval $words
	0
eval globalThis.row = n => Math.round(canvas.getBoundingClientRect().bottom - 18 * n - 9); reset.disabled
	true
touch 60 {row(2)}
touch
eval wait(400).then(() => [reset.disabled, on(300, 45).split(' ')[0]])
	[false,"main"]
eval document.querySelector('#reset').click()
	undefined
touch 100 {row(1)} 200 {row(1)}
touch 80 {row(1)} 260 {row(1)}
touch 60 {row(1)} 340 {row(1)}
touch
eval globalThis.before = canvas.toDataURL(); [reset.disabled, document.getElementById('menu').hidden]
	[false,true]
touch 300 {row(1)}
touch 260 {row(1)}
touch 200 {row(1)}
touch
eval before !== canvas.toDataURL()
	true
touch 100 {row(1)}
eval wait(800).then(() => document.getElementById('menu').hidden)
	false
touch
eval errors
	[]
END

later "who prefers it sees nothing move" -r x.html <<END
eval [...document.querySelectorAll('*')].filter(e => !/^0s(, 0s)*\$/.test(getComputedStyle(e).transitionDuration) || getComputedStyle(e).animationName !== 'none').length
	0
eval matchMedia('(prefers-reduced-motion: reduce)').matches
	true
END

awk 'BEGIN { for (i = 0; i < 3000; i++) printf "main;f%d;g%d %d\n", i % 700, i, 1 + i % 9 }' >wide
gp-flame -o wide.html wide
later "screen readers: a tree of rows in sight, with name, self, total and level" wide.html <<END
eval $words
	0
eval document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '4', bubbles: true })); const rows = () => [...document.querySelectorAll('#list .line')], tree = () => document.querySelector('#list .rows'); [tree().getAttribute('role'), tree().getAttribute('aria-rowcount'), rows().length < 60]
	["treegrid","702",true]
eval [rows()[2].getAttribute('aria-level'), rows()[2].getAttribute('aria-expanded'), [...rows()[2].children].map(cell => cell.getAttribute('role')), rows()[2].id]
	["3","false",["gridcell","gridcell","gridcell"],"row-2"]
key End
eval [rows().at(-1).getAttribute('aria-rowindex'), tree().getAttribute('aria-activedescendant') === rows().at(-1).id, rows().length < 60]
	["702",true,true]
key ArrowRight
eval [rows().find(r => r.id === tree().getAttribute('aria-activedescendant')).getAttribute('aria-expanded'), tree().getAttribute('aria-rowcount'), errors]
	["true","706",[]]
requests
END
done_testing
