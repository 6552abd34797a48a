#!/bin/sh
# Labels as columns, the strip of time, comparison of selections; narrow and wide, light and dark.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"

awk 'BEGIN {
	print "#{\"gp\":1,\"event\":\"cpu-clock\",\"unit\":\"samples\",\"labels\":[\"time\",\"host\"]}"
	for (t = 0; t < 20; t++) for (h = 1; h <= 2; h++) {
		printf "time=%05.1f;host=web%d;java;main %d\n", t / 2, h, h * 10
		printf "time=%05.1f;host=web%d;java;parse %d\n", t / 2, h, t < 10 ? 10 : 30
	} }' >in
gp-flame -o x.html in
words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); const chips = () => [...document.querySelectorAll("#steps li")].map(l => l.firstChild.textContent); const values = () => [...document.querySelectorAll(".values .line")].map(l => l.textContent); const graph = v => { const c = v.querySelector("canvas"), r = c.getBoundingClientRect(), found = []; for (let y = 9; y < r.height; y += 18) for (let x = 3, last = ""; x < r.width; x += 12) { c.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + x, clientY: r.top + y })); const t = details.textContent, m = t && t.match(/^(.*?) · (?:.*? · )?([\d,]+) samples?/); const it = m ? m[1] + " " + m[2] : ""; if (it && it !== last) found.push(it); last = it } return found }'
for look in "-w 400 -h 900" "-d -w 1600 -h 900"; do
# shellcheck disable=SC2086
later "labels and time: $look" $look x.html <<END
eval $words
	undefined
eval [graph(view), range.textContent, time.hidden]
	[["main 600","parse 800","java 1,400","all 1,400"],"0–10 s · columns are seconds, slices of 0.5 s",false]
key L
eval values()
	["☐ web257.14 %","☐ web142.86 %"]
eval document.querySelectorAll('.values .line')[1].click(); [values(), graph(view), chips()]
	[["☐ web257.14 %","☑ web142.86 %"],["main 200","parse 400","java 600","all 600"],["host: web1"]]
eval document.querySelectorAll('.values .line')[0].click(); graph(view)[0]
	main 600
eval document.querySelector('.values h3 button').click(); [graph(view).slice(-3), chips()]
	[["host=web1 600","host=web2 800","all 1,400"],["host: web1, web2","by host"]]
key t
key ArrowRight
key ArrowRight
eval [range.textContent.split(' · ')[0], graph(view).at(-1)]
	["1–2 s","all 100"]
eval const cell = (second, half) => { const r = devicePixelRatio, d = load.getContext('2d').getImageData(Math.round((second + .5) * load.width / 10), Math.round((half ? .25 : .75) * load.height), 1, 1).data; return d[3] }; [[1, 0], [1, 1], [7, 0], [7, 1]].map(([second, half]) => cell(second, half) > 0)
	[true,true,true,true]
eval load.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true })); [range.textContent.split(' · ')[0], graph(view).at(-1)]
	["1–3 s","all 200"]
eval const drag = (a, b, shiftKey) => { const r = load.getBoundingClientRect(), at = x => ({ clientX: r.left + x * r.width, clientY: r.top + 5, pointerId: 1, shiftKey, bubbles: true }); load.setPointerCapture = () => 0; for (const [type, x] of [['pointerdown', a], ['pointermove', b], ['pointerup', b]]) load.dispatchEvent(new PointerEvent(type, at(x))) }; drag(.52, .58); [range.textContent.split(' · ')[0], graph(view).at(-1)]
	["5–6 s","all 180"]
eval drag(.95, .99, true); [range.textContent.split(' · ')[0], graph(view).at(-1), chips().at(-2)]
	["5–6 s, 9–10 s","all 360","time: 5–6, 9–10 s"]
key Escape
eval [document.documentElement.scrollWidth <= innerWidth, errors]
	[true,[]]
END
done

# A list that is long has a field to search in; what is chosen there is the selection.
awk 'BEGIN { for (i = 1; i <= 30; i++) printf "pid=%d;main %d\n", i, i }' | sed '1i #{"gp":1,"unit":"samples","labels":["pid"]}' >pids
gp-flame -o pids.html pids
later "a list of thirty values: searched, several chosen" -w 1600 -h 900 pids.html <<END
eval $words
	undefined
key L
eval /* those in sight */ [values().length, values()[0], document.querySelectorAll('.values input').length]
	[9,"☐ 306.45 %",1]
eval const field = document.querySelector('.values input'); field.value = '1'; field.dispatchEvent(new Event('input')); values().map(v => v.replace(/ *[0-9.]{4} %/, ''))
	["☐ 21","☐ 19","☐ 18","☐ 17","☐ 16","☐ 15","☐ 14","☐ 13","☐ 12"]
eval [0, 1].forEach(i => document.querySelectorAll('.values .line')[i].click()); [chips(), graph(view).at(-1), errors]
	[["pid: 21, 19"],"main 40",[]]
END

# The same on a page of two profiles.
sed 's/event":"cpu-clock/event":"cycles/' in >other
gp-flame --separate -o two.html in other
later "comparison: side by side, one diff graph, scaled or not, and a warning" -w 1600 -h 900 two.html <<END
eval $words
	undefined
key L
eval document.querySelectorAll('.values .line')[0].click()
	undefined
key C
eval const button = words => [...document.querySelectorAll('button')].find(b => b.textContent === words); button('Keep this as A').click(); document.querySelectorAll('#tabs button')[1].click(); document.querySelectorAll('.warning')[0].textContent
	A and B have different events: cpu-clock and cycles.
eval button('Side by side').click(); [graph(view).at(-1), graph(other).at(-1)]
	["B: other 1,400","A: in, host web2 800"]
eval button('One diff graph').click(); const about = (x, y) => { const c = canvas.getBoundingClientRect(); canvas.dispatchEvent(new MouseEvent('mousemove', { clientX: c.left + x, clientY: c.bottom - y })); return details.textContent }; about(20, 9)
	all · A 1,400 (100.00 %), B 1,400 (100.00 %): ±0, ±0.00 points, unchanged · self: A 0 (0.00 %), B 0 (0.00 %): ±0, ±0.00 points, unchanged
eval button('Scale A to the total of B') || document.querySelector('[data-focus="Scale A to the total of B"]').click(); about(20, 9)
	all · A 800 (100.00 %), B 1,400 (100.00 %): +600, ±0.00 points, ×1.75 · self: A 0 (0.00 %), B 0 (0.00 %): ±0, ±0.00 points, unchanged
eval [document.querySelectorAll('#legend li').length, errors]
	[7,[]]
END
awk '{ gsub(/host=web1;/, "host=web1;pid=7;"); gsub(/host=web2;/, "host=web2;pid=8;"); print }' in | sed 's/"host"]/"host","pid"],"unit":"samples","period_ns":1,"version":"1","host":"a"/' >keys
sed 's/"unit":"samples","period_ns":1,"version":"1","host":"a"/"unit":"ns","period_ns":2,"version":"2","host":"b"/; s/"unit":"samples",//' keys >keys2
gp-flame --separate -o keys.html keys keys2
later "groups by keys in any order; what differs between the sides, each said" -w 1600 -h 900 keys.html <<END
eval $words
	undefined
key L
eval const group = key => [...document.querySelectorAll('.values')].find(s => s.querySelector('h3').textContent.startsWith(key)).querySelector('h3 button').click(); group('pid'); group('host'); [graph(view).slice(-5), [...document.querySelectorAll('.values h3 button')].map(b => b.textContent)]
	[["host=web1 600","host=web2 800","pid=7 600","pid=8 800","all 1,400"],["Grouped: 2","Grouped: 1"]]
eval group('pid'); graph(view).slice(-3)
	["host=web1 600","host=web2 800","all 1,400"]
key C
eval const button = words => [...document.querySelectorAll('button')].find(b => b.textContent === words); button('Keep this as A').click(); document.querySelectorAll('#tabs button')[1].click(); [...document.querySelectorAll('.warning')].map(w => w.textContent.replace('A and B have different ', '').split(':')[0])
	["units","sampling periods","hosts","versions of the profiler"]
eval button('Side by side').click(); [button('Side by side').getAttribute('aria-pressed'), button('One diff graph').getAttribute('aria-pressed')]
	["true","false"]
END
later "sides: a range against all, with a step; zoom in one is zoom in the other" -w 1600 -h 900 x.html <<END
eval $words
	undefined
eval location.hash = '#time=5..7&steps=hide:^parse&compare=side&a.time=0..2'; new Promise(done => setTimeout(done, 300)).then(() => [graph(other), graph(view)])
	[["main 120","parse 80","java 200","A: time 0–2 s 200"],["main 120","java 360","B: time 5–7 s, hidden ^parse 360"]]
eval const at = (c, x, row) => { const r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent('click', { clientX: r.left + x, clientY: r.bottom - row * 18 - 9 })) }; at(canvas, 650, 2); new Promise(done => setTimeout(done, 300)).then(() => [graph(view)[0], graph(other)[0]])
	["main 120","main 120"]
eval errors
	[]
END
done_testing
