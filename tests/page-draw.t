#!/bin/sh
# The page draws what the SVG draws: colours of every palette, differences, ratios, flame charts, large values,
# attributes of names.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"

# Name and colour of every box, by the SVG; and by the page, which saves an SVG and has the pixel on its canvas.
in_svg='[...document.querySelectorAll(".frames rect")].map(r => r.textContent.split("\n")[0] + " " + getComputedStyle(r).fill).sort().join("\n")'
in_page='(async () => { const create = URL.createObjectURL; URL.createObjectURL = blob => { globalThis.blob = blob; return create.call(URL, blob) }; document.querySelector("[data-panel=share]").click(); document.querySelector("[data-focus=SVG]").click(); document.querySelector("[data-panel=share]").click(); const svg = new DOMParser().parseFromString(await blob.text(), "image/svg+xml"), tall = Number(svg.documentElement.getAttribute("height")) - 40, paint = canvas.getContext("2d"); return [...svg.querySelectorAll("g g")].map(g => { const r = g.querySelector("rect"), n = key => Number(r.getAttribute(key)), [R, G, B] = paint.getImageData(n("x") + n("width") - 3, canvas.height - tall + n("y") + 2, 1, 1).data, fill = r.getAttribute("fill"), rgb = [1, 3, 5].map(i => parseInt(fill.slice(i, i + 2), 16)).join(", "); return g.querySelector("title").textContent.split("\n")[0] + " rgb(" + rgb + ")" + (Math.max(...[R, G, B].map((c, i) => Math.abs(c - parseInt(fill.slice(1 + 2 * i, 3 + 2 * i), 16)))) < 3 ? "" : " but drawn " + [R, G, B]) }).sort().join("\n") })()'

cat >in <<'END'
java;run_[j];Lcom/x/A.b_[j];memcpy 30
java;run_[j];java/util/List.add_[i] 20
java;run_[j];do_sys_open_[k] 20
java;std::vector<int>::push_back;malloc (src/m.c:12) 30
node;LazyCompile:*f /a/node_modules/x.js:1;[libc.so+0x12] 40
python;main (app.py:10)_[p];query <x>_[p];a`b 40
core::fmt;alloc::vec::Vec<T>;x_[w];[unknown:x] 40
END
printf '#{"gp":1,"unit":"samples","columns":2,"kind":"diff","names":["base","new"]}\na;b 100 200\na;c 300 310\na;d 400 100\na;e 0 90\na;f 80 0\na;g 50 70\n' >"diff"
sed 's/diff/ratio/; s/base/instructions/; s/new/cycles/' diff >ratio
# FILE;OPTIONS;SCHEMES. Every palette's formula is in colours.t; here are those that tell names apart.
{
	for colours in module package runtime self safe; do echo "in;--colors $colours;light dark"; done
	echo "diff;;light dark"
	echo "in;;light"
	for more in "--delta self" "--delta points" "--negate --layout new" "--layout base"; do echo "diff;$more;dark"; done
	echo "ratio;;light"
	for colours in hot chain java rust; do echo "in;--colors $colours;light"; done
	for more in "--hash" "--colors java --deterministic" "--cp"; do echo "in;$more;dark"; done
	echo "diff;--colors hot;light"
	echo "in;--colordiffusion;light"
	echo "diff;--colordiffusion;light"
} >cases
number=0
while IFS=';' read -r file more schemes; do
	number=$((number + 1))
	# shellcheck disable=SC2086
	gp-flame -q $more -o "$number.svg" "$file" && gp-flame -q $more -o "$number.html" "$file" || exit 1
	for kind in svg html; do
		printf 'block %s.%s\nopen -w 1200 -h 300 %s.%s\n' "$number" "$kind.got" "$number" "$kind"
		for scheme in $schemes; do
			[ "$kind" = svg ] && ask=$in_svg || ask=$in_page
			printf 'scheme %s\neval %s\n' "$scheme" "$ask"
		done
	done
done <cases >script
browse <script >got 2>err || cat err
awk '/^\001block /{ close(file); file = $2; next } { print >file }' got
number=0
while IFS=';' read -r file more schemes; do
	number=$((number + 1))
	# What is on one side only has a pattern there.
	for name in $(sed -n 's/ url.*//p' "$number.svg.got"); do sed -i "/^$name /d" "$number.svg.got" "$number.html.got"; done
	if [ -s "$number.svg.got" ] && cmp -s "$number.svg.got" "$number.html.got"; then pass "the colours of $file $more, $schemes"; else
		diff "$number.svg.got" "$number.html.got" >why
		fail "the colours of $file $more, $schemes" - <why
	fi
done <cases

# ---- in words

words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); const graph = v => { const c = v.querySelector("canvas"), r = c.getBoundingClientRect(), found = []; for (let y = 9; y < r.height; y += 18) for (let x = 3, last = ""; x < r.width; x += 4) { c.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + x, clientY: r.top + y })); const t = details.textContent.split(" · "), it = t[0] ? t[0] + " " + (t[2] || t[1]) : ""; if (it && it !== last) found.push(it); last = it } return found }; const on = (x, row) => { const r = canvas.getBoundingClientRect(); canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: r.left + x, clientY: r.bottom - row * 18 - 9 })); return details.textContent }; 0'
gp-flame -o ratio.html ratio
later "a ratio: the denominator is the width, in words the ratio and its interval" ratio.html <<END
eval $words
	0
eval on(50, 2)
	b · native · instructions 100 (10.75 %), cycles 200 (25.97 %): cycles per instructions 2, with 95 % between 1.57 and 2.54; of the whole 0.828 · self: instructions 100 (10.75 %), cycles 200 (25.97 %): cycles per instructions 2, with 95 % between 1.57 and 2.54; of the whole 0.828
eval on(1050, 2).includes('f · native · instructions 80 (8.60 %), cycles 0 (0.00 %): fewer than 20 samples on a side: no ratio')
	true
eval [...document.querySelectorAll('#legend li')].map(li => li.textContent)
	["a quarter of the whole’s","lower","as the whole, or too few samples","higher","four times the whole’s"]
eval document.querySelector('[data-mode=table]').click(); [...document.querySelectorAll('#list .line .name')].map(l => l.textContent)
	["d","c","b","f","g","a","e"]
eval errors
	[]
END
gp-flame -o diff.html diff
later "a difference: both sides, shares, points, in words" diff.html <<END
eval $words
	0
eval on(100, 2)
	b · native · base 100 (10.75 %), new 200 (25.97 %): +100, +15.22 points, ×2.0 · self: base 100 (10.75 %), new 200 (25.97 %): +100, +15.22 points, ×2.0
eval on(300, 2).includes('+10, +8.00 points, ×1.03, may be chance')
	true
eval ['new', 'removed'].map(word => graph(view).length && [960, 1050].map(x => on(x, 2).includes(word + ' ·')))
	[[true,false],[false,true]]
END

# ---- flame charts

printf '#{"gp":1,"unit":"samples","labels":["time"]}\ntime=01.0;p;a 10\ntime=02.0;p;b 20\ntime=03.0;p;a 30\ntime=03.0;p;a;c 10\ntime=04.0;p;a 30\n' >chart
gp-fold chart >chart.want
gp-flame --flamechart -o chart.html chart
is "a flame chart's page holds the profile with its times" 'gp-fold chart.html' <chart.want
later "a flame chart by time: neighbours only; a range, a step, another view" chart.html <<END
eval $words
	0
eval [graph(view), time.hidden, range.textContent]
	[["c 10 samples","a 10 samples","b 20 samples","a 70 samples","p 100 samples","all 100.00 %"],false,"1–5 s · slices of 1 s"]
eval [on(1160, 3), on(800, 3).split(' · ')[0]]
	["","c"]
key t
key ArrowRight
key ArrowRight
key ArrowRight
eval [graph(view), range.textContent.split(' · ')[0]]
	[["c 10 samples","a 40 samples","p 40 samples","all 100.00 %"],"3–4 s"]
key Escape
key F
eval document.querySelectorAll('#panel select')[0].value = 'ignore'; document.querySelector('#panel form input').value = '^b'; document.querySelector('#panel form button').click(); graph(view)
	["c 10 samples","a 80 samples","p 80 samples","all 100.00 %"]
eval errors
	[]
END
printf 'a;x 3\nb 2\na;x 5\n' >lines
later "a flame chart of lines" lines.html <<END
eval $words
	0
eval graph(view)
	["x 3 samples","x 5 samples","a 3 samples","b 2 samples","a 5 samples","all 100.00 %"]
END
gp-flame --flamechart -o lines.html lines
is "whose page gives the profile" 'gp-fold lines.html' <<END
a;x 8
b 2
END

# ---- values no double holds

printf '#{"gp":1,"unit":"ns"}\na;b 9007199254740993\na;b;d 1\na;c 9223372036854775809\n' >large
gp-flame -o large.html large
later "values beyond 2^53 are exact, in sums and in text that is copied" large.html <<END
eval $words; Object.defineProperty(navigator, "clipboard", { value: { writeText: async text => { globalThis.copied = text } } }); 0
	0
eval on(20, 1)
	a · native · 9,232,379,236 s (9,232,379,236,109,516,803 ns) · 100.00 % · self 0 ns · 0.00 %
eval on(500, 2)
	c · native · 9,223,372,037 s (9,223,372,036,854,775,809 ns) · 99.90 %, 99.90 % of its caller · self 9,223,372,037 s (9,223,372,036,854,775,809 ns) · 99.90 %
key S
eval document.querySelector('[data-focus="Folded text of what is in sight"]').click(); new Promise(done => setTimeout(done, 100)).then(() => copied.trim().split('\n'))
	["a;b 9007199254740993","a;b;d 1","a;c 9223372036854775809"]
key F
eval document.querySelectorAll('#panel select')[0].value = 'hide'; document.querySelector('#panel form input').value = '^[bc]'; document.querySelector('#panel form button').click(); document.querySelector('[data-panel=share]').click(); document.querySelector('[data-focus="Folded text of what is in sight"]').click(); new Promise(done => setTimeout(done, 100)).then(() => copied.trim().split('\n'))
	["a 9232379236109516802","a;d 1"]
END
printf 'a;b 9007199254740993\nc;b 9007199254740993\na 1\n' | gp-flame -o functions.html -
later "nor are the table's" functions.html <<END
key 3
eval [...document.querySelectorAll('#list .line')].map(l => l.textContent)
	["18,014,398,509,481,986100.00 %18,014,398,509,481,986100.00 %b","10.00 %9,007,199,254,740,99450.00 %a","00.00 %9,007,199,254,740,99350.00 %c"]
END
printf '#{"gp":1,"unit":"samples","scale":1000}\na 1500\n' >scaled
gp-flame --countname calls --factor 10 -o factor.html scaled
later "--countname and --factor" factor.html <<END
eval $words
	0
eval on(20, 1)
	a · native · 15 calls · 100.00 % · self 15 calls · 100.00 %
END

# ---- attributes of names, links

printf 'b\ttitle=what b does\thref=https://host/b?x=1&y=2\nc\thref=javascript:alert(1)\n' >attributes
gp-flame --nameattr attributes --search-color '#00aa00' --truncate-text-left -o attributes.html - <<'END'
a;b 10
a;c 10
a;a_name_that_is_much_longer_than_its_box_since_it_is_of_many_many_words_and_so_it_goes_on 2
END
later "--nameattr: title and link; a script is no link; --search-color" attributes.html <<END
eval $words
	0
eval on(300, 2).split(' · ')[0] + '|' + tip.textContent
	b|bwhat b does · native · 10 samples · 45.45 %, 45.45 % of its callerself 10 samples · 45.45 %
eval const opens = x => { const r = canvas.getBoundingClientRect(); canvas.dispatchEvent(new MouseEvent('contextmenu', { clientX: r.left + x, clientY: r.bottom - 45, bubbles: true })); return [...menu.children].map(i => i.textContent).filter(t => t.startsWith('Open')) }; [opens(300), opens(1000)]
	[["Open https://host/b?x=1&y=2"],[]]
eval search.value = '^c'; search.dispatchEvent(new Event('input')); new Promise(done => setTimeout(done, 100)).then(() => [...canvas.getContext('2d').getImageData(1100, canvas.height - 2 * 18 - 15, 1, 1).data].slice(0, 3))
	[0,170,0]
END

# ---- what else was asked of the picture

gp-flame --total 440 --bgcolors yellow --stroke-color '#ff0000' --uicolor '#004400' --truncate-text-left -o asked.html in
saved='globalThis.button = words => [...document.querySelectorAll("button")].find(b => b.textContent === words); const create = URL.createObjectURL; URL.createObjectURL = blob => { globalThis.blob = blob; return create.call(URL, blob) }; globalThis.savedSvg = async () => { document.querySelector("[data-panel=share]").click(); button("SVG").click(); document.querySelector("[data-panel=share]").click(); return new DOMParser().parseFromString(await blob.text(), "image/svg+xml") }; 0'
later "--total, --bgcolors, --stroke-color, --uicolor, --truncate-text-left" -w 1200 asked.html <<END
eval $words
	0
eval $saved
	0
eval [on(20, 1), on(700, 1), on(700, 0)]
	["core::fmt · C++, Rust · 40 samples · 9.09 % · self 0 samples · 0.00 %","","all · 440 samples · 100.00 % · self 0 samples · 0.00 %"]
eval [getComputedStyle(view).backgroundImage, getComputedStyle(subtitle).color]
	["linear-gradient(rgb(238, 238, 238), rgb(238, 238, 176))","rgb(0, 68, 0)"]
eval const edge = x => { const d = canvas.getContext('2d').getImageData(x, canvas.height - 10, 1, 1).data; return d[0] - d[1] }; edge(0) > edge(300) + 20
	true
eval savedSvg().then(svg => [...svg.querySelectorAll('g g text')].map(t => t.textContent).filter(t => t.startsWith('..')).length > 0)
	true
END
gp-flame --colors hot --random -o one.html in
gp-flame --colors hot --random -o two.html in
hot='savedSvg().then(svg => { const all = [...svg.querySelectorAll("g g")].map(g => [g.querySelector("title").textContent.split("\n")[0], g.querySelector("rect").getAttribute("fill")]).filter(([name]) => name !== "all"); return [all.length, new Set(all.map(([, fill]) => fill)).size > 9, all.every(([, fill]) => { const [r, g, b] = [1, 3, 5].map(i => parseInt(fill.slice(i, i + 2), 16)); return r >= 205 && g <= 230 && b <= 55 })] })'
not "--random: by chance, another page each time" cmp -s one.html two.html
later "whose colours are of the palette" one.html <<END
eval $saved
	0
eval $hot
	[19,true,true]
END
done_testing
