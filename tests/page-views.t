#!/bin/sh
# The page's views and filters: keys for everything, table, tree, bottom-up, callers and callees, steps.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"

cat >in <<'END'
#{"gp":1,"event":"cpu-clock","unit":"samples","target":"-a","host":"web1","samples":100}
idle 20
main 10
main;parse_[j];lex_[i] 30
main;parse_[j];parse_[j] 10
main;run::all;read_[k] 20
main;run::all;lex_[i] 10
END
gp-flame -o x.html in
words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); const line = i => [...document.querySelectorAll("#list .line")][i]; const lines = () => [...document.querySelectorAll("#list .line")].map(l => l.textContent); const chips = () => [...document.querySelectorAll("#steps li")].map(l => l.firstChild.textContent); const undo = i => document.querySelectorAll("#steps button")[i].click(); const graph = v => { const c = v.querySelector("canvas"), r = c.getBoundingClientRect(), found = []; for (let y = 9; y < r.height; y += 18) for (let x = 3, last = ""; x < r.width; x += 24) { c.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + x, clientY: r.top + y })); const t = details.textContent, m = t && t.match(/^(.*?) · (?:.*? · )?(\d+) samples?/); const it = m ? m[1] + " " + m[2] : ""; if (it && it !== last) found.push(it); last = it } return found }'

later "keys alone: cursor, zoom, history, match after match, nearer and aside" x.html <<END
eval $words
	undefined
eval view.focus()
	undefined
key ArrowUp
eval details.textContent.split(' · ')[0]
	all
key ArrowUp
key ArrowUp
eval details.textContent.split(' · ')[0]
	parse
key ArrowRight
eval details.textContent.split(' · ')[0]
	run::all
key Enter
eval [reset.disabled, graph(view)[0]]
	[false,"lex 10"]
key Backspace
eval [reset.disabled, back.disabled, forward.disabled]
	[true,true,false]
key 0
key /
type LEX
eval matched.textContent
	Matched 40.00 %, self 40.00 %
eval document.getElementById('case').click(); [matched.textContent, document.getElementById('case').getAttribute('aria-pressed')]
	["Matched 0.00 %, self 0.00 %","true"]
eval document.getElementById('case').click(); view.focus()
	undefined
key n
eval details.textContent.split(' · ')[2]
	10 samples
key n
eval details.textContent.split(' · ')[2]
	30 samples
key N
eval details.textContent.split(' · ')[2]
	10 samples
key Escape
key +
key +
eval graph(view).includes('idle 20') + String(reset.disabled)
	falsefalse
key a
key a
key a
key a
key a
eval graph(view).includes('idle 20')
	true
key 0
key m
eval [...menu.children].map(item => item.textContent).slice(0, 4)
	["Zoom to it","Callers and callees","Focus: only stacks with it","Ignore: only stacks without it"]
key ArrowDown
eval document.activeElement.textContent
	Callers and callees
key Escape
eval menu.hidden
	true
key ?
eval keys.open
	true
eval errors
	[]
END

later "table: self and total, recursion once, sorted, searched; tree; bottom-up; callers and callees" x.html <<END
eval $words
	undefined
key 3
eval lines()
	["4040.00 %4040.00 %lex","2020.00 %2020.00 %idle","2020.00 %2020.00 %read","1010.00 %8080.00 %main","1010.00 %4040.00 %parse","00.00 %3030.00 %run::all"]
eval document.querySelectorAll('.head button')[1].click(); lines()[0]
	1010.00 %8080.00 %main
eval document.querySelectorAll('.head button')[2].click(); lines()[0]
	2020.00 %2020.00 %idle
key /
type parse
eval lines()
	["1010.00 %4040.00 %parse"]
key Escape
key 4
eval lines()
	["00.00 %100100.00 %▾all","1010.00 %8080.00 %▸main","2020.00 %2020.00 %idle"]
key ArrowDown
key ArrowRight
eval lines()
	["00.00 %100100.00 %▾all","1010.00 %8080.00 %▾main","00.00 %4040.00 %▸parse","00.00 %3030.00 %▸run::all","2020.00 %2020.00 %idle"]
eval [line(2).getAttribute('aria-level'), line(2).getAttribute('aria-expanded'), line(1).getAttribute('aria-selected'), line(0).parentElement.parentElement.getAttribute('role')]
	["3","false","true","treegrid"]
key 2
eval graph(view)
	["main 30","main 10","main 10","main 20","parse 30","run::all 10","parse 10","run::all 20","idle 20","lex 40","main 10","parse 10","read 20","all 100"]
key 1
eval const frame = document.querySelector('#view canvas'); view.focus()
	undefined
key ArrowUp
key ArrowUp
key ArrowUp
key ArrowUp
key x
eval [graph(view), graph(other), chips()]
	[["callees 40","lex 40"],["main 30","main 10","parse 30","run::all 10","lex 40","callers 40"],["Callers and callees of lex"]]
key 1
eval [graph(view).length, other.hidden, errors]
	[9,true,[]]
END

later "steps: each is shown and can be taken back" x.html <<END
eval $words
	undefined
key F
eval document.querySelectorAll('#panel select')[0].value = 'hide'; document.querySelector('#panel form input').value = '^parse'; document.querySelector('#panel form button').click(); [graph(view), chips()]
	[["lex 10","read 20","lex 30","run::all 30","idle 20","main 80","all 100"],["Hidden ^parse"]]
eval const other2 = (kind, text) => { document.querySelectorAll('#panel select')[0].value = kind; document.querySelector('#panel form input').value = text; document.querySelector('#panel form button').click() }; other2('focus', 'run::'); [graph(view), chips()]
	[["lex 10","read 20","run::all 30","main 30","all 30"],["Hidden ^parse","Only stacks with run::"]]
eval undo(0); undo(0); [graph(view).length, chips()]
	[9,[]]
eval other2('ignore', 'run::'); graph(view).includes('run::all 30')
	false
eval undo(0); other2('show-from', '^run::'); graph(view)
	["lex 10","read 20","run::all 30","all 30"]
eval undo(0); other2('collapse', '^(main|parse)'); graph(view)
	["lex 10","read 20","lex 30","run::all 30","idle 20","main 80","all 100"]
eval undo(0); document.querySelector('[data-focus="Merge recursion"]').click(); graph(view)
	["lex 30","lex 10","read 20","parse 40","run::all 30","idle 20","main 80","all 100"]
eval undo(0); document.querySelector('[data-focus="kernel"]').click(); [graph(view), chips()]
	[["lex 30","parse 10","lex 10","parse 40","run::all 30","idle 20","main 80","all 100"],["No frames: kernel"]]
eval undo(0); const colour = document.querySelector('[data-focus="colour"]'), before = canvas.toDataURL(); const looks = ['package', 'self', 'safe'].map(one => { colour.value = one; colour.dispatchEvent(new Event('change')); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(canvas.toDataURL() !== before)))) }); looks[2]
	true
eval view.focus()
	undefined
key A
eval [...panel.querySelectorAll('dt')].map(dt => dt.textContent + ' ' + dt.nextSibling.textContent).slice(0, 3)
	["host web1","event cpu-clock","unit samples"]
key Escape
eval [panel.hidden, errors]
	[true,[]]
END

later "steps by the menu of a frame, each taken back; the colours of frames; kinds of frames switched off" x.html <<END
eval $words
	undefined
eval const choose = (x, row, item) => { const c = document.querySelector('#view canvas'), r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent('contextmenu', { clientX: r.left + x, clientY: r.bottom - row * 18 - 9, bubbles: true })); [...menu.children].find(one => one.textContent.startsWith(item)).click() }, whole = graph(view).join(); const done = (x, row, item) => { choose(x, row, item); const found = [graph(view), chips()]; undo(0); return graph(view).join() === whole && !chips().length ? found : 'not taken back' }; done(900, 2, 'Focus')
	[["lex 10","read 20","run::all 30","main 30","all 30"],["Only stacks with ^run::all$"]]
eval done(900, 2, 'Ignore')
	[["lex 30","parse 10","parse 40","idle 20","main 50","all 70"],["Without stacks with ^run::all$"]]
eval done(900, 2, 'Hide')
	[["lex 30","parse 10","lex 10","parse 40","read 20","idle 20","main 80","all 100"],["Hidden ^run::all$"]]
eval done(900, 2, 'Show from')
	[["lex 10","read 20","run::all 30","all 30"],["From ^run::all$"]]
eval done(400, 2, 'Collapse')
	[["lex 30","lex 10","read 20","parse 40","run::all 30","idle 20","main 80","all 100"],["Runs as one ^parse_\\\\[j\\\\]$"]]
eval done(400, 2, 'Merge recursion')
	[["lex 30","lex 10","read 20","parse 40","run::all 30","idle 20","main 80","all 100"],["Recursion merged"]]
eval choose(900, 2, 'Zoom'); const zoomed = graph(view)[0] + reset.disabled; document.getElementById('back').click(); choose(900, 2, 'Search'); [zoomed, search.value, matched.textContent]
	["lex 10false","^run::all$","Matched 30.00 %, self 0.00 %"]
key Escape
key F
eval [...document.querySelectorAll('#panel [type=checkbox]')].slice(1).map(box => box.dataset.focus)
	["native","C++, Rust","kernel","inlined","JIT, Java (C2)"]
eval ['native', 'C++, Rust', 'kernel', 'inlined', 'JIT, Java (C2)'].map(kind => { const click = () => document.querySelector('[data-focus="' + kind + '"]').click(); click(); const names = new Set(graph(view).map(one => one.split(' ')[0])), words = chips(); undo(0); return ['all', 'main', 'idle', 'run::all', 'read', 'lex', 'parse'].filter(name => !names.has(name)).join() + ' | ' + words })
	["main,idle | No frames: native","run::all | No frames: C++, Rust","read | No frames: kernel","lex | No frames: inlined","parse | No frames: JIT, Java (C2)"]
eval const colour = document.querySelector('[data-focus="colour"]'), frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))), c = document.querySelector('#view canvas'); (async () => { const seen = new Map(), legends = []; for (const { value } of colour.options) { colour.value = value; colour.dispatchEvent(new Event('change')); await frame(); seen.set(value, c.toDataURL()); legends.push(document.querySelectorAll('#legend li').length) } return [[...seen.keys()], new Set(seen.values()).size >= 5, legends.every(n => n > 1), location.hash] })()
	[["kind","module","package","runtime","self","safe"],true,true,"#colour=safe"]
eval errors
	[]
END
done_testing
