#!/bin/sh
# axe-core finds nothing on the page: every view and panel, both schemes, at 400 and 1,600 pixels.
. "$(dirname "$0")/lib/tap.sh"
axe=$TOP/build-tools/node_modules/axe-core/axe.min.js
[ -e "$axe" ] || skip_all "no axe-core (.ci/tools brings it)"
. "$TOP/tests/lib/browser.sh"

awk 'BEGIN {
	print "#{\"gp\":1,\"event\":\"cpu-clock\",\"unit\":\"samples\",\"host\":\"web1\",\"labels\":[\"time\",\"host\"]}"
	for (t = 0; t < 20; t++) for (h = 1; h <= 12; h++)
		printf "time=%05.1f;host=web%d;java;main_[j];f%d_[k];std::g%d %d\n", t / 2, h, t % 3, h, h * 10 }' >in
sed 's/cpu-clock/cycles/' in >other
gp-flame --separate -o two.html in other
printf '#{"gp":1,"unit":"samples","columns":2,"kind":"diff","names":["base","new"]}\na;b 100 20\na;c 0 50\na;d 30 0\n' >"diff"
gp-flame -o diff.html diff
gp-flame --colors java -o java.html in
printf '#{"gp":1}\n' >none
gp-flame -q -o none.html none 2>/dev/null

# What is found: rule, how many, and the first element.
words='globalThis.all = []; const found = async where => { const { violations } = await axe.run(document, { resultTypes: ["violations"] }); for (const v of violations) globalThis.all.push(where + ": " + v.id + " x" + v.nodes.length + " " + v.nodes[0].target.join(" ") + " " + v.nodes[0].failureSummary.replace(/\s+/g, " ").slice(0, 300)); }; const settled = () => new Promise(done => setTimeout(done, 250)); const look = async (where, act) => { await act(); await settled(); await found(where) }; const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); const button = words => [...document.querySelectorAll("button")].find(b => b.textContent === words)'
for look in "-w 400 -h 900" "-d -w 400 -h 900" "-w 1600 -h 900" "-d -w 1600 -h 900"; do
	# shellcheck disable=SC2086
	later "graph, views, panels, comparison, menu, keys: $look" $look two.html <<END
run $axe
eval $words; 0
	0
eval found('graph')
	undefined
eval look('search', () => { search.value = 'f1'; search.dispatchEvent(new Event('input')) })
	undefined
eval look('table', () => press('3'))
	undefined
eval look('tree', () => press('4'))
	undefined
eval look('bottom-up', () => press('2'))
	undefined
eval look('callers', () => { press('3'); document.querySelectorAll('#list .line')[0].dispatchEvent(new MouseEvent('dblclick', { bubbles: true })) })
	undefined
eval look('filter', () => { press('1'); press('F') })
	undefined
eval look('labels', () => { press('L'); document.querySelector('.values .line').click(); document.querySelector('.values h3 button').click() })
	undefined
eval look('compare', () => { press('C'); button('Keep this as A').click(); document.querySelectorAll('#tabs button')[1].click(); button('Side by side').click() })
	undefined
eval look('diff', () => button('One diff graph').click())
	undefined
eval look('share', () => press('S'))
	undefined
eval look('about', () => press('A'))
	undefined
eval look('menu', () => { press('Escape'); view.focus(); press('ArrowUp'); press('ArrowUp'); press('m') })
	undefined
eval look('keys', () => { press('Escape'); press('?') })
	undefined
eval all
	[]
END
	for page in diff java none; do
		# shellcheck disable=SC2086
		later "$page: $look" $look $page.html <<END
run $axe
eval $words; 0
	0
eval found('$page').then(() => all)
	[]
END
	done
done
done_testing
